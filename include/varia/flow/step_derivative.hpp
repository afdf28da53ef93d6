// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivative of one step, exact to round-off.
//
//   const StepDerivative& derivative = flow.differentiate(state, h, memory);   // one step, in place
//   derivative.forward(z);       // z ← DF z
//   derivative.transposed(w);    // w ← DFᵀ w
//
// The equations of the step hold near its solution too: the implicit function theorem gives DF by
// substitutions in factors that are computed once.
#include <Eigen/LU>
#include <utility>
#include <vector>

#include "varia/core/types.hpp"

namespace varia {

/// A tangent vector of (t, q, p, h, free parameters), left-trivialised: q moves along q exp(δ), ν is
/// the change of the momentum in the frame of its own point. Or a covector: the same numbers paired
/// with these. Where steps of variable length depend on a number that their memory keeps, its
/// change goes along; the first step makes it from the others. So does that of the multipliers of
/// nonholonomic constraints: flow/multiplier_change.hpp makes that of a start.
struct PhaseVector {
  Vn delta, nu;
  double t = 0.0;
  double h = 0.0;
  Vn free;
  double memory = 0.0;
  Vn lambda = Vn();  ///< of nonholonomic constraints; empty: zeros

  /// The pairing; parameters and multipliers that one of the two does not have are 0.
  double dot(const PhaseVector& other) const;
  void add(double factor, const PhaseVector& other);

  /// Zero, for n degrees of freedom.
  static PhaseVector zero(int n, int free = 0);
};

class StepDerivative {
 public:
  virtual ~StepDerivative() = default;
  /// (δ₀, ν₀, t, h, θ) ↦ (δ₁, ν₁, t + h, h, θ)
  virtual void forward(PhaseVector& z) const = 0;
  /// The transposed map of covectors: those of h and θ are added to.
  virtual void transposed(PhaseVector& z) const = 0;

  /// ∂(δ₁, ν₁)/∂(δ₀, ν₀), 2n × 2n; multipliers of nonholonomic constraints do not change.
  Eigen::MatrixXd matrix(int n) const;
};

namespace detail {

/// One step after the other, each with a fraction of h.
class ChainedDerivative final : public StepDerivative {
 public:
  struct Part {
    const StepDerivative* derivative;
    double fraction;
  };
  explicit ChainedDerivative(std::vector<Part> parts) : parts_(std::move(parts)) {}
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override;

 private:
  std::vector<Part> parts_;
};

/// Of z₁ with F(z₁, -h) = z₀, given the derivative of F there.
class InverseDerivative final : public StepDerivative {
 public:
  void set(const StepDerivative& of, int n);
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override;

 private:
  const StepDerivative* of_ = nullptr;
  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
};

}  // namespace detail

}  // namespace varia
