// SPDX-License-Identifier: BSD-3-Clause
#include "stage_solver.hpp"

#include <algorithm>

#include "varia/solve/damped_newton.hpp"

namespace varia::detail {

StageSolver::StageSolver(const KernelSystem& system, const StageCoefficients& coefficients,
                         const FlowOptions& options, const std::vector<int>& left_out)
    : stages(system, coefficients, options.retraction, left_out),
      f_(system),
      options_(options),
      iterates_(options.solver == Solver::fixed_point),
      velocity_(static_cast<std::size_t>(system.n)) {
  if (!system.hamiltonian) legendre_ = std::make_unique<LegendreTransform>(system);
  if (system.e > 0 && options.multipliers == Multipliers::recompute)
    multipliers_ = std::make_unique<MotionMultipliers>(system, left_out);
  if (!system.on_vector_space()) turn_ = std::make_unique<TurnCheck>(system, options.retraction);
  if (options.solver != Solver::newton && may_iterate(system))
    fixed_point_ = std::make_unique<FixedPoint>(system, coefficients);
}

void StageSolver::exchange(SavedNumbers& numbers) {
  numbers(stages.predictor, stages.kept, stages.newton.secant, iterates_);
  if (fixed_point_) numbers(*fixed_point_);
  if (numbers.reading()) stages.restore_kept();
}

NewtonReport StageSolver::by_newton(FlowStatistics& counts) {
  return counts.counted(stages.solve(options_.newton));
}

NewtonReport StageSolver::by_kept_factors(FlowStatistics& counts) {
  return counts.counted(stages.solve_kept(options_.newton));
}

NewtonReport StageSolver::by_iteration(const VectorState& s, double h, FlowStatistics& counts) {
  const NewtonReport report = counts.counted(fixed_point_->solve(stages, s, h));
  if (report.converged) ++counts.iterated;
  return report;
}

/// At the start, and where h changes: the solution is known, what would an iteration have done?
void StageSolver::choose(const VectorState& s) {
  if (fixed_point_ == nullptr || options_.solver != Solver::automatic) return;
  const double rate = fixed_point_->contraction(stages, s, velocity_.data());
  iterates_ = fixed_point_->worthwhile(stages, rate);
}

void StageSolver::start_guess(const VectorState& s, const Guess& guess) {
  if (f_.hamiltonian) return stages.guess_momenta();
  std::fill(velocity_.begin(), velocity_.end(), 0.0);
  if (guess)
    guess(s, velocity_.data());
  else
    legendre_->velocity(s, velocity_.data());
  stages.guess(velocity_.data());
}

NewtonReport StageSolver::solve(const VectorState& s, double h, const Guess& guess,
                                FlowStatistics& counts) {
  const bool only_iteration = options_.solver == Solver::fixed_point;
  NewtonReport report;
  if (stages.predict()) {
    if (iterates_) {
      report = by_iteration(s, h, counts);
      if (report.converged) return report;
      stages.predict();
    }
    if (!only_iteration && stages.kept.usable(h)) {
      report = by_kept_factors(counts);
      if (report.converged) return report;
      stages.predict();
    }
    if (!only_iteration) report = by_newton(counts);
    if (report.converged) return report;
  }
  if (only_iteration) {
    start_guess(s, guess);
    return by_iteration(s, h, counts);
  }
  report = from_start(s, guess, counts);
  if (report.converged) choose(s);
  return report;
}

/// Newton's method from the guess that needs no earlier step; damped where whole steps fail.
NewtonReport StageSolver::from_start(const VectorState& s, const Guess& guess,
                                     FlowStatistics& counts) {
  start_guess(s, guess);
  NewtonReport report = stages.solve(options_.newton);
  if (!report.converged) {
    start_guess(s, guess);
    report = either(report, stages.solve_damped(options_.newton));
  }
  return counts.counted(report);
}

void StageSolver::follow(VectorState& s) {
  if (legendre_ && s.branch.size() > 0) legendre_->follow(s, stages.last_velocity());
}

NewtonReport StageSolver::solve_again(const VectorState& s, double h, const Guess& guess,
                                      FlowStatistics& counts) {
  const NewtonReport report = by_newton(counts);
  return report.converged ? report : solve(s, h, guess, counts);
}

}  // namespace varia::detail
