// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A rigid body: how it moves, its kinetic energy and its weight.
//
// The frame of the body is at x and turned by R. With the body velocities w and v, a point r of the
// body is at x + R r and moves with R (v + w × r). With the mass m, the centre of mass c and the inertia
// J about it, all in the frame of the body,
//
//   T = m |v + w × c|²/2 + wᵀJ w/2,      V = -m g·(x + R c)
//
// A body in the plane is one in space that stays in z = 0 and turns about the third axis.
#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "varia/core/types.hpp"
#include "varia/expr/formula.hpp"
#include "varia/space/factor.hpp"

namespace varia {

/// A pose and the body velocities of it.
template <class S> struct BodyMotion {
  Matrix<S, 3> R = Matrix<S, 3>::Identity();
  Vector<S, 3> x = Vector<S, 3>::Zero();
  Vector<S, 3> w = Vector<S, 3>::Zero();
  Vector<S, 3> v = Vector<S, 3>::Zero();

  /// Where a point of the body is.
  Vector<S, 3> place(const Vector<S, 3>& r) const { return x + R * r; }
};

template <class S> struct RigidBody {
  S mass;
  Vector<S, 3> centre = Vector<S, 3>::Zero();
  Matrix<S, 3> inertia = Matrix<S, 3>::Zero();  ///< about the centre of mass

  S kinetic_energy(const BodyMotion<S>& b) const {
    const Vector<S, 3> velocity = b.v + b.w.cross(centre);
    const Vector<S, 3> spin = inertia * b.w;
    return (mass * velocity.squaredNorm() + b.w.dot(spin)) / 2.0;
  }
  S potential(const BodyMotion<S>& b, const Vector<S, 3>& gravity) const {
    return -(mass * gravity.dot(b.place(centre)));
  }
};

/// A space whose points are poses of a body.
struct BodySpace {
  FactorPtr factor;
  int dimension;  ///< of the space the body moves in: 2 or 3
  /// From the entries of a point and its velocity, in their order.
  BodyMotion<expr::Formula> (*motion)(const expr::Formula* q, const expr::Formula* v);
};

const std::vector<BodySpace>& body_spaces();
/// By the key of the space in scenarios; null when its points are no poses.
const BodySpace* find_body_space(const std::string& key);

/// Why no body has this inertia; empty if one can. The matrix must be symmetric, its principal moments
/// positive, and none of them greater than the sum of the others.
std::string wrong_inertia(const Matrix<double, 3>& inertia);

}  // namespace varia
