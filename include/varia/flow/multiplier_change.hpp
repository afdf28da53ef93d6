// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How starts change under nonholonomic constraints.
#include "varia/flow/kernel_start.hpp"
#include "varia/flow/step_derivative.hpp"

namespace varia {

/// z.lambda ← the change of the multipliers that the equations of motion give at s, along the rest of z:
/// those of a start are no free data. Throws InvalidArgument where the formulas are not known.
void set_multiplier_change(const KernelSystem& system, const VectorState& s, PhaseVector& z);

/// z, with t and parameters held, becomes a change along the constraints: its place is moved along reactions
/// of holonomic ones, its momentum by an impulse of those of both kinds. Nothing without nonholonomic ones.
void project_change(const KernelSystem& system, const VectorState& s, PhaseVector& z);

}  // namespace varia
