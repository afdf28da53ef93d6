// SPDX-License-Identifier: BSD-3-Clause
// Verdicts of the optimiser, and optima in closed form.
#include "varia/control/optimise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/optima.hpp"

namespace varia::optimise_test {
namespace {

using namespace problems;
using optima::Known;
using optima::known;
using optima::line_of;
using optima::problem_of;

/// x'' = u from rest at 0.
Known cart(std::vector<ControlRange> inputs, std::string cost, std::vector<std::string> end,
           double duration = 1.0) {
  Known k =
      known("cart", {{"x"}, "x_dot^2/2", {"u"}, {}, vector({0}), vector({0})}, std::move(inputs),
            std::move(cost), {"x", "x_dot"}, std::move(end), vector({1}), duration, 0.0);
  k.texts.time.steps = 10;
  k.free_end = true;
  return k;
}

Optimum optimum_of(const Known& k, const OptimiserOptions& options = {},
                   const Method& method = gauss(2)) {
  const ControlProblem p = problem_of(k, method);
  return optimise(p, p.guess(line_of(k)), options);
}

TEST(Optimise, TheLeastEffortIsThatOfACubic) {
  const Optimum o = optimum_of(cart({{"u"}}, "u^2/2", {"x - 1", "x_dot"}));
  EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
  EXPECT_NEAR(o.cost, 6.0, 1e-11);
  EXPECT_LE(o.kkt_error, 1e-10);
  EXPECT_EQ(o.iterations, 1);  // a quadratic problem: one step of Newton's method
}

TEST(Optimise, TheLeastTimeIsThatOfFullForce) {
  Known k = cart({{"u", -1.0, 1.0}}, "0", {"x - 1", "x_dot"});
  k.texts.final_cost = "t";
  k.texts.time.free_end = ControlRange{"T", 0.1, 10.0};
  const Optimum o = optimum_of(k);
  EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
  EXPECT_NEAR(o.cost, 2.0, 1e-9);
}

TEST(Optimise, ABoundThatActsHasItsMultiplier) {
  Known k = cart({{"u", -unbounded, 2.0}}, "(u - 5)^2/2", {});
  const Optimum o = optimum_of(k);
  EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
  EXPECT_NEAR(o.cost, 4.5, 1e-9);
  for (std::size_t i = 1; i + 1 < o.bound.size(); ++i)
    for (const double force : o.bound[i]) EXPECT_NEAR(force, 3.0 * 0.1 / 2.0, 1e-8);
}

TEST(Optimise, AnEndThatIsOutOfReach) {
  const Optimum o = optimum_of(cart({{"u", -1.0, 1.0}}, "u^2/2", {"x - 1"}));
  EXPECT_EQ(o.status, OptimumStatus::infeasible) << to_string(o.status);
  EXPECT_NE(o.message.find("x - 1"), std::string::npos) << o.message;
}

TEST(Optimise, EndsThatContradictEachOther) {
  const Optimum o = optimum_of(cart({{"u"}}, "u^2/2", {"x - 1", "x - 2"}));
  EXPECT_EQ(o.status, OptimumStatus::infeasible) << to_string(o.status);
}

TEST(Optimise, StartsThatContradictEachOther) {
  Known k = cart({{"u"}}, "u^2/2", {"x_dot - 1"});
  k.texts.start = {"x", "x - 1"};
  const Optimum o = optimum_of(k);
  EXPECT_EQ(o.status, OptimumStatus::infeasible) << to_string(o.status);
  EXPECT_NE(o.message.find("the start 'x"), std::string::npos) << o.message;
}

TEST(Optimise, TimesThatAreNone) {
  Known k = cart({{"u"}}, "u^2/2", {});
  k.texts.time.steps = 0;
  EXPECT_THROW(optimum_of(k), InvalidArgument);
  k.texts.time = {0.0, 0.0, 10, {}};
  EXPECT_THROW(optimum_of(k), InvalidArgument);
  k.texts.time.end = NAN;
  EXPECT_THROW(optimum_of(k), InvalidArgument);
}

TEST(Optimise, EndsThatSayTheSameTwice) {
  const Optimum o = optimum_of(cart({{"u"}}, "u^2/2", {"x - 1", "2*x - 2"}));
  EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
  EXPECT_NEAR(o.cost, 1.5, 1e-11);  // the end velocity is free
}

TEST(Optimise, ACostThatFallsWithoutEnd) {
  for (const char* cost : {"-u^2", "u", "-exp(u)"}) {
    const Optimum o = optimum_of(cart({{"u"}}, cost, {}));
    EXPECT_EQ(o.status, OptimumStatus::unbounded) << cost << ": " << to_string(o.status);
  }
}

/// At u = 0 the cost is stationary, but greatest.
TEST(Optimise, ASaddleIsLeft) {
  const Optimum o = optimum_of(cart({{"u"}}, "(u^2 - 1)^2", {}));
  EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
  EXPECT_NEAR(o.cost, 0.0, 1e-12);
}

TEST(Optimise, ACostWithoutValueAtTheGuess) {
  const Optimum o = optimum_of(cart({{"u"}}, "log(u)", {}));
  EXPECT_EQ(o.status, OptimumStatus::no_value) << to_string(o.status);
}

TEST(Optimise, EndsWhenItIsTold) {
  OptimiserOptions options;
  options.max_iterations = 3;
  Known k = optima::cart_pole();
  EXPECT_EQ(optimum_of(k, options).status, OptimumStatus::iterations);
  options.max_iterations = 100;
  int calls = 0;
  options.progress = [&](const OptimiserProgress& p) {
    EXPECT_EQ(p.iteration, ++calls);
    return calls < 2;
  };
  const Optimum o = optimum_of(k, options);
  EXPECT_EQ(o.status, OptimumStatus::interrupted);
  EXPECT_EQ(calls, 2);
}

/// From rest, straight sideways, nothing moves a unicycle to first order: restoration finds the way.
TEST(Optimise, RestorationLeavesAPlaceWhereTheEndsAreOutOfReach) {
  const Optimum o = optimum_of(optima::parking(), {}, nh_lobatto(3));
  EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
  EXPECT_NEAR(o.cost, 0.8345462514, 1e-4);
}

/// Two guesses, one optimum; the number of iterations does not grow with the number of steps.
TEST(Optimise, IterationsDoNotGrowWithTheNumberOfSteps) {
  Known k = optima::cart_pole();
  for (const int steps : {25, 100, 400}) {
    k.texts.time.steps = steps;
    const Optimum o = optimum_of(k, {}, lobatto(3));
    EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
    EXPECT_LE(o.iterations, 20) << steps;
  }
}

TEST(Optimise, RunsAreTheSameToTheBit) {
  const Known k = optima::bryson_denham();
  const Optimum a = optimum_of(k), b = optimum_of(k);
  EXPECT_EQ(a.cost, b.cost);
  EXPECT_EQ(a.point.x0, b.point.x0);
  for (std::size_t i = 0; i < a.point.y.size(); ++i) EXPECT_EQ(a.point.y[i], b.point.y[i]);
}

}  // namespace
}  // namespace varia::optimise_test
