// SPDX-License-Identifier: BSD-3-Clause
#include "parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "varia/core/version.hpp"
#include "varia/report/page.hpp"

namespace varia::report {

namespace {
/// Of [diagnose]: drawn with the error of the energy.
constexpr const char* modified_energy = "modified_energy";
}  // namespace

double rounded(double x, int digits) {
  if (x == 0.0 || !std::isfinite(x)) return 0.0;
  const double unit = std::pow(10.0, digits - 1 - std::floor(std::log10(std::abs(x))));
  const double y = std::round(x * unit) / unit;
  return std::isfinite(y) ? y : x;
}

Json column(const std::string& name, const std::string& kind, const std::string& unit,
            const Table& table, const std::function<double(const std::vector<double>&)>& value,
            int digits) {
  Json values = Json::array();
  for (const auto& record : table) values.push_back(rounded(value(record), digits));
  return {{"name", name}, {"kind", kind}, {"unit", unit}, {"values", std::move(values)}};
}

std::size_t place_of(const io::ColumnList& columns, const std::string& kind) {
  std::size_t i = 0;
  while (i < columns.size() && columns.kind(i) != kind) ++i;
  return i;
}

std::vector<std::size_t> shown_columns(const io::ColumnList& columns,
                                       const std::set<std::string>& needed) {
  std::map<io::Label, int> count;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const io::Label& kind = columns.kind(i);
    const bool modified = kind == "observe" && columns.name(i) == modified_energy;
    if (modified || count[kind]++ < most_columns ||
        (kind == "q" && !needed.empty() && needed.count(columns.name(i)) > 0))
      places.push_back(i);
  }
  return places;
}

io::ColumnList chosen(const io::ColumnList& columns, const std::vector<std::size_t>& places) {
  io::ColumnList some;
  for (const std::size_t i : places) some.push_back(columns[i]);
  return some;
}

Table chosen(const Table& table, const std::vector<std::size_t>& places) {
  Table some;
  for (const auto& record : table) {
    some.emplace_back();
    for (const std::size_t i : places) some.back().push_back(record[i]);
  }
  return some;
}

void add_recorded(const io::ColumnList& columns, const Table& table, Json& out) {
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const io::Column c = columns[i];
    if (c.kind == "energy" || c.kind == "momentum" || c.name == modified_energy) continue;
    out.push_back(column(
        c.name, c.kind, c.unit, table, [i](const auto& record) { return record[i]; }, 7));
  }
}

void add_errors(const io::Summary& summary, bool conserved, const io::ColumnList& columns,
                const Table& table, Json& out) {
  if (table.empty()) return;
  const std::vector<double>& first = table.front();
  const std::size_t e = place_of(columns, "energy");
  const double scale = summary.energy.exchanged > 0.0 ? summary.energy.exchanged : 1.0;
  if (conserved)
    out.push_back(column(
        "energy error", "energy_error", "", table,
        [&](const auto& r) { return (r[e] - first[e]) / scale; }, 5));
  else
    out.push_back(column(
        "energy", "observe", "", table, [e](const auto& r) { return r[e]; }, 7));
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns.kind(i) == "observe" && columns.name(i) == modified_energy)
      out.push_back(column(
          "modified energy", conserved ? "energy_error" : "observe", "", table,
          [&](const auto& r) { return conserved ? (r[i] - first[i]) / scale : r[i]; }, 5));
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns.kind(i) == "momentum")
      out.push_back(column(
          columns[i].name, "momentum_error", "", table,
          [&](const auto& r) { return r[i] - first[i]; }, 5));
}

Json times(const Table& table) {
  Json out = Json::array();
  for (const auto& record : table) out.push_back(rounded(record[0], 10));
  return out;
}

Json verdict_rows(const io::Summary& s) {
  Json rows = Json::array();
  for (const auto& v : s.verdicts)
    rows.push_back({{"name", v.name}, {"status", v.status}, {"value", v.value}, {"text", v.text}});
  return rows;
}

Json head(const io::Scenario& scenario, const char* kind) {
  return {{"varia", version},
          {"kind", kind},
          {"title", scenario.title},
          {"name", scenario.name},
          {"scenario", full_text(scenario)}};
}

namespace {

/// How long the longest list is that has an entry for each coordinate.
std::size_t longest_list(const io::Summary& s) {
  return std::max({s.final.q.size(), s.final.v.size(), s.structure.cyclic.size(), s.momenta.size(),
                   s.final.lambda.size()});
}

io::Summary cut(const io::Summary& whole) {
  io::Summary s = whole;
  for (io::NamedNumbers* list : {&s.final.q, &s.final.v, &s.final.p})
    *list = list->first(most_in_summary);
  const auto shorten = [](auto& list) {
    if (list.size() > most_in_summary)
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(most_in_summary), list.end());
  };
  shorten(s.structure.cyclic);
  shorten(s.momenta);
  shorten(s.final.lambda);
  return s;
}

}  // namespace

std::string note_of_part(const io::Summary& summary) {
  const std::size_t longest = longest_list(summary);
  if (longest <= most_in_summary) return "";
  return "lists of the summary have " + std::to_string(longest) + " entries; the first " +
         std::to_string(most_in_summary) + " of each are in this report, all are in summary.json";
}

std::string page_of(const Json& data, const io::Summary& summary) {
  // As text: reading it back would compare each name of a large system with all others.
  std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.insert(1, "\"summary\":" +
                     to_json(longest_list(summary) > most_in_summary ? cut(summary) : summary, -1) +
                     ",");
  return report_page(text);
}

}  // namespace varia::report
