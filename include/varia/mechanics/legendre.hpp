// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Between velocities and momenta: the Legendre transform, its inverse, energy and Hamiltonian.
//
//   (FL)   p = ∂L/∂v(q, v)         (energy)   E = ⟨∂L/∂v, v⟩ - L          [MW01]
//
// The inverse is a Newton iteration in v with ∂²L/∂v²; one multiplication for a constant mass.
#include <algorithm>
#include <cmath>
#include <limits>

#include "varia/core/error.hpp"
#include "varia/core/round_off.hpp"
#include "varia/mechanics/mass.hpp"
#include "varia/mechanics/system.hpp"

namespace varia {

/// (FL)
template <class S, Point Q>
Tangent<Q> momentum(const S& system, const Q& q, const Tangent<Q>& v, double t = 0.0) {
  if constexpr (S::separable) {
    return system.lagrangian().mass().apply(v);
  } else {
    GradientOf<Q> g;
    system.lagrangian().gradient(t, q, v, g);
    return g.v;
  }
}

/// ∂²L/∂v²
template <class S, Point Q>
TangentMap<Q> mass_matrix(const S& system, const Q& q, const Tangent<Q>& v, double t = 0.0) {
  const int n = Space<Q>::dim(q);
  if constexpr (S::separable) {
    TangentMap<Q> m = TangentMap<Q>::Zero(n, n);
    system.lagrangian().mass().fill(m);
    return m;
  } else {
    GradientOf<Q> g;
    HessianOf<Q> h;
    system.lagrangian().hessian(t, q, v, g, h);
    return h.vv;
  }
}

/// Throws SingularMass, naming the direction, when (FL) cannot be inverted at (q, v).
template <class S, Point Q>
void check_regular(const S& system, const Q& q, const Tangent<Q>& v, double t = 0.0) {
  detail::require_regular(Eigen::MatrixXd(mass_matrix(system, q, v, t)), " at the given point");
}

namespace detail {

/// Fills g and h at (q, v); false where L is not defined or its derivatives are not finite.
template <class S, Point Q>
bool has_hessian(const S& system, double t, const Q& q, const Tangent<Q>& v, GradientOf<Q>& g,
                 HessianOf<Q>& h) {
  try {
    system.lagrangian().hessian(t, q, v, g, h);
  } catch (const DomainError&) {
    return false;
  }
  return g.v.allFinite() && h.vv.allFinite();
}

}  // namespace detail

/// FL⁻¹: the velocity with ∂L/∂v(q, v) = p. The guess is where Newton starts.
template <class S, Point Q>
Tangent<Q> velocity(const S& system, const Q& q, const Tangent<Q>& p, double t, Tangent<Q> guess) {
  if constexpr (S::separable) {
    return system.lagrangian().mass().solve(p);
  } else {
    constexpr int max_iterations = 100;
    using detail::eps;
    GradientOf<Q> g;
    HessianOf<Q> h;
    Tangent<Q> v = std::move(guess);
    Tangent<Q> dv = Tangent<Q>::Zero(v.size());
    system.lagrangian().hessian(t, q, v, g, h);
    const auto off = [&] { return (p - g.v).norm(); };
    const double far = std::max(p.norm(), off());
    double last = std::numeric_limits<double>::infinity();
    for (int k = 1; k <= max_iterations; ++k) {
      dv = LinearSolver<dof<Q>>(h.vv).solve(p - g.v);
      if (!dv.allFinite()) {
        check_regular(system, q, v, t);
        break;
      }
      // a step that leaves the domain of L is halved until it stays inside, and not too close to the edge:
      // masses grow there without bound, and steps are short though the momentum is far away
      while (!detail::has_hessian(system, t, q, Tangent<Q>(v + dv), g, h) || off() > far) dv *= 0.5;
      v += dv;
      const double scale = v.cwiseAbs().maxCoeff();
      const double size = dv.cwiseAbs().maxCoeff();
      if (size <= 2 * eps * scale || (size >= 0.5 * last && size <= 1e-10 * scale)) return v;
      last = size;
    }
    throw NoConvergence(
        "inverse Legendre transform: no velocity with the given momentum was found; check that the "
        "momentum is in the range of dL/dv",
        t, 0.0, max_iterations, last);
  }
}
template <class S, Point Q>
Tangent<Q> velocity(const S& system, const Q& q, const Tangent<Q>& p, double t = 0.0) {
  return velocity(system, q, p, t, Tangent<Q>(Tangent<Q>::Zero(p.size())));
}

/// (energy)
template <class S, Point Q>
double energy(const S& system, const Q& q, const Tangent<Q>& v, double t = 0.0) {
  return momentum(system, q, v, t).dot(v) - system.lagrangian()(t, q, v);
}

/// H(q, p) = E(q, FL⁻¹(q, p))
template <class S, Point Q>
double hamiltonian(const S& system, const Q& q, const Tangent<Q>& p, double t = 0.0) {
  const Tangent<Q> v = velocity(system, q, p, t);
  return p.dot(v) - system.lagrangian()(t, q, v);
}

}  // namespace varia
