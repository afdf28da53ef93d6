// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A discrete Lagrangian L_d(q₀, q₁, h) with its derivatives, sizes known at run time.
//
//   (pm-)   p₀ = -D₁L_d(q₀, q₁, h)        (pm+)   p₁ = D₂L_d(q₀, q₁, h)                      [MW01]
//
// Kernels are evaluated at x = (h, q₀, ξ) with q₁ = q₀ ⊕ ξ. Of an expression on ℝⁿ the zeros of the
// derivatives are left out, and ξ stands for q₁ - q₀ where that occurs, so that a small step loses no
// digits to the difference of two positions. Forces are parts of the slot derivatives.
#include <utility>
#include <vector>

#include "varia/expr/graph.hpp"
#include "varia/expr/kernel.hpp"
#include "varia/mechanics/kernel_system.hpp"

namespace varia {

struct DiscreteLagrangianSystem {
  DiscreteLagrangianSystem() = default;
  explicit DiscreteLagrangianSystem(ProductSpace on) : space(std::move(on)), n(space.dof()) {}

  ProductSpace space;
  int n = 0;  ///< degrees of freedom
  int d = 0;  ///< constraints

  expr::Kernel value;   ///< x ↦ L_d
  expr::Kernel energy;  ///< x ↦ -∂L_d/∂h, the discrete energy
  expr::Kernel first;   ///< x ↦ (D₁L_d, D₂L_d)
  expr::Kernel second;  ///< x ↦ (D₁L_d, D₂L_d, entries of ∂D₁L_d/∂ξ)
  Pattern mixed;        ///< of these, n × n; row i belongs to q₀, column j to ξ

  /// (x, t) ↦ φ(t + h, q₁), G(t, q₀), ∂φ(t + h, q₁)/∂ξ, all entries.
  expr::Kernel constraint;

  int free = 0;        ///< parameters that are not numbers yet
  expr::Kernel whole;  ///< x ↦ (D₁L_d, D₂L_d, second derivatives), for derivatives of a step
  Pattern whole_pattern;  ///< lower triangle in (q₀, q₁), 2n × 2n
  expr::Kernel rates;     ///< x ↦ ∂(D₁L_d, D₂L_d)/∂s for s = h, then each free parameter

  /// The numbers of x, on ℝⁿ.
  std::vector<double> point(const double* q0, const double* q1, double h) const;
};

/// The system of the expression ld, in which variable 0 is h, 1 … n are q₀, n+1 … 2n are q₁. Throws
/// InvalidArgument for n < 1, for other variables, and where D₁D₂L_d has a row or column of zeros: then
/// p₀ does not determine q₁, or one coordinate of q₁ does not matter.
DiscreteLagrangianSystem discrete_lagrangian_system(expr::Graph& graph, expr::Id ld, int n);

}  // namespace varia
