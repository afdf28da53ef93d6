// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Two-dimensional laws from three-dimensional ones.
//
//   plane strain   F33 = 1: every law M is used as it is with D = 2
//   plane stress   F33 = s(F) with P33 = 0: a thin sheet that is free across its thickness,
//
//   (plane-stress)   W₂(F) = min over s of W(diag(F, s)),     ∂W₂/∂F = P(diag(F, s(F))) in the plane
//
// The derivative of s drops out of ∂W₂/∂F because ∂W/∂s = 0 there (envelope theorem).
// Energies are per unit of undeformed thickness.
#include "varia/solids/tensor.hpp"

namespace varia::solids {

enum class Plane { strain, stress };

/// diag(F, s) as a 3 x 3 matrix.
template <class S> inline void block_diagonal(const S* F, const S& s, S* F3) {
  for (int i = 0; i < 9; ++i) F3[i] = S(0.0);
  F3[0] = F[0];
  F3[1] = F[1];
  F3[3] = F[2];
  F3[4] = F[3];
  F3[8] = s;
}

template <class M> struct PlaneStress {
  static constexpr bool small_strain = M::small_strain;
  M bulk{};  ///< the law of the matter

  /// NaN where no thickness has P33 = 0.
  template <int D, class S> S energy(const S* F) const {
    static_assert(D == 2, "plane stress is two-dimensional");
    S s, F3[9];
    if (!bulk.transverse(F, s)) return S(std::numeric_limits<double>::quiet_NaN());
    block_diagonal(F, s, F3);
    return bulk.template energy<3>(F3);
  }

  template <int D> [[nodiscard]] bool stress(const double* F, double* P) const {
    static_assert(D == 2, "plane stress is two-dimensional");
    double F3[9], P3[9], s = 1.0;
    if (!admissible(determinant<2>(F))) return false;
    if (!bulk.transverse(F, s)) return false;
    block_diagonal(F, s, F3);
    if (!bulk.template stress<3>(F3, P3)) return false;
    P[0] = P3[0];
    P[1] = P3[1];
    P[2] = P3[3];
    P[3] = P3[4];
    return true;
  }

  /// Of the bulk, an upper bound: waves in the plane of a sheet are slower.
  double pressure_wave_modulus() const { return bulk.pressure_wave_modulus(); }
};

/// The law of the matter itself, and the 3 x 3 gradient it sees where the plane law sees F.
template <class M> const M& matter(const M& law) { return law; }
template <class M> const M& matter(const PlaneStress<M>& law) { return law.bulk; }
template <class M> [[nodiscard]] bool embed(const M&, const double* F, double* F3) {
  block_diagonal(F, 1.0, F3);
  return true;
}
template <class M>
[[nodiscard]] bool embed(const PlaneStress<M>& law, const double* F, double* F3) {
  double s = 1.0;
  if (!law.bulk.transverse(F, s)) return false;
  block_diagonal(F, s, F3);
  return true;
}

}  // namespace varia::solids
