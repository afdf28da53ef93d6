// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The continuous equations of motion: the acceleration, and the multipliers that keep constraints.
//
//   (EL)   ∂²L/∂v² a = ad*_v ∂L/∂v + ∂L/∂q + f + Gᵀλ - ∂²L/∂v∂q v - ∂²L/∂v∂t,   G a + φ″(v, v) = 0
//
// φ″ is taken along (t + s, q exp(s v)): it has the terms 2 ∂G/∂t v + ∂²φ/∂t². On ℝⁿ ad* = 0. Used for the multipliers of a start and as an independent reference in tests
// [MW01] [Sato19].
#include <cmath>
#include <type_traits>

#include "varia/mechanics/legendre.hpp"
#include "varia/space/chart.hpp"

namespace varia {

template <Point Q, int D> struct Acceleration {
  Tangent<Q> a;
  Vector<double, D> lambda;
};

namespace detail {

/// ∂²L/∂v∂t by a central difference; 0 for Lagrangians without time.
template <class S, Point Q>
Tangent<Q> momentum_rate_in_time(const S& system, double t, const Q& q, const Tangent<Q>& v) {
  if constexpr (S::separable) {
    return Tangent<Q>::Zero(v.size());
  } else {
    const double dt = 1e-5 * (1.0 + std::abs(t));
    return (momentum(system, q, v, t + dt) - momentum(system, q, v, t - dt)) / (2.0 * dt);
  }
}

}  // namespace detail

/// (EL)
template <class S, Point Q>
auto acceleration(const S& system, double t, const Q& q, const Tangent<Q>& v) {
  constexpr int d = S::template constraints<Q>();
  GradientOf<Q> g;
  HessianOf<Q> h;
  system.lagrangian().hessian(t, q, v, g, h);
  Tangent<Q> rhs = g.q - h.qv.transpose() * v - detail::momentum_rate_in_time(system, t, q, v);
  if constexpr (!Space<Q>::flat) rhs += AtPoint<Q>::ad_star(q, g.v) * v;
  if constexpr (S::forced) {
    Tangent<Q> f;
    system.force().value(t, q, v, f);
    rhs += f;
  }
  const LinearSolver<dof<Q>> mass(h.vv);
  Acceleration<Q, d> result;
  result.a = mass.solve(rhs);
  if constexpr (may_constrain<d>) {
    Matrix<double, d, dof<Q>> jacobian;
    Vector<double, d> phi;
    system.constraint().jacobian(t, q, phi, jacobian);
    const Eigen::Index count = phi.size();
    if (count == 0) return result;
    const Vector<double, d> curvature = detail::acceleration_along(system.constraint(), t, q, v);
    const Matrix<double, dof<Q>, d> reaction = mass.solve(jacobian.transpose());
    const Matrix<double, d> schur = jacobian * reaction;
    result.lambda = LinearSolver<d>(schur).solve(-curvature - jacobian * result.a);
    result.a += reaction * result.lambda;
  }
  return result;
}

}  // namespace varia
