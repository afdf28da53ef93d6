// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The end of a step with constraints: a momentum whose velocity satisfies them.
#include <vector>

#include "scatter.hpp"

namespace varia::detail {

/// The KKT system of (hidden), with R = (G; ∂Φ/∂v): [∂²L/∂v² - w ∂(Rᵀλ)/∂v, -wRᵀ; R, 0].
class EndSystem {
 public:
  void resize(const KernelSystem& system, const std::vector<char>& left_out);
  /// p₁ ← p₁ + w Rᵀλ₁ with G v₁ + ∂φ/∂t = 0 and Φ(q₁, v₁) = 0; v is where Newton starts.
  void make_tangent(const KernelSystem& system, VectorState& s, double h, const double* v,
                    double weight);
  /// ∂φ/∂t of the last end; zeros where φ does not depend on t.
  const double* rate() const { return rate_.data(); }

  /// The factors at the solution that make_tangent() found for s, and its velocity.
  const StructuredLU& linearise(const KernelSystem& system, const VectorState& s, double weight);
  const double* velocity() const { return unknown_.data(); }
  const std::vector<char>& left_out() const { return left_out_; }

 private:
  bool evaluate(const KernelSystem& system, const VectorState& s, double weight);
  void place_velocity(const KernelSystem& system, double weight);
  void add_curvature(const expr::Kernel& acting, const PatternBlock& places, double weight);
  void check_left_out(const VectorState& s, double h) const;

  StructuredLU kkt_;
  PatternBlock mass_;
  PatternBlock reaction_of_velocity_, force_of_velocity_;  ///< ∂(f + Rᵀλ)/∂v and ∂f/∂v
  std::vector<char> left_out_;
  std::vector<std::size_t> reaction_, jacobian_, multiplier_;
  Pattern pattern_;               ///< of R
  std::vector<double> slopes_;    ///< R
  std::vector<int> of_velocity_;  ///< which slopes of Φ are in R
  std::vector<double> rolling_;   ///< Φ and its slopes
  std::vector<double> acting_;    ///< what kernels of forces give
  std::vector<double> x_, second_, phi_, rate_, unknown_, change_;
};

}  // namespace varia::detail
