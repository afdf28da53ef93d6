// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Separable Lagrangians L = ½ vᵀMv - V(q) with constant M, declared: Separable{mass, potential}.
//
// On ℝⁿ they make Verlet and the symplectic Euler pair explicit. On SO(3) the same declaration,
// Separable{inertia, V(R)}, is a rigid body in a field; only V is differentiated.
#include <utility>

#include "varia/mechanics/lagrangian.hpp"
#include "varia/mechanics/mass.hpp"
#include "varia/mechanics/potential.hpp"

namespace varia {

template <class Mass, class V> class SeparableLagrangian {
 public:
  static constexpr bool separable = true;
  template <class Q> static constexpr bool uses_time = V::template uses_time<Q>;

  SeparableLagrangian(Mass mass, V potential)
      : mass_(std::move(mass)), potential_(std::move(potential)) {}

  const Mass& mass() const { return mass_; }
  const V& potential() const { return potential_; }

  template <class Q, class W> auto operator()(double t, const Q& q, const W& v) const {
    const W momentum = mass_.apply(v);
    return v.dot(momentum) * 0.5 - potential_(t, q);
  }

  template <Point Q>
  void gradient(double t, const Q& q, const Tangent<Q>& v, GradientOf<Q>& g) const {
    potential_.gradient(t, q, g.q);
    g.q = -g.q;
    g.v = mass_.apply(v);
  }

  template <Point Q>
  void hessian(double t, const Q& q, const Tangent<Q>& v, GradientOf<Q>& g, HessianOf<Q>& h) const {
    potential_.hessian(t, q, g.q, h.qq);
    g.q = -g.q;
    h.qq = -h.qq;
    g.v = mass_.apply(v);
    h.qv.setZero(v.size(), v.size());
    h.vv.resize(v.size(), v.size());
    mass_.fill(h.vv);
  }

 private:
  Mass mass_;
  V potential_;
};

/// Declares L = ½ vᵀMv - V(q); mass is a number, a Vector (diagonal) or a Matrix.
template <class M, class F> struct Separable {
  M mass;
  F potential;
};
template <class M, class F> Separable(M, F) -> Separable<M, F>;

namespace detail {

template <class F> auto make_lagrangian(F f) { return Lagrangian<F>(std::move(f)); }
template <class M, class F> auto make_lagrangian(Separable<M, F> s) {
  auto mass = make_mass(s.mass);
  auto potential = make_potential(std::move(s.potential));
  return SeparableLagrangian<decltype(mass), decltype(potential)>(std::move(mass),
                                                                  std::move(potential));
}

}  // namespace detail

}  // namespace varia
