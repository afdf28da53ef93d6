// SPDX-License-Identifier: BSD-3-Clause
// The rest of the table of heats: small steps over 10⁴ units of time, and the nonlinear chain.
#include <gtest/gtest.h>

#include "verify/heat_means.hpp"

namespace varia::heat_table_slow_test {
namespace {

constexpr double limit = 0.44061262;

void expect_errors(double h, double vi1, double rk4, double vi4) {
  const auto [a, b, c] = heat_means::all(false, 1e4, h);
  EXPECT_NEAR(std::abs(a / limit - 1.0) / vi1, 1.0, 0.005) << h;
  EXPECT_NEAR(std::abs(b / limit - 1.0) / rk4, 1.0, 0.005) << h;
  EXPECT_NEAR(std::abs(c / limit - 1.0) / vi4, 1.0, 0.005) << h;
}

TEST(HeatTable, HarmonicChain) {
  expect_errors(0.125, 6.37e-2, 5.49e-2, 8.12e-5);
  expect_errors(0.0625, 3.44e-2, 1.83e-3, 2.36e-5);
  expect_errors(0.03125, 1.79e-2, 9.25e-5, 3.55e-5);
}

TEST(HeatTable, HarmonicChainFromItsPlaceOfRest) {
  const double rest = 0.15451475;
  EXPECT_NEAR(std::abs(heat_means::first_order(false, 1e4, 0.0625, true) / rest - 1.0), 2.62e-3,
              5e-6);
  EXPECT_NEAR(std::abs(heat_means::first_order(false, 1e4, 0.03125, true) / rest - 1.0), 6.63e-4,
              5e-7);
}

/// Chaotic: what is the same on every machine is the mean, not the path.
TEST(HeatTable, NonlinearChain) {
  const auto coarse = heat_means::all(true, 1e4, 0.25);
  EXPECT_NEAR(coarse.vi1, 0.4354, 0.003);
  EXPECT_NEAR(coarse.rk4, 0.1084, 0.003);
  EXPECT_NEAR(coarse.vi4, 0.4947, 0.003);
  const auto fine = heat_means::all(true, 1e4, 0.03125);
  EXPECT_NEAR(fine.vi1, 0.4829, 0.003);
  EXPECT_NEAR(fine.rk4, 0.4938, 0.003);
  EXPECT_NEAR(fine.vi4, 0.4932, 0.003);
  std::printf("%.4f %.4f %.4f, %.4f %.4f %.4f\n", coarse.vi1, coarse.rk4, coarse.vi4, fine.vi1,
              fine.rk4, fine.vi4);
}

}  // namespace
}  // namespace varia::heat_table_slow_test
