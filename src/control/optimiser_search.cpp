// SPDX-License-Identifier: BSD-3-Clause
// The line search of the optimiser: how much of a direction is taken.
#include <algorithm>
#include <cmath>
#include <limits>

#include "optimiser.hpp"
#include "restoration.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

using Eigen::VectorXd;

namespace {

// [WB06], §2.3 and table 1
constexpr double armijo = 1e-8;             ///< η_φ
constexpr double power_of_slope = 2.3;      ///< s_φ
constexpr double power_of_violation = 1.1;  ///< s_θ
constexpr double boundary_share = 0.99;     ///< τ_min
constexpr double shortest_share = 0.05;     ///< γ_α
constexpr double filter_margin = 1e-5;
constexpr int corrections_in_a_row = 4;
constexpr double correction_share = 0.99;  ///< κ_soc
/// Near an optimum a whole step that lowers the error of its conditions this much is good, whatever the filter says:
/// merits are round-off there.
constexpr double newton_share = 0.9;
/// Restoration ends where this much of the violation is left, and pulls at the inputs at least so much.
constexpr double restored_share = 0.9, least_pull = 1e-8, restored_push = 1e-6;

}  // namespace

/// there_ = here_, moved.
void Optimiser::place(const ChainSolution& s, const std::vector<BoundedStep>& bounded,
                      double alpha) {
  problem_.move(here_.at, s.d, alpha, there_.at);
  there_.barrier = here_.barrier;
  there_.barrier.move(bounded, alpha, there_.at);
  there_.values.evaluate(there_.at, here_.multipliers, ChainOrder::values);
}

/// Multipliers of what was placed, and there_ becomes here_.
void Optimiser::take(const ChainSolution& s, const std::vector<BoundedStep>& bounded,
                     double alpha) {
  const double tau = std::max(boundary_share, 1.0 - mu_ / unit_);
  there_.multipliers = here_.multipliers;
  ChainMultipliers& m = there_.multipliers;
  for (std::size_t k = 0; k < m.rho.size(); ++k) {
    m.rho[k] += alpha * s.rho[k];
    m.limits[k] += alpha * limits_[k];
  }
  m.start += alpha * s.start;
  m.ties += alpha * s.ties;
  there_.barrier.move_dual(bounded, here_.barrier.longest_dual(bounded, tau), mu_);
  refresh(there_);
}

Optimiser::Progress Optimiser::search() {
  const Merit from = merit(here_);
  const double tau = std::max(boundary_share, 1.0 - mu_ / unit_);
  const double most = here_.barrier.longest(bounded_, tau);
  const double rise = slope();
  double least = filter_margin;
  if (rise < 0.0) {
    least = std::min(least, filter_margin * from.theta / -rise);
    if (from.theta <= smallest_theta_)
      least = std::min(least, std::pow(from.theta, power_of_violation) /
                                  std::pow(-rise / scale_, power_of_slope));
  }
  least = std::max(shortest_share * least, std::numeric_limits<double>::epsilon());
  bool first = true;
  for (double alpha = most; alpha > least; alpha *= 0.5) {
    place(solution_, bounded_, alpha);
    const Merit to = merit(there_);
    if (accept(from, to, rise, alpha)) {
      take(solution_, bounded_, alpha);
      std::swap(here_, there_);
      report(alpha);
      return Progress::moved;
    }
    if (first) {
      if (newton_step(alpha) ||
          (to.finite() && to.theta >= from.theta && correct(from, rise, alpha))) {
        std::swap(here_, there_);
        report(alpha);
        return Progress::moved;
      }
      first = false;
    }
  }
  return Progress::stuck;
}

