// SPDX-License-Identifier: BSD-3-Clause
// Crossings of a function along one step: where they are, which are counted, which are not looked for.
#include "../../src/io/run/crossing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace varia::io::crossing_test {

namespace {

/// The crossings of f in the step (from, from + h], after a step from `from` - h; `calls` are counted.
struct Search {
  Search(const std::function<double(double)>& f, double from, double h, bool first = false) {
    StepValues v{f(from - h), !first, f(from), f(from + h)};
    found = crossings(
        [&](double part) {
          ++calls;
          return f(from + part);
        },
        h, v);
  }
  std::vector<Crossing> found;
  int calls = 0;
};

}  // namespace

TEST(Crossings, AreLocatedToRoundOffWithFewSteps) {
  const Search up([](double x) { return std::sin(x - 0.3); }, 0.0, 1.0);
  ASSERT_EQ(up.found.size(), 1U);
  EXPECT_NEAR(up.found[0].h, 0.3, 2e-16);
  EXPECT_EQ(up.found[0].direction, 1);
  EXPECT_LE(up.calls, 12);
  const Search down([](double x) { return std::exp(-4.0 * x) - 0.5; }, 0.0, 1.0);
  ASSERT_EQ(down.found.size(), 1U);
  EXPECT_NEAR(down.found[0].h, 0.25 * std::numbers::ln2, 2e-16);
  EXPECT_EQ(down.found[0].direction, -1);
}

TEST(Crossings, OfAFunctionThatIsLinearTakeOneStep) {
  const Search s([](double x) { return x - 0.375; }, 0.0, 1.0);
  ASSERT_EQ(s.found.size(), 1U);
  EXPECT_EQ(s.found[0].h, 0.375);
  EXPECT_EQ(s.calls, 1);
}

TEST(Crossings, GoBackwardsWithANegativeStep) {
  const Search s([](double x) { return x + 0.3; }, 0.0, -1.0);
  ASSERT_EQ(s.found.size(), 1U);
  EXPECT_NEAR(s.found[0].h, -0.3, 1e-16);
  EXPECT_EQ(s.found[0].direction, -1) << "from positive to negative, as the run goes";
}

/// Nowhere is a zero at the end of one step counted again at the start of the next one.
TEST(Crossings, AtTheEndOfAStepAreCountedOnce) {
  const auto f = [](double x) { return x - 0.5; };
  const Search arrives(f, 0.0, 0.5);
  ASSERT_EQ(arrives.found.size(), 1U);
  EXPECT_EQ(arrives.found[0].h, 0.5);
  EXPECT_EQ(arrives.found[0].direction, 1);
  EXPECT_EQ(arrives.calls, 0);
  EXPECT_TRUE(Search(f, 0.5, 0.5).found.empty()) << "it leaves zero";
}

TEST(Crossings, AfterAZeroAtTheStartAreFoundWhereTheFunctionReturns) {
  const auto f = [](double x) { return x * (0.7 - x); };
  const Search s(f, 0.0, 1.0, true);
  ASSERT_EQ(s.found.size(), 1U);
  EXPECT_NEAR(s.found[0].h, 0.7, 3e-16);
  EXPECT_EQ(s.found[0].direction, -1);
  EXPECT_TRUE(Search([](double) { return 0.0; }, 0.0, 1.0).found.empty()) << "stays on zero";
}

TEST(Crossings, TwoInOneStepAreFoundByTheTurnBetweenThem) {
  for (const double depth : {0.01, 1e-6, 1e-12}) {
    const double half = std::sqrt(depth);
    const auto dip = [&](double x) { return (x - 0.4) * (x - 0.4) - depth; };
    for (const double sign : {1.0, -1.0}) {
      const Search s([&](double x) { return sign * dip(x); }, 0.0, 1.0);
      ASSERT_EQ(s.found.size(), 2U) << depth;
      // f is known to 1e-17, its slope at the crossing is 2 half
      EXPECT_NEAR(s.found[0].h, 0.4 - half, 1e-16 + 1e-17 / half);
      EXPECT_NEAR(s.found[1].h, 0.4 + half, 1e-16 + 1e-17 / half);
      EXPECT_EQ(s.found[0].direction, sign > 0.0 ? -1 : 1);
      EXPECT_EQ(s.found[1].direction, sign > 0.0 ? 1 : -1);
    }
  }
}

TEST(Crossings, TouchingZeroIsNone) {
  EXPECT_TRUE(Search([](double x) { return (x - 0.4) * (x - 0.4); }, 0.0, 1.0).found.empty());
  EXPECT_TRUE(
      Search([](double x) { return (x - 0.4) * (x - 0.4) + 1e-9; }, 0.0, 1.0).found.empty());
}

TEST(Crossings, AreNotLookedForFarFromZero) {
  EXPECT_EQ(Search([](double x) { return 10.0 + std::sin(x); }, 0.0, 0.1).calls, 0);
  EXPECT_GT(Search([](double x) { return 10.0 + std::sin(x); }, 0.0, 0.1, true).calls, 0)
      << "without an earlier step nothing is known";
  const Search past([](double x) { return x; }, 0.1, 0.1);
  EXPECT_TRUE(past.found.empty());
  EXPECT_EQ(past.calls, 1) << "near zero, and leaving it";
}

/// Where the sign changes one crossing is found, be there three: the page says so.
TEST(Crossings, ThreeInOneStepAreSeenAsOne) {
  const Search s([](double x) { return (x - 0.2) * (x - 0.5) * (x - 0.8); }, 0.0, 1.0);
  ASSERT_EQ(s.found.size(), 1U);
  EXPECT_EQ(s.found[0].direction, 1);
}

TEST(BracketedRoot, ReachesNeighboursOnAStep) {
  const auto jump = [](double x) { return x < 0.123 ? -1.0 : 2.0; };
  EXPECT_NEAR(bracketed_root(jump, 0.0, -1.0, 1.0, 2.0, 1e-16), 0.123, 1e-16);
}

}  // namespace varia::io::crossing_test
