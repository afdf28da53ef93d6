// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solve/newton.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace varia::newton_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// A system F(x) = 0 of two equations with its Jacobian, each row times a factor.
struct Problem {
  std::function<void(const double* x, double* f, double* j)> evaluate;
  std::vector<double> row = {1.0, 1.0};
  double magnitude = 10.0;  ///< of the terms of F at the root
};

struct Outcome {
  NewtonReport report;
  std::vector<double> x;
  std::vector<double> steps;  ///< sizes of the updates
  int fresh = 0;              ///< Jacobians computed
};

Outcome run(const Problem& problem, std::vector<double> start, const Newton& options = {},
            int tested = 2) {
  NewtonWorkspace w;
  w.resize(2, tested);
  w.x = std::move(start);
  Outcome outcome;
  std::vector<double> before = w.x;
  outcome.report = solve(options, w, [&](NewtonWorkspace& work, bool fresh) {
    if (work.x != before)
      outcome.steps.push_back(std::hypot(work.x[0] - before[0], work.x[1] - before[1]));
    before = work.x;
    double f[2], j[4];
    problem.evaluate(work.x.data(), f, j);
    for (int i = 0; i < 2; ++i) {
      const auto at = static_cast<std::size_t>(i);
      work.residual[at] = problem.row[at] * f[i];
      if (fresh)
        for (int k = 0; k < 2; ++k) work.jacobian(i, k) = problem.row[at] * j[2 * i + k];
    }
    work.magnitude =
        problem.magnitude * std::max(std::abs(problem.row[0]), std::abs(problem.row[1]));
    outcome.fresh += fresh ? 1 : 0;
  });
  outcome.x = w.x;
  return outcome;
}

/// x² + y² = 4, x y = 1: at x = √(2+√3), y = 1/x.
Problem circle_and_hyperbola() {
  return {[](const double* x, double* f, double* j) {
    f[0] = x[0] * x[0] + x[1] * x[1] - 4.0;
    f[1] = x[0] * x[1] - 1.0;
    j[0] = 2.0 * x[0];
    j[1] = 2.0 * x[1];
    j[2] = x[1];
    j[3] = x[0];
  }};
}
const double root_x = std::sqrt(2.0 + std::sqrt(3.0));
const double root_y = 1.0 / root_x;

TEST(NewtonMethod, StopsAtRoundOff) {
  for (const bool freeze : {false, true}) {
    const Outcome o = run(circle_and_hyperbola(), {2.5, 0.3}, {50, freeze});
    ASSERT_TRUE(o.report.converged) << freeze;
    EXPECT_NEAR(o.x[0], root_x, 4 * eps);
    EXPECT_NEAR(o.x[1], root_y, 4 * eps);
  }
}

TEST(NewtonMethod, ConvergesQuadratically) {
  const Outcome o = run(circle_and_hyperbola(), {2.5, 0.3});
  int checked = 0;
  for (std::size_t k = 1; k < o.steps.size(); ++k)
    if (o.steps[k - 1] > 1e-4) {  // closer, an old Jacobian may serve the last step
      EXPECT_LE(o.steps[k], 2.0 * o.steps[k - 1] * o.steps[k - 1]);
      ++checked;
    }
  EXPECT_GE(checked, 2);
  EXPECT_LE(o.report.iterations, 7);
  EXPECT_GE(o.fresh, 3);
}

TEST(NewtonMethod, FrozenJacobianIsComputedLess) {
  const Outcome o = run(circle_and_hyperbola(), {1.95, 0.51}, {50, true});
  EXPECT_TRUE(o.report.converged);
  EXPECT_LT(o.fresh, o.report.iterations);
  EXPECT_NEAR(o.x[0], root_x, 4 * eps);
}

TEST(NewtonMethod, FrozenJacobianIsRenewedWhenItContractsBadly) {
  const Outcome o = run(circle_and_hyperbola(), {12.0, 0.01}, {50, true});
  EXPECT_TRUE(o.report.converged);
  EXPECT_GT(o.fresh, 1);
  EXPECT_NEAR(o.x[0], root_x, 4 * eps);
  EXPECT_NEAR(o.x[1], root_y, 4 * eps);
}

