// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What can be asked of a flow, and what it counts.
#include "varia/solve/newton.hpp"
#include "varia/space/retraction.hpp"

namespace varia {

struct FlowOptions {
  Newton newton = {};
  Retraction retraction = default_retraction;  ///< on curved spaces
  bool compensated = true;                     ///< keep rounding remainders in the state
  bool prefer_explicit = true;                 ///< use the explicit form where it exists
  /// FlatFlow: constraints that follow from others, (dependent), are left out, with λ = 0, and
  /// watched; else such a system is refused.
  bool leave_out_dependent = false;
};

/// Counts of a run, kept in the memory.
struct FlowStatistics {
  long steps = 0;
  long iterations = 0;
  int max_iterations = 0;
};

}  // namespace varia
