// SPDX-License-Identifier: BSD-3-Clause
// The unstable steps of [West04] for two springs whose steps have a ratio (AVI-resonance).
#include "varia/terms/resonance.hpp"

#include <gtest/gtest.h>

#include "refusal.hpp"
#include "terms/samples.hpp"

namespace varia::terms::resonance_test {
namespace {

constexpr double pi = 3.14159265358979323846;

void expect_intervals(int ratio, const std::vector<Interval>& expected) {
  const auto found = unstable_steps(pi * pi, pi * pi / 25.0, 1.0, ratio, 2.2, 1e-3);
  ASSERT_EQ(found.size(), expected.size()) << ratio;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].begin, expected[i].begin, 1e-4) << ratio;
    EXPECT_NEAR(found[i].end, expected[i].end, 1e-4) << ratio;
  }
}

TEST(Resonance, IntervalsAreThoseOfTheReference) {
  expect_intervals(1, {{0.6243, 2.2}});
  expect_intervals(2, {{0.8663, 0.9003}, {1.2494, 2.2}});
  expect_intervals(5, {{0.9459, 0.9836}, {1.8001, 1.8710}});
  expect_intervals(10, {{0.9577, 0.9959}, {1.8921, 1.9673}});
  expect_intervals(100, {{0.9616, 1.0000}, {1.9231, 1.9997}});
}

TEST(Resonance, OfOneStepIsItsLimit) {
  const double k1 = 3.0, k2 = 2.0, m = 1.7;
  const auto found = unstable_steps(k1, k2, m, 1, 3.0, 1e-2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].begin, 2.0 / std::sqrt((k1 + k2) / m), 1e-11);
  EXPECT_EQ(found[0].end, 3.0);
  EXPECT_TRUE(unstable_steps(k1, 0.0, m, 10, 2.0, 1e-3).empty());  // without the slow spring
}

struct Spring1 {
  double stiffness;
  template <class X, class T> auto operator()(const X& x, const T&) const {
    return 0.5 * stiffness * x[0] * x[0];
  }
};

/// The largest |x| of the asynchronous motion over many periods of the slow step.
double growth(int ratio, double h) {
  System<1> system;
  system.add(
      std::make_unique<Fields<1, 1, Spring1>>(std::vector<std::array<int, 1>>{{0}, {0}},
                                              std::vector<Spring1>{{pi * pi}, {pi * pi / 25.0}}));
  system.set_masses({1.0});
  State<1> state = start<1>(system, {1.0}, {0.0}, {h / ratio, h});
  const auto schedule = queue(system, state);
  double largest = 0.0;
  for (int i = 1; i <= 400; ++i) {
    schedule->advance(i * h);
    largest = std::max(largest, std::abs(state.nodes[0].x[0]));
  }
  return largest;
}

TEST(Resonance, IsThatOfTheMotionItself) {
  for (const int ratio : {2, 5}) {
    const Interval first = unstable_steps(pi * pi, pi * pi / 25.0, 1.0, ratio, 1.1, 1e-3).front();
    EXPECT_GT(growth(ratio, 0.5 * (first.begin + first.end)), 1e3);
    EXPECT_LT(growth(ratio, first.begin - 0.02), 1e2);
    EXPECT_LT(growth(ratio, first.end + 0.02), 1e2);
  }
}

TEST(Resonance, WrongRequestsAreRefused) {
  expect_has(refusal([] { unstable_steps(-1.0, 1.0, 1.0, 2, 1.0, 0.1); }), "fast");
  expect_has(refusal([] { unstable_steps(1.0, -1.0, 1.0, 2, 1.0, 0.1); }), "slow");
  expect_has(refusal([] { unstable_steps(1.0, 1.0, 0.0, 2, 1.0, 0.1); }), "mass");
  expect_has(refusal([] { unstable_steps(1.0, 1.0, 1.0, 0, 1.0, 0.1); }), "ratio");
  expect_has(refusal([] { unstable_steps(1.0, 1.0, 1.0, 2, std::nan(""), 0.1); }), "largest");
  expect_has(refusal([] { unstable_steps(1.0, 1.0, 1.0, 2, 1.0, 0.0); }), "resolution");
}

}  // namespace
}  // namespace varia::terms::resonance_test
