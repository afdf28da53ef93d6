// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The end of a step with constraints: a momentum whose velocity is tangent to them.
#include <vector>

#include "scatter.hpp"

namespace varia::detail {

/// The KKT system of (hidden): [∂²L/∂v², -wGᵀ; G, 0].
class EndSystem {
 public:
  void resize(const KernelSystem& system, const std::vector<char>& left_out);
  /// p₁ ← p₁ + w Gᵀλ₁ with G v₁ + ∂φ/∂t = 0; v is where Newton starts.
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

  void check_left_out(const VectorState& s, double h) const;

  StructuredLU kkt_;
  PatternBlock mass_;
  std::vector<char> left_out_;
  std::vector<std::size_t> reaction_, jacobian_, multiplier_;
  std::vector<double> x_, second_, phi_, rate_, unknown_, change_;
};

}  // namespace varia::detail
