// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Numbers with names, in an order: millions of them where the names are those of an array.
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "varia/expr/name_list.hpp"

namespace varia::io {

class NamedNumbers {
 public:
  using value_type = std::pair<std::string, double>;
  using const_iterator = expr::MadeWhereRead<NamedNumbers>;
  using iterator = const_iterator;

  NamedNumbers() = default;
  NamedNumbers(std::initializer_list<value_type> list) {
    for (const auto& [name, number] : list) emplace_back(name, number);
  }
  /// One number for each name.
  NamedNumbers(expr::NameList names, std::vector<double> numbers)
      : names_(std::move(names)), numbers_(std::move(numbers)) {}

  void emplace_back(std::string name, double number) {
    names_.push_back(std::move(name));
    numbers_.push_back(number);
  }
  void clear() { *this = {}; }

  std::size_t size() const { return numbers_.size(); }
  bool empty() const { return numbers_.empty(); }
  value_type operator[](std::size_t place) const { return {names_[place], numbers_[place]}; }
  value_type front() const { return (*this)[0]; }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, size()}; }
  const std::vector<double>& numbers() const { return numbers_; }

  /// The first of them, at most so many.
  NamedNumbers first(std::size_t most) const {
    NamedNumbers some;
    for (std::size_t i = 0; i < std::min(most, size()); ++i)
      some.emplace_back(names_[i], numbers_[i]);
    return some;
  }

  friend bool operator==(const NamedNumbers& a, const NamedNumbers& b) {
    return a.numbers_ == b.numbers_ && a.names_ == b.names_;
  }

 private:
  expr::NameList names_;
  std::vector<double> numbers_;
};

}  // namespace varia::io
