// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The sphere S² = SO(3)/SO(2) of unit vectors n in space, held as rotations R = (a, b, n).
//
//   (sphere)  n = R e₃,  ṅ = R (ω × e₃) = ω₂ a - ω₁ b,  lift of x: (-⟨b, x⟩, ⟨a, x⟩, 0)
//
// A Lagrangian L(n, ṅ) is integrated on SO(3) as L + ½ω₃². It does not change when R is turned about
// its own third axis, and nor do the steps, since exp and cay commute with turns: τ(gξ) = g τ(ξ) g⁻¹.
// So the momentum of ω₃ is conserved by every step; it is 0 at the start, ω₃ = 0 from then on, and n
// moves as L says. The frame (a, b) is not seen.
#include <utility>

#include "varia/space/factor.hpp"
#include "varia/space/so3.hpp"

namespace varia {

/// How far |n| of a start may be from 1, and the cosine between n and a tangent vector from 0.
inline constexpr double sphere_tolerance = 1e-9;

template <class S> Vector<S, 3> sphere_point(const SO3<S>& r) { return r.matrix.col(2); }

/// The velocity or momentum in space of a body velocity or momentum.
template <class S> Vector<S, 3> sphere_vector(const SO3<S>& r, const Vector<S, 3>& body) {
  return r.matrix.col(0) * body[1] - r.matrix.col(1) * body[0];
}

/// The horizontal lift of a vector in space; what is normal to the sphere has none.
template <class S> Vector<S, 3> sphere_lift(const SO3<S>& r, const Vector<S, 3>& x) {
  return {-r.matrix.col(1).dot(x), r.matrix.col(0).dot(x), S(0.0)};
}

/// A rotation with R e₃ = n/|n|, the same for the same n.
SO3<double> sphere_frame(const Vector<double, 3>& n);

/// L(n, ṅ) as a Lagrangian of (R, ω):
///
///   const System pendulum{on_sphere([](const auto& n, const auto& v) { return 0.5 * v.dot(v) - n[2]; })};
///   const auto start = initial(pendulum, sphere_frame(n), sphere_lift(sphere_frame(n), v));
template <class L> auto on_sphere(L lagrangian) {
  return [lagrangian = std::move(lagrangian)]<class S>(const SO3<S>& r, const Vector<S, 3>& w) {
    return lagrangian(sphere_point(r), sphere_vector(r, w)) + w[2] * w[2] * 0.5;
  };
}

}  // namespace varia
