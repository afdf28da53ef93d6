// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// St. Venant-Kirchhoff solid: the linear law between S and the strain E = ½ (FᵀF - I).
//
//   (svk)   W = λ/2 (tr E)² + μ tr E²,     P = F S,   S = λ tr E I + 2 μ E
//
// It softens under strong compression (no energy barrier at J = 0), so J ≤ 0 is reported as an
// error although W has a value there.
#include <cmath>

#include "varia/solids/tensor.hpp"

namespace varia::solids {

struct StVenantKirchhoff {
  static constexpr bool small_strain = false;
  double lambda = 1.0, mu = 1.0;

  template <int D, class S> S energy(const S* F) const {
    S E[D * D];
    strain<D>(F, E);
    S trace = E[0];
#pragma GCC unroll 9
    for (int i = 1; i < D; ++i) trace += E[i * D + i];
    return 0.5 * lambda * trace * trace + mu * norm_squared<D>(E);
  }

  template <int D>
  [[nodiscard, gnu::always_inline]] inline bool stress(const double* F, double* P) const {
    if (!admissible(determinant<D>(F))) [[unlikely]]
      return false;
    double E[D * D];
    strain<D>(F, E);
    double trace = E[0];
#pragma GCC unroll 9
    for (int i = 1; i < D; ++i) trace += E[i * D + i];
#pragma GCC unroll 9
    for (int i = 0; i < D * D; ++i) E[i] *= 2.0 * mu;
#pragma GCC unroll 9
    for (int i = 0; i < D; ++i) E[i * D + i] += lambda * trace;
#pragma GCC unroll 9
    for (int i = 0; i < D; ++i) {
#pragma GCC unroll 9
      for (int j = 0; j < D; ++j) {
        double sum = F[i * D + 0] * E[j];
#pragma GCC unroll 9
        for (int k = 1; k < D; ++k) sum += F[i * D + k] * E[k * D + j];
        P[i * D + j] = sum;
      }
    }
    return true;
  }

  /// The stretch s = F33 with P33 = 0: E33 = -λ/(λ + 2μ) (E11 + E22); false where s² is not
  /// positive, the law has no sheet that thin.
  template <class S> [[nodiscard]] bool transverse(const S* F, S& s) const {
    using std::sqrt;
    S E[4];
    strain<2>(F, E);
    const S square = 1.0 - 2.0 * lambda / (lambda + 2.0 * mu) * (E[0] + E[3]);
    if (!(square > 0.0)) return false;
    s = sqrt(square);
    return true;
  }

  /// λ + 2μ: ρ c² of pressure waves at small strain.
  double pressure_wave_modulus() const { return lambda + 2.0 * mu; }

 private:
  template <int D, class S> [[gnu::always_inline]] static void strain(const S* F, S* E) {
    cauchy_green<D>(F, E);
#pragma GCC unroll 9
    for (int i = 0; i < D; ++i) E[i * D + i] -= 1.0;
#pragma GCC unroll 9
    for (int i = 0; i < D * D; ++i) E[i] = 0.5 * E[i];
  }
};

}  // namespace varia::solids
