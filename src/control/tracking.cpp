// SPDX-License-Identifier: BSD-3-Clause
#include "varia/control/tracking.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>

#include "varia/core/error.hpp"
#include "varia/core/index.hpp"

namespace varia {

namespace {

using detail::sz;
using Eigen::MatrixXd;
using Eigen::VectorXd;

int next_size(const ChainProblem& problem, int k) {
  return k + 1 < problem.steps() ? problem.sizes(k + 1).x : problem.end_size();
}

/// (A, B) of step k.
MatrixXd slopes(const ChainProblem& problem, int k, const ChainPoint& at) {
  const ChainStepSizes size = problem.sizes(k);
  ChainStep step;
  problem.evaluate(k, at, {}, {}, ChainOrder::slopes, step);
  const MatrixXd F = -step.jacobian.rightCols(size.y).partialPivLu().solve(
      step.jacobian.leftCols(size.x + size.w));
  return F.bottomRows(next_size(problem, k));
}

/// The state at the start of step k, by its entries.
VectorXd state(const ChainProblem& problem, int k, const ChainPoint& at) {
  if (k == 0) return at.x0;
  return at.y[sz(k - 1)].tail(problem.sizes(k).x_entries);
}

}  // namespace

Tracking track(const ChainProblem& problem, const ChainPoint& along,
               const TrackingWeights& weights) {
  if (!(weights.input > 0.0) || !(weights.state >= 0.0) || !(weights.end >= 0.0))
    throw InvalidArgument(
        "a feedback needs a positive weight of the inputs, and weights of states and the end that "
        "are not negative");
  const int count = problem.steps();
  Tracking t;
  t.gains.resize(sz(count));
  t.cost.resize(sz(count) + 1);
  t.cost.back() = weights.end * MatrixXd::Identity(problem.end_size(), problem.end_size());
  for (int k = count; k-- > 0;) {
    const int x = problem.sizes(k).x, w = problem.sizes(k).w;
    const MatrixXd& P = t.cost[sz(k) + 1];
    const MatrixXd AB = slopes(problem, k, along);
    MatrixXd H = AB.transpose() * P * AB;
    H.diagonal().head(x).array() += weights.state;
    H.diagonal().tail(w).array() += weights.input;
    MatrixXd& K = t.gains[sz(k)];
    K = -H.bottomRightCorner(w, w).llt().solve(H.bottomLeftCorner(w, x));
    const MatrixXd left = H.topLeftCorner(x, x) + H.topRightCorner(x, w) * K;
    t.cost[sz(k)] = 0.5 * (left + left.transpose());
  }
  return t;
}

RollOut roll_out(const ChainProblem& problem, const ChainPoint& from, const ChainPoint& along,
                 const Tracking& tracking) {
  RollOut result{true, 0, along};
  result.point.x0 = from.x0;
  for (int k = 0; k < problem.steps(); ++k) {
    const VectorXd gap =
        problem.difference(k, state(problem, k, along), state(problem, k, result.point));
    result.point.w[sz(k)] = along.w[sz(k)] + tracking.gains[sz(k)] * gap;
    if (!roll_step(problem, k, result.point)) return {false, k, std::move(result.point)};
  }
  return result;
}

}  // namespace varia
