// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivative of steps whose length is found, from that of a step of given length.
//
// What the memory keeps, E or ρ, is part of the state: PhaseVector::memory. At a first step it is made
// from the start.
#include <memory>
#include <vector>

#include "leg_derivative.hpp"
#include "motion_derivative.hpp"
#include "stage_derivative.hpp"

namespace varia::detail {

/// Of (ext-DEL): E⁻(z₀, h) = E for h, then the step of length h, and E⁺ is the next E. The first step
/// has the given h, and E = E⁻.
class EnergyMomentumDerivative final : public StepDerivative {
 public:
  EnergyMomentumDerivative(const KernelSystem& system, const StageCoefficients& coefficients,
                           Retraction tau);
  /// At the step of length h from s to end whose unknowns are x.
  void set(const VectorState& s, double h, const std::vector<double>& x, const VectorState& end,
           bool first);
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override;

 private:
  PhaseVector energy_gradient(double h, const VectorState& end, double early);

  StageDerivative step_;
  expr::Kernel slopes_;         ///< of L
  PhaseVector before_, after_;  ///< gradients of E⁻ and E⁺ in (z₀, h)
  bool first_ = false;
};

/// Of (poincare): the step of H̄, and t₁ = t₀ + h Σᵢ bᵢ g(Qⁱ). At the first step E = H.
class PoincareDerivative final : public StepDerivative {
 public:
  PoincareDerivative(const KernelSystem& system, const KernelSystem& transformed,
                     const expr::Kernel& g, const StageCoefficients& coefficients, Retraction tau);
  /// At the step of length h from s whose unknowns are x.
  void set(const VectorState& s, double h, const std::vector<double>& x, bool first);
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override;

 private:
  PhaseVector inner(const PhaseVector& z) const;

  const KernelSystem& f_;
  const KernelSystem& transformed_;
  StageDerivative step_;
  expr::Kernel slopes_, pace_;    ///< of L, of g
  PhaseVector energy_, elapsed_;  ///< gradients of H and of t₁ - t₀
  bool first_ = false;
};

/// Of (density). At the first step ρ = 1/g.
class DensityDerivative final : public StepDerivative {
 public:
  DensityDerivative(const KernelSystem& system, const expr::Kernel& g);
  /// At the step from s to end; density is ρ at the start.
  void set(const VectorState& s, double h, double density, const VectorState& end, bool first);
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override;

 private:
  /// A function on phase space: its value and gradient.
  struct Function {
    double value = 0.0;
    PhaseVector gradient;
  };
  void set_end(const VectorState& s, Function& growth, Function& pace);

  const KernelSystem& f_;
  LegDerivative step_;
  LegendreTransform legendre_;
  MotionDerivative motion_;
  expr::Kernel pace_;
  Function start_, end_;            ///< G
  PhaseVector made_;                ///< gradient of 1/g at the start
  double h_ = 0.0, density_ = 0.0;  ///< ρ in the middle of the step
  bool first_ = false;
};

}  // namespace varia::detail
