// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/csv_trajectory.hpp"

#include <unordered_map>
#include <vector>

#include "varia/io/atomic_file.hpp"
#include "varia/io/number_text.hpp"

namespace varia::io {

namespace {

/// The names of the first line, each of them once.
std::vector<std::string> unique_names(const std::vector<Column>& columns) {
  std::unordered_map<std::string, int> uses;
  for (const Column& column : columns) ++uses[column.name];
  std::vector<std::string> names;
  for (const Column& column : columns) {
    const bool chosen_by_the_user = column.kind == "observe" || column.kind == "momentum";
    const bool shared = uses[column.name] > 1;
    names.push_back(shared && chosen_by_the_user ? column.kind + "." + column.name : column.name);
  }
  return names;
}

std::string field(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

void write_csv(RecordSource source, const std::string& path) {
  const std::vector<Column>& columns = source.columns();
  AtomicPath file(path);
  std::string line;
  for (const std::string& name : unique_names(columns))
    line += (line.empty() ? "" : ",") + field(name);
  file.append(line + '\n');

  std::vector<double> record(columns.size());
  for (long index = 0; source.next(record.data()); ++index) {
    check_finite(columns, record.data(), index);
    line.clear();
    for (const double x : record) {
      append_number(line, x);
      line += ',';
    }
    line.back() = '\n';
    file.append(line);
  }
  file.commit();
}

}  // namespace varia::io
