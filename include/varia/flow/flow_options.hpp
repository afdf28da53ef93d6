// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What can be asked of a flow, and what it counts.
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
  /// FlatFlow: constraints that follow from others, (dependent), are left out, with λ = 0, and
  /// watched; else such a system is refused.
  bool leave_out_dependent = false;
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
};

}  // namespace varia
