// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A KernelSystem on ℝⁿ from its Lagrangian as an expression, with exact derivatives.
//
// Variable 0 is t, variables 1 … n are q, variables n+1 … 2n are v, as in a point of KernelSystem.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "varia/mechanics/kernel_system.hpp"

namespace varia {

/// L without force and constraint.
std::shared_ptr<KernelSystem> symbolic_system(expr::Graph& graph, expr::Id lagrangian, int n);

/// The same from text: coordinate q has the velocity q_dot, the time is t.
std::shared_ptr<KernelSystem> symbolic_system(const std::vector<std::string>& coordinates,
                                              std::string_view lagrangian);

/// L as an expression in the variables above.
expr::Id symbolic_lagrangian(expr::Graph& graph, const KernelSystem& system);

/// x ↦ (f, ∂f/∂q, ∂f/∂v, ∂f/∂t, ∂f/∂θ) for each formula f in the variables above.
expr::Kernel slopes(expr::Graph& graph, const std::vector<expr::Id>& formulas, int n);

/// x ↦ ∂L/∂t
expr::Kernel time_derivative(const KernelSystem& system);

}  // namespace varia
