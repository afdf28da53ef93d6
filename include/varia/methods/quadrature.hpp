// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Quadrature on [0,1]:  ∫₀¹ f(τ) dτ ≈ Σ bᵢ f(cᵢ), exact for polynomials of degree < order.
//
//   rule              fixed nodes   zeros of                     weights bᵢ               order
//   gauss:s           none          P_s(x)                       1/((1−x²) P'_s(x)²)      2s
//   radau_left:s      0             (P_s + P_{s−1})(x)/(1+x)     (1−c)/(s P_{s−1}(x))²    2s − 1
//   radau:s (right)   1             mirror image of radau_left                            2s − 1
//   lobatto:s         0 and 1       P'_{s−1}(x)                  1/(s(s−1) P_{s−1}(x)²)   2s − 2
//
// with Legendre polynomials P_n and x = 2c − 1. Nodes are found by Newton's method in
// double-double arithmetic; absolute errors of nodes are near 1e-32, relative ones of weights
// below 1e-29, measured with up to 60 points.
// Gauss and Lobatto rules are symmetric without any rounding: cᵢ + c_{s+1−i} = 1, bᵢ = b_{s+1−i}.
// Cost: O(s²), about a millisecond for s = 60.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "varia/core/double_double.hpp"

namespace varia {

struct Quadrature {
  std::string name;             ///< as parse_quadrature reads it, or "interpolatory"
  std::vector<DoubleDouble> c;  ///< nodes, increasing (interpolatory: as given)
  std::vector<DoubleDouble> b;  ///< weights
  int order = 0;                ///< exact for polynomials of degree < order

  int size() const { return static_cast<int>(c.size()); }
};

/// The largest number of points a rule is made for.
inline constexpr int max_quadrature_points = 1000;

Quadrature gauss_quadrature(int s);        ///< s ≥ 1
Quadrature lobatto_quadrature(int s);      ///< s ≥ 2
Quadrature radau_left_quadrature(int s);   ///< s ≥ 1, c₁ = 0
Quadrature radau_right_quadrature(int s);  ///< s ≥ 1, c_s = 1

/// bⱼ = ∫₀¹ lⱼ with the Lagrange basis of the given, distinct nodes; the order is measured.
Quadrature interpolatory_quadrature(const std::vector<DoubleDouble>& nodes);

/// gauss:<s>, lobatto:<s>, radau:<s>, radau_left:<s>, midpoint, trapezoid or simpson.
Quadrature parse_quadrature(std::string_view text);

/// The largest p ≤ 2s for which Σ bᵢ f(cᵢ) = ∫₀¹ f holds for all polynomials of degree < p.
/// Measured on Legendre polynomials, for which a failure shows at any s: the moment of τ^(2s) of a
/// Gauss rule is wrong by 16^(−s) only, the one of P_2s by a number near 1.
int quadrature_order(std::span<const DoubleDouble> c, std::span<const DoubleDouble> b,
                     double tolerance = 1e-25);

/// cᵢ + c_{s+1−i} = 1 and bᵢ = b_{s+1−i}.
bool is_symmetric(const Quadrature& quadrature);

/// P₀ … P_degree at x = 2c − 1: the Legendre polynomials of the interval [0,1].
std::vector<DoubleDouble> shifted_legendre(int degree, const DoubleDouble& c);

}  // namespace varia
