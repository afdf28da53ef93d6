// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Names in an order. Those of an array, q[1] to q[1000000], are made where they are asked for, so that the
// names of a large system take no memory.
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

#include "varia/expr/shape.hpp"

namespace varia::expr {

/// The places of a list whose entries are made when they are read.
template <class List> class MadeWhereRead {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = typename List::value_type;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using reference = value_type;

  MadeWhereRead() = default;
  MadeWhereRead(const List& list, std::size_t place) : list_(&list), place_(place) {}
  value_type operator*() const { return (*list_)[place_]; }
  MadeWhereRead& operator++() {
    ++place_;
    return *this;
  }
  MadeWhereRead operator++(int) {
    MadeWhereRead before = *this;
    ++place_;
    return before;
  }
  friend bool operator==(const MadeWhereRead& a, const MadeWhereRead& b) {
    return a.place_ == b.place_;
  }
  friend difference_type operator-(const MadeWhereRead& a, const MadeWhereRead& b) {
    return static_cast<difference_type>(a.place_) - static_cast<difference_type>(b.place_);
  }

 private:
  const List* list_ = nullptr;
  std::size_t place_ = 0;
};

class NameList {
 public:
  using value_type = std::string;
  using const_iterator = MadeWhereRead<NameList>;
  using iterator = const_iterator;

  NameList() = default;
  NameList(const std::vector<std::string>& names);  // NOLINT(google-explicit-constructor)
  NameList(std::initializer_list<std::string> names) : NameList(std::vector<std::string>(names)) {}

  void push_back(std::string name);
  /// Of an array the names of each entry: these, with its index behind each of them. One entry without
  /// an index for no shape.
  void append(const std::vector<std::string>& names, const Shape& indices);
  void append(const NameList& names);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::string operator[](std::size_t place) const;
  std::string front() const { return (*this)[0]; }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, size_}; }
  std::vector<std::string> all() const { return {begin(), end()}; }
  /// What tells one list from another: a line for each array, and for each other name.
  std::string text() const;

  friend bool operator==(const NameList& a, const NameList& b);

 private:
  /// The names of an array; without indices a list of single names.
  struct Part {
    std::size_t end;  ///< the place behind the last name
    std::vector<std::string> names;
    Shape indices;
  };
  std::vector<Part> parts_;
  std::size_t size_ = 0;
};

}  // namespace varia::expr
