// SPDX-License-Identifier: BSD-3-Clause
// Optima that are known, to the digits of their sources (problems/optima.hpp). Also optimise.hpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/optima.hpp"
#include "varia/control/roll_out.hpp"

namespace varia::optima_test {
namespace {

using namespace problems;
using optima::Known;

struct Found {
  double cost = 0.0;
  ControlMotion motion;
};

Found find(Known k, const Method& method, int steps) {
  k.texts.time.steps = steps;
  const ControlProblem problem = optima::problem_of(k, method);
  const Optimum o = optimise(problem, problem.guess(optima::line_of(k)));
  EXPECT_EQ(o.status, OptimumStatus::solved) << k.texts.name << ": " << o.message;
  EXPECT_LT(o.kkt_error, 1e-10);
  return {o.cost, problem.motion(o)};
}

/// After Richardson's extrapolation from `steps` and twice as many.
double extrapolated(const Known& k, const Method& method, int steps) {
  const double coarse = find(k, method, steps).cost, fine = find(k, method, 2 * steps).cost;
  return fine + (fine - coarse) / (std::pow(2.0, method.order()) - 1.0);
}

/// R8 of the specification: one input for each step, or the cost by another quadrature, has not the ratio 16.
TEST(Optima, OfANonholonomicParticle) {
  const Known k = optima::sato();
  const Found coarse = find(k, nh_lobatto(3), 25), fine = find(k, nh_lobatto(3), 50);
  EXPECT_NEAR(coarse.cost, 1.5111914141, 6e-11);
  EXPECT_NEAR(fine.cost, 1.5111930621, 6e-11);
  const double e = k.cost - coarse.cost, half = k.cost - fine.cost;
  EXPECT_NEAR(e, 1.758e-6, 6e-10);
  EXPECT_NEAR(half, 1.099e-7, 6e-11);
  EXPECT_NEAR(e / half, 16.0, 0.05);
  EXPECT_NEAR(find(k, nh_lobatto(2), 25).cost, 1.50121865, 6e-9);
  const Found best = find(k, nh_lobatto(4), 50);
  EXPECT_NEAR(best.cost, 1.5111931720, 6e-11);
  EXPECT_NEAR(extrapolated(k, nh_lobatto(5), 25), 1.511193171978, 1e-12);

  EXPECT_LT((best.motion.u.front().front() - vector({0.34935, -0.43593})).norm(), 1e-5);
  EXPECT_LT((best.motion.u.back().back() - vector({0.49719, -1.05870})).norm(), 1e-5);
  EXPECT_LT((best.motion.q[25] - vector({4.22333, 1.03814, 2.06917})).norm(), 1e-5);
}

TEST(Optima, OfACartPole) {
  const Found found = find(optima::cart_pole(), gauss(4), 200);
  EXPECT_NEAR(found.cost, 58.8076674582, 6e-11);
  EXPECT_NEAR(extrapolated(optima::cart_pole(), lobatto(3), 200), 58.8076674582, 2e-9);
  double most = 0.0;
  for (const auto& step : find(optima::cart_pole(), lobatto(3), 1000).motion.u)
    for (const Vn& u : step) most = std::max(most, std::abs(u[0]));
  EXPECT_NEAR(most, 13.9837, 3e-4);
}

TEST(Optima, OfABrachistochrone) {
  EXPECT_NEAR(extrapolated(optima::brachistochrone(), gauss(2), 50), 1.801603122453, 2e-12);
  EXPECT_NEAR(find(optima::brachistochrone(), gauss(3), 50).cost, 1.801603122453, 2e-12);
}

TEST(Optima, OfAnOrbitThatIsRaised) {
  EXPECT_NEAR(find(optima::orbit_raising(), gauss(3), 200).cost, -1.525277700649, 1e-12);
}

/// The arc between has u = 0 on x = l; where it begins and ends nodes stand at these numbers of steps.
TEST(Optima, OfBrysonAndDenham) {
  for (const int steps : {30, 60})
    EXPECT_NEAR(find(optima::bryson_denham(), lobatto(3), steps).cost, 4.0, 2e-11);
  EXPECT_NEAR(find(optima::bryson_denham(), gauss(4), 400).cost, 4.0, 1e-8);
}

/// Printed without rounding.
TEST(Optima, OfARocket) {
  const double cost = find(optima::goddard(), gauss(3), 50).cost;
  EXPECT_LT(cost, -1.01283);
  EXPECT_GT(cost, -1.01284);
  EXPECT_NEAR(cost, find(optima::goddard(), gauss(2), 200).cost, 2e-8);
}

TEST(Optima, OfABallTurned) {
  for (const Method& method : {gauss(2), lobatto(3), gauss(3)})
    EXPECT_NEAR(find(optima::turn_of_a_ball(), method, 10).cost, 3.0, 1e-12) << method.name();
  for (const Method& method : {gauss(1), lobatto(2)})
    EXPECT_NEAR(extrapolated(optima::turn_of_a_ball(), method, 20), 3.0, 1e-4) << method.name();
}

TEST(Optima, OfABodyTurned) {
  EXPECT_NEAR(find(optima::turn_of_a_body(), gauss(4), 25).cost, 0.728528295061, 2e-12);
  EXPECT_NEAR(extrapolated(optima::turn_of_a_body(), lobatto(3), 50), 0.728528295061, 1e-11);
}

TEST(Optima, OfAUnicycleParked) {
  EXPECT_NEAR(find(optima::parking(), nh_lobatto(5), 50).cost, 0.8345462514, 6e-11);
  EXPECT_NEAR(extrapolated(optima::parking(), nh_lobatto(3), 50), 0.8345462514, 6e-11);
}

/// The least of several optima, from a motion with torques that change their signs. They jump within steps, where and
/// how changes with the number of steps: there is no order to extrapolate by.
TEST(Optima, OfABodyTurnedInTheLeastTime) {
  Known k = optima::reorientation();
  k.inputs = [](double t, double* u) {
    const char* const signs[] = {"++--+-+", "+-++-++", "--++-+-"};
    const int piece = std::min(6, static_cast<int>(t / 30.0 * 7));
    for (int i = 0; i < 3; ++i) u[i] = signs[i][piece] == '+' ? 40.0 : -40.0;
  };
  for (const int steps : {80, 160}) {
    k.texts.time.steps = steps;
    const ControlProblem problem = optima::problem_of(k, gauss(3));
    const RollOut motion = roll_out(problem, problem.guess(optima::line_of(k)));
    ASSERT_TRUE(motion.solved);
    const Optimum o = optimise(problem, motion.point);
    EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
    EXPECT_NEAR(o.cost, k.cost, 0.016 / steps);
  }
}

}  // namespace
}  // namespace varia::optima_test
