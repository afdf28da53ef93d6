// SPDX-License-Identifier: BSD-3-Clause
// Damped steps of Newton's method: roots that whole steps jump over, and what is said where there is none.
#include "varia/solve/damped_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace varia::damped_newton_test {
namespace {

/// F(x) = 0 of one unknown, with F' and the size of its terms; F times `row`.
struct Problem {
  std::function<double(double)> f, slope;
  double magnitude = 1.0, row = 1.0;

  void operator()(NewtonWorkspace& w, bool fresh) const {
    const double x = w.x[0];
    w.residual[0] = row * f(x);
    w.magnitude = std::abs(row) * magnitude;
    if (fresh) w.jacobian(0, 0) = row * slope(x);
    ++*evaluations;
  }
  std::shared_ptr<int> evaluations = std::make_shared<int>(0);
};

Problem arc_tangent(double row = 1.0) {
  return {[](double x) { return std::atan(x); }, [](double x) { return 1.0 / (1.0 + x * x); }, 1.0,
          row};
}

NewtonWorkspace at(double x) {
  NewtonWorkspace w;
  w.resize(1, 1);
  w.x[0] = x;
  return w;
}

/// From |x| > 1.3917 whole steps run away, Newton's own example.
TEST(DampedNewton, FindsTheRootThatWholeStepsRunAwayFrom) {
  for (const double start : {2.0, -30.0, 1e4})
    for (const double row : {1.0, 1e-200, -1e100}) {
      NewtonWorkspace w = at(start);
      Problem f = arc_tangent(row);
      EXPECT_FALSE(solve(Newton{}, w, f).converged) << start;
      w.x[0] = start;
      const NewtonReport report = solve_damped(Newton{}, w, f);
      EXPECT_TRUE(report.converged) << start << " " << row;
      EXPECT_EQ(report.damping, Damping::solved);
      EXPECT_GT(report.damped_iterations, 0);
      EXPECT_LT(std::abs(w.x[0]), 1e-15);
    }
}

/// The path does not depend on units of F.
TEST(DampedNewton, DoesNotSeeUnitsOfTheEquations) {
  NewtonWorkspace a = at(30.0), b = at(30.0);
  Problem one = arc_tangent(), other = arc_tangent(std::ldexp(1.0, 40));
  const NewtonReport first = solve_damped(Newton{}, a, one);
  const NewtonReport second = solve_damped(Newton{}, b, other);
  EXPECT_EQ(first.damped_iterations, second.damped_iterations);
  EXPECT_EQ(first.iterations, second.iterations);
  EXPECT_EQ(a.x[0], b.x[0]);
}

/// x + k sign(x)-like equations, with the root inside a layer that is 1e-9 wide.
TEST(DampedNewton, FindsTheRootInANarrowLayer) {
  const double k = 1.0, width = 1e-9;
  Problem f{[=](double x) { return x - 0.3 + k * std::tanh(x / width); },
            [=](double x) {
              const double t = std::tanh(x / width);
              return 1.0 + k / width * (1.0 - t * t);
            }};
  NewtonWorkspace w = at(1.0);
  EXPECT_FALSE(solve(Newton{}, w, f).converged);
  w.x[0] = 1.0;
  ASSERT_TRUE(solve_damped(Newton{}, w, f).converged);
  EXPECT_NEAR(w.x[0], width * std::atanh(0.3), 1e-15);
}

/// Of several roots it is that of the side where the iteration begins: (x - 1)(x - 5)(x - 20) times a
/// factor that flattens it, so that whole steps jump from one to another.
TEST(DampedNewton, StaysOnTheSideOfTheSlopeWhereItBegins) {
  const auto p = [](double x) { return std::tanh((x - 1.0) * (x - 5.0) * (x - 20.0) / 10.0); };
  const auto slope = [](double x) {
    const double c = (x - 1.0) * (x - 5.0) * (x - 20.0) / 10.0;
    const double d = (3.0 * x * x - 52.0 * x + 125.0) / 10.0;
    return d / std::pow(std::cosh(c), 2);
  };
  for (const auto& [start, root] :
       std::vector<std::pair<double, double>>{{0.3, 1.0}, {1.8, 1.0}, {4.2, 5.0}, {5.5, 5.0}}) {
    Problem f{p, slope};
    NewtonWorkspace w = at(start);
    ASSERT_TRUE(solve_damped(Newton{}, w, f).converged) << start;
    EXPECT_NEAR(w.x[0], root, 1e-12) << start;
  }
}

/// x² + 1 has no root: near 0 no part of a step brings it closer. A kink without a root likewise.
TEST(DampedNewton, SaysThatNothingComesCloser) {
  Problem parabola{[](double x) { return x * x + 1.0; }, [](double x) { return 2.0 * x; }};
  NewtonWorkspace w = at(3.0);
  const NewtonReport report = solve_damped(Newton{}, w, parabola);
  EXPECT_FALSE(report.converged);
  EXPECT_TRUE(report.damping == Damping::no_descent || report.damping == Damping::singular);
  Problem jump{[](double x) { return x < 0.0 ? x - 1.0 : x + 1.0; }, [](double) { return 1.0; }};
  w = at(3.0);
  EXPECT_EQ(solve_damped(Newton{}, w, jump).damping, Damping::no_descent);
}

TEST(DampedNewton, SaysThatTheJacobianIsSingular) {
  Problem flat{[](double) { return 1.0; }, [](double) { return 0.0; }};
  NewtonWorkspace w = at(3.0);
  EXPECT_EQ(solve_damped(Newton{}, w, flat).damping, Damping::singular);
}

TEST(DampedNewton, EndsWithItsIterations) {
  Problem f = arc_tangent();
  NewtonWorkspace w = at(1e9);
  const NewtonReport report = solve_damped(Newton{.max_iterations = 3}, w, f);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.damping, Damping::too_slow);
  EXPECT_EQ(report.damped_iterations, 3);
}

