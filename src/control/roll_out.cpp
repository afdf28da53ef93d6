// SPDX-License-Identifier: BSD-3-Clause
#include "varia/control/roll_out.hpp"

#include <Eigen/LU>
#include <cmath>

#include "varia/core/index.hpp"

namespace varia {

namespace {

constexpr int most_iterations = 50;
constexpr double round_off = 1e-15;
constexpr double small = 1e-9;  ///< below it a step that does not shrink is round-off

}  // namespace

/// A whole Newton step or, where the rows do not get smaller, a part of it.
bool roll_step(const ChainProblem& problem, int k, ChainPoint& at) {
  using detail::sz;
  const ChainStepSizes size = problem.sizes(k);
  ChainStep here, there;
  problem.evaluate(k, at, {}, {}, ChainOrder::slopes, here);
  double last = HUGE_VAL;
  for (int i = 0; i < most_iterations; ++i) {
    const Eigen::VectorXd d =
        -here.jacobian.rightCols(size.y).partialPivLu().solve(here.rows).eval();
    const Eigen::VectorXd from = at.y[sz(k)];
    const double relative = d.norm() / (1.0 + from.norm());
    if (!std::isfinite(relative)) return false;
    double part = 1.0;
    for (;; part *= 0.5) {
      problem.move_step(k, from, d, part, at.y[sz(k)]);
      problem.evaluate(k, at, {}, {}, ChainOrder::slopes, there);
      if (relative < small || there.rows.norm() <= (1.0 - 1e-4 * part) * here.rows.norm()) break;
      if (part < 1e-6) return false;
    }
    if (relative < round_off || (relative < small && relative >= last)) return true;
    last = relative;
    std::swap(here, there);
  }
  return false;
}

RollOut roll_out(const ChainProblem& problem, const ChainPoint& at) {
  RollOut result{true, 0, at};
  for (int k = 0; k < problem.steps(); ++k)
    if (!roll_step(problem, k, result.point)) return {false, k, std::move(result.point)};
  return result;
}

}  // namespace varia
