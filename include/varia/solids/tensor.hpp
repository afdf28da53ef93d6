// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Deformation gradients as small arrays: D x D numbers, row by row, F[i D + j] = ∂x_i/∂X_j.
//
// In two dimensions F is the upper left block of a 3 x 3 matrix with F33 = 1 (plane strain).
#include <limits>

namespace varia::solids {

/// det F.
template <int D, class S> [[gnu::always_inline]] inline S determinant(const S* F) {
  static_assert(D == 2 || D == 3);
  if constexpr (D == 2) {
    return F[0] * F[3] - F[1] * F[2];
  } else {
    return F[0] * (F[4] * F[8] - F[5] * F[7]) + F[1] * (F[5] * F[6] - F[3] * F[8]) +
           F[2] * (F[3] * F[7] - F[4] * F[6]);
  }
}

/// C = det F · F⁻ᵀ = ∂(det F)/∂F; returns det F.
template <int D> [[gnu::always_inline]] inline double cofactor(const double* F, double* C) {
  if constexpr (D == 2) {
    C[0] = F[3];
    C[1] = -F[2];
    C[2] = -F[1];
    C[3] = F[0];
    return F[0] * F[3] - F[1] * F[2];
  } else {
    C[0] = F[4] * F[8] - F[5] * F[7];
    C[1] = F[5] * F[6] - F[3] * F[8];
    C[2] = F[3] * F[7] - F[4] * F[6];
    C[3] = F[2] * F[7] - F[1] * F[8];
    C[4] = F[0] * F[8] - F[2] * F[6];
    C[5] = F[1] * F[6] - F[0] * F[7];
    C[6] = F[1] * F[5] - F[2] * F[4];
    C[7] = F[2] * F[3] - F[0] * F[5];
    C[8] = F[0] * F[4] - F[1] * F[3];
    return F[0] * C[0] + F[1] * C[1] + F[2] * C[2];
  }
}

/// tr FᵀF of the D x D block.
template <int D, class S> [[gnu::always_inline]] inline S norm_squared(const S* F) {
  S sum = F[0] * F[0];
#pragma GCC unroll 9
  for (int i = 1; i < D * D; ++i) sum += F[i] * F[i];
  return sum;
}

/// C = FᵀF of the D x D block.
template <int D, class S> [[gnu::always_inline]] inline void cauchy_green(const S* F, S* C) {
#pragma GCC unroll 9
  for (int i = 0; i < D; ++i) {
#pragma GCC unroll 9
    for (int j = i; j < D; ++j) {
      S sum = F[i] * F[j];
#pragma GCC unroll 9
      for (int k = 1; k < D; ++k) sum += F[k * D + i] * F[k * D + j];
      C[i * D + j] = sum;
      C[j * D + i] = sum;
    }
  }
}

/// Matter that is neither turned inside out, nor flat, nor anywhere near infinity. False for NaN.
[[gnu::always_inline]] inline bool admissible(double J) {
  return J > 0.0 && J <= std::numeric_limits<double>::max();
}

}  // namespace varia::solids
