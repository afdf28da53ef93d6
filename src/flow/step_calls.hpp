// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How often a step evaluates what.
#include "varia/flow/kernel_calls.hpp"
#include "varia/mechanics/kernel_system.hpp"
#include "varia/methods/method.hpp"

namespace varia::detail {

/// Points at which a function is evaluated for its value, and with its derivatives.
struct StepCalls {
  double values = 0.0, slopes = 0.0;
  double all() const { return values + slopes; }
};

/// Of a step with so many quadrature points that is solved. Newton's method takes one or two matrices
/// and keeps the last one for the remaining iterations.
StepCalls solved_calls(double points);
StepCalls solved_calls(const Method& method);

/// Of a step by the stage equations.
KernelList stage_kernels(const KernelSystem& system, const StepCalls& calls);

/// Of any step with forces and constraints, beside the Lagrangian.
void add_force_and_constraint(const KernelSystem& system, const StepCalls& calls, KernelList& list);

}  // namespace varia::detail
