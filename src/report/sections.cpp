// SPDX-License-Identifier: BSD-3-Clause
#include "sections.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace varia::report {

namespace {

constexpr std::size_t most_dots = 5000;
const char* const drawn_kinds[] = {"q", "v", "p", "observe"};

/// The records of one event, at most about so many, evenly spread.
struct Dots {
  void add(const std::vector<double>& record) {
    if (total++ % stride != 0) return;
    if (table.size() == most_dots) {
      for (std::size_t i = 0; 2 * i < most_dots; ++i) table[i] = table[2 * i];
      table.resize(most_dots / 2);
      stride *= 2;
    }
    table.push_back(record);
  }

  Table table;
  long total = 0, stride = 1;
};

/// The number of the event of each record is in the first column.
std::map<long, Dots> dots_of(io::RecordReader& reader) {
  std::map<long, Dots> dots;
  std::vector<double> record(reader.columns().size());
  reader.rewind();
  while (reader.next(record.data())) dots[std::lround(record[0])].add(record);
  return dots;
}

/// Those of each kind that a report shows, and the axes that are asked for.
std::vector<std::size_t> drawn_columns(const io::ColumnList& columns,
                                       const std::vector<std::string>& axes) {
  std::map<std::string, int> count;
  std::vector<std::size_t> drawn;
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const io::Column& c = columns[i];
    const bool asked = std::find(axes.begin(), axes.end(), c.name) != axes.end();
    const bool shown =
        std::find(std::begin(drawn_kinds), std::end(drawn_kinds), c.kind) != std::end(drawn_kinds);
    if ((shown && ++count[c.kind] <= most_columns) || (asked && (shown || c.kind == "t")))
      drawn.push_back(i);
  }
  return drawn;
}

/// Whether a column takes more than one value on the section, up to round-off.
bool varies(const Table& table, std::size_t column) {
  double low = table.front()[column], high = low;
  for (const auto& record : table) {
    low = std::min(low, record[column]);
    high = std::max(high, record[column]);
  }
  return high - low > 1e-9 * (1.0 + std::max(std::abs(low), std::abs(high)));
}

/// A coordinate that changes along the section, and its momentum; else the first two that change.
std::vector<std::string> chosen_axes(const io::Model& model, const io::ColumnList& columns,
                                     const std::vector<std::size_t>& drawn, const Table& table) {
  std::vector<std::string> changing;
  for (const std::size_t i : drawn)
    if (varies(table, i)) changing.push_back(columns[i].name);
  const auto changes = [&](const std::string& name) {
    return std::find(changing.begin(), changing.end(), name) != changing.end();
  };
  const std::size_t count = std::min(model.entry_names.size(), model.momentum_names.size());
  for (std::size_t i = 0; model.system->on_vector_space() && i < count; ++i)
    if (changes(model.entry_names[i]) && changes(model.momentum_names[i]))
      return {model.entry_names[i], model.momentum_names[i]};
  for (const std::size_t i : drawn)
    if (changing.size() < 2 && !changes(columns[i].name)) changing.push_back(columns[i].name);
  changing.resize(std::min<std::size_t>(changing.size(), 2));
  return changing;
}

Json section(const io::Model& model, const io::Event& event, const io::ColumnList& columns,
             const Dots& dots) {
  const std::vector<std::size_t> drawn = drawn_columns(columns, event.axes);
  const std::vector<std::string> axes =
      event.axes.empty() ? chosen_axes(model, columns, drawn, dots.table) : event.axes;
  const auto time = static_cast<std::size_t>(place_of(columns, "t"));
  Json shown = Json::array();
  for (const std::size_t i : drawn)
    shown.push_back(column(
        columns[i].name, columns[i].kind, columns[i].unit, dots.table,
        [i](const auto& record) { return record[i]; }, 7));
  Json t = Json::array();
  for (const auto& record : dots.table) t.push_back(rounded(record[time], 10));
  return {{"name", event.name},
          {"title", event.timed() ? "Stroboscopic section" : "Poincaré section"},
          {"total", dots.total},
          {"t", std::move(t)},
          {"columns", std::move(shown)},
          {"x", axes.empty() ? "" : axes.front()},
          {"y", axes.empty() ? "" : axes.back()}};
}

}  // namespace

Json sections(const io::Model& model, io::RecordReader& table) {
  Json result = Json::array();
  for (const auto& entry : dots_of(table)) {
    const io::Event& event = model.events.at(static_cast<std::size_t>(entry.first - 1));
    if (event.action == io::EventAction::record)
      result.push_back(section(model, event, table.columns(), entry.second));
  }
  return result;
}

}  // namespace varia::report
