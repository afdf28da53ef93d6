// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// θ and its derivatives at a point, from the kernels of L = ⟨θ, v⟩ - H, and the derivative of a
// projected step.
//
// With ζ of (degenerate-projection), A = Dθ, C = ∂(Dθᵀλ)/∂q, s = (t, free parameters) and σ = (-1)ˢ:
//
//   start   δ₀' = δ₀ + d(hλ),            ν₀' = A₀δ₀ + θ_s ds + d(h A₀ᵀλ)
//   step    (δ₁', ν₁') = DF (δ₀', ν₀', dt, dh, dθ)
//   end     δ₁ = δ₁' + σ d(hλ),          ν₁' + σ d(h A₁ᵀλ) = A₁δ₁ + θ_s ds = ν₁
//
// the last equation for dλ: the implicit function theorem.
#include <Eigen/LU>

#include "varia/flow/one_form_flow.hpp"

namespace varia::detail {

struct FormAt {
  /// At (t, q) with the multiplier λ.
  FormAt(const KernelSystem& f, double t, const Vn& q, const Vn& lambda);

  Vn theta, push;              ///< θ, and ∇H + ∂θ/∂t
  Vn pull;                     ///< Dθᵀλ
  Eigen::MatrixXd slope;       ///< A, ∂θᵢ/∂qⱼ in row i
  Eigen::MatrixXd curvature;   ///< C
  Eigen::MatrixXd rates;       ///< θ_s, a column for t and each free parameter
  Eigen::MatrixXd pull_rates;  ///< ∂(Dθᵀλ)/∂s, likewise
};

/// ∂(p₁ - θ(q₁))/∂λ for λ near the given one, and what it takes.
struct ProjectionSlope {
  Eigen::MatrixXd q, p;   ///< ∂δ₁'/∂λ, ∂ν₁'/∂λ
  Eigen::MatrixXd slope;  ///< of the condition
  ProjectionSlope(const StepDerivative& step, const FormAt& start, const FormAt& end, double h,
                  double back);
};

class OneFormDerivative final : public StepDerivative {
 public:
  /// λ is empty without the symmetric projection.
  OneFormDerivative(const StepDerivative& step, FormAt start, FormAt end, double h, double back,
                    Vn lambda);
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override;

 private:
  bool projects() const { return lambda_.size() > 0; }
  /// C and the rates of Dθᵀλ by h σ less A and the rates of θ: the condition by δ₁ and s.
  Eigen::MatrixXd by_end() const;
  Eigen::MatrixXd by_end_rates() const;

  const StepDerivative& step_;
  FormAt start_, end_;
  double h_, back_;
  Vn lambda_;
  Eigen::MatrixXd response_;  ///< ∂δ₁/∂λ
  Eigen::PartialPivLU<Eigen::MatrixXd> slope_;
};

}  // namespace varia::detail
