// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The two retractions of SO(3) on matrices and vectors: τ, τ⁻¹ and the derivatives of dτ.
//
// Both have dτ_x η = k₁ η - k₂ x×η + k₃ x×(x×η) with coefficients k(ρ), ρ = |x|²:
//   cayley: k₁ = 2s, k₂ = s, k₃ = 0, s = 2/(4+ρ);   exponential: k₁ = 1, k₂ = a, k₃ = b.
// What follows is written once for general k, k', k''. See so3.hpp for the conventions.
#include <array>
#include <cmath>
#include <limits>

#include "varia/ad/eigen.hpp"
#include "varia/core/error.hpp"
#include "varia/core/types.hpp"
#include "varia/space/retraction.hpp"

namespace varia {

/// x̂, the matrix of y ↦ x × y.
template <class S>
Matrix<S, 3> hat(const Vector<S, 3>& x) {
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

/// Σₖ (-ρ)ᵏ/(2k+first)!, and its first two derivatives in ρ, for small ρ.
template <class S>
struct Series {
  S value, slope, curvature;
};
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
template <int first, class S>
S factorial_series(const S& rho) {
  S f(0.0);
  for (auto k = series_terms; k-- > 0;) f = f * rho + series_coefficients<first>[static_cast<std::size_t>(k)];
  return f;
}
template <int first>
Series<double> factorial_series_derivatives(double rho) {
  Series<double> f{0.0, 0.0, 0.0};
  for (int k = series_terms; k-- > 0;) {
    const double c = series_coefficients<first>[static_cast<std::size_t>(k)];
    if (k >= 2) f.curvature = f.curvature * rho + k * (k - 1) * c;
    if (k >= 1) f.slope = f.slope * rho + k * c;
    f.value = f.value * rho + c;
  }
  return f;
}

/// sin θ/θ and a = (1-cos θ)/θ² as functions of ρ = θ².
template <class S>
struct ExpCoefficients {
  S sinc, a;
};
template <class S>
ExpCoefficients<S> exp_coefficients(const S& rho) {
  using std::cos, std::sin, std::sqrt;
  if (value_of(rho) < 1.0) return {factorial_series<1>(rho), factorial_series<2>(rho)};
  const S theta = sqrt(rho);
  return {sin(theta) / theta, (1.0 - cos(theta)) / rho};
}

}  // namespace detail

/// τ(x) as a matrix.
template <class S>
Matrix<S, 3> rotation(const Vector<S, 3>& x, Retraction tau) {
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
  // I + odd x̂ + even x̂², x̂² = x xᵀ - ρ I
  Matrix<S, 3> r;
  const S diagonal = 1.0 - even * rho;
  const Vector<S, 3> ex = x * even;
  const Vector<S, 3> ox = x * odd;
  const S xy = ex[0] * x[1];
  const S xz = ex[0] * x[2];
  const S yz = ex[1] * x[2];
  for (int i = 0; i < 3; ++i) r(i, i) = diagonal + ex[i] * x[i];
  r(0, 1) = xy - ox[2];
  r(0, 2) = xz + ox[1];
  r(1, 0) = xy + ox[2];
  r(1, 2) = yz - ox[0];
  r(2, 0) = xz - ox[1];
  r(2, 1) = yz + ox[0];
  return r;
}

/// x with τ(x) = r.
template <class S>
Vector<S, 3> rotation_inverse(const Matrix<S, 3>& r, Retraction tau) {
  using std::atan2, std::sqrt;
  const Vector<S, 3> v(r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1));  // 2 sin θ n
  const S trace = r(0, 0) + r(1, 1) + r(2, 2);                                  // 1 + 2 cos θ
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
      coefficient[k + 1] = coefficient[k] * (2.0 * k + 1) * (2.0 * k + 1) / ((2.0 * k + 2) * (2.0 * k + 3));
    for (int k = terms - 1; k >= 0; --k) f = f * sine2 + coefficient[k];
    return v * (0.5 * f);
  }
  const S sine = sqrt(sine2);
  return v * (0.5 * atan2(sine, cosine) / sine);
}

