// SPDX-License-Identifier: BSD-3-Clause
// The name that was meant.
#include "varia/core/nearest.hpp"

#include <gtest/gtest.h>

namespace varia::nearest_test {
namespace {

TEST(Nearest, DistanceIsAMetric) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("verlet", "verlet"), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("verlt", "verlet"), 1u);
  EXPECT_EQ(edit_distance("valet", "verlet"), 2u);
  EXPECT_EQ(edit_distance("vrelet", "verlet"), 1u) << "neighbours swapped";
  for (const char* a : {"gauss", "guass", "lobatto", ""})
    for (const char* b : {"gauss", "galerkin", "x"})
      EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
}

TEST(Nearest, FindsWhatWasMeant) {
  const std::vector<std::string> known{"x", "x_dot", "y", "y_dot", "mu", "lagrangian", "sqrt"};
  EXPECT_EQ(nearest("xdot", known), "x_dot");
  EXPECT_EQ(nearest("X_DOT", known), "x_dot");
  EXPECT_EQ(nearest("Mu", known), "mu");
  EXPECT_EQ(nearest("lagrangain", known), "lagrangian");
  EXPECT_EQ(nearest("sqr", known), "sqrt");
  EXPECT_EQ(nearest("x", known), "x");
}

TEST(Nearest, CountsCharactersAndNotBytes) {
  EXPECT_EQ(edit_distance("θ", "ϑ"), 1u);
  EXPECT_EQ(edit_distance("θ", "x"), 1u);
  EXPECT_EQ(edit_distance("длина", "длнна"), 1u);
  EXPECT_EQ(nearest("ϑ", {"π", "θ"}), "") << "another letter, not a typing error";
  EXPECT_EQ(nearest("θ_dt", {"θ_dot", "φ_dot"}), "θ_dot");
}

TEST(Nearest, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest("z", {"x", "y"}), "");
  EXPECT_EQ(nearest("frequency", {"x", "mass"}), "");
  EXPECT_EQ(nearest("", {"x"}), "");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(nearest(std::string(10000, 'a'), {"aaaa"}), "");
}

}  // namespace
}  // namespace varia::nearest_test
