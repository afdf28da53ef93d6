// SPDX-License-Identifier: BSD-3-Clause
#include "varia/report/sweep_report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "parts.hpp"
#include "varia/core/version.hpp"
#include "varia/report/page.hpp"

namespace varia::report {

namespace {

constexpr std::size_t most_numbers = 600'000;  ///< in a page: about 6 MB
constexpr std::size_t most_messages = 100;

/// What most sweeps are made for comes first.
int rank_of(const std::string& column) {
  constexpr std::array<const char*, 6> first{
      "energy.max_rel_error", "energy.", "observe.", "momenta.", "constraints.", "diagnose."};
  const auto at = std::find_if(first.begin(), first.end(),
                               [&](const char* key) { return column.starts_with(key); });
  return static_cast<int>(at - first.begin());
}

/// By column: the numbers of all rows, null where there is none.
std::vector<std::vector<std::optional<double>>> by_column(const io::SweepTable& table) {
  std::vector<std::vector<std::optional<double>>> columns(table.columns().size());
  for (const auto& row : table.rows()) {
    const auto numbers = table.by_column(row);
    for (std::size_t k = 0; k < numbers.size(); ++k) columns[k].push_back(numbers[k]);
  }
  return columns;
}

/// Whether it has two values: what is the same everywhere is not drawn.
bool varies(const std::vector<std::optional<double>>& column) {
  std::optional<double> first;
  for (const auto& number : column) {
    if (!number) continue;
    if (first && *number != *first) return true;
    first = number;
  }
  return false;
}

Json number_columns(const io::SweepTable& table) {
  const auto columns = by_column(table);
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (varies(columns[k])) order.push_back(k);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return rank_of(table.columns()[a]) < rank_of(table.columns()[b]);
  });
  Json result = Json::array();
  std::size_t room = most_numbers;
  for (const std::size_t k : order) {
    if (columns[k].size() > room) break;
    room -= columns[k].size();
    Json values = Json::array();
    for (const auto& number : columns[k])
      values.push_back(number ? Json(rounded(*number, 7)) : Json(nullptr));
    result.push_back({{"name", table.columns()[k]}, {"values", std::move(values)}});
  }
  return result;
}

Json varied_values(const io::SweepTable& table, std::size_t k) {
  Json values = Json::array();
  for (const auto& row : table.rows()) {
    const std::string& text = row.values[k];
    double x = 0.0;
    if (table.axes[k].numbers) std::from_chars(text.data(), text.data() + text.size(), x);
    values.push_back(table.axes[k].numbers ? Json(x) : Json(text));
  }
  return values;
}

Json failures(const io::SweepTable& table) {
  Json result = Json::array();
  for (const auto& row : table.rows())
    if (row.status == "failed" && result.size() < most_messages)
      result.push_back(
          {{"case", row.number + 1}, {"values", row.values}, {"message", row.message}});
  return result;
}

Json sweep_facts(const io::SweepTable& table) {
  Json rows = Json::array();
  rows.push_back(Json::array({"Cases", std::to_string(table.rows().size())}));
  for (const char* status : {"done", "failed", "interrupted"})
    if (const long count = table.count(status); count > 0)
      rows.push_back(Json::array({std::string("Cases ") + status, std::to_string(count)}));
  for (std::size_t k = 0; k < table.axes.size(); ++k) {
    std::set<std::string> values;
    for (const auto& row : table.rows()) values.insert(row.values[k]);
    rows.push_back(
        Json::array({"Varied: " + table.axes[k].name,
                     table.axes[k].key + ", " + std::to_string(values.size()) + " values"}));
  }
  return rows;
}

}  // namespace

std::string sweep_report(const io::SweepTable& table) {
  Json data = {{"varia", version},           {"kind", "sweep"},
               {"title", table.title},       {"name", table.name},
               {"scenario", table.scenario}, {"facts", sweep_facts(table)}};
  Json varied = Json::array();
  for (std::size_t k = 0; k < table.axes.size(); ++k)
    varied.push_back({{"name", table.axes[k].name},
                      {"numbers", table.axes[k].numbers},
                      {"values", varied_values(table, k)}});
  data["sweep"] = {{"varied", std::move(varied)},
                   {"columns", number_columns(table)},
                   {"failures", failures(table)}};
  return report_page(data.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace varia::report
