// SPDX-License-Identifier: BSD-3-Clause
#include "restoration.hpp"

#include <algorithm>

#include "varia/core/index.hpp"

namespace varia::detail {

using Eigen::VectorXd;

namespace {

/// What g is above its upper or below its lower bound.
VectorXd outside(const VectorXd& g, const ChainBounds& bounds) {
  return (g - bounds.upper).cwiseMax(0.0) + (g - bounds.lower).cwiseMin(0.0);
}

}  // namespace

Restoration::Restoration(const ChainProblem& problem, const ChainPoint& from, double zeta)
    : problem_(problem), inputs_(from.w), zeta_(zeta / problem.steps()) {
  for (int k = 0; k < problem.steps(); ++k) bounds_.push_back(problem.inequality_bounds(k));
}

ChainStepSizes Restoration::sizes(int k) const {
  ChainStepSizes s = problem_.sizes(k);
  s.g = 0;
  return s;
}

ChainBounds Restoration::inequality_bounds(int /*k*/) const { return {VectorXd(0), VectorXd(0)}; }

void Restoration::evaluate(int k, const ChainPoint& at, const VectorXd& rho, const VectorXd& /*z*/,
                           ChainOrder order, ChainStep& out) const {
  const ChainStepSizes size = problem_.sizes(k);
  const ChainBounds& bounds = bounds_[sz(k)];
  const double part = 1.0 / problem_.steps();
  VectorXd missed = VectorXd::Zero(size.g);
  if (size.g > 0) {
    problem_.evaluate(k, at, {}, {}, ChainOrder::values, out);
    missed = part * outside(out.inequalities, bounds);
  }
  // the cost itself is 0: its derivatives leave
  ChainStep costs;
  const bool all = order == ChainOrder::all;
  if (all) problem_.evaluate(k, at, VectorXd::Zero(size.y), VectorXd::Zero(size.g), order, costs);
  problem_.evaluate(k, at, rho, missed, order, out);
  const VectorXd change = at.w[sz(k)] - inputs_[sz(k)];
  out.cost = 0.5 * zeta_ * change.squaredNorm() + 0.5 * missed.squaredNorm() / part;
  if (order != ChainOrder::values) {
    out.gradient.setZero();
    out.gradient.segment(size.x, size.w) = zeta_ * change;
    if (size.g > 0) out.gradient += out.inequality_slopes.transpose() * missed;
  }
  if (all) {
    out.hessian -= costs.hessian;
    out.hessian.diagonal().segment(size.x, size.w).array() += zeta_;
    if (size.g > 0) {
      const VectorXd active = (missed.array() != 0.0).cast<double>() * part;
      out.hessian +=
          out.inequality_slopes.transpose() * active.asDiagonal() * out.inequality_slopes;
    }
  }
  out.inequalities.resize(0);
  out.inequality_slopes.resize(0, out.gradient.size());
}

void Restoration::evaluate_start(const ChainPoint& at, const VectorXd& nu, ChainOrder order,
                                 ChainEnd& out) const {
  problem_.evaluate_start(at, nu, order, out);
}

void Restoration::evaluate_end(const ChainPoint& at, const VectorXd& /*nu*/, ChainOrder order,
                               ChainEnd& out) const {
  problem_.evaluate_end(at, {}, ChainOrder::values, out);
  const VectorXd missed = out.rows;
  if (order != ChainOrder::values) {
    ChainEnd costs;
    if (order == ChainOrder::all)
      problem_.evaluate_end(at, VectorXd::Zero(missed.size()), order, costs);
    problem_.evaluate_end(at, missed, order, out);
    out.gradient = out.jacobian.transpose() * missed;
    if (order == ChainOrder::all) {
      out.hessian -= costs.hessian;
      out.hessian += out.jacobian.transpose() * out.jacobian;
    }
  }
  out.cost = 0.5 * missed.squaredNorm();
  out.rows.resize(0);
  out.jacobian.resize(0, problem_.end_size());
}

void Restoration::move_start(const VectorXd& x0, const VectorXd& d, double alpha,
                             VectorXd& out) const {
  problem_.move_start(x0, d, alpha, out);
}
void Restoration::move_step(int k, const VectorXd& y, const VectorXd& d, double alpha,
                            VectorXd& out) const {
  problem_.move_step(k, y, d, alpha, out);
}

}  // namespace varia::detail
