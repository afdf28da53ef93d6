// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "summary_json.hpp"
#include "varia/core/error.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/io/error.hpp"
#include "varia/io/number_text.hpp"
#include "varia/io/sweep_cases.hpp"

namespace varia::io {

namespace {

using SummaryJson = nlohmann::ordered_json;

constexpr const char* time_column = "wall_seconds";

/// What is no result of a run, or differs from one run to the next with the load of the machine.
bool is_left_out(const std::string& key) {
  static constexpr std::array<std::string_view, 10> keys{
      "varia",  "scenario", "title",    "overrides",        "files",
      "bodies", "warnings", "verdicts", "steps_per_second", "per_second"};
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// `path` is as it was when this returns.
void collect_numbers(const SummaryJson& value, std::string& path,
                     const std::vector<std::string>& asked,
                     std::vector<std::pair<std::string, double>>& numbers) {
  const std::size_t length = path.size();
  if (value.is_number()) {
    if (path == time_column || wanted_column(path, asked))
      numbers.emplace_back(path, value.get<double>());
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      path.append("[").append(std::to_string(i + 1)).append("]");
      collect_numbers(value[i], path, asked, numbers);
      path.resize(length);
    }
  } else if (value.is_object()) {
    for (const auto& [key, item] : value.get_ref<const SummaryJson::object_t&>()) {
      if (is_left_out(key)) continue;
      path.append(length == 0 ? "" : ".").append(key);
      collect_numbers(item, path, asked, numbers);
      path.resize(length);
    }
  }
}

/// As RFC 4180 has it, on one line.
std::string csv_field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string part_words(const SweepTable& table) {
  return "part " + std::to_string(table.part) + " of " + std::to_string(table.of);
}

}  // namespace

bool wanted_column(const std::string& path, const std::vector<std::string>& asked) {
  return asked.empty() || std::any_of(asked.begin(), asked.end(), [&](const std::string& key) {
           return path.starts_with(key) &&
                  (path.size() == key.size() || path[key.size()] == '.' || path[key.size()] == '[');
         });
}

std::vector<std::pair<std::string, double>> numbers_of(const Summary& summary,
                                                       const std::vector<std::string>& asked) {
  std::vector<std::pair<std::string, double>> numbers;
  std::string path;
  collect_numbers(json_of(summary), path, asked, numbers);
  return numbers;
}

void SweepTable::add(const SweepRow& row, std::vector<std::string> values) {
  Row own{row.number, std::move(values), row.status, row.message, row.evaluation, {}};
  for (const auto& [path, number] : row.numbers) {
    const auto [at, fresh] = known_.try_emplace(path, static_cast<int>(columns_.size()));
    if (fresh) columns_.push_back(path);
    own.numbers.emplace_back(at->second, number);
  }
  rows_.push_back(std::move(own));
}

void SweepTable::sort() {
  std::sort(rows_.begin(), rows_.end(),
            [](const Row& a, const Row& b) { return a.number < b.number; });
  std::vector<int> order;
  std::vector<bool> seen(columns_.size(), false);
  const auto time = known_.find(time_column);
  if (time != known_.end()) seen[static_cast<std::size_t>(time->second)] = true;
  for (const Row& row : rows_)
    for (const auto& [column, number] : row.numbers)
      if (!seen[static_cast<std::size_t>(column)]) {
        seen[static_cast<std::size_t>(column)] = true;
        order.push_back(column);
      }
  if (time != known_.end()) order.push_back(time->second);
  std::vector<int> place(columns_.size());
  std::vector<std::string> names;
  for (const int column : order) {
    place[static_cast<std::size_t>(column)] = static_cast<int>(names.size());
    names.push_back(columns_[static_cast<std::size_t>(column)]);
  }
  for (Row& row : rows_)
    for (auto& [column, number] : row.numbers) column = place[static_cast<std::size_t>(column)];
  columns_ = std::move(names);
  known_.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i) known_[columns_[i]] = static_cast<int>(i);
}

long SweepTable::count(const std::string& status) const {
  return std::count_if(rows_.begin(), rows_.end(),
                       [&](const Row& row) { return row.status == status; });
}

