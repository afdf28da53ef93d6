// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runge–Kutta methods by name, their conjugates, and what they satisfy.
//
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
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/methods/tableau.hpp"

namespace varia {

namespace tableaux {

/// Legendre polynomials P₀ … P_{2s} of [0,1] and their integrals from 0, at every node.
/// ∫₀ᶜ P_k(2τ − 1) dτ = (P_{k+1} − P_{k−1})(2c − 1)/(2(2k+1)), and c for k = 0.
struct LegendreAtNodes {
  explicit LegendreAtNodes(const Tableau& t) {
    const int most = 2 * t.stages;
    for (const DoubleDouble& node : t.c) {
      const std::vector<DoubleDouble> p = shifted_legendre(most, node);
      std::vector<DoubleDouble> integrals{node};
      for (std::size_t k = 1; k + 1 < p.size(); ++k) {
        integrals.push_back((p[k + 1] - p[k - 1]) / (4.0 * static_cast<double>(k) + 2.0));
      }
      value.push_back(p);
      integral.push_back(std::move(integrals));
    }
  }
  std::vector<std::vector<DoubleDouble>> value, integral;  // [node][degree]
};

/// The largest n ≤ 2s such that holds(k) for k = 0, …, n − 1.
template <class F> int largest(const Tableau& t, const F& holds) {
  int n = 0;
  while (n < 2 * t.stages && holds(static_cast<std::size_t>(n))) ++n;
  return n;
}

inline bool close(const DoubleDouble& sum, const DoubleDouble& exact, const DoubleDouble& size,
                  double tolerance) {
  return abs(sum - exact) <= tolerance * (1.0 + size);
}

inline const DoubleDouble& entry(const Tableau& t, std::size_t i, std::size_t j) {
  return t.A[i * t.b.size() + j];
}

inline Tableau named(Tableau t, const std::string& family) {
  t.name = family + ":" + std::to_string(t.stages);
  return t;
}

}  // namespace tableaux

/// The largest p, q, r ≤ 2s for which B(p), C(q), D(r) hold, checked on Legendre polynomials in
/// place of powers (the same condition, but readable at any number of stages).
inline int simplifying_b(const Tableau& t, double tolerance = 1e-25) {
  return quadrature_order(t.c, t.b, tolerance);
}

inline int simplifying_c(const Tableau& t, double tolerance = 1e-25) {
  const tableaux::LegendreAtNodes at(t);
  return tableaux::largest(t, [&](std::size_t k) {
    for (std::size_t i = 0; i < t.b.size(); ++i) {
      DoubleDouble sum = 0.0;
      DoubleDouble size = 0.0;
      for (std::size_t j = 0; j < t.b.size(); ++j) {
        sum += tableaux::entry(t, i, j) * at.value[j][k];
        size += abs(tableaux::entry(t, i, j) * at.value[j][k]);
      }
      if (!tableaux::close(sum, at.integral[i][k], size, tolerance)) return false;
    }
    return true;
  });
}

inline int simplifying_d(const Tableau& t, double tolerance = 1e-25) {
  const tableaux::LegendreAtNodes at(t);
  return tableaux::largest(t, [&](std::size_t k) {
    const DoubleDouble whole = k == 0 ? 1.0 : 0.0;  // ∫₀¹ P_k
    for (std::size_t j = 0; j < t.b.size(); ++j) {
      DoubleDouble sum = 0.0;
      DoubleDouble size = 0.0;
      for (std::size_t i = 0; i < t.b.size(); ++i) {
        sum += t.b[i] * at.value[i][k] * tableaux::entry(t, i, j);
        size += abs(t.b[i] * at.value[i][k] * tableaux::entry(t, i, j));
      }
      if (!tableaux::close(sum, t.b[j] * (whole - at.integral[j][k]), size, tolerance))
        return false;
    }
    return true;
  });
}

/// â_ij = bⱼ(1 − a_ji/bᵢ), same b and c; throws InvalidArgument when some bᵢ = 0. Its order is that of
/// Butcher's theorem: B(p), C(q), D(r) give min(p, q + r + 1, 2q + 2).
inline Tableau symplectic_conjugate(const Tableau& t) {
  const std::size_t s = t.b.size();
  for (std::size_t i = 0; i < s; ++i) {
    if (!(abs(t.b[i]) > 1e-28)) {
      throw InvalidArgument("symplectic conjugate of '" + t.name + "': weight number " +
                            std::to_string(i + 1) +
                            " is zero; choose nodes whose weights are all nonzero");
    }
  }
  Tableau conjugate{"conjugate(" + t.name + ")", t.c, t.b, t.A, t.stages, 0};
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j < s; ++j) {
      conjugate.A[i * s + j] = t.b[j] * (1.0 - tableaux::entry(t, j, i) / t.b[i]);
    }
  }
  const int p = simplifying_b(conjugate);
  const int q = simplifying_c(conjugate);
  const int r = simplifying_d(conjugate);
  conjugate.order = std::min({p, q + r + 1, 2 * q + 2});
  return conjugate;
}

