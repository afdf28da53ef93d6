// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A trajectory as a table: columns with a name, a kind and a unit, and one record of doubles for
// each recorded time. RecordSource is any reader of such a table.
#include <functional>
#include <string>
#include <vector>

#include "varia/io/column_list.hpp"

namespace varia::io {

/// t, q, v, p, lambda, observe, energy, momentum, event; of optimal control input, state, costate.
const std::vector<std::string>& column_kinds();

/// InvalidArgument unless there is one time, at most one energy, and every name is used once in its
/// kind.
void check_columns(const ColumnList& columns);

/// InvalidArgument that names the column if one of the numbers of the record is not finite. Only an
/// observed function may be missing: NaN.
void check_finite(const ColumnList& columns, const double* record, long index);

/// All records of a reader, from the first. The reader must outlive it.
class RecordSource {
 public:
  template <class Reader>
  requires requires(Reader& reader, double* record) {
    reader.rewind();
    reader.next(record);
  }
  RecordSource(Reader& reader)  // NOLINT(google-explicit-constructor): a reader is a source
      : columns_(&reader.columns()),
        records_(reader.records()),
        next_([&reader](double* record) { return reader.next(record); }) {
    reader.rewind();
  }

  const ColumnList& columns() const { return *columns_; }
  long records() const { return records_; }
  bool next(double* record) { return next_(record); }

 private:
  const ColumnList* columns_;
  long records_;
  std::function<bool(double*)> next_;
};

}  // namespace varia::io
