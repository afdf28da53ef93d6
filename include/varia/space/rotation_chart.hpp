// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The chart x ↦ R τ(x) of SO(3) at one x: τ, dτ, and the derivatives of dτ in closed form.
//
// With dτ_x η = k₁ η - k₂ x×η + k₃ x×(x×η) of rotation.hpp,
//
//   (tau)   τ(x) = I + (k₁ - ρ k₃) x̂ + k₂ x̂²
//
// holds for both retractions, and everything below is written once for general k, k′, k″. They are
// computed once for each x.
#include <cmath>
#include <utility>

#include "varia/space/stumpff.hpp"

namespace varia {

namespace detail {

/// A function of ρ with its first two derivatives.
struct Taylor2 {
  double value, slope, curvature;
};

/// Σₖ (-ρ)ᵏ/(2k+first)! to the given number of terms, with derivatives.
template <int first, int terms> Taylor2 factorial_series_derivatives(double rho) {
  Taylor2 f{0.0, 0.0, 0.0};
#pragma GCC unroll 12
  for (int k = terms - 1; k >= 0; --k) {
    const double c = series_coefficients<first>[static_cast<std::size_t>(k)];
    if (k >= 2) f.curvature = f.curvature * rho + k * (k - 1) * c;
    if (k >= 1) f.slope = f.slope * rho + k * c;
    f.value = f.value * rho + c;
  }
  return f;
}

/// k₁, k₂, k₃ with their derivatives in ρ.
struct DtauDerivatives {
  Taylor2 one, odd, even;
};
inline DtauDerivatives dtau_derivatives(double rho, Retraction tau) {
  if (tau == Retraction::cayley) {
    const double s = 2.0 / (4.0 + rho);
    const double s1 = -0.5 * s * s;
    const double s2 = -s * s1;
    return {{2.0 * s, 2.0 * s1, 2.0 * s2}, {s, s1, s2}, {0.0, 0.0, 0.0}};
  }
  const Taylor2 unit{1.0, 0.0, 0.0};
  if (rho < tiny_rho)
    return {unit, factorial_series_derivatives<2, 6>(rho), factorial_series_derivatives<3, 6>(rho)};
  if (rho < 1.0)
    return {unit, factorial_series_derivatives<2, 12>(rho),
            factorial_series_derivatives<3, 12>(rho)};
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

/// A template, so that what a program does not use of it is not compiled either.
template <class S> class RotationChartOver {
 public:
  using V = Vector<S, 3>;
  using Map = Matrix<S, 3>;

  RotationChartOver(V x, Retraction tau)
      : x_(std::move(x)),
        rho_(x_.squaredNorm()),
        curved_(tau == Retraction::exponential),
        k_(detail::dtau_derivatives(rho_, tau)) {}

  /// (tau)
  Map rotation() const { return quadratic(1.0, k_.one.value - rho_ * k_.even.value, k_.odd.value); }

  /// Ad*_{τ(-x)} = τ(x)
  Map coadjoint() const { return rotation(); }

  /// q ⊕ x
  template <class Rotation> Rotation retract(const Rotation& q) const {
    return Rotation(Map(q.matrix * rotation()));
  }

  /// dτ_x η
  V velocity(const V& eta) const {
    const V x_eta = x_.cross(eta);
    V v = k_.one.value * eta - k_.odd.value * x_eta;
    if (curved_) v += k_.even.value * x_.cross(x_eta);
    return v;
  }

  /// P = dτ_x* π, W = dτ_x* N + ∂⟨π, dτ_x η⟩/∂x and Ad*_{τ(-x)} N, without their matrices.
  void pull_back(const V& eta, const V& N, const V& pi, V& P, V& W, V& moved) const {
    const V x_pi = x_.cross(pi);
    const V x_N = x_.cross(N);
    const V xx_N = x_.cross(x_N);
    // f = ⟨π, dτ_x η⟩ = k₁ π·η - k₂ x·w + k₃ c, as in dtau_hessian
    const V w = eta.cross(pi);
    const double pi_eta = pi.dot(eta);
    double slope = k_.one.slope * pi_eta - k_.odd.slope * x_.dot(w);
    P = k_.one.value * pi + k_.odd.value * x_pi;
    W = k_.one.value * N + k_.odd.value * (x_N - w);
    if (curved_) {
      const double px = pi.dot(x_);
      const double ex = eta.dot(x_);
      slope += k_.even.slope * (px * ex - rho_ * pi_eta) - k_.even.value * pi_eta;
      P += k_.even.value * x_.cross(x_pi);
      W += k_.even.value * (xx_N + ex * pi + px * eta);
    }
    W += (2.0 * slope) * x_;
    moved = N + (k_.one.value - rho_ * k_.even.value) * x_N + k_.odd.value * xx_N;
  }

  /// (dcay) (dexp)  dτ_x
  Map dtau() const { return quadratic(k_.one.value, -k_.odd.value, k_.even.value); }

  /// dτ_x⁻¹:  cayley I + x̂/2 + x xᵀ/4;  exponential I + x̂/2 + g x̂², g = (1 - (θ/2) cot(θ/2))/ρ
  Map dtau_inverse() const {
    if (!curved_) return Map(Map::Identity() + 0.5 * hat(x_) + 0.25 * x_ * x_.transpose());
    return quadratic(1.0, 0.5, detail::half_cotangent(rho_));
  }

  /// ∂(dτ_x η)/∂x
  Map dtau_derivative(const V& eta) const { return signed_derivative(eta, 1.0); }

  /// ∂(dτ_x* π)/∂x, with dτ_x* = dτ_{-x}
  Map dtau_transpose_derivative(const V& pi) const { return signed_derivative(pi, -1.0); }

  /// dd τ_x(η, ζ) = dτ_x⁻¹ (∂(dτ_x η)/∂x ζ): the second trivialised tangent [Sato19]
  V ddtau(const V& eta, const V& zeta) const {
    return dtau_inverse() * (dtau_derivative(eta) * zeta);
  }

  /// ∂²⟨π, dτ_x η⟩/∂x² of f = k₁ π·η - k₂ x·w + k₃ c,  w = η×π,  c = (π·x)(η·x) - ρ π·η
  Map dtau_hessian(const V& pi, const V& eta) const {
    const V w = eta.cross(pi);
    const double pi_eta = pi.dot(eta);
    const double xw = x_.dot(w);
    // Σ f_j ∇²k_j with ∇k = 2k'x, ∇²k = 2k' I + 4k'' x xᵀ, then the cross terms of ∇k_j and ∇f_j
    double slope = k_.one.slope * pi_eta - k_.odd.slope * xw;
    double curvature = k_.one.curvature * pi_eta - k_.odd.curvature * xw;
    V cross = -k_.odd.slope * w;
    Map hessian = Map::Zero();
    if (curved_) {
      const double px = pi.dot(x_);
      const double ex = eta.dot(x_);
      const double c = px * ex - rho_ * pi_eta;
      slope += k_.even.slope * c;
      curvature += k_.even.curvature * c;
      cross += k_.even.slope * (pi * ex + eta * px - 2.0 * pi_eta * x_);
      const Map pe = pi * eta.transpose();
      hessian = k_.even.value * (pe + pe.transpose());
      hessian.diagonal().array() -= 2.0 * k_.even.value * pi_eta;
    }
    const V u = 2.0 * cross + 2.0 * curvature * x_;  // 4k″ x xᵀ split evenly over the two products
    const Map mixed = u * x_.transpose();
    hessian += mixed + mixed.transpose();
    hessian.diagonal().array() += 2.0 * slope;
    return hessian;
  }

 private:
  Map quadratic(double c0, double c1, double c2) const {
    return detail::quadratic(x_, rho_, c0, c1, c2);
  }

  /// ∂(dτ_{σx} η)/∂x for σ = ±1
  Map signed_derivative(const V& eta, double sigma) const {
    const V x_eta = x_.cross(eta);
    V slope = k_.one.slope * eta - (sigma * k_.odd.slope) * x_eta;
    Map e = hat(V((sigma * k_.odd.value) * eta));
    if (curved_) {
      slope += k_.even.slope * x_.cross(x_eta) - k_.even.value * eta;
      // ∂(x (x·η) - ρ η)/∂x = (x·η) I + x ηᵀ - 2 η xᵀ
      e += (k_.even.value * x_) * eta.transpose();
      e.diagonal().array() += k_.even.value * x_.dot(eta);
    }
    return e + (2.0 * slope) * x_.transpose();
  }

  V x_;
  double rho_;
  bool curved_;  ///< k₃ ≠ 0
  detail::DtauDerivatives k_;
};

using RotationChart = RotationChartOver<double>;

}  // namespace varia
