// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace varia::apps {

namespace {

/// The number of characters of UTF-8 text.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

void print_text(std::ostream& out, const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    widths.push_back(width(table.columns[k].title));
    for (const auto& row : table.rows) widths[k] = std::max(widths[k], width(row[k]));
  }
  const auto line = [&](auto&& cell) {
    for (std::size_t k = 0; k + 1 < widths.size(); ++k)
      out << cell(k) << std::string(widths[k] + 2 - width(cell(k)), ' ');
    out << cell(widths.size() - 1) << "\n";
  };
  line([&](std::size_t k) { return table.columns[k].title; });
  for (const auto& row : table.rows) line([&](std::size_t k) { return row[k]; });
}

void print_json(std::ostream& out, const Table& table) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    auto item = nlohmann::ordered_json::object();
    for (std::size_t k = 0; k < table.columns.size(); ++k) item[table.columns[k].key] = row[k];
    list.push_back(std::move(item));
  }
  out << list.dump(2) << "\n";
}

void print_markdown(std::ostream& out, const Table& table) {
  for (const auto& column : table.columns) out << "| " << column.title << " ";
  out << "|\n";
  for (std::size_t k = 0; k < table.columns.size(); ++k) out << "|---";
  out << "|\n";
  for (const auto& row : table.rows) {
    for (const auto& cell : row) {
      out << "| ";
      for (const char c : cell) out << (c == '|' ? "\\|" : std::string(1, c));
      out << " ";
    }
    out << "|\n";
  }
}

}  // namespace varia::apps
