// SPDX-License-Identifier: BSD-3-Clause
#include "chain_values.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "varia/core/index.hpp"

namespace varia::detail {

using Eigen::VectorXd;

ChainValues::ChainValues(const ChainProblem& problem) : problem_(&problem) {
  const int count = problem.steps();
  steps.resize(sz(count));
  open_.resize(sz(count));
  open_slopes_.resize(sz(count));
  int ties = problem.end_rows();
  for (int k = 0; k < count; ++k) {
    const ChainBounds bounds = problem.inequality_bounds(k);
    ChainLimits limits;
    for (int i = 0; i < static_cast<int>(bounds.lower.size()); ++i)
      (bounds.lower[i] == bounds.upper[i] ? limits.held : limits.open).push_back(i);
    limits.target = bounds.lower(limits.held);
    limits.lower = bounds.lower(limits.open);
    limits.upper = bounds.upper(limits.open);
    joints_.push_back({Eigen::MatrixXd(limits.held.size(), problem.sizes(k).variables()), ties});
    ties += static_cast<int>(limits.held.size());
    limits_.push_back(std::move(limits));
  }
  ties_.resize(ties);
}

void ChainValues::evaluate(const ChainPoint& at, const ChainMultipliers& multipliers,
                           ChainOrder order) {
  const bool all = order == ChainOrder::all;
  const int rows = problem_->end_rows();
  problem_->evaluate_start(at, all ? multipliers.start : VectorXd(), order, start);
  problem_->evaluate_end(at, all ? VectorXd(multipliers.ties.head(rows)) : VectorXd(), order, end);
  cost_ = end.cost;
  ties_.head(rows) = end.rows;
  finite_ = std::isfinite(cost_) && start.rows.allFinite() && end.rows.allFinite();
  for (int k = 0; k < count(); ++k) {
    const ChainLimits& limits = limits_[sz(k)];
    ChainJoint& joint = joints_[sz(k)];
    const Eigen::Index held = joint.slopes.rows();
    ChainStep& step = steps[sz(k)];
    if (all) {
      all_.resize(static_cast<Eigen::Index>(limits.held.size() + limits.open.size()));
      all_(limits.open) = multipliers.limits[sz(k)];
      all_(limits.held) = multipliers.ties.segment(joint.first, held);
      problem_->evaluate(k, at, multipliers.rho[sz(k)], all_, order, step);
    } else {
      problem_->evaluate(k, at, {}, {}, order, step);
    }
    cost_ += step.cost;
    finite_ = finite_ && std::isfinite(step.cost) && step.rows.allFinite() &&
              step.inequalities.allFinite();
    if (step.inequalities.size() == 0) continue;
    open_[sz(k)] = step.inequalities(limits.open);
    if (held > 0) ties_.segment(joint.first, held) = step.inequalities(limits.held) - limits.target;
    if (order == ChainOrder::values) continue;
    open_slopes_[sz(k)] = step.inequality_slopes(limits.open, Eigen::all);
    if (held > 0) joint.slopes = step.inequality_slopes(limits.held, Eigen::all);
  }
  finite_ = finite_ && std::isfinite(cost_);
}

void ChainValues::residual(const ChainMultipliers& multipliers, ChainResidual& out) const {
  out.gradient.resize(steps.size());
  out.rows.resize(steps.size());
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const ChainStep& step = steps[k];
    VectorXd& t = out.gradient[k];
    t = step.gradient;
    t.noalias() += step.jacobian.transpose() * multipliers.rho[k];
    if (const Eigen::Index held = joints_[k].slopes.rows(); held > 0)
      t.noalias() +=
          joints_[k].slopes.transpose() * multipliers.ties.segment(joints_[k].first, held);
    out.rows[k] = step.rows;
  }
  out.start_gradient.noalias() = start.jacobian.transpose() * multipliers.start;
  out.start_rows = start.rows;
  out.end_gradient = end.gradient;
  out.end_gradient.noalias() +=
      end.jacobian.transpose() * multipliers.ties.head(problem_->end_rows());
  out.ties = ties_;
}

void ChainValues::weigh() {
  const double least = 1.0 / count();
  weights_.resize(steps.size());
  for (int k = 0; k < count(); ++k) {
    const int y = problem_->sizes(k).y;
    const int next = k + 1 < count() ? problem_->sizes(k + 1).x : problem_->end_size();
    const Eigen::MatrixXd effect =
        steps[sz(k)].jacobian.rightCols(y).transpose().partialPivLu().solve(
            Eigen::MatrixXd::Identity(y, y).rightCols(next));
    weights_[sz(k)] = effect.cwiseAbs().rowwise().sum();
    for (double& weight : weights_[sz(k)])
      weight = std::isfinite(weight) ? std::clamp(weight, least, 1.0) : 1.0;
  }
}

double ChainValues::violation() const {
  double sum = start.rows.lpNorm<1>() + ties_.lpNorm<1>();
  for (std::size_t k = 0; k < steps.size(); ++k) sum += weights_[k].dot(steps[k].rows.cwiseAbs());
  return sum;
}

double ChainValues::largest_violation() const {
  double most = std::max(largest(start.rows), largest(ties_));
  for (const ChainStep& step : steps) most = std::max(most, largest(step.rows));
  return most;
}

}  // namespace varia::detail
