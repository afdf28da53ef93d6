// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Nonholonomic constraints as kernels, and their reaction as a force.
//
//   (chetaev)   d/dt ∂L/∂v - ∂L/∂q = f + (∂Φ/∂v)ᵀΛ,   Φ(t, q, v) = 0                       [Sato19]
#include <vector>

#include "varia/mechanics/displacement.hpp"
#include "varia/mechanics/make_kernel_system.hpp"

namespace varia::detail {

/// The kernels of Φ and of f + (∂Φ/∂v)ᵀΛ, and of G v + ∂φ/∂t with the values of G's pattern. Throws
/// InvalidArgument for a constraint without a velocity in it.
void set_nonholonomic(expr::Graph& graph, const KernelFormulas& formulas,
                      const std::vector<expr::Id>& gradient, const Displacement& delta,
                      KernelSystem& f);

}  // namespace varia::detail
