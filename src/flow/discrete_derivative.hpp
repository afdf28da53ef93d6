// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivative of a step of (pm-), (pm+), for a discrete Lagrangian of the user's own:
//
//   ν₀ + D₁D₁L_d δ₀ + D₁D₂L_d δ₁ + ∂D₁L_d/∂s ds = 0,   ν₁ = D₂D₁L_d δ₀ + D₂D₂L_d δ₁ + ∂D₂L_d/∂s ds
//
// with s = (h, free parameters).
#include <vector>

#include "point_derivative.hpp"
#include "varia/flow/discrete_lagrangian_flow.hpp"

namespace varia::detail {

class DiscreteDerivative final : public StepDerivative {
 public:
  /// At x = (h, q₀, d); the matrix has the structure of D₁D₂L_d, with the given places.
  DiscreteDerivative(const DiscreteLagrangianSystem& system, const std::vector<double>& x,
                     StructuredLU matrix, const std::vector<std::size_t>& slots);
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override;

 private:
  Vn times(const std::vector<Scatter>& block, const Vn& x) const;
  Vn parameters(const PhaseVector& z) const;
  void add_parameters(const Vn& s, PhaseVector& z) const;

  const DiscreteLagrangianSystem& f_;
  std::vector<Scatter> d11_, d12_, d21_, d22_;
  std::vector<double> out_;
  Eigen::MatrixXd rates_;
  StructuredLU mixed_;  ///< D₁D₂L_d
};

}  // namespace varia::detail
