// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivatives of the reactions of holonomic constraints and of the projection at the end of a step:
// docs/theory/stage-equations.md, section 11.
#include <vector>

#include "end_system.hpp"
#include "point_derivative.hpp"

namespace varia::detail {

/// w G(t, q)ᵀλ and φ(t, q) as functions of all that they depend on, where w = h times a constant.
class ReactionDerivative {
 public:
  ReactionDerivative(const KernelSystem& system, const PointPatterns& patterns)
      : f_(system), patterns_(patterns) {}

  /// At x = (t, q, v); v matters to hidden_rates alone.
  void set(const std::vector<double>& x, const Vn& lambda, double weight, double h);
  /// The change of w Gᵀλ; s: of t and the free parameters.
  Vn forward(const Vn& delta, const Vn& lambda, double h, const Vn& s) const;
  void transposed(const Vn& covector, Vn& delta, Vn& lambda, double& h, Vn& s) const;
  /// G and its transpose
  Vn along(const Vn& delta) const;
  Vn against(const Vn& lambda) const;
  /// ∂φ/∂s and ∂(G v + ∂φ/∂t)/∂s, a column for each s.
  const Eigen::MatrixXd& phi_rates() const { return phi_rates_; }
  const Eigen::MatrixXd& hidden_rates() const { return hidden_rates_; }

 private:
  const KernelSystem& f_;
  const PointPatterns& patterns_;
  std::vector<double> phi_, curvature_;
  std::vector<Eigen::MatrixXd> half_brackets_;
  Eigen::MatrixXd phi_rates_, hidden_rates_, reaction_rates_;
  Vn reaction_;
  double weight_ = 0.0, rate_ = 0.0;
};

/// Of the projection (hidden): p₁ + w Gᵀλ₁ with G v₁ + ∂φ/∂t = 0 at (t₁, q₁).
class ProjectionDerivative {
 public:
  ProjectionDerivative(const KernelSystem& system, const PointPatterns& patterns)
      : f_(system), patterns_(patterns), reaction_(system, patterns) {}

  void set(const VectorState& end, EndSystem& solved, double weight, double h);
  void forward(PhaseVector& z) const;
  void transposed(PhaseVector& z) const;

 private:
  Vn hidden(const Vn& delta) const;
  void hidden_transposed(const Vn& rates, Vn& delta) const;
  Vn bracket(const Vn& delta) const;

  const KernelSystem& f_;
  const PointPatterns& patterns_;
  const StructuredLU* kkt_ = nullptr;
  std::vector<char> left_out_;
  std::vector<double> second_;
  Eigen::MatrixXd momentum_rates_;  ///< of ∂L/∂v, a column for t and each free parameter
  Vn q_, v_;
  double t_ = 0.0;
  ReactionDerivative reaction_;
};

}  // namespace varia::detail