std::vector<std::optional<double>> SweepTable::by_column(const Row& row) const {
  std::vector<std::optional<double>> numbers(columns_.size());
  for (const auto& [column, number] : row.numbers)
    numbers[static_cast<std::size_t>(column)] = number;
  return numbers;
}

void write_sweep_csv(const SweepTable& table, const std::string& path) {
  AtomicPath file(path);
  std::string line;
  for (const SweepTable::Axis& axis : table.axes) line += csv_field(axis.name) + ",";
  line += "status,message,evaluation";
  for (const std::string& column : table.columns()) line += "," + csv_field(column);
  file.append(line + "\n");
  for (const SweepTable::Row& row : table.rows()) {
    line.clear();
    for (const std::string& value : row.values) line += csv_field(value) + ",";
    line += row.status + "," + csv_field(row.message) + "," + row.evaluation;
    for (const std::optional<double>& number : table.by_column(row)) {
      line += ',';
      if (number) append_number(line, *number);
    }
    file.append(line + "\n");
  }
  file.commit();
}

SweepTable merged(const std::vector<std::pair<std::string, SweepTable>>& parts) {
  if (parts.empty())
    throw InvalidArgument("--merge: there is no file sweep.k-of-n.h5 in these folders");
  const auto& [first_path, first] = parts.front();
  SweepTable all;
  all.title = first.title;
  all.name = first.name;
  all.scenario = first.scenario;
  all.request = first.request;
  all.cases = first.cases;
  all.axes = first.axes;
  std::map<long, std::string> found;  // part -> file
  for (const auto& [path, table] : parts) {
    const std::string what = request_difference(first.request, table.request);
    if (!what.empty() || table.cases != first.cases)
      throw InvalidArgument(fmt::format("--merge: {} and {} are parts of different sweeps: {}",
                                        first_path, path, what));
    if (table.of != first.of)
      throw InvalidArgument(fmt::format("--merge: {} is {}, {} is {}: they do not belong together",
                                        first_path, part_words(first), path, part_words(table)));
    if (const auto [at, fresh] = found.emplace(table.part, path); !fresh)
      throw InvalidArgument("--merge: " + part_words(table) + " occurs twice: " + at->second +
                            " and " + path);
    if (const long open = table.count("interrupted"); open > 0)
      throw InvalidArgument("--merge: " + path + " is not complete: " + std::to_string(open) +
                            " of its " + std::to_string(table.rows().size()) +
                            (open == 1 ? " cases is" : " cases are") +
                            " not done; run varia sweep --shard " + std::to_string(table.part) +
                            "/" + std::to_string(table.of) + " again");
  }
  for (long part = 1; part <= first.of; ++part)
    if (found.count(part) == 0)
      throw InvalidArgument("--merge: part " + std::to_string(part) + " of " +
                            std::to_string(first.of) + " is missing");
  for (const auto& [path, table] : parts)
    for (const SweepTable::Row& row : table.rows()) {
      SweepRow copy{row.number, row.status, row.message, row.evaluation, {}};
      for (const auto& [column, number] : row.numbers)
        copy.numbers.emplace_back(table.columns()[static_cast<std::size_t>(column)], number);
      all.add(copy, row.values);
    }
  all.sort();
  for (std::size_t i = 0; i < all.rows().size(); ++i)
    if (all.rows()[i].number != static_cast<long>(i))
      throw InvalidArgument("--merge: case " + std::to_string(i + 1) + " of " +
                            std::to_string(all.cases) + " is in no file, or in two");
  if (static_cast<long>(all.rows().size()) != all.cases)
    throw InvalidArgument("--merge: there are " + std::to_string(all.rows().size()) + " rows of " +
                          std::to_string(all.cases) + " cases");
  return all;
}

std::vector<std::string> find_sweep_parts(const std::vector<std::string>& folders) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (name.starts_with("sweep.") && name.ends_with(".h5") &&
          name.find("-of-") != std::string::npos)
        files.push_back(entry->path().string());
    }
    if (error) throw IoError(folder, "the folder cannot be read: " + error.message());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace varia::io
