// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The modified energy: a variational method is, up to terms beyond all powers of h, the exact motion
// of a nearby Hamiltonian H̃, which it keeps while H swings.
//
//   (modified)   H̃ = H + h c₁ pᵀM⁻¹g + h²(c₂ pᵀM⁻¹V″M⁻¹p + c₂′ gᵀM⁻¹g) + h³ c₃ pᵀM⁻¹V″M⁻¹g + …
//                with g = ∂V/∂q, for L = ½vᵀMv - V                                       [West04]
//   (shadow)     H̃ = ⟨p, dq̃/dt⟩ - dÃ/dt,   Ãₖ = Σ L_d up to step k
//
// (modified) has coefficients for methods whose path is a straight line, and for Newmark's. (shadow)
// works for every variational method: L_d is the action of the modified motion, so the numbers qₖ and
// Ãₖ are values of smooth functions of time, and central differences of width 2w give their
// derivatives up to O(h^{2w}) in the sense of [SH01].
#include <memory>
#include <vector>

#include "varia/flow/stage_flow.hpp"

namespace varia {

namespace detail {
class StepAction;
}  // namespace detail

/// The coefficients of (modified) and the highest power of h up to which they are all.
struct ModifiedCoefficients {
  int order = 0;
  double c1 = 0.0, c2_kinetic = 0.0, c2_force = 0.0, c3 = 0.0;
};

/// Those of a method: symplectic Euler up to h³; symmetric quadratures of a straight path (verlet,
/// midpoint, symmetrised) and newmark(beta, 1/2) up to h²; other quadratures of it up to h. Throws
/// InvalidArgument for methods without a formula, and names shadow_energy.
ModifiedCoefficients modified_coefficients(const Method& method);

/// H̃ cut after h^order, for separable systems without force and constraint.
class ModifiedEnergy {
 public:
  ModifiedEnergy(const Method& method, std::shared_ptr<const KernelSystem> system, double h,
                 int order);
  double operator()(const VectorState& s) const;
  /// The power of h after which the series is cut.
  int order() const { return c_.order; }

 private:
  std::shared_ptr<const KernelSystem> system_;
  ModifiedCoefficients c_;
  double h_;
  Eigen::MatrixXd inverse_mass_;  ///< of a mass that is not diagonal
};

/// H̃ at the steps w … steps - w of a run.
struct ShadowEnergy {
  std::vector<double> t, value;
  /// Largest minus smallest.
  double swing() const;
};

/// (shadow) along a run of any variational method; w is half the width of the differences, at most
/// 12. Throws InvalidArgument when there is a force, a constraint or time in L.
ShadowEnergy shadow_energy(const StageFlow& flow, const VectorState& start, double h, long steps,
                           int w = 6);

/// (shadow) as a function of the state: w steps forwards from it and w steps backwards, these by the
/// adjoint method with -h, the inverse of a step.
class ShadowFunction {
 public:
  /// Throws InvalidArgument as shadow_energy does.
  ShadowFunction(StageFlow flow, double h, int w = 6);
  double operator()(const VectorState& s) const;

 private:
  StageFlow forwards_, backwards_;
  std::shared_ptr<const detail::StepAction> action_;
  double h_;
  std::vector<double> weights_;
};

}  // namespace varia
