// SPDX-License-Identifier: BSD-3-Clause
// Trajectories as text, CSV and JSON: the numbers read back to the bit.
// Of number_text.hpp too.
#include "varia/io/text_trajectory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "adversity.hpp"
#include "refusal.hpp"
#include "varia/io/error.hpp"
#include "varia/io/number_text.hpp"
#include "varia/io/record_log.hpp"

namespace varia::io::text_trajectory_test {
namespace {

const std::vector<Column> columns = {{"t", "t", "s"},
                                     {"x", "q", ""},
                                     {"x_dot", "v", ""},
                                     {"lambda[1]", "lambda", ""},
                                     {"a,b \"c\"", "observe", ""},
                                     {"E", "energy", ""},
                                     {"E", "observe", ""}};

/// A log of these numbers.
void write_log(const std::string& path, const std::vector<double>& numbers) {
  RecordLog log = RecordLog::create(path, columns);
  for (std::size_t i = 0; i < numbers.size(); i += columns.size()) log.append(&numbers[i]);
}

/// Every number of the text; all else separates them.
std::vector<double> numbers_in(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ',' || c == '[' || c == ']' || c == '}'; },
      ' ');
  std::vector<double> numbers;
  std::istringstream words(text);
  for (std::string word; words >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
  return numbers;
}

TEST(CsvTrajectory, ReadsBackToTheBit) {
  const Folder folder;
  const auto numbers = any_numbers(3000 * columns.size(), 1);
  write_log(folder / "log", numbers);
  RecordReader reader(folder / "log");
  write_csv(reader, folder / "t.csv");
  write_csv(reader, folder / "t.csv");  // the reader is rewound
  const std::string text = content_of(folder / "t.csv");
  const std::size_t line = text.find('\n');
  EXPECT_EQ(text.substr(0, line), "t,x,x_dot,lambda[1],\"a,b \"\"c\"\"\",E,observe.E");
  EXPECT_EQ(bits(numbers_in(text.substr(line))), bits(numbers));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3001);
  EXPECT_EQ(folder.files(), 2U);
}

TEST(CsvTrajectory, WithoutRecordsTheNamesStay) {
  const Folder folder;
  write_log(folder / "log", {});
  RecordReader reader(folder / "log");
  write_csv(reader, folder / "t.csv");
  const std::string text = content_of(folder / "t.csv");
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  write_json(reader, folder / "t.json");
  expect_has(content_of(folder / "t.json"), "\"records\": [\n]}");
}

TEST(JsonTrajectory, ReadsBackToTheBit) {
  const Folder folder;
  const auto numbers = any_numbers(3000 * columns.size(), 2);
  write_log(folder / "log", numbers);
  RecordReader reader(folder / "log");
  write_json(reader, folder / "t.json");
  const std::string text = content_of(folder / "t.json");
  const std::size_t records = text.find("\"records\": ");
  EXPECT_EQ(
      text.substr(0, records),
      "{\"columns\": [\"t\", \"x\", \"x_dot\", \"lambda[1]\", \"a,b \\\"c\\\"\", \"E\", \"E\"],\n"
      "\"kinds\": [\"t\", \"q\", \"v\", \"lambda\", \"observe\", \"energy\", \"observe\"],\n"
      "\"units\": [\"s\", \"\", \"\", \"\", \"\", \"\", \"\"],\n");
  EXPECT_EQ(bits(numbers_in(text.substr(records + 11))), bits(numbers));
  EXPECT_EQ(std::count(text.begin(), text.end(), '['), 3004 + 1);  // lists, and that of lambda[1]
  EXPECT_EQ(std::count(text.begin(), text.end(), ']'), 3004 + 1);
}

/// A reader of one record with a number that is not finite: a log would not take it.
struct Infinite {
  ColumnList names = {{"t", "t", ""}, {"f", "observe", ""}};
  const ColumnList& columns() const { return names; }
  long records() const { return 1; }
  bool next(double* record) {
    record[0] = 0;
    record[1] = std::numeric_limits<double>::infinity();
    return true;
  }
  void rewind() {}
};

TEST(TextTrajectories, RefuseNumbersThatAreNotFinite) {
  const Folder folder;
  Infinite source;
  expect_words(refusal([&] { write_csv(source, folder / "t.csv"); }), {"f", "inf", "record 0"});
  expect_words(refusal([&] { write_json(source, folder / "t.json"); }), {"f", "inf", "record 0"});
  EXPECT_EQ(folder.files(), 0U);
}

TEST(TextTrajectories, AFailedWriteKeepsTheOldFile) {
  const Folder folder;
  write_log(folder / "log", any_numbers(3000 * columns.size(), 3));
  RecordReader reader(folder / "log");
  put_content(folder / "t.csv", "old");
  const SizeLimit limit(200000);
  expect_words(refusal<IoError>([&] { write_csv(reader, folder / "t.csv"); }), {"t.csv", "large"});
  expect_words(refusal<IoError>([&] { write_json(reader, folder / "t.json"); }), {"t.json"});
  EXPECT_EQ(content_of(folder / "t.csv"), "old");
  EXPECT_EQ(folder.files(), 2U);
}

TEST(NumberText, IsTheShortest) {
  const auto text = [](double x) {
    std::string result;
    append_number(result, x);
    return result;
  };
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(-0.0), "-0");
  EXPECT_EQ(text(1e300), "1e+300");
  EXPECT_EQ(text(5e-324), "5e-324");
}

TEST(NumberText, JsonForms) {
  std::string text;
  append_json_number(text, std::numeric_limits<double>::quiet_NaN());
  append_json_string(text, "a\"\\\n\x01ü");
  EXPECT_EQ(text, "null\"a\\\"\\\\\\n\\u0001ü\"");
}

}  // namespace
}  // namespace varia::io::text_trajectory_test
