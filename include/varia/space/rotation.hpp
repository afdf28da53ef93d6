// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The two retractions of SO(3) on matrices and vectors, generic in the scalar: τ, τ⁻¹, dτ.
//
// Both have dτ_x η = k₁ η - k₂ x×η + k₃ x×(x×η) with coefficients k(ρ), ρ = |x|²:
//   cayley: k₁ = 2s, k₂ = s, k₃ = 0, s = 2/(4+ρ);   exponential: k₁ = 1, k₂ = a, k₃ = b.
// See so3.hpp for the conventions, rotation_chart.hpp for the derivatives of dτ.
#include <array>
#include <cmath>

#include "varia/ad/eigen.hpp"
#include "varia/core/error.hpp"
#include "varia/core/types.hpp"
#include "varia/space/retraction.hpp"

namespace varia {

/// x̂, the matrix of y ↦ x × y.
template <class S> Matrix<S, 3> hat(const Vector<S, 3>& x) {
  Matrix<S, 3> m;
  m(0, 0) = m(1, 1) = m(2, 2) = S(0.0);
  m(0, 1) = -x[2];
  m(0, 2) = x[1];
  m(1, 0) = x[2];
  m(1, 2) = -x[0];
  m(2, 0) = -x[1];
  m(2, 1) = x[0];
  return m;
}

namespace detail {

/// Terms of Σₖ (-ρ)ᵏ/(2k+first)! that matter in double precision for ρ < 1.
inline constexpr int series_terms = 12;
/// (-1)ᵏ/(2k+first)!
template <int first>
inline constexpr auto series_coefficients = [] {
  std::array<double, series_terms> c{};
  double factorial = 1.0;
  for (int i = 2; i <= first; ++i) factorial *= i;
  for (int k = 0; k < series_terms; ++k) {
    c[static_cast<std::size_t>(k)] = (k % 2 == 0 ? 1.0 : -1.0) / factorial;
    factorial *= (2.0 * k + first + 1) * (2.0 * k + first + 2);
  }
  return c;
}();
template <int first, int terms, class S> S factorial_series(const S& rho) {
  S f(0.0);
#pragma GCC unroll 12
  for (int k = terms - 1; k >= 0; --k)
    f = f * rho + series_coefficients<first>[static_cast<std::size_t>(k)];
  return f;
}
/// Below this six terms are enough.
inline constexpr double tiny_rho = 0.005;
template <int first, class S> S factorial_series(const S& rho) {
  return value_of(rho) < tiny_rho ? factorial_series<first, 6>(rho)
                                  : factorial_series<first, series_terms>(rho);
}
/// sin θ/θ and a = (1-cos θ)/θ² as functions of ρ = θ².
template <class S> struct ExpCoefficients { S sinc, a; };
template <class S> ExpCoefficients<S> exp_coefficients(const S& rho) {
  using std::cos, std::sin, std::sqrt;
  if (value_of(rho) < 1.0) return {factorial_series<1>(rho), factorial_series<2>(rho)};
  const S theta = sqrt(rho);
  return {sin(theta) / theta, (1.0 - cos(theta)) / rho};
}

/// c₀ I + c₁ x̂ + c₂ x̂², x̂² = x xᵀ - ρ I
template <class S>
Matrix<S, 3> quadratic(const Vector<S, 3>& x, const S& rho, double c0, const S& c1, const S& c2) {
  const S diagonal = c0 - c2 * rho;
  const Vector<S, 3> o = x * c1;
  const Vector<S, 3> e = x * c2;
  const S xy = e[0] * x[1];
  const S xz = e[0] * x[2];
  const S yz = e[1] * x[2];
  Matrix<S, 3> r;
  for (int i = 0; i < 3; ++i) r(i, i) = diagonal + e[i] * x[i];
  r(0, 1) = xy - o[2];
  r(0, 2) = xz + o[1];
  r(1, 0) = xy + o[2];
  r(1, 2) = yz - o[0];
  r(2, 0) = xz - o[1];
  r(2, 1) = yz + o[0];
  return r;
}

}  // namespace detail

/// τ(x) as a matrix.
template <class S> Matrix<S, 3> rotation(const Vector<S, 3>& x, Retraction tau) {
  const S rho = x.squaredNorm();
  S odd(0.0);
  S even(0.0);
  if (tau == Retraction::cayley) {
    odd = 4.0 / (4.0 + rho);
    even = 0.5 * odd;
  } else {
    const auto k = detail::exp_coefficients(rho);
    odd = k.sinc;
    even = k.a;
  }
  return detail::quadratic(x, rho, 1.0, odd, even);
}

/// x with τ(x) = r.
template <class S> Vector<S, 3> rotation_inverse(const Matrix<S, 3>& r, Retraction tau) {
  using std::atan2, std::sqrt;
  const Vector<S, 3> v(r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1));  // 2 sin θ n
  const S trace = r(0, 0) + r(1, 1) + r(2, 2);                                    // 1 + 2 cos θ
  if (!(value_of(trace) > -1.0 + 1e-12))
    throw DomainError(
        "SO(3): two rotations half a turn apart have no unique difference; take smaller steps");
  if (tau == Retraction::cayley) return v * (2.0 / (1.0 + trace));
  const S sine2 = 0.25 * v.squaredNorm();
  const S cosine = 0.5 * (trace - 1.0);
  if (value_of(sine2) < 0.01 && value_of(cosine) > 0.0) {
    // θ/sin θ = asin(σ)/σ = Σ cₖ σ²ᵏ with cₖ₊₁/cₖ = (2k+1)²/((2k+2)(2k+3))
    constexpr int terms = 9;
    S f(0.0);
    double coefficient[terms] = {1.0};
    for (int k = 0; k + 1 < terms; ++k)
      coefficient[k + 1] =
          coefficient[k] * (2.0 * k + 1) * (2.0 * k + 1) / ((2.0 * k + 2) * (2.0 * k + 3));
    for (int k = terms - 1; k >= 0; --k) f = f * sine2 + coefficient[k];
    return v * (0.5 * f);
  }
  const S sine = sqrt(sine2);
  return v * (0.5 * atan2(sine, cosine) / sine);
}