TEST(NewtonMethod, LinearSystemNeedsOneStepAndItsConfirmation) {
  const Problem linear{[](const double* x, double* f, double* j) {
    f[0] = 4.0 * x[0] + x[1] - 1.0;
    f[1] = 2.0 * x[0] + 3.0 * x[1] - 2.0;
    j[0] = 4.0;
    j[1] = 1.0;
    j[2] = 2.0;
    j[3] = 3.0;
  }};
  const Outcome o = run(linear, {100.0, -50.0});
  ASSERT_TRUE(o.report.converged);
  EXPECT_LE(o.report.iterations, 3);
  EXPECT_NEAR(o.x[0], 0.1, eps);
  EXPECT_NEAR(o.x[1], 0.6, eps);
}

TEST(NewtonMethod, AcceptsTheRootItStartsFrom) {
  const Outcome o = run(circle_and_hyperbola(), {root_x, root_y});
  EXPECT_TRUE(o.report.converged);
  EXPECT_LE(o.report.iterations, 3);
  EXPECT_NEAR(o.x[0], root_x, 2 * eps);
}

/// A step is compared with the unknown; a root at 0 must not ask for 0/0 accuracy.
TEST(NewtonMethod, FindsARootAtExactlyZero) {
  const Problem at_zero{[](const double* x, double* f, double* j) {
    f[0] = std::exp(x[0]) - 1.0 + x[1];
    f[1] = std::sin(x[1]) - x[0] * x[0];
    j[0] = std::exp(x[0]);
    j[1] = 1.0;
    j[2] = -2.0 * x[0];
    j[3] = std::cos(x[1]);
  }};
  for (const bool freeze : {false, true}) {
    const Outcome o = run(at_zero, {0.2, -0.1}, {50, freeze});
    ASSERT_TRUE(o.report.converged) << freeze;
    EXPECT_NEAR(o.x[0], 0.0, 4 * eps);
    EXPECT_NEAR(o.x[1], 0.0, 4 * eps);
    const Outcome there = run(at_zero, {0.0, 0.0}, {50, freeze});
    EXPECT_TRUE(there.report.converged);
    EXPECT_EQ(there.x[0], 0.0);
  }
}

TEST(NewtonMethod, ReportsASingularJacobian) {
  const Problem flat{[](const double* x, double* f, double* j) {
    f[0] = x[0] + x[1] - 1.0;
    f[1] = 2.0 * x[0] + 2.0 * x[1] - 3.0;
    j[0] = j[1] = 1.0;
    j[2] = j[3] = 2.0;
  }};
  const Outcome o = run(flat, {0.3, 0.2});
  EXPECT_TRUE(o.report.singular);
  EXPECT_FALSE(o.report.converged);
}

/// x² + 1 = 0 has no real root: whatever happens, it is not called a solution.
TEST(NewtonMethod, NeverAcceptsWhereThereIsNoRoot) {
  const Problem rootless{[](const double* x, double* f, double* j) {
    f[0] = x[0] * x[0] + 1.0;
    f[1] = x[1] - x[0];
    j[0] = 2.0 * x[0];
    j[1] = 0.0;
    j[2] = -1.0;
    j[3] = 1.0;
  }};
  for (const bool freeze : {false, true})
    for (const double start : {0.3, 1.7, -5.0}) {
      const Outcome o = run(rootless, {start, 0.0}, {50, freeze});
      EXPECT_FALSE(o.report.converged) << start;
    }
}

TEST(NewtonMethod, DivergenceIsNotConvergence) {
  const Problem arctangent{[](const double* x, double* f, double* j) {
    f[0] = std::atan(x[0]);
    f[1] = x[1] - 1.0;
    j[0] = 1.0 / (1.0 + x[0] * x[0]);
    j[1] = j[2] = 0.0;
    j[3] = 1.0;
  }};
  EXPECT_FALSE(run(arctangent, {2.0, 0.0}).report.converged);
  EXPECT_TRUE(run(arctangent, {0.5, 0.0}).report.converged);
}

TEST(NewtonMethod, KeepsToMaxIterations) {
  for (const int most : {0, 1, 2, 3}) {
    const Outcome o = run(circle_and_hyperbola(), {100.0, 0.001}, {most, false});
    EXPECT_FALSE(o.report.converged);
    EXPECT_EQ(o.report.iterations, most);
    EXPECT_EQ(o.fresh, most);
  }
}

