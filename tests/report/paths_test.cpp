// SPDX-License-Identifier: BSD-3-Clause
// What of the coordinates is drawn as a path.
#include "src/report/paths.hpp"

#include <gtest/gtest.h>

namespace varia::paths_test {
namespace {

using Names = std::vector<std::string>;

Names drawn(const std::vector<io::Coordinate>& coordinates) {
  io::System system;
  system.coordinates = coordinates;
  Names result;
  for (const report::Path& p : report::find_paths(system))
    result.push_back(p.label + ": " + p.x + " " + p.y + (p.z.empty() ? "" : " " + p.z));
  return result;
}
io::Coordinate point(const std::string& name, const std::string& space) {
  io::Coordinate c;
  c.name = name;
  c.space = space;
  return c;
}
io::Coordinate array(const std::string& name, int first, int last, const std::string& space) {
  io::Coordinate c = point(name, space);
  c.first = first;
  c.last = last;
  c.array = true;
  return c;
}
Names drawn_numbers(const Names& names) {
  std::vector<io::Coordinate> coordinates;
  for (const std::string& name : names) coordinates.push_back(point(name, "R"));
  return drawn(coordinates);
}

TEST(Paths, AreFoundByNames) {
  EXPECT_EQ(drawn_numbers({"x", "y"}), Names{"path: x y"});
  EXPECT_EQ(drawn_numbers({"x1", "y1", "z1", "x2", "y2"}),
            (Names{"body 1: x1 y1 z1", "body 2: x2 y2"}));
  EXPECT_EQ(drawn_numbers({"a", "b"}), Names{"b against a: a b"});
  EXPECT_EQ(drawn_numbers({"a", "b", "c"}), Names{});
  EXPECT_EQ(drawn_numbers({"n1", "n2", "n3"}), Names{});
}

TEST(Paths, OfPointsAreThoseOfTheirSpace) {
  EXPECT_EQ(drawn({point("R", "SO3")}), Names{"axis of R: R13 R23 R33"});
  EXPECT_EQ(drawn({point("g", "SE3")}), Names{"position of g: g_x g_y g_z"});
  EXPECT_EQ(drawn({point("g", "SE2")}), Names{"position of g: g_x g_y"});
  EXPECT_EQ(drawn({point("a", "R"), point("n", "S2")}), Names{"path of n: n1 n2 n3"});
  EXPECT_EQ(drawn({point("a", "SO2"), point("b", "SO2")}), Names{"b against a: a b"});
}

TEST(Paths, OfArrays) {
  EXPECT_EQ(drawn({array("R", 2, 3, "SO3")}),
            (Names{"axis of R[2]: R13[2] R23[2] R33[2]", "axis of R[3]: R13[3] R23[3] R33[3]"}));
  EXPECT_EQ(drawn({array("g", 1, 1, "SE3")}), Names{"position of g[1]: g_x[1] g_y[1] g_z[1]"});
  EXPECT_EQ(drawn({array("x", 1, 2, "R"), array("y", 1, 2, "R")}),
            (Names{"body [1]: x[1] y[1]", "body [2]: x[2] y[2]"}));
  EXPECT_EQ(drawn({array("n", 1, 30, "S2")}).size(), 12U);
}

}  // namespace
}  // namespace varia::paths_test
