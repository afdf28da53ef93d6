// SPDX-License-Identifier: BSD-3-Clause
// The fit of a drift: exact lines, swings, noise, and energies of real runs.
#include "varia/verify/drift.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/flow/newmark_flow.hpp"
#include "varia/methods/methods.hpp"

namespace varia::drift_test {
namespace {

using namespace problems;
using Verdict = DriftFit::Verdict;

template <class F> DriftFit fit_of(double T, int count, const F& f) {
  std::vector<double> t;
  std::vector<double> y;
  for (int i = 0; i <= count; ++i) {
    t.push_back(T * i / count);
    y.push_back(f(t.back()));
  }
  return fit_drift(t, y);
}

TEST(Drift, ALineIsFound) {
  const auto fit = fit_of(50.0, 1000, [](double t) { return 3.0 - 0.02 * t; });
  EXPECT_NEAR(fit.slope, -0.02, 1e-15);
  EXPECT_LT(fit.slope_error, 1e-15);
  EXPECT_NEAR(fit.level, 2.5, 1e-14);
  EXPECT_NEAR(fit.change(), -1.0, 1e-13);
  EXPECT_EQ(fit.verdict, Verdict::drifting);
  EXPECT_LT(fit.swing, 1e-13);
  expect_has(fit.text(), "drifts by -1");
}

TEST(Drift, ASwingIsNoTrend) {
  for (const double omega : {0.09, 0.126, 0.3, 1.0, 7.0})
    for (const double phase : {0.0, 0.7, 1.6, 3.0}) {
      const auto fit =
          fit_of(50.0, 2000, [&](double t) { return 1.0 + 1e-3 * std::sin(omega * t + phase); });
      if (omega < 0.125) continue;  // less than one swing in the run: nobody could tell
      EXPECT_EQ(fit.verdict, Verdict::level) << omega << " " << phase << " " << fit.text();
    }
  expect_has(fit_of(50.0, 2000, [](double t) { return 1.0 + std::sin(t); }).text(), "no trend");
}

TEST(Drift, ATrendBehindASwingIsFound) {
  const auto fit = fit_of(200.0, 4000, [](double t) { return std::sin(t) - 0.03 * t; });
  EXPECT_EQ(fit.verdict, Verdict::drifting);
  EXPECT_NEAR(fit.slope, -0.03, 4.0 * fit.slope_error);
  EXPECT_LT(fit.slope_error, 3e-3);
}

/// A decay that levels off bends away from its line further than the line goes.
TEST(Drift, ADecayThatLevelsOffIsFound) {
  const auto fit = fit_of(100.0, 4000, [](double t) { return std::exp(-t / 15.0); });
  EXPECT_LT(std::abs(fit.change()), fit.swing);
  EXPECT_EQ(fit.agreement, -1.0);
  EXPECT_EQ(fit.verdict, Verdict::drifting);
}

/// Blocks that agree to round-off on a change of a thousandth of the swing: the remainder of a swing.
TEST(Drift, AChangeFarBelowTheSwingIsNoTrend) {
  const auto fit = fit_of(100.0, 40000, [](double t) {
    return std::sin(200.0 * std::numbers::pi * t / 5.0) + 1e-5 * t;
  });
  EXPECT_GT(fit.agreement, 0.9);
  EXPECT_GT(fit.slope, 3.0 * fit.slope_error);
  EXPECT_EQ(fit.verdict, Verdict::level);
}

TEST(Drift, ConstantsAreRoundOff) {
  EXPECT_EQ(fit_of(1.0, 100, [](double) { return 2.0; }).verdict, Verdict::round_off);
  EXPECT_EQ(fit_of(1.0, 100, [](double t) { return 2.0 + 1e-14 * t; }).verdict, Verdict::round_off);
  EXPECT_EQ(fit_of(1.0, 100, [](double t) { return 2.0 + 1e-11 * t; }).verdict, Verdict::drifting);
}

/// The stated error is that of the slope: in noise that remembers its last twenty values, the slopes
/// of many runs scatter as much as it says. The formula for independent values says far too little.
TEST(Drift, StatesItsErrorForCorrelatedValues) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  double slopes = 0.0;
  double errors = 0.0;
  constexpr int runs = 200;
  constexpr int count = 4000;
  for (int r = 0; r < runs; ++r) {
    double x = 0.0;
    const auto fit = fit_of(1.0, count, [&](double) { return x = 0.95 * x + normal(random); });
    slopes += fit.slope * fit.slope / runs;
    errors += fit.slope_error * fit.slope_error / runs;
  }
  EXPECT_NEAR(std::sqrt(errors / slopes), 1.0, 0.15);
  const double independent = std::sqrt(12.0 / (count * (1.0 - 0.95 * 0.95)));
  EXPECT_LT(independent, 0.3 * std::sqrt(slopes));
}

/// Eight values in four blocks: a line of the given slope, and c(-1, 3, -3, 1) on the blocks, which no line
/// takes part in. By hand: the times of the blocks are 0.5, 2.5, 4.5, 6.5, their squares about the mean sum
/// up to 20, and σ² = 20c²/((4 - 2)·20).
DriftFit blocks_of_two(double slope, double c) {
  std::vector<double> t, y;
  for (const double pattern : {-1.0, 3.0, -3.0, 1.0})
    for (int i = 0; i < 2; ++i) {
      t.push_back(static_cast<double>(t.size()));
      y.push_back(5.0 + slope * t.back() + c * pattern);
    }
  return fit_drift(t, y, 4);
}

TEST(Drift, TheErrorOfTheSlopeByHand) {
  for (const double slope : {0.0, 0.3, -2.0}) {
    const DriftFit fit = blocks_of_two(slope, 0.1);
    EXPECT_NEAR(fit.slope, slope, 1e-15);
    EXPECT_NEAR(fit.slope_error, 0.1 / std::sqrt(2.0), 1e-15);
    EXPECT_NEAR(fit.swing, 0.6, 1e-14);
    EXPECT_NEAR(fit.level, 5.0 + 3.5 * slope, 1e-14);
    EXPECT_EQ(fit.span, 7.0);
  }
  // of the six pairs of blocks two rise and four fall: (-1, 3, -3, 1)
  EXPECT_NEAR(blocks_of_two(0.0, 0.1).agreement, 0.0, 1e-15);
  EXPECT_NEAR(blocks_of_two(0.25, 0.1).agreement, 4.0 / 6.0, 1e-15);
}

/// From 1.3 σ on the trend takes y further than the swing does; it counts from 3 σ on.
TEST(Drift, ATrendOfLessThanThreeErrorsIsNone) {
  const double sigma = 0.1 / std::sqrt(2.0);
  for (const double size : {1.3, 2.0, 2.9, 3.1, 10.0})
    for (const double sign : {1.0, -1.0}) {
      const DriftFit fit = blocks_of_two(sign * size * sigma, 0.1);
      EXPECT_GT(std::abs(fit.change()), fit.swing);
      EXPECT_EQ(fit.drifts(), size > 3.0) << size << fit.text();
    }
}

/// Verlet swings, RK4 loses energy, Newmark with γ > ½ as well.
TEST(Drift, OfTheEnergyOfRuns) {
  const auto f = system_of(texts::ring());
  const VectorState s = start_of(*f, texts::ring());
  EXPECT_EQ(energy_drift(StageFlow(verlet(), f), s, 0.1, 4000).verdict, Verdict::level);
  EXPECT_EQ(energy_drift(NewmarkFlow(newmark(0.25, 0.5), f), s, 0.1, 4000).verdict, Verdict::level);
  const auto lost = energy_drift(BaselineFlow(rk4(), f), s, 0.2, 4000, 4);
  EXPECT_TRUE(lost.drifts()) << lost.text();
  EXPECT_LT(lost.slope, 0.0);
  const auto damped = energy_drift(NewmarkFlow(newmark(0.25, 0.51), f), s, 0.1, 2000);
  EXPECT_TRUE(damped.drifts());
  EXPECT_LT(damped.slope, 0.0);
}

TEST(Drift, Refusals) {
  expect_words(refusal([] { fit_drift({1.0, 2.0}, {1.0}); }), {"2 times", "1 values"});
  expect_words(refusal([] { fit_of(1.0, 30, [](double t) { return t; }); }), {"40", "31"});
  expect_words(refusal([] { fit_drift({1.0, 2.0}, {1.0, 2.0}, 1); }), {"4 blocks"});
  expect_words(refusal([] { fit_of(1.0, 100, [](double) { return NAN; }); }), {"not finite"});
  expect_words(refusal([] { fit_of(0.0, 100, [](double t) { return t; }); }), {"increase"});
}

}  // namespace
}  // namespace varia::drift_test