TEST(NewtonMethod, ReportsANonFiniteResidual) {
  const Problem undefined{[](const double*, double* f, double* j) {
    f[0] = f[1] = std::nan("");
    j[0] = j[3] = 1.0;
    j[1] = j[2] = 0.0;
  }};
  const Outcome o = run(undefined, {1.0, 1.0});
  EXPECT_FALSE(o.report.converged);
  EXPECT_EQ(o.report.iterations, 1);
}

TEST(NewtonMethod, LastUpdateIsRelativeToTheUnknown) {
  const Outcome o = run(circle_and_hyperbola(), {2.5, 0.3}, {1, false});
  const double step = std::max(std::abs(o.x[0] - 2.5), std::abs(o.x[1] - 0.3));
  EXPECT_NEAR(o.report.last_update, step / std::max(std::abs(o.x[0]), std::abs(o.x[1])), 1e-15);
}

TEST(NewtonMethod, DoesNotSeeTheUnitsOfItsEquations) {
  const Outcome plain = run(circle_and_hyperbola(), {2.5, 0.3});
  for (const std::vector<double>& row :
       {std::vector{1e8, 1.0}, {1.0, 1e8}, {1e-8, 1.0}, {1e8, 1e-8}}) {
    Problem scaled = circle_and_hyperbola();
    scaled.row = row;
    const Outcome o = run(scaled, {2.5, 0.3});
    ASSERT_TRUE(o.report.converged);
    EXPECT_NEAR(o.x[0], plain.x[0], 4 * eps);
    EXPECT_NEAR(o.x[1], plain.x[1], 4 * eps);
    EXPECT_LE(std::abs(o.report.iterations - plain.report.iterations), 1);
  }
}

/// Far from a root of y³ steps shrink by 2/3 only. With rows of different units the residual of the
/// slow equation looks small beside the other; a step accepted then would be half-solved.
TEST(NewtonMethod, SlowPhaseIsNotAcceptedWhenRowsDifferInScale) {
  Problem cubic{[](const double* x, double* f, double* j) {
    f[0] = x[0] - 1.0;
    f[1] = x[1] * x[1] * x[1] - 8.0;
    j[0] = 1.0;
    j[1] = j[2] = 0.0;
    j[3] = 3.0 * x[1] * x[1];
  }};
  cubic.row = {1e8, 1e-8};
  const Outcome o = run(cubic, {0.5, 1000.0});
  EXPECT_TRUE(o.report.converged);
  EXPECT_NEAR(o.x[1], 2.0, 1e-14) << "accepted after " << o.report.iterations << " iterations";
}

/// A residual with noise above the round-off of the unknown: steps stop shrinking, and the
/// iteration ends there instead of failing at the limit. Noise beyond the stated one is a failure.
TEST(NewtonMethod, StagnationAtTheNoiseOfTheResidualIsConvergence) {
  int evaluations = 0;
  Problem noisy{[&](const double* x, double* f, double* j) {
    f[0] = x[0] - 1.0 / 3.0 + 1e-10 * std::sin(1.0 + 2.0 * ++evaluations);
    f[1] = x[1] * x[1] - 2.0;
    j[0] = 1.0;
    j[1] = j[2] = 0.0;
    j[3] = 2.0 * x[1];
  }};
  noisy.magnitude = 1e6;  // eps times this is the noise
  const Outcome o = run(noisy, {0.0, 1.0});
  ASSERT_TRUE(o.report.converged);
  EXPECT_LT(o.report.iterations, 15);
  EXPECT_NEAR(o.x[0], 1.0 / 3.0, 2e-10);
  EXPECT_NEAR(o.x[1], std::sqrt(2.0), 1e-15);
  noisy.magnitude = 1.0;
  EXPECT_FALSE(run(noisy, {0.0, 1.0}).report.converged);
}

/// Components beyond the tested ones (multipliers) are solved, but do not decide.
TEST(NewtonMethod, UntestedComponentsAreSolvedToo) {
  const Outcome o = run(circle_and_hyperbola(), {2.5, 0.3}, {}, 1);
  ASSERT_TRUE(o.report.converged);
  EXPECT_NEAR(o.x[0], root_x, 4 * eps);
  EXPECT_NEAR(o.x[1], root_y, 1e-12);
}

