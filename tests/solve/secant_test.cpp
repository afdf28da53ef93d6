// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solve/secant.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "varia/core/saved_numbers.hpp"

namespace varia::secant_test {
namespace {

using Numbers = std::vector<double>;

/// x - C x, C of small entries: what factors that are off by C make of the true step x.
Numbers by_old_factors(const Numbers& x) {
  return {x[0] - (0.01 * x[0] + 0.02 * x[1]), x[1] - (-0.03 * x[0] + 0.005 * x[1])};
}

double distance(const Numbers& a, const Numbers& b) { return std::hypot(a[0] - b[0], a[1] - b[1]); }

/// The first two steps of a solve that is x away from its solution, and how far it is then.
double solve(Secant& secant, const Numbers& x) {
  Numbers first = by_old_factors(x);
  secant.improve(first.data());
  const Numbers left = {x[0] - first[0], x[1] - first[1]};
  secant.learn(by_old_factors(left).data());
  return distance(x, first);
}

TEST(Secant, RemovesTheErrorAlongTheLastStep) {
  Secant secant;
  secant.resize(2);
  const double unaided = solve(secant, {1e-3, 2e-3});
  EXPECT_GT(unaided, 4e-5);                                // |C x|
  EXPECT_LT(solve(secant, {1e-3, 2e-3}), 0.04 * unaided);  // C²x is left, ‖C‖ = 0.036
  EXPECT_LT(solve(secant, {5e-4, 1.05e-3}), 0.05 * unaided);
}

TEST(Secant, ForgetsWithNewFactors) {
  Secant secant;
  secant.resize(2);
  solve(secant, {1e-3, 2e-3});
  secant.forget();
  Numbers y = {1.0, 2.0};
  secant.improve(y.data());
  EXPECT_EQ(y, (Numbers{1.0, 2.0}));
}

TEST(Secant, ASolveWithoutErrorTeachesNothing) {
  Secant secant;
  secant.resize(2);
  EXPECT_EQ(solve(secant, {0.0, 0.0}), 0.0);
  Numbers y = {1.0, 2.0};
  secant.improve(y.data());
  EXPECT_EQ(y, (Numbers{1.0, 2.0}));
}

TEST(Secant, ContinuesFromItsNumbers) {
  Secant secant;
  secant.resize(2);
  solve(secant, {1e-3, 2e-3});
  Secant other;
  other.resize(2);
  SavedNumbers::read(other, SavedNumbers::of(secant), "other numbers");
  Numbers a = {0.3, -0.2};
  Numbers b = a;
  secant.improve(a.data());
  other.improve(b.data());
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace varia::secant_test