bool Optimiser::accept(const Merit& from, const Merit& to, double rise, double alpha) {
  if (!filter_.takes(to)) return false;
  const double fall = -rise / scale_;
  const bool descends = fall > 0.0 && alpha * std::pow(fall, power_of_slope) >
                                          std::pow(from.theta, power_of_violation);
  const bool enough = to.phi <= from.phi + armijo * alpha * rise + Filter::round_off(from.phi);
  if (from.theta <= smallest_theta_ && descends) return enough;
  if (!Filter::improves(to, from)) return false;
  if (!descends || !enough) filter_.add(from);
  return true;
}

/// Second-order correction: the same system with what the rows were at the end of the step.
bool Optimiser::correct(const Merit& from, double rise, double alpha) {
  ChainResidual residual = residual_;
  std::vector<BoundedStep> bounded;
  ChainSolution corrected;
  double last = from.theta, share = alpha;
  const double tau = std::max(boundary_share, 1.0 - mu_ / unit_);
  const std::vector<VectorXd> limits = limits_;
  for (int i = 0; i < corrections_in_a_row; ++i) {
    const double theta = there_.violation();
    if (i > 0 && theta > correction_share * last) break;
    last = theta;
    for (std::size_t k = 0; k < residual.rows.size(); ++k)
      residual.rows[k] = share * residual.rows[k] + there_.values.steps[k].rows;
    residual.start_rows = share * residual.start_rows + there_.values.start.rows;
    residual.ties = share * residual.ties + there_.values.ties();
    find_direction(residual, corrected, bounded);
    share = here_.barrier.longest(bounded, tau);
    place(corrected, bounded, share);
    const Merit to = merit(there_);
    if (!to.finite()) break;
    if (accept(from, to, rise, alpha)) {
      take(corrected, bounded, share);
      return true;
    }
  }
  limits_ = limits;
  return false;
}

bool Optimiser::newton_step(double alpha) {
  const double before = error(here_, mu_).largest();
  if (before > smallest_theta_) return false;
  take(solution_, bounded_, alpha);
  return there_.values.finite() && error(there_, mu_).largest() <= newton_share * before;
}

void Optimiser::report(double alpha) {
  const KktError e = error(here_, 0.0);
  history_.push_back({iteration_ + 1, here_.values.cost(), e.infeasibility, e.stationarity,
                      e.complementarity, mu_, alpha, delta_});
}

/// To a point that misses its conditions less, from which the search goes on.
Optimiser::Restored Optimiser::restore() {
  const double theta = here_.violation();
  if (!may_restore_ || here_.values.largest_violation() <= options_.tolerance)
    return Restored::nothing_to_do;
  filter_.add(merit(here_));
  const Restoration problem(problem_, here_.at, std::sqrt(std::max(mu_ / unit_, least_pull)));
  OptimiserOptions options = options_;
  options.progress = {};
  options.max_iterations = options_.max_iterations - iteration_;
  Optimiser search(problem, options, false);
  search.enough_ = [&](const ChainPoint& at) {
    there_.at = at;
    there_.barrier = here_.barrier;
    there_.barrier.enter(there_.at, restored_push);
    there_.values.evaluate(there_.at, here_.multipliers, ChainOrder::all);
    if (!there_.values.finite()) return false;
    there_.barrier.begin(there_.values, mu_, restored_push);
    const Merit to = merit(there_);
    return to.theta <= restored_share * theta && filter_.takes(to);
  };
  const Optimum least = search.run(here_.at);
  iteration_ += least.iterations;
  if (!search.enough_reached_) {
    if (least.status != OptimumStatus::solved) return Restored::failed;
    here_.at = least.point;  // what comes nearest
    refresh(here_);
    return Restored::infeasible;
  }
  there_.multipliers = here_.multipliers;
  std::swap(here_, there_);
  for (VectorXd& rho : here_.multipliers.rho) rho.setZero();
  for (VectorXd& limits : here_.multipliers.limits) limits.setZero();
  here_.multipliers.start.setZero();
  here_.multipliers.ties.setZero();
  estimate_multipliers();
  report(0.0);
  return Restored::done;
}

}  // namespace varia::detail
