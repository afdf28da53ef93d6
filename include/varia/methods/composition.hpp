// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Compositions of high order, from tables of coefficients.
//
//   (palindrome)  F^{γ_1 h} ∘ F^{γ_2 h} ∘ … ∘ F^{γ_1 h},  F symmetric of order 2         [Yoshida90]
//   (kick-drift)  K^{b_0 h}, D^{a_1 h}, K^{b_1 h}, …, D^{a_s h}, K^{b_s h}                [Ruth83]
//   (pairs)       the same map as a composition of euler_a and euler_b                [McLachlan95]
//
// K and D are the exact motions by V and by T of H = T(p) + V(q). By (pairs) a kick-drift method is
// a composition of discrete Lagrangians: it has an L_d, takes forces and constraints, and applies
// to any Lagrangian, explicitly where that is separable. docs/theory/compositions.md derives this;
// tests/methods/order_conditions_test.cpp holds every table against its order conditions.
#include <string>
#include <utility>
#include <vector>

#include "varia/methods/methods.hpp"

namespace varia {

/// One table.
struct CompositionScheme {
  enum class Kind {
    palindrome,  ///< of any symmetric method of order 2
    kick_drift,  ///< has its order for every first-order method and its adjoint
    nystrom      ///< has its order only for T quadratic with constant mass
  };
  std::string name;  ///< as in the list, "blanes_moan(4)"
  int order;
  Kind kind;
  std::vector<DoubleDouble> fractions;  ///< γ_1 … γ_s of a palindrome
  std::vector<DoubleDouble> drifts;     ///< a_1 … a_s, else
  std::vector<DoubleDouble> kicks;      ///< b_0 … b_s
  std::string cite;
};

const std::vector<CompositionScheme>& composition_schemes();

/// (pairs)  α_i and β_i with b_{i-1} = β_{i-1} + α_i, a_i = α_i + β_i: a step of euler_a with α_i and
/// one of euler_b with β_i, for each i. First applied first; those with fraction 0 are left out.
std::vector<std::pair<Method, double>> euler_pairs(const CompositionScheme& scheme);

/// F^{γh} F^{γh} F^{(1-4γ)h} F^{γh} F^{γh}, γ = 1/(4 - 4^{1/(r+1)}): order r+2 from a symmetric F of
/// order r, with a shorter step backwards than triple_jump.
Method suzuki(const Method& method = verlet());
/// Palindromes with the fewest substeps: order 4 (3 of them), 6 (7, solution A), 8 (15, solution D).
Method yoshida(int order, const Method& method = verlet());
/// Palindromes with short substeps: order 6 (9 of them), 8 (17).
Method kahan_li(int order, const Method& method = verlet());
/// A palindrome of order 10 with 35 substeps.
Method sofroniou_spaletta(int order = 10, const Method& method = verlet());

/// Kicks and drifts, order 3 with 3 gradients; not symmetric.
Method ruth(int order = 3);
/// Order 4 with 5 gradients.
Method mclachlan(int order = 4);
/// Order 4 with 4 gradients, 5 with 6; not symmetric; separable systems only.
Method mclachlan_atela(int order);
/// Order 4 with 6 gradients, 6 with 10.
Method blanes_moan(int order);
/// Order 4 with 6 gradients; order 6 with 11 or 14 (default), on separable systems only.
Method blanes_moan_rkn(int order, int gradients = 0);

}  // namespace varia
