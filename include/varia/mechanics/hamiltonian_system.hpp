// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A system stated by its Hamiltonian H(t, q, p) on ℝⁿ × ℝⁿ, size known at run time.
//
//   (hamilton)   q̇ = ∂H/∂p,   ṗ = -∂H/∂q                                              [MW01; LZ11]
//
// No velocity occurs: ∂²H/∂p² may be singular, or zero, and then there is no Lagrangian L(q, v).
// A point is x = (t, q, p).
#include "varia/expr/graph.hpp"
#include "varia/expr/kernel.hpp"
#include "varia/mechanics/kernel_system.hpp"

namespace varia {

/// A KernelSystem with the kernels of H in the place of those of L, and p in the place of v.
struct HamiltonianSystem : KernelSystem {
  explicit HamiltonianSystem(int degrees);

  bool quadratic_kinetic = false;  ///< separable, and T = ½pᵀAp with constant A

  /// H at a point; q and p have n numbers.
  double energy(double t, const double* q, const double* p) const;
};

/// The system of the expression h, in which variable 0 is t, 1 … n are q, n+1 … 2n are p. Throws
/// InvalidArgument for n < 1 and for other variables.
HamiltonianSystem hamiltonian_system(expr::Graph& graph, expr::Id h, int n);

}  // namespace varia
