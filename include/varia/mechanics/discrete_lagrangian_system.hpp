// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A discrete Lagrangian L_d(q₀, q₁, h) on ℝⁿ × ℝⁿ given as an expression, size known at run time.
//
//   (pm-)   p₀ = -D₁L_d(q₀, q₁, h)        (pm+)   p₁ = D₂L_d(q₀, q₁, h)                      [MW01]
//
// Derivatives are expressions, with their zeros left out. They are evaluated at x = (h, q₀, d) with
// d = q₁ - q₀: where q₁ - q₀ occurs, d stands for it, so that a small step loses no digits to the
// difference of two positions.
#include "varia/expr/graph.hpp"
#include "varia/expr/kernel.hpp"
#include "varia/mechanics/flat_system.hpp"

namespace varia {

struct DiscreteLagrangianSystem {
  int n = 0;  ///< coordinates

  expr::Kernel value;   ///< x ↦ L_d
  expr::Kernel energy;  ///< x ↦ -∂L_d/∂h, the discrete energy
  expr::Kernel first;   ///< x ↦ (D₁L_d, D₂L_d)
  expr::Kernel second;  ///< x ↦ (D₁L_d, D₂L_d, entries of D₁D₂L_d)
  Pattern mixed;        ///< of D₁D₂L_d, n × n; row i belongs to q₀, column j to q₁

  int free = 0;        ///< parameters that are not numbers yet
  expr::Kernel whole;  ///< x ↦ (D₁L_d, D₂L_d, second derivatives), for derivatives of a step
  Pattern whole_pattern;  ///< lower triangle in (q₀, q₁), 2n × 2n
  expr::Kernel rates;     ///< x ↦ ∂(D₁L_d, D₂L_d)/∂s for s = h, then each free parameter

  /// The numbers of x.
  std::vector<double> point(const double* q0, const double* q1, double h) const;
};

/// The system of the expression ld, in which variable 0 is h, 1 … n are q₀, n+1 … 2n are q₁. Throws
/// InvalidArgument for n < 1, for other variables, and where D₁D₂L_d has a row or column of zeros: then
/// p₀ does not determine q₁, or one coordinate of q₁ does not matter.
DiscreteLagrangianSystem discrete_lagrangian_system(expr::Graph& graph, expr::Id ld, int n);

}  // namespace varia
