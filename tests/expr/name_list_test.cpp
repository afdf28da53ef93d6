// SPDX-License-Identifier: BSD-3-Clause
// Names of arrays that are made where they are read, in the order in which a list of them has them.
#include "varia/expr/name_list.hpp"

#include <gtest/gtest.h>

namespace varia::expr::name_list_test {
namespace {

using Names = std::vector<std::string>;

NameList example() {
  NameList names{"t", "x"};
  names.append({"R11", "R12"}, {{2, 3}});
  names.push_back("y");
  names.append({"u"}, {{1, 2}, {0, 2}});
  return names;
}

const Names expected{"t",      "x", "R11[2]",  "R12[2]",  "R11[3]",  "R12[3]", "R11[4]",
                     "R12[4]", "y", "u[1][0]", "u[1][1]", "u[2][0]", "u[2][1]"};

TEST(NameList, HasTheNamesInTheirOrder) {
  const NameList names = example();
  ASSERT_EQ(names.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(names[k], expected[k]) << k;
  EXPECT_EQ(names.all(), expected);
  EXPECT_EQ(names, expected);
  EXPECT_EQ(names.front(), "t");
  EXPECT_FALSE(names == Names(expected.begin(), expected.end() - 1));
  EXPECT_EQ(std::distance(names.begin(), std::find(names.begin(), names.end(), "y")), 8);
}

TEST(NameList, TakesNoPartsThatAreEmpty) {
  NameList names;
  EXPECT_TRUE(names.empty());
  names.append({}, {{1, 5}});
  names.append({"q"}, {{1, 0}});
  names.append(NameList());
  EXPECT_TRUE(names.empty());
  names.append(example());
  names.append(names);
  EXPECT_EQ(names.size(), 2 * expected.size());
  EXPECT_EQ(names[expected.size() + 2], "R11[2]");
}

TEST(NameList, ItsTextHasALineForAnArray) {
  EXPECT_EQ(example().text(), "t\nx\nR11[2..4] R12[2..4]\ny\nu[1..2][0..1]\n");
  NameList million;
  million.append({"q"}, {{1, 1'000'000}});
  EXPECT_EQ(million.text(), "q[1..1000000]\n");
  EXPECT_EQ(million[999'999], "q[1000000]");
}

}  // namespace
}  // namespace varia::expr::name_list_test