/// s ≥ 1, order 2s
inline Tableau gauss_tableau(int s) {
  return tableaux::named(collocation(gauss_quadrature(s)), "gauss");
}

/// s ≥ 2, order 2s − 2
inline Tableau lobatto_iiia(int s) {
  return tableaux::named(collocation(lobatto_quadrature(s)), "lobatto_iiia");
}

/// s ≥ 2, order 2s − 2
inline Tableau lobatto_iiib(int s) {
  return tableaux::named(symplectic_conjugate(collocation(lobatto_quadrature(s))), "lobatto_iiib");
}

/// s ≥ 1, order 2s − 1
inline Tableau radau_ia(int s) {
  return tableaux::named(symplectic_conjugate(collocation(radau_left_quadrature(s))), "radau_ia");
}

/// s ≥ 1, order 2s − 1
inline Tableau radau_iia(int s) {
  return tableaux::named(collocation(radau_right_quadrature(s)), "radau_iia");
}

/// max |bᵢ â_ij + b̂ⱼ a_ji − bᵢ b̂ⱼ| and |bᵢ − b̂ᵢ|: 0 for a symplectic pair.
inline double symplectic_defect(const Tableau& t, const Tableau& t_hat) {
  if (t.stages != t_hat.stages) {
    throw InvalidArgument("symplectic pair: '" + t.name + "' has " + std::to_string(t.stages) +
                          " stages but '" + t_hat.name + "' has " + std::to_string(t_hat.stages) +
                          "; the numbers must be equal");
  }
  DoubleDouble defect = 0.0;
  for (std::size_t i = 0; i < t.b.size(); ++i) {
    defect = std::max(defect, abs(t.b[i] - t_hat.b[i]));
    for (std::size_t j = 0; j < t.b.size(); ++j) {
      const DoubleDouble sum =
          t.b[i] * tableaux::entry(t_hat, i, j) + t_hat.b[j] * tableaux::entry(t, j, i);
      defect = std::max(defect, abs(sum - t.b[i] * t_hat.b[j]));
    }
  }
  return static_cast<double>(defect);
}

inline bool is_symplectic_pair(const Tableau& t, const Tableau& t_hat, double tolerance = 1e-28) {
  return t.stages == t_hat.stages && symplectic_defect(t, t_hat) <= tolerance;
}

/// a_sj = bⱼ: the last stage is the end point of the step.
inline bool stiffly_accurate(const Tableau& t, double tolerance = 1e-28) {
  for (std::size_t j = 0; j < t.b.size(); ++j) {
    if (!(abs(tableaux::entry(t, t.b.size() - 1, j) - t.b[j]) <= tolerance)) return false;
  }
  return true;
}

}  // namespace varia
