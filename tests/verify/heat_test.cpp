// SPDX-License-Identifier: BSD-3-Clause
// Heat and temperature: closed forms, averages, and the table of the specification.
#include "varia/verify/heat.hpp"

#include <gtest/gtest.h>

#include "refusal.hpp"
#include "verify/harmonic_heat.hpp"
#include "verify/heat_means.hpp"

namespace varia::heat_test {
namespace {

using namespace problems;

TEST(TimeAverage, OfAStraightLineAndOfUnequalSteps) {
  TimeAverage trapezoidal;
  TimeAverage ends(Sampling::end_of_step);
  for (const double t : {1.0, 1.5, 3.0, 3.25}) {
    trapezoidal.add(t, 2.0 * t);
    ends.add(t, 2.0 * t);
  }
  EXPECT_DOUBLE_EQ(trapezoidal.mean(), 2.0 * (1.0 + 3.25) / 2.0);
  EXPECT_DOUBLE_EQ(ends.mean(), (0.5 * 3.0 + 1.5 * 6.0 + 0.25 * 6.5) / 2.25);
  EXPECT_DOUBLE_EQ(ends.duration(), 2.25);
  TimeAverage one;
  one.add(1.0, 2.0);
  expect_words(refusal([&] { one.mean(); }), {"no time"});
}

/// A sum that is rounded at every sample is off by 2e-12 of itself after 1e5 of them.
TEST(TimeAverage, OfManySamples) {
  for (const Sampling sampling : {Sampling::trapezoidal, Sampling::end_of_step}) {
    TimeAverage average(sampling);
    for (long i = 0; i <= 100000; ++i) average.add(static_cast<double>(i), 0.1);
    EXPECT_DOUBLE_EQ(average.mean(), 0.1);
  }
}

/// One oscillator: K = ½ω²A² sin²(ωt + φ), integrated by hand.
TEST(HarmonicHeat, OfOneOscillator) {
  const double m = 2.0;
  const double k = 3.0;
  const double T = 1.7;
  const double omega = std::sqrt(k / m);
  const auto exact =
      harmonic_heat(Eigen::MatrixXd::Constant(1, 1, m), Eigen::MatrixXd::Constant(1, 1, k),
                    Eigen::VectorXd::Constant(1, 0.6), Eigen::VectorXd::Zero(1), T);
  const double level = 0.25 * k * 0.6 * 0.6;
  EXPECT_NEAR(exact.limit, level, 1e-15);
  EXPECT_NEAR(exact.mean, level * (1.0 - std::sin(2 * omega * T) / (2 * omega * T)), 1e-15);
}

/// A free pair: the centre of mass is a mode without frequency.
TEST(HarmonicHeat, ZeroModesKeepTheirEnergy) {
  Eigen::MatrixXd k(2, 2);
  k << 1.0, -1.0, -1.0, 1.0;
  const Eigen::VectorXd p = Eigen::VectorXd::Constant(2, 0.5);
  const auto exact =
      harmonic_heat(Eigen::MatrixXd::Identity(2, 2), k, Eigen::VectorXd::Zero(2), p, 3.0);
  EXPECT_NEAR(exact.mean, 0.25, 1e-15);
  EXPECT_NEAR(exact.limit, 0.25, 1e-15);
  k(0, 0) = -1.0;
  expect_words(refusal([&] { harmonic_heat(Eigen::MatrixXd::Identity(2, 2), k, p, p, 3.0); }),
               {"negative eigenvalue"});
  expect_words(refusal([&] { harmonic_heat(-k, k, p, p, 3.0); }), {"positive definite"});
  expect_words(refusal([&] { harmonic_heat(k, k, p, p, 0.0); }), {"duration"});
}

HarmonicHeat exact(double T, bool at_rest = false) {
  const Texts chain = texts::lattice(false, at_rest);
  Eigen::MatrixXd stiffness = 2.0 * Eigen::MatrixXd::Identity(8, 8);
  for (int i = 0; i + 1 < 8; ++i) stiffness(i, i + 1) = stiffness(i + 1, i) = -1.0;
  return harmonic_heat(Eigen::MatrixXd::Identity(8, 8), stiffness, chain.q, chain.v, T);
}

TEST(HarmonicHeat, OfTheChainIsAsInTheSpecification) {
  EXPECT_NEAR(exact(1.0).limit, 0.44061262, 5e-9);
  EXPECT_NEAR(exact(1.0, true).limit, 0.15451475, 5e-9);
  const auto floor = [](double T) { return std::abs(exact(T).mean / exact(T).limit - 1.0); };
  EXPECT_NEAR(floor(1e2), 1.382e-3, 5e-7);
  EXPECT_NEAR(floor(1e3), 4.052e-4, 5e-8);
  EXPECT_NEAR(floor(1e4), 3.632e-5, 5e-9);
}

void expect_errors(double T, double h, double vi1, double rk4, double vi4) {
  const auto [a, b, c] = heat_means::all(false, T, h);
  const double limit = exact(T).limit;
  EXPECT_NEAR(std::abs(a / limit - 1.0) / vi1, 1.0, 0.005) << h;
  EXPECT_NEAR(std::abs(b / limit - 1.0) / rk4, 1.0, 0.005) << h;
  EXPECT_NEAR(std::abs(c / limit - 1.0) / vi4, 1.0, 0.005) << h;
}

TEST(Heat, OfTheHarmonicChainIsAsInTheSpecification) {
  expect_errors(1e4, 0.5, 1.40e-1, 9.84e-1, 5.34e-2);
  expect_errors(1e4, 0.25, 1.08e-1, 6.96e-1, 2.14e-3);
  expect_errors(1e3, 0.25, 1.08e-1, 1.58e-1, 2.11e-3);
}

/// VI1 is of first order only through p·q at the start: without it, of second.
TEST(Heat, OfTheChainFromItsPlaceOfRest) {
  const double limit = exact(1e4, true).limit;
  EXPECT_NEAR(std::abs(heat_means::first_order(false, 1e4, 0.25, true) / limit - 1.0), 4.39e-2,
              5e-5);
  EXPECT_NEAR(std::abs(heat_means::first_order(false, 1e4, 0.125, true) / limit - 1.0), 1.06e-2,
              5e-5);
}

TEST(Heat, TemperatureIsPerDegreeOfFreedom) {
  const auto f = system_of(texts::lattice(false));
  const VectorState start = start_of(*f, texts::lattice(false));
  const Heat found = heat(StageFlow(verlet(), f), start, 0.1, 1000);
  EXPECT_DOUBLE_EQ(found.temperature, found.mean / 8.0);
  EXPECT_NEAR(found.duration, 100.0, 1e-12);
  EXPECT_NEAR(found.mean, exact(100.0).mean, 5e-3);
  const Heat newmark_heat = heat(NewmarkFlow(newmark(0.0, 0.5), f), start, 0.1, 1000);
  EXPECT_NEAR(newmark_heat.mean, found.mean, 1e-12);
  refusal([&] { heat(StageFlow(verlet(), f), start, 0.1, 0); });
}

/// On a circle one of two degrees is free, on a sphere of space two of three, with or without a
/// constraint. Free motions keep their kinetic energy.
TEST(Heat, TemperatureCountsFreeDegreesOnly) {
  const auto circle = system_of({{"x", "y"}, "(x_dot^2 + y_dot^2)/2", {}, {"x^2 + y^2 - 1"}});
  const Heat round = heat(StageFlow(verlet(), circle),
                          initial(*circle, vector({1.0, 0.0}), vector({0.0, 0.8})), 0.05, 50);
  EXPECT_NEAR(round.mean, 0.32, 1e-14);
  EXPECT_NEAR(round.temperature, 0.32, 1e-14);
  const auto sphere =
      system_of({{"x", "y", "z"}, "(x_dot^2 + y_dot^2 + z_dot^2)/2", {}, {"x^2 + y^2 + z^2 - 1"}});
  const Heat by_constraint =
      heat(StageFlow(verlet(), sphere),
           initial(*sphere, vector({1.0, 0.0, 0.0}), vector({0.0, 0.8, 0.6})), 0.05, 50);
  EXPECT_NEAR(by_constraint.temperature, 0.25, 1e-14);
  const auto point = system_of({{{"n", "S2"}}, "(n1_dot^2 + n2_dot^2 + n3_dot^2)/2"});
  const Heat on_space =
      heat(StageFlow(verlet(), point),
           start_of(point, vector({0.3, 0.2, 0.0}), vector({0.8, 0.6, 0.0})), 0.05, 50);
  EXPECT_NEAR(on_space.temperature, on_space.mean / 2.0, 1e-14);
}

}  // namespace
}  // namespace varia::heat_test
