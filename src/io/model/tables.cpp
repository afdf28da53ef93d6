// SPDX-License-Identifier: BSD-3-Clause
#include "tables.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "../scenario/document.hpp"
#include "../scenario/words.hpp"
#include "varia/core/counted.hpp"
#include "varia/expr/sha256.hpp"
#include "varia/expr/table.hpp"
#include "varia/io/error.hpp"

namespace varia::io {

namespace {

constexpr std::size_t most_bytes = 50'000'000;
constexpr std::size_t most_rows = 100'000;
constexpr std::size_t longest_word = 40;

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::string_view cell = trimmed(line.substr(begin, end - begin));
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"')
      cell = cell.substr(1, cell.size() - 2);
    cells.push_back(cell);
    begin = end + 1;
  }
  return cells;
}

bool read_number(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(value);
}

/// Line by line.
class TableParser {
 public:
  TableParser(const std::string& text, const std::string& file) : file_(file) {
    std::string_view rest = text;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      ++line_;
      const std::string_view line = trimmed(rest.substr(0, end));
      if (!line.empty() && line.front() != '#') read(cells_of(line));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (rows_ < expr::Spline::fewest)
      fail("a table needs at least " + std::to_string(expr::Spline::fewest) +
           " lines of numbers, found " + std::to_string(rows_));
  }

  NumberTable take() { return std::move(table_); }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InvalidArgument(file_ + ":" + std::to_string(line_) + ": " + message);
  }

  std::string column(std::size_t k) const {
    return table_.names.empty() ? std::to_string(k + 1) : shown(table_.names[k]);
  }

  void read(const std::vector<std::string_view>& cells) {
    double number = 0.0;
    if (table_.columns.empty()) {
      if (cells.size() < 2) fail("a table has at least two columns, separated by commas");
      table_.columns.resize(cells.size());
      // a line without any number has the names
      if (std::none_of(cells.begin(), cells.end(),
                       [&](std::string_view cell) { return read_number(cell, number); }))
        return read_names(cells);
    }
    if (cells.size() != table_.columns.size())
      fail("found " + counted(cells.size(), "column") + ", the lines before have " +
           std::to_string(table_.columns.size()));
    if (++rows_ > most_rows)
      fail("a table has at most " + std::to_string(most_rows) + " lines of numbers");
    for (std::size_t k = 0; k < cells.size(); ++k) {
      if (!read_number(cells[k], number))
        fail("\"" + shown(std::string(cells[k].substr(0, longest_word))) + "\" in column " +
             column(k) + " is not a finite number");
      if (k == 0 && rows_ > 1 && !(number > table_.columns[0].back()))
        fail("column " + column(0) + " must increase, found " + varia::to_text(number) +
             " behind " + varia::to_text(table_.columns[0].back()));
      table_.columns[k].push_back(number);
    }
  }

  void read_names(const std::vector<std::string_view>& cells) {
    for (const std::string_view cell : cells) {
      if (std::find(table_.names.begin(), table_.names.end(), cell) != table_.names.end())
        fail("the column " + shown(std::string(cell)) + " occurs twice");
      table_.names.emplace_back(cell);
    }
  }

  const std::string& file_;
  int line_ = 0;
  std::size_t rows_ = 0;
  NumberTable table_;
};

/// The column of that name, the second one without a name.
std::size_t column_of(const NumberTable& table, const std::string& file,
                      const std::string& column) {
  if (column.empty()) return 1;
  if (table.names.empty())
    throw InvalidArgument(file + " has no line of names above its numbers; leave out \"" +
                          shown(column) + "\" for its second column");
  const auto found = std::find(table.names.begin(), table.names.end(), column);
  if (found == table.names.end())
    throw InvalidArgument(file + " has no column " + shown(column) + "; its columns are: " +
                          listed(table.names) + "." + did_you_mean(column, table.names));
  return static_cast<std::size_t>(found - table.names.begin());
}

}  // namespace

NumberTable parse_number_table(const std::string& text, const std::string& file) {
  return TableParser(text, file).take();
}

expr::TableReader table_reader(Scenario& scenario) {
  const auto known = std::make_shared<std::map<std::string, NumberTable>>();
  const auto codes = std::make_shared<std::map<std::pair<std::string, std::string>, double>>();
  return [known, codes, &scenario](const std::string& file, const std::string& column) {
    const auto code = codes->find({file, column});
    if (code != codes->end()) return code->second;
    auto entry = known->find(file);
    if (entry == known->end()) {
      std::string text;
      try {
        text = read_regular_file(path_beside(scenario, file), most_bytes);
      } catch (const IoError& error) {
        throw InvalidArgument(std::string(error.what()) +
                              " Paths of tables begin at the folder of the scenario");
      }
      entry = known->emplace(file, parse_number_table(text, file)).first;
      scenario.settings.set("system.table." + shown(file), expr::to_hex(expr::sha256(text)));
    }
    const NumberTable& table = entry->second;
    const std::string name =
        "table(\"" + shown(file) + (column.empty() ? "" : "\", \"" + shown(column)) + "\")";
    const expr::Spline spline(name, table.columns[0],
                              table.columns[column_of(table, file, column)]);
    return codes->emplace(std::pair(file, column), expr::table_code(spline)).first->second;
  };
}

}  // namespace varia::io
