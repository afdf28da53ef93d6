// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The columns of a table. There may be millions of them: names of arrays are made where they are read, and
// kinds and units are kept once for all columns that share them.
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "varia/expr/name_list.hpp"
#include "varia/io/label.hpp"

namespace varia::io {

struct Column {
  std::string name;  ///< x, x_dot, x_p, lambda[1], ...
  Label kind;        ///< one of column_kinds()
  Label unit;        ///< may be empty

  bool operator==(const Column&) const = default;
};

class ColumnList {
 public:
  using value_type = Column;
  using const_iterator = expr::MadeWhereRead<ColumnList>;
  using iterator = const_iterator;

  ColumnList() = default;
  ColumnList(const std::vector<Column>& columns);  // NOLINT(google-explicit-constructor)
  ColumnList(std::initializer_list<Column> columns) : ColumnList(std::vector<Column>(columns)) {}

  void push_back(const Column& column);
  /// Columns with these names that share kind and unit.
  void append(const expr::NameList& names, const Label& kind, const Label& unit);
  void append(const ColumnList& columns);
  /// Names of one kind, with a unit for each.
  template <class UnitOf>
  void append_each(const expr::NameList& names, const Label& kind, const UnitOf& unit_of) {
    names_.append(names);
    for (const std::string& name : names) extend(1, kind, unit_of(name));
  }

  std::size_t size() const { return names_.size(); }
  bool empty() const { return names_.empty(); }
  std::string name(std::size_t place) const { return names_[place]; }
  const Label& kind(std::size_t place) const { return run(place).kind; }
  const Label& unit(std::size_t place) const { return run(place).unit; }
  Column operator[](std::size_t place) const { return {name(place), kind(place), unit(place)}; }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, size()}; }
  /// What tells one list from another, apart from units.
  std::string text() const;

  friend bool operator==(const ColumnList& a, const ColumnList& b);

 private:
  struct Run {
    std::size_t end;  ///< the place behind its last column
    Label kind, unit;
    bool operator==(const Run&) const = default;
  };
  const Run& run(std::size_t place) const;
  void extend(std::size_t count, const Label& kind, const Label& unit);

  expr::NameList names_;
  std::vector<Run> runs_;
};

}  // namespace varia::io
