// SPDX-License-Identifier: BSD-3-Clause
#include "optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "varia/core/index.hpp"

namespace varia::detail {

using Eigen::VectorXd;

namespace {

// Names and values of [WB06], §3 and table 1, unless said otherwise.
constexpr double first_barrier = 0.1;
constexpr double barrier_error =
    10.0;  ///< κ_ε: a barrier problem is solved when its error is below this times μ
constexpr double saddle_error =
    1e-2;  ///< below it times μ a saddle of a barrier problem is left at random
constexpr double barrier_share = 0.2;  ///< κ_μ
constexpr double barrier_power = 1.5;  ///< θ_μ
constexpr double first_delta = 1e-4, least_delta = 1e-20, most_delta = 1e12;
constexpr double first_growth = 100.0, growth = 8.0, decline = 1.0 / 3.0;
/// Weight of squared ties, in units of their own stiffness: pivots stay of one size.
constexpr double tie_weight = 10.0;
/// Of the size of the Hessian: a minimum that is flat in some direction is one with this added.
constexpr double flat = 1e-8;
constexpr double largest_estimate = 1e3;  ///< λ_max
constexpr int most_shakes = 3;
constexpr double runaway = 1e12;

}  // namespace

Optimiser::Optimiser(const ChainProblem& problem, const OptimiserOptions& options, bool may_restore)
    : problem_(problem),
      options_(options),
      may_restore_(may_restore),
      here_(problem),
      there_(problem),
      system_(here_.values),
      weights_(VectorXd::Zero(here_.values.ties().size())) {}

Optimum Optimiser::run(const ChainPoint& guess) {
  if (!begin(guess)) return result(OptimumStatus::no_value);
  return result(iterate());
}

bool Optimiser::begin(const ChainPoint& guess) {
  here_.at = guess;
  here_.barrier.enter(here_.at);
  ChainMultipliers& m = here_.multipliers;
  m.rho.clear();
  m.limits.clear();
  for (int k = 0; k < problem_.steps(); ++k) {
    m.rho.emplace_back(VectorXd::Zero(problem_.sizes(k).y));
    m.limits.emplace_back(VectorXd::Zero(here_.values.limits()[sz(k)].lower.size()));
  }
  m.start = VectorXd::Zero(problem_.start_rows());
  m.ties = VectorXd::Zero(here_.values.ties().size());
  here_.values.evaluate(here_.at, m, ChainOrder::all);
  if (!here_.values.finite()) return false;
  scale_ = cost_scale(here_.values);
  if (!std::isfinite(scale_)) return false;
  here_.values.weigh();
  there_.values.set_weights(here_.values);
  unit_ = scale_ / problem_.steps();
  mu_ = here_.barrier.any() ? first_barrier * unit_ : 0.0;
  here_.barrier.begin(here_.values, mu_);
  estimate_multipliers();
  first_cost_ = here_.values.cost();
  const double theta = here_.violation();
  smallest_theta_ = 1e-4 * std::max(1.0, theta);
  filter_.reset(1e4 * std::max(1.0, theta));
  return true;
}

/// Those that make the gradient of the Lagrangian least [WB06, (36)]; none where they are huge.
void Optimiser::estimate_multipliers() {
  ChainValues& v = here_.values;
  for (ChainStep& step : v.steps) step.hessian.setIdentity();
  v.start.hessian.setIdentity();
  v.end.hessian.setIdentity();
  using Outcome = ChainSystem::Outcome;
  ChainSolution s;
  double most = HUGE_VAL;
  if (system_.factorise(v, 0.0, weights_) != Outcome::singular) {
    make_residual();
    for (VectorXd& rows : residual_.rows) rows.setZero();
    residual_.start_rows.setZero();
    residual_.ties.setZero();
    system_.solve(v, residual_, s);
    most = std::max(largest(s.start), largest(s.ties));
    for (const VectorXd& rho : s.rho) most = std::max(most, largest(rho));
  }
  if (most <= largest_estimate * scale_) {
    here_.multipliers.rho = s.rho;
    here_.multipliers.start = s.start;
    here_.multipliers.ties = s.ties;
  }
  refresh(here_);
}

void Optimiser::refresh(ChainIterate& x) const {
  x.values.evaluate(x.at, x.multipliers, ChainOrder::all);
}

OptimumStatus Optimiser::iterate() {
  int tiny = 0;
  for (;; ++iteration_) {
    const KktError now = error(here_, 0.0);
    if (now.largest() <= options_.tolerance) {
      if (is_minimum()) return OptimumStatus::solved;
      if (shaken_++ >= most_shakes) return OptimumStatus::stalled;
      if (here_.barrier.any()) mu_ = first_barrier * unit_;
      shake();
      continue;
    }
    if (iteration_ >= options_.max_iterations) return OptimumStatus::iterations;
    if (here_.values.cost() < -runaway * std::max(scale_, std::abs(first_cost_)))
      return OptimumStatus::unbounded;
    while (lower_barrier()) {
    }
    add_curvature();
    if (!regularise()) return OptimumStatus::stalled;
    make_residual();
    find_direction(residual_, solution_, bounded_);
    const Progress progress = search();
    if (progress == Progress::stuck) {
      const Restored restored = restore();
      if (restored == Restored::infeasible) return OptimumStatus::infeasible;
      if (restored != Restored::done)
        return largest(here_.values.start.rows) > options_.tolerance ? OptimumStatus::infeasible
                                                                     : OptimumStatus::stalled;
    }
    if (enough_ && enough_(here_.at)) {
      enough_reached_ = true;
      return OptimumStatus::interrupted;
    }
    tiny = progress == Progress::tiny ? tiny + 1 : 0;
    if (tiny > 2) return OptimumStatus::stalled;
    if (options_.progress && !options_.progress(history_.back())) return OptimumStatus::interrupted;
  }
}

bool Optimiser::lower_barrier() {
  const double least = 0.1 * options_.tolerance, mu = mu_ / unit_;
  const double miss = error(here_, mu_).largest();
  if (mu <= least || miss > barrier_error * mu) return false;
  if (delta_ > 0.0 && !is_minimum()) {  // the way down leads on at this μ
    if (miss < saddle_error * mu && shaken_++ < most_shakes) shake();
    return false;
  }
  mu_ = unit_ * std::max(least, std::min(barrier_share * mu, std::pow(mu, barrier_power)));
  filter_.reset(1e4 * std::max(1.0, here_.violation()));
  return true;
}

/// Factors of the system with as little added to its Hessian that the direction leads to a minimum.
bool Optimiser::regularise() {
  using Outcome = ChainSystem::Outcome;
  delta_ = 0.0;
  Outcome outcome = system_.factorise(here_.values, delta_, weights_);
  if (outcome != Outcome::minimum) {
    const double most = most_delta * hessian_size_;
    delta_ = last_delta_ > 0.0 ? std::max(least_delta, decline * last_delta_)
                               : first_delta * hessian_size_;
    for (;;) {
      outcome = system_.factorise(here_.values, delta_, weights_);
      if (outcome == Outcome::minimum) break;
      delta_ *= last_delta_ > 0.0 ? growth : first_growth;
      if (!(delta_ < most)) return false;
    }
    last_delta_ = delta_;
  }
  weights_ = tie_weight * system_.stiffness();
  return true;
}

/// Of the barrier, after a look at the size of the rest.
void Optimiser::add_curvature() {
  hessian_size_ = unit_;
  for (const ChainStep& step : here_.values.steps)
    hessian_size_ = std::max(hessian_size_, step.hessian.cwiseAbs().maxCoeff());
  here_.barrier.add_curvature(here_.values);
}

/// Whether the cost has a minimum here, which may be flat.
bool Optimiser::is_minimum() {
  refresh(here_);
  add_curvature();
  delta_ = 0.0;
  bool minimum = system_.factorise(here_.values, 0.0, weights_) == ChainSystem::Outcome::minimum;
  if (!minimum) {
    delta_ = flat * hessian_size_;
    minimum = system_.factorise(here_.values, delta_, weights_) == ChainSystem::Outcome::minimum;
  }
  refresh(here_);
  return minimum;
}

/// Away from a saddle: inputs change a little, the same way in each run.
void Optimiser::shake() {
  std::mt19937 generator(static_cast<unsigned>(shaken_));
  for (VectorXd& w : here_.at.w)
    for (double& number : w)
      number += 1e-2 * std::max(1.0, std::abs(number)) *
                (2.0 * (static_cast<double>(generator()) / 4294967296.0) - 1.0);
  here_.barrier.enter(here_.at);
  refresh(here_);
  here_.barrier.begin(here_.values, mu_);
  filter_.reset(1e4 * std::max(1.0, here_.violation()));
}

void Optimiser::make_residual() {
  here_.values.residual(here_.multipliers, residual_);
  here_.barrier.add_gradient(here_.values, mu_, residual_);
}

void Optimiser::find_direction(const ChainResidual& residual, ChainSolution& out,
                               std::vector<BoundedStep>& bounded) {
  system_.solve(here_.values, residual, out);
  here_.barrier.complete(here_.values, here_.multipliers, mu_, out.d, bounded, limits_);
}

Merit Optimiser::merit(const ChainIterate& x) const {
  if (!x.values.finite()) return {HUGE_VAL, HUGE_VAL};
  return {x.violation(), x.values.cost() + x.barrier.penalty(mu_)};
}

/// Of the barrier function along the direction.
double Optimiser::slope() const {
  double sum = here_.barrier.penalty_slope(bounded_, mu_);
  const ChainDirection& d = solution_.d;
  const VectorXd* dx = &d.x0;
  for (std::size_t k = 0; k < d.y.size(); ++k) {
    const VectorXd& g = here_.values.steps[k].gradient;
    const Eigen::Index w = d.w[k].size(), y = d.y[k].size(), x = g.size() - w - y;
    sum += g.head(x).dot(dx->tail(x)) + g.segment(x, w).dot(d.w[k]) + g.tail(y).dot(d.y[k]);
    dx = &d.y[k];
  }
  const VectorXd& end = here_.values.end.gradient;
  return sum + end.dot(dx->tail(end.size()));
}

Optimum Optimiser::result(OptimumStatus status) {
  Optimum o = optimum_of(here_, scale_);
  o.status = status;
  o.message = describe(status);
  o.iterations = iteration_;
  o.history = history_;
  if (status == OptimumStatus::solved)
    for (int k = 0; k < problem_.steps(); ++k) o.gains.push_back(system_.gain(k));
  return o;
}

std::string Optimiser::describe(OptimumStatus status) const {
  switch (status) {
    case OptimumStatus::solved:
      return "";
    case OptimumStatus::infeasible: {
      const VectorXd& ties = here_.values.ties();
      Eigen::Index worst = 0;
      if (problem_.end_rows() > 0 &&
          ties.head(problem_.end_rows()).cwiseAbs().maxCoeff(&worst) > options_.tolerance)
        return "no motion was found that meets its conditions; the end '" +
               problem_.name_of_end_row(static_cast<int>(worst)) + "' is missed most";
      const VectorXd& start = here_.values.start.rows;
      if (problem_.start_rows() > 0 && start.cwiseAbs().maxCoeff(&worst) > options_.tolerance)
        return "no motion was found that meets its conditions; the start '" +
               problem_.name_of_start_row(static_cast<int>(worst)) + "' is missed most";
      return "no motion was found that meets its conditions";
    }
    case OptimumStatus::unbounded:
      return "the cost falls without end: bound the inputs, or let the cost grow with them";
    case OptimumStatus::iterations:
      return "the optimum was not reached in " + std::to_string(iteration_) + " iterations";
    case OptimumStatus::stalled:
      return "no step makes progress: the cost or a condition may not be smooth, or the optimum is "
             "not a single point";
    case OptimumStatus::no_value:
      return "the cost or a condition has no value at the guess";
    case OptimumStatus::dependent:
      return "conditions contradict each other";
    case OptimumStatus::interrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace varia::detail

namespace varia {

std::string to_string(OptimumStatus status) {
  switch (status) {
    case OptimumStatus::solved:
      return "solved";
    case OptimumStatus::infeasible:
      return "infeasible";
    case OptimumStatus::unbounded:
      return "unbounded";
    case OptimumStatus::iterations:
      return "iterations";
    case OptimumStatus::stalled:
      return "stalled";
    case OptimumStatus::no_value:
      return "no value";
    case OptimumStatus::dependent:
      return "dependent";
    case OptimumStatus::interrupted:
      return "interrupted";
  }
  return "";
}

Optimum optimise(const ChainProblem& problem, const ChainPoint& guess,
                 const OptimiserOptions& options) {
  return detail::Optimiser(problem, options).run(guess);
}

}  // namespace varia
