// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The loop of explicit steps as C, for the native code of a system: StageFlow's own loop with every
// index a constant, so that the state stays in registers. The bits are those of StageFlow's loop.
#include <string>

#include "varia/mechanics/kernel_system.hpp"

namespace varia {

/// Name of the loop in the module, of type ExplicitLoop.
inline constexpr const char* explicit_loop_name = "varia_explicit_steps";

/// Whether there is such a loop for the system: it is separable, with a diagonal mass, and small.
bool has_explicit_source(const KernelSystem& system);

/// C text that calls `gradient`, the function of the module for ∂V/∂q of (t, q). Empty when there is
/// nothing to gain: the mass is not diagonal, or the system is large.
std::string explicit_source(const KernelSystem& system, const std::string& gradient);

}  // namespace varia
