// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Compressible neo-Hookean solid, (6.19)-(6.20) of [West04]:
//
//   (neo-hookean)   W = λ/2 (log J)² - μ log J + μ/2 (tr FᵀF - 3)
//                   P = (λ log J - μ) F⁻ᵀ + μ F
//
// The source has no -3: there W(I) = 3μ/2. Here W(I) = 0; stresses are the same.
#include <cmath>

#include "varia/solids/tensor.hpp"
#include "varia/solids/thickness.hpp"

namespace varia::solids {

struct NeoHookean {
  static constexpr bool small_strain = false;
  double lambda = 1.0, mu = 1.0;

  template <int D, class S> S energy(const S* F) const {
    using std::log;
    const S log_j = log(determinant<D>(F));
    return 0.5 * lambda * log_j * log_j - mu * log_j + 0.5 * mu * (norm_squared<D>(F) - double(D));
  }

  template <int D>
  [[nodiscard, gnu::always_inline]] inline bool stress(const double* F, double* P) const {
    double C[D * D];
    const double J = cofactor<D>(F, C);
    if (!admissible(J)) [[unlikely]]
      return false;
    const double b = pull<D>(J);
#pragma GCC unroll 9
    for (int i = 0; i < D * D; ++i) P[i] = mu * F[i] + b * C[i];
    return true;
  }

  /// W = a/2 |F|² + w(J): a and share · w'(J), as metric.hpp needs them.
  template <int D> double spring() const { return mu; }
  template <int D> [[gnu::always_inline]] inline double pull(double J, double share = 1.0) const {
    const double inverse = share / J;  // beside the logarithm, not after it
    return (lambda * std::log(J) - mu) * inverse;
  }

  /// The stretch s = F33 with P33 = 0 of a sheet with in-plane F (2 x 2).
  template <class S> [[nodiscard]] bool transverse(const S* F, S& s) const {
    using std::exp;
    using std::log;
    S u;
    if (!solve_thickness(S(mu), mu, lambda, S(log(determinant<2>(F))), u)) return false;
    s = exp(u);
    return true;
  }

  /// λ + 2μ: ρ c² of pressure waves at small strain.
  double pressure_wave_modulus() const { return lambda + 2.0 * mu; }
};

}  // namespace varia::solids