/// k₁, k₂, k₃ of dτ.
template <class S>
struct DtauCoefficients {
  S one, odd, even;
};
template <class S>
DtauCoefficients<S> dtau_coefficients(const S& rho, Retraction tau) {
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

namespace detail {

/// k and its derivatives in ρ.
struct DtauDerivatives {
  Series<double> one, odd, even;
};
inline DtauDerivatives dtau_derivatives(double rho, Retraction tau) {
  if (tau == Retraction::cayley) {
    const double s = 2.0 / (4.0 + rho);
    const double s1 = -0.5 * s * s;
    const double s2 = -s * s1;
    return {{2.0 * s, 2.0 * s1, 2.0 * s2}, {s, s1, s2}, {0.0, 0.0, 0.0}};
  }
  const Series<double> unit{1.0, 0.0, 0.0};
  if (rho < 1.0) return {unit, factorial_series_derivatives<2>(rho), factorial_series_derivatives<3>(rho)};
  const double theta = std::sqrt(rho);
  const double c = std::cos(theta);
  const double sinc = std::sin(theta) / theta;
  const double sinc1 = (c - sinc) / (2.0 * rho);
  const double sinc2 = -(0.5 * sinc + 3.0 * sinc1) / (2.0 * rho);
  const double a = (1.0 - c) / rho;
  const double a1 = (0.5 * sinc - a) / rho;
  const double b = (1.0 - sinc) / rho;
  const double b1 = -(sinc1 + b) / rho;
  return {unit, {a, a1, (0.5 * sinc1 - 2.0 * a1) / rho}, {b, b1, -(sinc2 + 2.0 * b1) / rho}};
}

}  // namespace detail

/// (dcay) (dexp)  dτ_x
inline Matrix<double, 3> rotation_dtau(const Vector<double, 3>& x, Retraction tau) {
  const double rho = x.squaredNorm();
  const auto k = dtau_coefficients(rho, tau);
  Matrix<double, 3> d = k.even * x * x.transpose() - k.odd * hat(x);
  d.diagonal().array() += k.one - k.even * rho;
  return d;
}

/// dτ_x⁻¹:  cayley I + x̂/2 + x xᵀ/4;  exponential I + x̂/2 + (1/ρ - (1+cos θ)/(2θ sin θ)) x̂²
inline Matrix<double, 3> rotation_dtau_inverse(const Vector<double, 3>& x, Retraction tau) {
  const double rho = x.squaredNorm();
  Matrix<double, 3> d = Matrix<double, 3>::Identity() + 0.5 * hat(x);
  if (tau == Retraction::cayley) return d + 0.25 * x * x.transpose();
  const auto k = detail::exp_coefficients(rho);
  const double g = rho < 1e-2
                       ? 1.0 / 12.0 + rho * (1.0 / 720.0 + rho * (1.0 / 30240.0 + rho * (1.0 / 1209600.0 + rho / 47900160.0)))
                       : (1.0 - 0.5 * k.sinc / k.a) / rho;
  return d + g * (x * x.transpose() - rho * Matrix<double, 3>::Identity());
}

/// ∂(dτ_x η)/∂x
inline Matrix<double, 3> rotation_dtau_derivative(const Vector<double, 3>& x, const Vector<double, 3>& eta,
                                                  Retraction tau) {
  const auto k = detail::dtau_derivatives(x.squaredNorm(), tau);
  const Vector<double, 3> x_eta = x.cross(eta);
  Vector<double, 3> slope = k.one.slope * eta - k.odd.slope * x_eta;
  Matrix<double, 3> e = k.odd.value * hat(eta);
  if (tau == Retraction::exponential) {
    slope += k.even.slope * x.cross(x_eta);
    // ∂(x (x·η) - ρ η)/∂x = (x·η) I + x ηᵀ - 2 η xᵀ
    e += k.even.value * (x * eta.transpose() - 2.0 * eta * x.transpose());
    e.diagonal().array() += k.even.value * x.dot(eta);
  }
  return e + slope * (2.0 * x).transpose();
}

/// dd τ_x(η, ζ) = dτ_x⁻¹ (∂(dτ_x η)/∂x ζ): the second trivialised tangent [Sato19]
inline Vector<double, 3> rotation_ddtau(const Vector<double, 3>& x, const Vector<double, 3>& eta,
                                        const Vector<double, 3>& zeta, Retraction tau) {
  return rotation_dtau_inverse(x, tau) * (rotation_dtau_derivative(x, eta, tau) * zeta);
}

/// ∂²⟨π, dτ_x η⟩/∂x² of f = k₁ π·η - k₂ x·w + k₃ c,  w = η×π,  c = (π·x)(η·x) - ρ π·η
inline Matrix<double, 3> rotation_dtau_hessian(const Vector<double, 3>& x, const Vector<double, 3>& pi,
                                               const Vector<double, 3>& eta, Retraction tau) {
  const auto k = detail::dtau_derivatives(x.squaredNorm(), tau);
  const Vector<double, 3> w = eta.cross(pi);
  const double pi_eta = pi.dot(eta);
  const double xw = x.dot(w);
  // Σ f_j ∇²k_j with ∇k = 2k'x, ∇²k = 2k' I + 4k'' x xᵀ, then the cross terms of ∇k_j and ∇f_j
  double slope = k.one.slope * pi_eta - k.odd.slope * xw;
  double curvature = k.one.curvature * pi_eta - k.odd.curvature * xw;
  Vector<double, 3> cross = -k.odd.slope * w;
  Matrix<double, 3> hessian = Matrix<double, 3>::Zero();
  if (tau == Retraction::exponential) {
    const double px = pi.dot(x);
    const double ex = eta.dot(x);
    const double c = px * ex - x.squaredNorm() * pi_eta;
    slope += k.even.slope * c;
    curvature += k.even.curvature * c;
    cross += k.even.slope * (pi * ex + eta * px - 2.0 * pi_eta * x);
    const Matrix<double, 3> pe = pi * eta.transpose();
    hessian = k.even.value * (pe + pe.transpose());
    hessian.diagonal().array() -= 2.0 * k.even.value * pi_eta;
  }
  const Matrix<double, 3> mixed = 2.0 * cross * x.transpose();
  hessian += 4.0 * curvature * x * x.transpose() + mixed + mixed.transpose();
  hessian.diagonal().array() += 2.0 * slope;
  return hessian;
}

/// R exp(δ) to second order at δ = 0, δ the jet variables k, k+1, k+2:
///   ∂/∂δₖ = R êₖ,   ∂²/∂δₖ∂δₗ = R ((eₗ eₖᵀ + eₖ eₗᵀ)/2 - δₖₗ I)
template <class J>
Matrix<J, 3> rotation_seed(const Matrix<double, 3>& r, int k) {
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
