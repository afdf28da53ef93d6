// SPDX-License-Identifier: BSD-3-Clause
#include "parts.hpp"

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

std::size_t place_of(const std::vector<io::Column>& columns, const std::string& kind) {
  std::size_t i = 0;
  while (i < columns.size() && columns[i].kind != kind) ++i;
  return i;
}

void add_recorded(const std::vector<io::Column>& columns, const std::set<std::string>& needed,
                  const Table& table, Json& out) {
  std::map<std::string, int> count;
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const auto& c = columns[i];
    if (c.kind == "energy" || c.kind == "momentum" || c.name == modified_energy) continue;
    if (++count[c.kind] > most_columns && !(c.kind == "q" && needed.count(c.name))) continue;
    out.push_back(column(
        c.name, c.kind, c.unit, table, [i](const auto& record) { return record[i]; }, 7));
  }
}

void add_errors(const io::Summary& summary, bool conserved, const std::vector<io::Column>& columns,
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
    if (columns[i].name == modified_energy)
      out.push_back(column(
          "modified energy", conserved ? "energy_error" : "observe", "", table,
          [&](const auto& r) { return conserved ? (r[i] - first[i]) / scale : r[i]; }, 5));
  int count = 0;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].kind == "momentum" && ++count <= most_columns)
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

std::string page_of(const Json& data, const io::Summary& summary) {
  // As text: reading it back would compare each name of a large system with all others.
  std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.insert(1, "\"summary\":" + to_json(summary, -1) + ",");
  return report_page(text);
}

}  // namespace varia::report
