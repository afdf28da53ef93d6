// SPDX-License-Identifier: BSD-3-Clause
// What of the coordinates is drawn as a path.
#include "src/report/paths.hpp"

#include <gtest/gtest.h>

namespace varia::paths_test {
namespace {

using Names = std::vector<std::string>;

Names drawn(const Names& coordinates) {
  Names result;
  for (const report::Path& p : report::find_paths(coordinates))
    result.push_back(p.label + ": " + p.x + " " + p.y + (p.z.empty() ? "" : " " + p.z));
  return result;
}

TEST(Paths, AreFoundByNames) {
  EXPECT_EQ(drawn({"x", "y"}), Names{"path: x y"});
  EXPECT_EQ(drawn({"x1", "y1", "z1", "x2", "y2"}), (Names{"body 1: x1 y1 z1", "body 2: x2 y2"}));
  EXPECT_EQ(drawn({"a", "b"}), Names{"path: a b"});
  EXPECT_EQ(drawn({"a", "b", "c"}), Names{});
}

TEST(Paths, OfRotationsAndMotions) {
  const Names rotation = {"R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33"};
  EXPECT_EQ(drawn(rotation), Names{"axis of R: R13 R23 R33"});
  Names motion;
  for (const std::string& entry : rotation) motion.push_back("g" + entry.substr(1));
  for (const char* entry : {"g_x", "g_y", "g_z"}) motion.emplace_back(entry);
  EXPECT_EQ(drawn(motion), Names{"position of g: g_x g_y g_z"});
  EXPECT_EQ(drawn({"g_x", "g_y", "g_theta"}), Names{"position of g: g_x g_y"});
}

TEST(Paths, OfArrays) {
  EXPECT_EQ(drawn({"R13[2]", "R23[2]", "R33[2]", "R13[3]", "R23[3]", "R33[3]"}),
            (Names{"axis of R[2]: R13[2] R23[2] R33[2]", "axis of R[3]: R13[3] R23[3] R33[3]"}));
  EXPECT_EQ(drawn({"g13[1]", "g23[1]", "g33[1]", "g_x[1]", "g_y[1]", "g_z[1]"}),
            Names{"position of g[1]: g_x[1] g_y[1] g_z[1]"});
  EXPECT_EQ(drawn({"x[1]", "x[2]", "y[1]", "y[2]"}),
            (Names{"body [1]: x[1] y[1]", "body [2]: x[2] y[2]"}));
  EXPECT_EQ(drawn({"13", "_x", "q[1]"}), Names{});
}

}  // namespace
}  // namespace varia::paths_test
