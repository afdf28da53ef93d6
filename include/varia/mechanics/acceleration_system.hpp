// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Accelerations of a Lagrangian given as an expression, and what they depend on, as programs.
//
//   (EL)   M a = b,   M = ∂²L/∂v²,   b = ∂L/∂q - ∂²L/∂v∂q v - ∂²L/∂v∂t                     [MW01]
//          M ∂a/∂z = -∂r/∂z,   r(t, q, v, a) = M a - b,   z = (q, v)
//
// The second line holds third derivatives of L, taken once, as expressions, with a as further
// variables. Zeros are left out: a chain costs O(n).
#include <memory>

#include "varia/expr/graph.hpp"
#include "varia/mechanics/kernel_system.hpp"

namespace varia {

struct AccelerationSystem {
  int n = 0;              ///< coordinates
  expr::Kernel equation;  ///< (t, q, v) ↦ (b, entries of M)
  Pattern mass;           ///< n × n, both triangles
  expr::Kernel slope;     ///< (t, q, v, a) ↦ entries of ∂r/∂(q, v)
  Pattern slope_pattern;  ///< n × 2n
};

/// Variables of the graph as for make_kernel_system: 0 is t, 1 … n are q, n+1 … 2n are v. The
/// accelerations become the variables 2n+1 … 3n; nothing else may use these. Throws InvalidArgument
/// when the Lagrangian has other variables.
std::shared_ptr<AccelerationSystem> make_acceleration_system(expr::Graph& graph,
                                                             expr::Id lagrangian, int n);

}  // namespace varia