/// Numbers that are not finite are too far.
TEST(DampedNewton, GoesBackFromWhereThereIsNoValue) {
  // log x = -6 from x = 0.9: whole steps go to x < 0
  Problem f{[](double x) { return std::log(x) + 6.0; }, [](double x) { return 1.0 / x; }, 6.0};
  NewtonWorkspace w = at(0.9);
  EXPECT_FALSE(solve(Newton{}, w, f).converged);
  w.x[0] = 0.9;
  ASSERT_TRUE(solve_damped(Newton{}, w, f).converged);
  EXPECT_NEAR(w.x[0], std::exp(-6.0), 1e-16);
}

/// What whole steps solve is not touched; both are told where both fail.
TEST(DampedNewton, ComesAfterWholeSteps) {
  Problem easy = arc_tangent();
  NewtonWorkspace w = at(0.0), plain = at(0.5);
  const NewtonReport report = solve_from(Newton{}, w, easy, [&] { w.x[0] = 0.5; });
  EXPECT_EQ(report.damping, Damping::not_tried);
  EXPECT_EQ(report.damped_iterations, 0);
  EXPECT_EQ(report.iterations, solve(Newton{}, plain, easy).iterations);
  EXPECT_EQ(w.x[0], plain.x[0]);
  const NewtonReport hard = solve_from(Newton{}, w, easy, [&] { w.x[0] = 30.0; });
  EXPECT_TRUE(hard.converged);
  EXPECT_EQ(hard.damping, Damping::solved);
  EXPECT_GT(hard.iterations, 0);
  Problem none{[](double x) { return x * x + 1.0; }, [](double x) { return 2.0 * x; }};
  const NewtonReport failed = solve_from(Newton{}, w, none, [&] { w.x[0] = 3.0; });
  EXPECT_FALSE(failed.converged);
  EXPECT_EQ(failed.iterations, 50);
  EXPECT_NE(failed.damping, Damping::not_tried);
}

}  // namespace
}  // namespace varia::damped_newton_test
