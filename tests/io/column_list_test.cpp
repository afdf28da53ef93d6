// SPDX-License-Identifier: BSD-3-Clause
// Columns and named numbers (varia/io/named_numbers.hpp) of arrays: names that are made where they are read.
#include "varia/io/column_list.hpp"

#include <gtest/gtest.h>

#include "varia/io/named_numbers.hpp"

namespace varia::io::column_list_test {
namespace {

ColumnList example() {
  ColumnList columns{{"t", "t", "s"}, {"a", "q", ""}};
  expr::NameList names;
  names.append({"q"}, {{1, 3}});
  columns.append(names, "q", "");
  columns.append_each({"u", "v"}, "v", [](const std::string& name) { return name + "/s"; });
  columns.append({}, "lambda", "");
  columns.push_back({"E", "energy", "J"});
  return columns;
}

TEST(ColumnList, HasTheColumnsInTheirOrder) {
  const std::vector<Column> expected{{"t", "t", "s"},   {"a", "q", ""},      {"q[1]", "q", ""},
                                     {"q[2]", "q", ""}, {"q[3]", "q", ""},   {"u", "v", "u/s"},
                                     {"v", "v", "v/s"}, {"E", "energy", "J"}};
  const ColumnList columns = example();
  ASSERT_EQ(columns.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(columns[k], expected[k]) << k;
    EXPECT_EQ(columns.name(k), expected[k].name);
    EXPECT_EQ(columns.kind(k), expected[k].kind);
    EXPECT_EQ(columns.unit(k), expected[k].unit);
  }
  EXPECT_TRUE(columns == ColumnList(expected));
  EXPECT_FALSE(columns == ColumnList(std::vector<Column>(expected.begin(), expected.end() - 1)));
}

TEST(ColumnList, TakesAnother) {
  ColumnList twice{{"event", "event", ""}};
  twice.append(example());
  twice.append(ColumnList());
  ASSERT_EQ(twice.size(), example().size() + 1);
  for (std::size_t k = 0; k < example().size(); ++k) EXPECT_EQ(twice[k + 1], example()[k]) << k;
  twice.append(twice);
  EXPECT_EQ(twice.size(), 2 * example().size() + 2);
  EXPECT_EQ(twice[2 * example().size() + 1], example()[example().size() - 1]);
}

/// A restart compares the texts, and may have other units.
TEST(ColumnList, ItsTextTellsNamesAndKinds) {
  ColumnList other{{"t", "t", ""}, {"a", "q", "m"}};
  expr::NameList names;
  names.append({"q"}, {{1, 3}});
  other.append_each(names, "q", [](const std::string&) { return "m"; });
  other.append({"u", "v"}, "v", "");
  other.push_back({"E", "energy", ""});
  EXPECT_EQ(example().text(), other.text());
  other.push_back({"f", "observe", ""});
  EXPECT_NE(example().text(), other.text());
  EXPECT_NE(ColumnList({{"t", "t", ""}, {"a", "q", ""}}).text(),
            ColumnList({{"t", "t", ""}, {"a", "v", ""}}).text());
}

TEST(NamedNumbers, AreThoseOfTheirNames) {
  expr::NameList names;
  names.append({"q"}, {{5, 3}});
  const NamedNumbers numbers(names, {1.0, 2.0, 3.0});
  EXPECT_EQ(numbers, (NamedNumbers{{"q[5]", 1.0}, {"q[6]", 2.0}, {"q[7]", 3.0}}));
  EXPECT_EQ(numbers.first(2), (NamedNumbers{{"q[5]", 1.0}, {"q[6]", 2.0}}));
  EXPECT_EQ(numbers.first(9), numbers);
  EXPECT_FALSE(numbers == (NamedNumbers{{"q[5]", 1.0}, {"q[6]", 2.0}, {"r[7]", 3.0}}));
}

}  // namespace
}  // namespace varia::io::column_list_test
