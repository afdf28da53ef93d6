// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What is kept of an object, as numbers, for a checkpoint: stated once, written and read alike.
//
//   void exchange(SavedNumbers& numbers) { numbers(count, h, x); }
//
//   const std::vector<double> data = SavedNumbers::of(object);
//   SavedNumbers::read(object, data, "the numbers belong to another object");
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace varia {

class SavedNumbers {
 public:
  /// Those that object.exchange() states.
  template <class X> static std::vector<double> of(const X& object) {
    SavedNumbers numbers;
    const_cast<X&>(object).exchange(numbers);  // writing changes nothing
    return std::move(numbers.written_);
  }
  /// Back into the object. Throws InvalidArgument with the given text when there are more or fewer.
  template <class X>
  static void read(X& object, const std::vector<double>& data, std::string refusal) {
    SavedNumbers numbers(data, std::move(refusal));
    object.exchange(numbers);
    if (numbers.next_ != numbers.end_) numbers.refuse();
  }

  bool reading() const { return reading_; }
  [[noreturn]] void refuse() const;

  /// Numbers, lists of them whose lengths are known, objects with exchange(), lists of these.
  template <class... X> void operator()(X&... x) { (exchange(x), ...); }
  /// Lists of numbers whose length was exchanged before.
  template <class... List> void lists(double length, List&... x) {
    if (reading_) {
      if (!(length >= 0.0 && length * sizeof...(x) <= static_cast<double>(end_ - next_))) refuse();
      (x.resize(static_cast<std::size_t>(length)), ...);
    }
    operator()(x...);
  }
  /// All that is left, of an object that saves and loads by itself.
  template <class X> void rest(X& object) {
    if (reading_)
      object.load({std::exchange(next_, end_), end_});
    else
      for (double number : object.save()) operator()(number);
  }
  /// The same with its length in front.
  template <class X> void part(X& object) {
    std::vector<double> data;
    if (!reading_) data = object.save();
    auto length = static_cast<double>(data.size());
    operator()(length);
    lists(length, data);
    if (reading_) object.load(data);
  }

 private:
  SavedNumbers() = default;
  SavedNumbers(const std::vector<double>& data, std::string refusal);

  void exchange(double* x, std::size_t count);
  template <class X> void exchange(X& x) {
    if constexpr (std::is_arithmetic_v<X>) {
      auto number = static_cast<double>(x);
      exchange(&number, 1);
      if (reading_) x = static_cast<X>(number);
    } else if constexpr (requires { x.exchange(*this); }) {
      x.exchange(*this);
    } else if constexpr (requires { exchange(x.data(), x.size()); }) {
      exchange(x.data(), static_cast<std::size_t>(x.size()));
    } else {
      for (auto& part : x) exchange(part);
    }
  }

  bool reading_ = false;
  const double *next_ = nullptr, *end_ = nullptr;
  std::string refusal_;
  std::vector<double> written_;
};

}  // namespace varia
