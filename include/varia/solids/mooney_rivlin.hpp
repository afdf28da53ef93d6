// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Compressible Mooney-Rivlin solid (rubber). With C = FᵀF, I1 = tr C, I2 = ½ (I1² - tr C²):
//
//   (mooney-rivlin)   W = c1 (I1 - 3) + c2 (I2 - 3) - 2 (c1 + 2 c2) log J + λ/2 (log J)²
//                     P = 2 c1 F + 2 c2 (I1 F - F C) + (λ log J - 2 (c1 + 2 c2)) F⁻ᵀ
//
// The term in log J makes F = I stress-free. At small strain the constants of Lamé are
// μ = 2 (c1 + c2) and λ + 4 c2; c2 = 0 is the neo-Hookean solid with μ = 2 c1.
#include <cmath>

#include "varia/solids/tensor.hpp"
#include "varia/solids/thickness.hpp"

namespace varia::solids {

struct MooneyRivlin {
  static constexpr bool small_strain = false;
  double c1 = 0.5, c2 = 0.0, lambda = 1.0;

  template <int D, class S> S energy(const S* F) const {
    using std::log;
    S C[D * D];
    cauchy_green<D>(F, C);
    const S i1 = trace<D>(C);
    const S i2 = 0.5 * (i1 * i1 - square_trace<D>(C));
    const S log_j = log(determinant<D>(F));
    return c1 * (i1 - 3.0) + c2 * (i2 - 3.0) - ground() * log_j + 0.5 * lambda * log_j * log_j;
  }

  template <int D>
  [[nodiscard, gnu::always_inline]] inline bool stress(const double* F, double* P) const {
    double A[D * D], C[D * D];
    const double J = cofactor<D>(F, A);
    if (!admissible(J)) [[unlikely]]
      return false;
    const double inverse = 1.0 / J;
    const double b = (lambda * std::log(J) - ground()) * inverse;
    cauchy_green<D>(F, C);
    const double along = 2.0 * (c1 + c2 * trace<D>(C));
#pragma GCC unroll 9
    for (int i = 0; i < D; ++i) {
#pragma GCC unroll 9
      for (int j = 0; j < D; ++j) {
        double FC = F[i * D + 0] * C[j];
#pragma GCC unroll 9
        for (int k = 1; k < D; ++k) FC += F[i * D + k] * C[k * D + j];
        P[i * D + j] = along * F[i * D + j] - 2.0 * c2 * FC + b * A[i * D + j];
      }
    }
    return true;
  }

  /// In plane strain I2 = |F|² + J², so that W = a/2 |F|² + w(J): a and share · w'(J) for metric.hpp.
  template <int D> double spring() const requires(D == 2) { return 2.0 * (c1 + c2); }
  template <int D>
  [[gnu::always_inline]] inline double pull(double J, double share = 1.0) const requires(D == 2) {
    const double inverse = share / J;
    return (lambda * std::log(J) - ground()) * inverse + share * 2.0 * c2 * J;
  }

  /// The stretch s = F33 with P33 = 0 of a sheet with in-plane F (2 x 2).
  template <class S> [[nodiscard]] bool transverse(const S* F, S& s) const {
    using std::exp;
    using std::log;
    const S a = 2.0 * (c1 + c2 * norm_squared<2>(F));
    S u;
    if (!solve_thickness(a, ground(), lambda, S(log(determinant<2>(F))), u)) return false;
    s = exp(u);
    return true;
  }

  /// λ + 4 c1 + 8 c2: ρ c² of pressure waves at small strain.
  double pressure_wave_modulus() const { return lambda + 4.0 * c1 + 8.0 * c2; }

 private:
  double ground() const { return 2.0 * (c1 + 2.0 * c2); }
  /// Traces of the 3 x 3 tensors; C33 = 1 in two dimensions.
  template <int D, class S> [[gnu::always_inline]] static S trace(const S* C) {
    if constexpr (D == 2)
      return C[0] + C[3] + 1.0;
    else
      return C[0] + C[4] + C[8];
  }
  template <int D, class S> static S square_trace(const S* C) {
    if constexpr (D == 2)
      return norm_squared<2>(C) + 1.0;
    else
      return norm_squared<3>(C);
  }
};

}  // namespace varia::solids
