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

struct FlowOptions {
  Newton newton = {};
  Solver solver = Solver::automatic;
  Retraction retraction = default_retraction;  ///< on curved spaces
  bool compensated = true;                     ///< keep rounding remainders in the state
  bool prefer_explicit = true;                 ///< use the explicit form where it exists
  /// StageFlow: constraints that follow from others, (dependent), are left out, with λ = 0, and
  /// watched; else such a system is refused.
  bool leave_out_dependent = false;
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
  long iterations = 0;
  int max_iterations = 0;
  long iterated = 0;  ///< steps that were solved by iteration, not by Newton's method
  /// What moves constraints that depend on t has done this work, (driver), by the quadrature of the
  /// method: the energy changes by as much, up to the order of the method.
  double driver_work = 0.0;

  void count(const NewtonReport& solve) {
    iterations += solve.iterations;
    if (solve.iterations > max_iterations) max_iterations = solve.iterations;
  }
  /// What every flow counts.
  void exchange(SavedNumbers& numbers) { numbers(steps, iterations, max_iterations); }
};

}  // namespace varia
