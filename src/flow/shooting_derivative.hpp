// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivative of a step of (shooting-step).
//
// With S = ⟨p₁, Q(q₀, v₀)⟩ - G(q₀, v₀) the step is S_v = 0, p₀ = S_q, q₁ = S_p. For s = (t, h, free
// parameters), p₁ held in S,
//
//   0 = S_vq δ₀ + S_vv dv₀ + Q_vᵀν₁ + S_vs ds,   ν₀ = S_qq δ₀ + S_qv dv₀ + Q_qᵀν₁ + S_qs ds
//   δ₁ = Q_q δ₀ + Q_v dv₀ + Q_s ds
//
// The second derivatives are first ones of the path of the tangent lift, by the same ShootingPath.
#include <memory>
#include <vector>

#include "point_derivative.hpp"
#include "shooting_path.hpp"
#include "varia/mechanics/tangent_lift.hpp"

namespace varia::detail {

class ShootingDerivative final : public StepDerivative {
 public:
  ShootingDerivative(const KernelSystem& system, const ShootingScheme& scheme);

  /// At the step of size h from s with the velocity v₀; solved is its path.
  void set(const VectorState& s, double h, const Vn& v0, const ShootingPath& solved);
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override;

 private:
  Vn column(std::size_t lift, const Vn& delta, const Vn& u);

  int n_, free_;
  std::vector<TangentLift> lifts_;
  std::vector<std::unique_ptr<ShootingPath>> paths_;
  Eigen::MatrixXd matrix_;  ///< ∂(δ₁, ν₁)/∂(δ₀, ν₀, t, h, free parameters)
  // the step at which it is taken
  VectorState start_;
  Vn v0_, p1_;
  double h_ = 0.0;
};

}  // namespace varia::detail
