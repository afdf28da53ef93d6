// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Linear elasticity, for small strains and small rotations:
//
//   (linear-elastic)   W = λ/2 (tr e)² + μ e:e,   e = ½ (F + Fᵀ) - I,     P = λ tr e I + 2 μ e
//
// This energy is not objective: W(RF) ≠ W(F). A rotation strains the solid, moments of the nodal
// forces about the deformed positions do not vanish, and angular momentum is conserved to the
// order of the displacement only. Use another law when parts of the body turn.
#include "varia/solids/tensor.hpp"

namespace varia::solids {

struct LinearElastic {
  static constexpr bool small_strain = true;
  double lambda = 1.0, mu = 1.0;

  template <int D, class S> S energy(const S* F) const {
    S e[D * D];
    const S trace = strain<D>(F, e);
    return 0.5 * lambda * trace * trace + mu * norm_squared<D>(e);
  }

  template <int D>
  [[nodiscard, gnu::always_inline]] inline bool stress(const double* F, double* P) const {
    if (!admissible(determinant<D>(F))) [[unlikely]]
      return false;
    const double trace = strain<D>(F, P);
#pragma GCC unroll 9
    for (int i = 0; i < D * D; ++i) P[i] *= 2.0 * mu;
#pragma GCC unroll 9
    for (int i = 0; i < D; ++i) P[i * D + i] += lambda * trace;
    return true;
  }

  /// The stretch s = F33 with P33 = 0: e33 = -λ/(λ + 2μ) (e11 + e22); false where s is not positive.
  template <class S> [[nodiscard]] bool transverse(const S* F, S& s) const {
    s = 1.0 - lambda / (lambda + 2.0 * mu) * (F[0] + F[3] - 2.0);
    return s > 0.0;
  }

  /// λ + 2μ: ρ c² of pressure waves.
  double pressure_wave_modulus() const { return lambda + 2.0 * mu; }

 private:
  /// e, and its trace.
  template <int D, class S> [[gnu::always_inline]] static S strain(const S* F, S* e) {
    S trace = F[0] - 1.0;
#pragma GCC unroll 9
    for (int i = 1; i < D; ++i) trace += F[i * D + i] - 1.0;
#pragma GCC unroll 9
    for (int i = 0; i < D; ++i) {
      e[i * D + i] = F[i * D + i] - 1.0;
#pragma GCC unroll 9
      for (int j = i + 1; j < D; ++j) {
        const S mean = 0.5 * (F[i * D + j] + F[j * D + i]);
        e[i * D + j] = mean;
        e[j * D + i] = mean;
      }
    }
    return trace;
  }
};

}  // namespace varia::solids
