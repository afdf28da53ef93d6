// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runge–Kutta coefficients of any number of stages, from nodes alone.
//
//   collocation            a_ij = ∫₀^{cᵢ} lⱼ,   bⱼ = ∫₀¹ lⱼ                       [Sato19; MW01]
//   symplectic conjugate   â_ij = bⱼ (1 − a_ji/bᵢ)                                [Sato19; MW01]
//   symplectic pair        bᵢ â_ij + b̂ⱼ a_ji = bᵢ b̂ⱼ,   bᵢ = b̂ᵢ                   [MW01]
//
//   simplifying assumptions, k = 1, 2, …                                          [Sato19]
//     B(p)   Σᵢ bᵢ cᵢ^{k−1}      = 1/k               k ≤ p
//     C(q)   Σⱼ a_ij cⱼ^{k−1}    = cᵢᵏ/k             k ≤ q
//     D(r)   Σᵢ bᵢ cᵢ^{k−1} a_ij = bⱼ (1 − cⱼᵏ)/k    k ≤ r
//
//                    nodes        B        C       D       conjugate
//   gauss            Gauss        2s       s       s       itself
//   lobatto_iiia     Lobatto      2s − 2   s       s − 2   lobatto_iiib
//   lobatto_iiib     Lobatto      2s − 2   s − 2   s       lobatto_iiia
//   radau_iia        Radau right  2s − 1   s       s − 1
//   radau_ia         Radau left   2s − 1   s − 1   s       collocation at its nodes
//
// Conjugation exchanges C and D. Row sums equal c only where C(1) holds: not for the stages of
// lobatto_iiib(2) and radau_ia(1).
#include <cstddef>
#include <string>
#include <vector>

#include "varia/core/double_double.hpp"
#include "varia/methods/quadrature.hpp"

namespace varia {

struct Tableau {
  std::string name;
  std::vector<DoubleDouble> c;  ///< nodes
  std::vector<DoubleDouble> b;  ///< weights
  std::vector<DoubleDouble> A;  ///< stages × stages, row after row
  int stages = 0;
  int order = 0;  ///< of the method used alone, on y' = f(y); that of a pair can be higher

  const DoubleDouble& a(int i, int j) const {
    return A[static_cast<std::size_t>(i) * static_cast<std::size_t>(stages) +
             static_cast<std::size_t>(j)];
  }
};

/// The collocation method at the nodes of the rule. Its weights must be interpolatory (order ≥ s).
/// A node 0 gives a row of zeros and a node 1 a row equal to b, without any rounding.
Tableau collocation(const Quadrature& rule);

/// â_ij = bⱼ(1 − a_ji/bᵢ), same b and c; throws InvalidArgument when some bᵢ = 0.
Tableau symplectic_conjugate(const Tableau& t);

Tableau gauss_tableau(int s);  ///< s ≥ 1, order 2s
Tableau lobatto_iiia(int s);   ///< s ≥ 2, order 2s − 2
Tableau lobatto_iiib(int s);   ///< s ≥ 2, order 2s − 2
Tableau radau_ia(int s);       ///< s ≥ 1, order 2s − 1
Tableau radau_iia(int s);      ///< s ≥ 1, order 2s − 1

/// max |bᵢ â_ij + b̂ⱼ a_ji − bᵢ b̂ⱼ| and |bᵢ − b̂ᵢ|: 0 for a symplectic pair.
double symplectic_defect(const Tableau& t, const Tableau& t_hat);
bool is_symplectic_pair(const Tableau& t, const Tableau& t_hat, double tolerance = 1e-28);

/// a_sj = bⱼ: the last stage is the end point of the step.
bool stiffly_accurate(const Tableau& t, double tolerance = 1e-28);

/// The largest p, q, r ≤ 2s for which B(p), C(q), D(r) hold, checked on Legendre polynomials in
/// place of powers (the same condition, but readable at any number of stages).
int simplifying_b(const Tableau& t, double tolerance = 1e-25);
int simplifying_c(const Tableau& t, double tolerance = 1e-25);
int simplifying_d(const Tableau& t, double tolerance = 1e-25);

}  // namespace varia
