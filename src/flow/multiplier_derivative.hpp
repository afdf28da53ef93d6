// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivative of κ(t, q, p), the multipliers of nonholonomic constraints that (EL) gives.
//
// With R = (G; ∂Φ/∂v), s = (t, free parameters) and D the derivative along the motion, (1, q̇, a), (EL) is
//
//   r = D ∂L/∂v - ∂L/∂q - f - ad*_v ∂L/∂v - Rᵀλ = 0,   D(G v + ∂φ/∂t) = 0,   D Φ = 0
//
// and for any change of the state dr + L_vv da - Rᵀdλ = 0 with da and dλ held in dr, likewise for the others. Along (q, v) the
// kernels themselves are differentiated, by series of order 1; along s, D of their rates is taken, as in
// motion_derivative.hpp.
#include <vector>

#include "varia/flow/kernel_start.hpp"
#include "varia/flow/step_derivative.hpp"

namespace varia::detail {

class ConstraintKkt;

class MultiplierDerivative {
 public:
  explicit MultiplierDerivative(const KernelSystem& system) : f_(system) {}
  /// Whether the formulas that it takes are known.
  static bool possible(const KernelSystem& system);

  void set(const VectorState& s);
  /// z.lambda ← dκ(z)
  void forward(PhaseVector& z) const;
  /// What z.lambda pairs with is added to the others; z.lambda ← 0.
  void transposed(PhaseVector& z) const;

 private:
  struct Place;

  const KernelSystem& f_;
  Eigen::MatrixXd matrix_;  ///< of (δ, ν, t, free parameters)
};

}  // namespace varia::detail
