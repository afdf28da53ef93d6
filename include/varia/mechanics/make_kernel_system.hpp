// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A KernelSystem from expressions: L, force and constraints as nodes of a graph.
//
// Variables of the graph: 0 is t, then the entries of q, then v; on ℝⁿ these are 1 … n and n+1 … 2n.
// Everything is O(n) for a chain.
#include <memory>
#include <vector>

#include "varia/expr/graph.hpp"
#include "varia/mechanics/kernel_system.hpp"

namespace varia {

struct KernelFormulas {
  ProductSpace space;
  expr::Id lagrangian = 0;                  ///< of t, q, v; without vertical velocities
  std::vector<expr::Id> force;              ///< n components, or none
  std::vector<expr::Id> constraints;        ///< φ of t and q
  std::vector<expr::Id> nonholonomic = {};  ///< Φ of t, q and v
};

/// Derivatives of L as formulas: in (δ, v), and the values of KernelSystem::second; those of
/// constraint_pattern.
struct LagrangianDerivatives {
  std::vector<expr::Id> gradient, second, constraint;
};

/// Whether L = ½vᵀMv - V(t, q) with a constant regular M: then f.separable, the mass and the gradient
/// of V are set. gradient: of L in (q, v); second: the values of f.second. f.mass_rate is known.
void find_separable(expr::Graph& graph, const std::vector<expr::Id>& gradient,
                    const std::vector<expr::Id>& second, KernelSystem& f);

/// Throws InvalidArgument for a wrong number of force components, a constraint that has no
/// coordinate in it or that depends on v, a nonholonomic one without a velocity in it.
std::shared_ptr<KernelSystem> make_kernel_system(expr::Graph& graph, const KernelFormulas& formulas,
                                                 LagrangianDerivatives* derivatives = nullptr);

}  // namespace varia
