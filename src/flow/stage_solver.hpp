// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One step of the stage equations: which iteration solves it, and from which guess.
//
// A step begins at what earlier steps predict, or else at the motion with the velocity of the start.
// It is solved by (iterate) where that pays, by Newton's method with the factors of an earlier step
// while they contract well, by Newton's method with its own, and at last by damped steps of it.
#include <functional>
#include <memory>
#include <vector>

#include "constrained_motion.hpp"
#include "fixed_point.hpp"
#include "near_solution.hpp"
#include "stages.hpp"
#include "varia/flow/flow_options.hpp"
#include "varia/flow/legendre_transform.hpp"

namespace varia::detail {

class StageSolver {
 public:
  /// The velocity that a first guess is made of; none: that of the Legendre transform.
  using Guess = std::function<void(const VectorState&, double* v)>;

  StageSolver(const KernelSystem& system, const StageCoefficients& coefficients,
              const FlowOptions& options, const std::vector<int>& left_out);

  /// Whether steps on the system may be solved by (iterate).
  static bool may_iterate(const KernelSystem& system) {
    return system.d == 0 && system.e == 0 && !system.hamiltonian;
  }

  Stages stages;

  /// Solves the step from s, which the stages have begun.
  NewtonReport solve(const VectorState& s, double h, const Guess& guess, FlowStatistics& counts);
  /// The same by Newton's method from the last solution, where that suffices.
  NewtonReport solve_again(const VectorState& s, double h, const Guess& guess,
                           FlowStatistics& counts);

  /// The branch of s, the end of the step that was solved, where it has one.
  void follow(VectorState& s);
  /// Its multipliers, where they are computed anew.
  void recompute_multipliers(VectorState& s) {
    if (multipliers_) multipliers_->recompute(s);
  }
  /// Of steps on curved spaces.
  TurnCheck* turn() { return turn_.get(); }

  /// What the next steps depend on.
  void exchange(SavedNumbers& numbers);

 private:
  void start_guess(const VectorState& s, const Guess& guess);
  NewtonReport by_newton(FlowStatistics& counts);
  NewtonReport from_start(const VectorState& s, const Guess& guess, FlowStatistics& counts);
  NewtonReport by_kept_factors(FlowStatistics& counts);
  NewtonReport by_iteration(const VectorState& s, double h, FlowStatistics& counts);
  void choose(const VectorState& s);

  const KernelSystem& f_;
  FlowOptions options_;
  std::unique_ptr<LegendreTransform> legendre_;
  std::unique_ptr<FixedPoint> fixed_point_;         ///< where it may be used
  bool iterates_;                                   ///< and is
  std::unique_ptr<MotionMultipliers> multipliers_;  ///< where they are computed anew
  std::unique_ptr<TurnCheck> turn_;                 ///< on curved spaces
  std::vector<double> velocity_;
};

}  // namespace varia::detail
