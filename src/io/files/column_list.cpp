// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/column_list.hpp"

#include <algorithm>

namespace varia::io {

ColumnList::ColumnList(const std::vector<Column>& columns) {
  for (const Column& column : columns) push_back(column);
}

void ColumnList::extend(std::size_t count, const Label& kind, const Label& unit) {
  const std::size_t end = (runs_.empty() ? 0 : runs_.back().end) + count;
  if (!runs_.empty() && runs_.back().kind == kind && runs_.back().unit == unit)
    runs_.back().end = end;
  else
    runs_.push_back({end, kind, unit});
}

void ColumnList::push_back(const Column& column) {
  names_.push_back(column.name);
  extend(1, column.kind, column.unit);
}

void ColumnList::append(const expr::NameList& names, const Label& kind, const Label& unit) {
  if (names.empty()) return;
  names_.append(names);
  extend(names.size(), kind, unit);
}

void ColumnList::append(const ColumnList& columns) {
  names_.append(columns.names_);
  std::size_t from = 0;
  for (const Run& r : std::vector<Run>(columns.runs_)) {
    extend(r.end - from, r.kind, r.unit);
    from = r.end;
  }
}

const ColumnList::Run& ColumnList::run(std::size_t place) const {
  return *std::upper_bound(runs_.begin(), runs_.end(), place,
                           [](std::size_t wanted, const Run& r) { return wanted < r.end; });
}

std::string ColumnList::text() const {
  std::string text = names_.text();
  for (std::size_t k = 0; k < runs_.size(); ++k)
    if (k + 1 == runs_.size() || !(runs_[k].kind == runs_[k + 1].kind))
      text += runs_[k].kind + " up to " + std::to_string(runs_[k].end) + "\n";
  return text;
}

bool operator==(const ColumnList& a, const ColumnList& b) {
  return a.runs_ == b.runs_ && a.names_ == b.names_;
}

}  // namespace varia::io
