// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/json_trajectory.hpp"

#include <vector>

#include "varia/io/atomic_file.hpp"
#include "varia/io/number_text.hpp"

namespace varia::io {

namespace {

std::string list(const std::vector<Column>& columns, std::string Column::*part) {
  std::string text = "[";
  for (const Column& column : columns) {
    if (text.size() > 1) text += ", ";
    append_json_string(text, column.*part);
  }
  return text + "]";
}

}  // namespace

void write_json(RecordSource source, const std::string& path) {
  const std::vector<Column>& columns = source.columns();
  AtomicPath file(path);
  file.append("{\"columns\": " + list(columns, &Column::name) +
              ",\n\"kinds\": " + list(columns, &Column::kind) +
              ",\n\"units\": " + list(columns, &Column::unit) + ",\n\"records\": [");
  std::vector<double> record(columns.size());
  std::string line;
  for (long index = 0; source.next(record.data()); ++index) {
    check_finite(columns, record.data(), index);
    line = index == 0 ? "\n[" : ",\n[";
    for (const double x : record) {
      append_json_number(line, x);
      line += ',';
    }
    line.back() = ']';
    file.append(line);
  }
  file.append("\n]}\n");
  file.commit();
}

}  // namespace varia::io