/// Solves twice, the second time from another start with the factors of the first.
struct Again {
  NewtonReport report;
  std::vector<double> x;
  int fresh = 0;
};

Again solve_again(const Problem& problem, std::vector<double> first, std::vector<double> second) {
  NewtonWorkspace w;
  w.resize(2, 2);
  w.x = std::move(first);
  Again again;
  const auto evaluate = [&](NewtonWorkspace& work, bool fresh) {
    double j[4];
    problem.evaluate(work.x.data(), work.residual.data(), j);
    for (int i = 0; fresh && i < 4; ++i) work.jacobian(i / 2, i % 2) = j[i];
    work.magnitude = problem.magnitude;
    again.fresh += fresh ? 1 : 0;
  };
  EXPECT_TRUE(solve({}, w, evaluate).converged);
  w.x = std::move(second);
  again.fresh = 0;
  again.report = solve({}, w, evaluate, true);
  again.x = w.x;
  return again;
}

TEST(NewtonMethod, KeptFactorsLeadToTheSameRoot) {
  const double root = std::sqrt(2.0 + std::sqrt(3.0));
  const Again near = solve_again(circle_and_hyperbola(), {2.0, 0.5}, {root + 1e-5, 1.0 / root});
  EXPECT_TRUE(near.report.converged);
  EXPECT_FALSE(near.report.renewed);
  EXPECT_EQ(near.fresh, 0);
  EXPECT_NEAR(near.x[0], root, 4 * eps);
  EXPECT_NEAR(near.x[1], 1.0 / root, 4 * eps);
}

/// A residual that carries a rounding of its own: once it is no larger than that, and the factors contract, a third
/// evaluation would only round anew. Where the terms are too small to explain it the iteration goes on.
TEST(NewtonMethod, KeptFactorsEndAtTheRoundOffOfTheResidual) {
  const auto iterations = [](double magnitude) {
    double rounding = 2e-16;
    Problem rounded{[&](const double* x, double* f, double* j) {
      rounding = -rounding;
      f[0] = (x[0] - 1.0) + rounding;
      f[1] = x[1] - 1.0;
      j[0] = j[3] = 1.0;
      j[1] = j[2] = 0.0;
    }};
    rounded.magnitude = magnitude;
    return solve_again(rounded, {1.0, 1.0}, {1.0 + 1e-13, 1.0}).report.iterations;
  };
  EXPECT_EQ(iterations(1.0), 2);
  EXPECT_GT(iterations(0.1), 2);
}

/// x² = a for an a that the factors were not made for.
TEST(NewtonMethod, KeptFactorsThatContractBadlyAreReplaced) {
  double a = 4.0;
  const Problem square{[&](const double* x, double* f, double* j) {
    f[0] = x[0] * x[0] - a;
    f[1] = x[1] - 1.0;
    j[0] = 2.0 * x[0];
    j[1] = j[2] = 0.0;
    j[3] = 1.0;
  }};
  NewtonWorkspace w;
  w.resize(2, 2);
  w.x = {2.0, 1.0};
  const auto evaluate = [&](NewtonWorkspace& work, bool fresh) {
    double j[4];
    square.evaluate(work.x.data(), work.residual.data(), j);
    for (int i = 0; fresh && i < 4; ++i) work.jacobian(i / 2, i % 2) = j[i];
    work.magnitude = square.magnitude;
  };
  EXPECT_TRUE(solve({}, w, evaluate).converged);
  a = 9.0;
  w.x = {3.0 + 1e-4, 1.0};
  const NewtonReport report = solve({}, w, evaluate, true);
  EXPECT_TRUE(report.converged);
  EXPECT_TRUE(report.renewed);
  EXPECT_NEAR(w.x[0], 3.0, 4 * eps);
}

TEST(NewtonMethod, KeptFactorsOfAnotherPlaceAreGivenUp) {
  const Again far = solve_again(circle_and_hyperbola(), {2.0, 0.5}, {2.5, 0.1});
  EXPECT_FALSE(far.report.converged);
  EXPECT_EQ(far.report.iterations, 1);
}

}  // namespace
}  // namespace varia::newton_test
