// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/records.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "varia/core/error.hpp"

namespace varia::io {

const std::vector<std::string>& column_kinds() {
  static const std::vector<std::string> kinds = {"t",      "q",       "v",      "p",
                                                 "lambda", "observe", "energy", "momentum"};
  return kinds;
}

namespace {

std::string list_of_kinds() {
  std::string text;
  for (const std::string& kind : column_kinds()) text += (text.empty() ? "" : ", ") + kind;
  return text;
}

void check_count(const std::vector<Column>& columns, const std::string& kind, bool needed) {
  const auto count = std::count_if(columns.begin(), columns.end(),
                                   [&](const Column& column) { return column.kind == kind; });
  if (count > 1 || (needed && count == 0))
    throw InvalidArgument("the records have " + std::to_string(count) + " columns of kind " + kind +
                          "; " + (needed ? "exactly" : "at most") + " one is allowed");
}

}  // namespace

void check_columns(const std::vector<Column>& columns) {
  const std::vector<std::string>& kinds = column_kinds();
  std::set<std::pair<std::string, std::string>> seen;
  for (const Column& column : columns) {
    if (column.name.empty() || column.name.find('\0') != std::string::npos)
      throw InvalidArgument("a column of kind " + column.kind + " has no name");
    if (std::find(kinds.begin(), kinds.end(), column.kind) == kinds.end())
      throw InvalidArgument("column " + column.name + " is of unknown kind '" + column.kind +
                            "'; kinds are: " + list_of_kinds());
    if (!seen.emplace(column.kind, column.name).second)
      throw InvalidArgument("two columns of kind " + column.kind + " are named " + column.name);
  }
  check_count(columns, "t", true);
  check_count(columns, "energy", false);
}

void check_finite(const std::vector<Column>& columns, const double* record, long index) {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (!std::isfinite(record[i]))
      throw InvalidArgument("column " + columns[i].name + " (" + columns[i].kind + ") is " +
                            to_text(record[i]) + " in record " + std::to_string(index) +
                            "; a trajectory holds finite numbers only");
}

}  // namespace varia::io
