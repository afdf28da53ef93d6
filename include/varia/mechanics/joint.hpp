// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Joints between two bodies as holonomic constraints.
//
// An end of a joint is a point p and an orthonormal frame (e₁, e₂, e₃) that are fixed in a body, or in
// space; e₃ is the axis of the joint. With d the way from the first point to the second,
//
//   ball      d = 0                                3
//   hinge     d = 0,  e₁·f₃ = e₂·f₃ = 0            5
//   slider    e₁·d = e₂·d = 0,  parallel frames    5
//   fixed     d = 0,  parallel frames              6
//   distance  |d|² = l²                            1
//
// where (f₁, f₂, f₃) is the frame of the second end, and frames are parallel where
// e₁·f₂ = e₂·f₃ = e₃·f₁ = 0. These products are polynomials of the entries of rotations, and their
// gradients are independent where they vanish and eₖ·fₖ > 0; a frame that is turned by half a turn
// about one of its axes fulfils them as well, which a start must not do. In the plane, where e₃ of a
// hinge and e₂ of a slider are perpendicular to it, those that hold by themselves fall away: 2, 2, 2, 3
// and 1 are left.
#include <Eigen/Geometry>
#include <cmath>
#include <string>
#include <vector>

#include "varia/core/types.hpp"

namespace varia {

enum class Joint { ball, hinge, slider, fixed, distance };

/// What has to be said of a joint beside its points.
struct JointKind {
  Joint joint;
  std::string name;
  bool axis, turn, length;
};
const std::vector<JointKind>& joint_kinds();
const JointKind* find_joint(const std::string& name);  ///< null when there is none

template <class S> struct JointEnd {
  Vector<S, 3> point;
  Matrix<S, 3> frame;  ///< the columns are e₁, e₂, e₃
};

/// An orthonormal frame whose third column has the direction of the axis and whose first one is
/// perpendicular to the coordinate axis `across`, along which the axis has a small part or none.
template <class S> Matrix<S, 3> frame_along(const Vector<S, 3>& axis, int across) {
  using std::sqrt;
  Vector<S, 3> other = Vector<S, 3>::Zero();
  other[across] = S(1.0);
  Matrix<S, 3> frame;
  const S length = sqrt(axis.squaredNorm());
  frame.col(2) = axis / length;
  const Vector<S, 3> first = other.cross(Vector<S, 3>(frame.col(2)));
  frame.col(0) = first / S(sqrt(first.squaredNorm()));
  frame.col(1) = Vector<S, 3>(frame.col(2)).cross(Vector<S, 3>(frame.col(0)));
  return frame;
}

/// eᵢ·fⱼ, counted from 1.
template <class S> S cosine(const JointEnd<S>& a, const JointEnd<S>& b, int i, int j) {
  return Vector<S, 3>(a.frame.col(i - 1)).dot(Vector<S, 3>(b.frame.col(j - 1)));
}

/// What vanishes; `length` is that of a distance.
template <class S>
std::vector<S> joint_constraints(Joint joint, const JointEnd<S>& a, const JointEnd<S>& b,
                                 const S& length) {
  const Vector<S, 3> d = b.point - a.point;
  std::vector<S> phi;
  if (joint == Joint::distance) return {d.squaredNorm() - length * length};
  if (joint == Joint::slider)
    for (const int k : {0, 1}) phi.push_back(Vector<S, 3>(a.frame.col(k)).dot(d));
  else
    phi = {d[0], d[1], d[2]};
  if (joint == Joint::hinge) phi.insert(phi.end(), {cosine(a, b, 1, 3), cosine(a, b, 2, 3)});
  if (joint == Joint::slider || joint == Joint::fixed)
    phi.insert(phi.end(), {cosine(a, b, 1, 2), cosine(a, b, 2, 3), cosine(a, b, 3, 1)});
  return phi;
}

/// What must be positive: eₖ·fₖ of the axes that the joint holds parallel.
template <class S>
std::vector<S> joint_alignment(Joint joint, const JointEnd<S>& a, const JointEnd<S>& b) {
  if (joint == Joint::hinge) return {cosine(a, b, 3, 3)};
  if (joint == Joint::slider || joint == Joint::fixed)
    return {cosine(a, b, 1, 1), cosine(a, b, 2, 2), cosine(a, b, 3, 3)};
  return {};
}

}  // namespace varia