/// k₁, k₂, k₃ of dτ.
template <class S> struct DtauCoefficients { S one, odd, even; };
template <class S> DtauCoefficients<S> dtau_coefficients(const S& rho, Retraction tau) {
  using std::cos, std::sin, std::sqrt;
  if (tau == Retraction::cayley) {
    const S s = 2.0 / (4.0 + rho);
    return {2.0 * s, s, S(0.0)};
  }
  if (value_of(rho) < 1.0)
    return {S(1.0), detail::factorial_series<2>(rho), detail::factorial_series<3>(rho)};
  const S theta = sqrt(rho);
  return {S(1.0), (1.0 - cos(theta)) / rho, (theta - sin(theta)) / (theta * rho)};
}

/// R exp(δ) to second order at δ = 0, δ the jet variables k, k+1, k+2:
///   ∂/∂δₖ = R êₖ,   ∂²/∂δₖ∂δₗ = R ((eₗ eₖᵀ + eₖ eₗᵀ)/2 - δₖₗ I)
template <class J> Matrix<J, 3> rotation_seed(const Matrix<double, 3>& r, int k) {
  Matrix<J, 3> x;
#pragma GCC unroll 3
  for (int j = 0; j < 3; ++j)
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
      const int next = (j + 1) % 3;
      const int last = (j + 2) % 3;
      J& e = x(i, j);
      e = J(r(i, j));
      // R (e_m × e_j): e_next × e_j = -e_last, e_last × e_j = e_next
      if constexpr (detail::jet_order<J> == 1) {
        e.d[k + next] = -r(i, last);
        e.d[k + last] = r(i, next);
      } else {
        e.g[k + next] = -r(i, last);
        e.g[k + last] = r(i, next);
        e.hess(k + next, k + next) = -r(i, j);
        e.hess(k + last, k + last) = -r(i, j);
        e.hess(k + next, k + j) = 0.5 * r(i, next);
        e.hess(k + last, k + j) = 0.5 * r(i, last);
      }
    }
  return x;
}

}  // namespace varia
