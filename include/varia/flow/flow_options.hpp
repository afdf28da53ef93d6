// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What can be asked of a flow, what it says of itself, and what it counts.
#include <string>
#include <vector>

#include "varia/core/saved_numbers.hpp"
#include "varia/solve/newton.hpp"
#include "varia/space/retraction.hpp"

namespace varia {

/// How the equations of an implicit step are solved.
enum class Solver {
  automatic,  ///< iteration where it contracts well and is cheaper, else Newton's method
  newton,
  fixed_point  ///< iteration only: a step at which it does not converge is a failure
};

/// The multipliers of nonholonomic constraints from step to step.
enum class Multipliers {
  propagate,  ///< those of the last point of a step begin the next one
  recompute   ///< those of the equations of motion at the state
};

struct FlowOptions {
  Newton newton = {};
  Solver solver = Solver::automatic;
  Retraction retraction = default_retraction;  ///< on curved spaces
  bool compensated = true;                     ///< keep rounding remainders in the state
  bool prefer_explicit = true;                 ///< use the explicit form where it exists
  /// StageFlow: constraints that follow from others, (dependent), are left out, with λ = 0, and
  /// watched; else such a system is refused.
  bool leave_out_dependent = false;
  Multipliers multipliers = Multipliers::propagate;
};

/// The laws that a check of the flow measures.
struct FlowLaws {
  bool order = true;        ///< the order that the method declares
  bool reversible = false;  ///< F⁻ʰ Fʰ = id
  bool symplectic = true;   ///< on (q, p)
  bool action = false;      ///< (pm-), (pm+) with the discrete Lagrangian of the certificate tier
  std::vector<std::string> notes;  ///< why others are not among them
};

/// What a step takes.
struct FlowCost {
  bool is_explicit = false;
  int unknowns = 0;  ///< of one nonlinear solve; 0 if there is none
  bool banded = false;
};

/// Counts and sums of a run, kept in the memory.
struct FlowStatistics {
  long steps = 0;
  long iterations = 0;     ///< of all solves, those that failed included
  int max_iterations = 0;  ///< of a step
  long failed = 0;         ///< solves that did not converge; a step then tries another guess or way
  long iterated = 0;       ///< solves by iteration, not by Newton's method
  long damped = 0;         ///< solves by damped steps, where whole ones failed
  /// What moves constraints that depend on t has done this work, (driver), by the quadrature of the
  /// method: the energy changes by as much, up to the order of the method.
  double driver_work = 0.0;
  // Of steps that keep the discrete energy, see energy_momentum.hpp.
  double discrete_energy = 0.0;  ///< E
  long minimised = 0;            ///< steps that do not keep it

  NewtonReport counted(const NewtonReport& solve) {
    iterations += solve.iterations + solve.damped_iterations;
    if (!solve.converged) ++failed;
    if (solve.damping != Damping::not_tried) ++failed;
    if (solve.damping == Damping::solved) ++damped;
    return solve;
  }
  /// What a part has counted since it was `before`.
  void add(const FlowStatistics& part, const FlowStatistics& before) {
    iterations += part.iterations - before.iterations;
    failed += part.failed - before.failed;
    iterated += part.iterated - before.iterated;
    damped += part.damped - before.damped;
  }
  /// One more step is done.
  void end_step() {
    ++steps;
    const long used = iterations - until_step_;
    if (used > max_iterations) max_iterations = static_cast<int>(used);
    until_step_ = iterations;
  }
  /// What every flow counts.
  void exchange(SavedNumbers& numbers) {
    numbers(steps, iterations, max_iterations, failed, damped);
    until_step_ = iterations;
  }

 private:
  long until_step_ = 0;  ///< iterations until the last step ended
};

}  // namespace varia
