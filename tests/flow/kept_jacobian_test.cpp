// SPDX-License-Identifier: BSD-3-Clause
// Old factors are used as long as they cost less than new ones.
#include "src/flow/kept_jacobian.hpp"

#include <gtest/gtest.h>

namespace varia::kept_jacobian_test {
namespace {

constexpr int price = 3;
constexpr double h = 0.1;

NewtonReport solved(int iterations) {
  NewtonReport report;
  report.converged = true;
  report.iterations = iterations;
  return report;
}

/// Factors of a step that took two iterations.
detail::KeptJacobian fresh() {
  detail::KeptJacobian kept;
  kept.resize(1, 1, 1, price);
  kept.set_point(VectorState{}, h, {0.0});
  kept.count_new(solved(2));
  return kept;
}

/// Steps with kept factors, each with so many iterations, until they are given up; at most 100.
int uses(detail::KeptJacobian& kept, int iterations) {
  int count = 0;
  while (count < 100 && kept.usable(h)) {
    kept.count_kept(solved(iterations));
    ++count;
  }
  return count;
}

TEST(KeptJacobian, GivenUpOnceTheyCostMoreThanNewOnes) {
  for (const int more : {0, 1, 2, 3, 4}) {
    detail::KeptJacobian kept = fresh();
    EXPECT_EQ(uses(kept, 2 + more), more == 0 ? 100 : price / more + 1) << more << " more";
    EXPECT_EQ(kept.ready(), more == 0);
  }
}

TEST(KeptJacobian, OfAnotherStepSizeAreNotUsed) {
  const detail::KeptJacobian kept = fresh();
  EXPECT_TRUE(kept.usable(h));
  EXPECT_FALSE(kept.usable(2 * h));
  EXPECT_FALSE(kept.usable(-h));
}

/// Steps with new factors until old ones are tried again.
int pause(detail::KeptJacobian& kept) {
  int count = 0;
  while (count < 1000 && !kept.usable(h)) {
    kept.count_new(solved(2));
    ++count;
  }
  return count;
}

/// Useless at their first use: the pauses double, from 4 to 128. A good series halves the next one.
TEST(KeptJacobian, AttemptsThatFailBecomeRarer) {
  detail::KeptJacobian kept = fresh();
  NewtonReport renewed = solved(9);
  renewed.renewed = true;
  for (const int expected : {4, 8, 16, 32, 64, 128, 128}) {
    kept.count_kept(expected == 8 ? renewed : solved(9));
    EXPECT_EQ(pause(kept), expected);
  }
  EXPECT_EQ(uses(kept, 3), price + 1);
  EXPECT_EQ(pause(kept), 1);  // new factors, and no pause: they were worth it
  kept.count_kept(solved(9));
  EXPECT_EQ(pause(kept), 128);  // twice 64
  NewtonReport failed;
  kept.count_kept(failed);
  EXPECT_FALSE(kept.ready());
}

TEST(KeptJacobian, NoneAreKeptWithoutAPrice) {
  detail::KeptJacobian kept;
  kept.resize(1, 1, 1, 0);
  kept.set_point(VectorState{}, h, {0.0});
  kept.count_new(solved(2));
  EXPECT_FALSE(kept.usable(h));
}

}  // namespace
}  // namespace varia::kept_jacobian_test
