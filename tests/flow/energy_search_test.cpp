// SPDX-License-Identifier: BSD-3-Clause
// The search for the length of a step on functions whose roots are known.
#include "../../src/flow/energy_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace varia::detail::energy_search_test {
namespace {

template <class F>
EnergyRoot find(const F& phi, double slope, double expected = 1.0, double lowest = 0.5,
                double highest = 2.0) {
  EnergySearch search;
  search.lowest = lowest;
  search.highest = highest;
  search.slope = slope;
  return search.find(expected, [&](double h) -> std::optional<EnergySample> {
    EXPECT_GE(h, lowest);
    EXPECT_LE(h, highest);
    if (std::isnan(phi(h))) return std::nullopt;
    return EnergySample{h, phi(h), 1.0};
  });
}

TEST(EnergySearch, TakesTheRootOfTheBranch) {
  const auto phi = [](double h) { return (h - 0.9) * (h - 1.4); };
  EXPECT_NEAR(find(phi, -1.0).best->h, 0.9, 1e-14);
  EXPECT_NEAR(find(phi, 1.0).best->h, 1.4, 1e-14);
  EXPECT_NEAR(find(phi, 1.0, 0.8).best->h, 1.4, 1e-14);
  EXPECT_NEAR(find(phi, -1.0, 1.5).best->h, 0.9, 1e-14);
  // without a known branch the nearer one
  EXPECT_NEAR(find(phi, 0.0, 0.8).best->h, 0.9, 1e-14);
  EXPECT_NEAR(find(phi, 0.0, 1.5).best->h, 1.4, 1e-14);
  EXPECT_EQ(find(phi, 0.0, 1.5).slope, 1.0);
  // no root of this branch between the bounds
  EXPECT_FALSE(find(phi, 1.0, 1.0, 0.5, 1.3).found);
}

TEST(EnergySearch, SeparatesRootsThatNearlyMeet) {
  const double r = 1e-4;
  const auto phi = [&](double h) { return (h - 1.1111) * (h - 1.1111) - r * r; };
  const EnergyRoot low = find(phi, -1.0);
  ASSERT_TRUE(low.found);
  EXPECT_NEAR(low.best->h, 1.1111 - r, 1e-10);
  EXPECT_NEAR(find(phi, 1.0).best->h, 1.1111 + r, 1e-10);
}

TEST(EnergySearch, GivesTheSmallestResidualWhereThereIsNoRoot) {
  const auto phi = [](double h) { return (h - 1.1111) * (h - 1.1111) + 1e-3; };
  const EnergyRoot none = find(phi, -1.0);
  EXPECT_FALSE(none.found);
  EXPECT_NEAR(none.best->h, 1.1111, 1e-5);
  const EnergyRoot edge = find([](double h) { return h + 1.0; }, 1.0);
  EXPECT_FALSE(edge.found);
  EXPECT_DOUBLE_EQ(edge.best->h, 0.5);
}

TEST(EnergySearch, KnowsPolesRedundancyAndMissingValues) {
  // a pole changes sign but is no root
  EXPECT_FALSE(find([](double h) { return 1.0 / (h - 1.0123); }, 0.0).found);
  EXPECT_TRUE(find([](double h) { return 1e-17 * (h - 1.0); }, 0.0).redundant);
  const auto half = [](double h) { return h > 1.2 ? std::nan("") : h - 0.7; };
  EXPECT_NEAR(find(half, 1.0).best->h, 0.7, 1e-14);
  const auto nowhere = [](double) { return std::nan(""); };
  EXPECT_FALSE(find(nowhere, 1.0).best.has_value());
}

}  // namespace
}  // namespace varia::detail::energy_search_test
