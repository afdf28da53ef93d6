// SPDX-License-Identifier: BSD-3-Clause
#include "chain_iterate.hpp"

#include <cmath>

#include "varia/core/index.hpp"

namespace varia::detail {

using Eigen::VectorXd;

namespace {

constexpr double usual_multiplier = 100.0;  ///< s_max [WB06]
/// What multipliers may forgive at most: where they grow without end, on rows that depend on each other, nothing is solved.
constexpr double most_forgiven = 100.0;
constexpr double usual_slope = 100.0;  ///< a cost as steep as this is not scaled

double multiplier_scale(const ChainIterate& x) {
  const ChainMultipliers& m = x.multipliers;
  double sum = m.start.lpNorm<1>() + m.ties.lpNorm<1>() + x.barrier.multiplier_sum();
  auto count = static_cast<double>(m.start.size() + m.ties.size() + x.barrier.multiplier_count());
  for (std::size_t k = 0; k < m.rho.size(); ++k) {
    sum += m.rho[k].lpNorm<1>() + m.limits[k].lpNorm<1>();
    count += static_cast<double>(m.rho[k].size() + m.limits[k].size());
  }
  return std::clamp(sum / std::max(1.0, count) / usual_multiplier, 1.0, most_forgiven);
}

}  // namespace

double cost_scale(const ChainValues& guess) {
  double steepest = largest(guess.end.gradient);
  for (const ChainStep& step : guess.steps) steepest = std::max(steepest, largest(step.gradient));
  return std::max(1.0, steepest / usual_slope);
}

KktError kkt_error(const ChainIterate& x, double scale, double mu) {
  const ChainProblem& problem = x.values.problem();
  ChainResidual r;
  x.values.residual(x.multipliers, r);
  KktError e;
  VectorXd t, next;
  const int count = problem.steps();
  for (int k = count; k-- > 0;) {
    t = r.gradient[sz(k)];
    const ChainStepSizes size = problem.sizes(k);
    const Eigen::MatrixXd& G = x.values.open_slopes(k);
    if (G.rows() > 0) {
      t += G.transpose() * x.multipliers.limits[sz(k)];
      e.stationarity =
          std::max(e.stationarity, largest(x.barrier.slack_force(k) - x.multipliers.limits[sz(k)]));
    }
    if (size.w > 0) t.segment(size.x, size.w) += x.barrier.input_force(k);
    t.tail(k + 1 < count ? next.size() : r.end_gradient.size()) +=
        k + 1 < count ? next : r.end_gradient;
    next = t.head(size.x);
    e.stationarity = std::max(e.stationarity, largest(t.tail(t.size() - size.x)));
  }
  e.stationarity = std::max(e.stationarity, largest(next + r.start_gradient));
  const double multiplier = multiplier_scale(x);
  e.stationarity /= scale * multiplier;
  e.infeasibility = std::max(x.values.largest_violation(), x.barrier.largest_gap(x.values));
  e.complementarity = x.barrier.complementarity(mu) / (scale / count * multiplier);
  return e;
}

Optimum optimum_of(const ChainIterate& x, double scale) {
  Optimum o;
  o.cost = x.values.cost();
  o.kkt_error = x.values.finite() ? kkt_error(x, scale, 0.0).largest() : HUGE_VAL;
  o.point = x.at;
  o.rho = x.multipliers.rho;
  o.start = x.multipliers.start;
  o.end = x.multipliers.ties.head(x.values.problem().end_rows());
  for (int k = 0; k < x.values.count(); ++k) {
    const ChainLimits& limits = x.values.limits()[sz(k)];
    const ChainJoint& joint = x.values.joints()[sz(k)];
    VectorXd all(static_cast<Eigen::Index>(limits.open.size() + limits.held.size()));
    all(limits.open) = x.multipliers.limits[sz(k)];
    all(limits.held) = x.multipliers.ties.segment(joint.first, joint.slopes.rows());
    o.inequality.push_back(all);
    o.bound.push_back(x.barrier.input_force(k));
  }
  return o;
}

}  // namespace varia::detail
