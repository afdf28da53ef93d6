// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A system stated by its Hamiltonian H(t, q, p) on ℝⁿ × ℝⁿ, size known at run time.
//
//   (hamilton)   q̇ = ∂H/∂p,   ṗ = -∂H/∂q                                              [MW01; LZ11]
//
// No velocity occurs: ∂²H/∂p² may be singular, or zero, and then there is no Lagrangian L(q, v).
// A point is x = (t, q, p).
#include <vector>

#include "varia/expr/graph.hpp"
#include "varia/expr/kernel.hpp"
#include "varia/mechanics/flat_system.hpp"

namespace varia {

struct HamiltonianSystem {
  int n = 0;                       ///< degrees of freedom
  bool uses_time = false;          ///< H depends on t
  bool separable = false;          ///< H = T(p) + V(t, q)
  bool quadratic_kinetic = false;  ///< and T = ½pᵀAp with constant A

  expr::Kernel value;     ///< x ↦ H
  expr::Kernel gradient;  ///< x ↦ (∂H/∂q, ∂H/∂p)
  expr::Kernel hessian;   ///< x ↦ (∂H/∂q, ∂H/∂p, second derivatives)
  Pattern second;         ///< lower triangle in (q, p), 2n × 2n

  int free = 0;  ///< parameters that are not numbers yet
  expr::Kernel rates;  ///< x ↦ ∂(∂H/∂q, ∂H/∂p)/∂s for s = t, then each of them; none: all are 0

  expr::Kernel velocity;            ///< p ↦ ∂T/∂p; separable only
  expr::Kernel potential_gradient;  ///< (t, q) ↦ ∂V/∂q; separable only

  /// H at a point; q and p have n numbers.
  double energy(double t, const double* q, const double* p) const;
  std::vector<double> point(double t, const double* q, const double* p) const;
};

/// The system of the expression h, in which variable 0 is t, 1 … n are q, n+1 … 2n are p. Throws
/// InvalidArgument for n < 1 and for other variables.
HamiltonianSystem hamiltonian_system(expr::Graph& graph, expr::Id h, int n);

}  // namespace varia
