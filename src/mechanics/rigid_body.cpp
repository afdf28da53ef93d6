// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/rigid_body.hpp"

#include <Eigen/Eigenvalues>

#include "varia/core/error.hpp"

namespace varia {

namespace {

using expr::Formula;
using Motion = BodyMotion<Formula>;

Matrix<Formula, 3> rotation_of(const Formula* q) {
  Matrix<Formula, 3> R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R(i, j) = q[3 * i + j];
  return R;
}

Vector<Formula, 3> vector_of(const Formula* x) { return {x[0], x[1], x[2]}; }

Motion in_space(const Formula* q, const Formula* v) {
  return {rotation_of(q), vector_of(q + 9), vector_of(v), vector_of(v + 3)};
}

/// About the origin of space, which is a point of the body.
Motion about_origin(const Formula* q, const Formula* v) {
  return {rotation_of(q), Vector<Formula, 3>::Zero(), vector_of(v), Vector<Formula, 3>::Zero()};
}

Motion in_plane(const Formula* q, const Formula* v) {
  const Formula c = cos(q[2]);
  const Formula s = sin(q[2]);
  Motion motion;
  motion.R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  motion.x = {q[0], q[1], 0.0};
  motion.w = {0.0, 0.0, v[2]};
  motion.v = {v[0], v[1], 0.0};
  return motion;
}

}  // namespace

const std::vector<BodySpace>& body_spaces() {
  static const std::vector<BodySpace> list = {
      {motions(), 3, in_space}, {plane_motions(), 2, in_plane}, {rotations(), 3, about_origin}};
  return list;
}

const BodySpace* find_body_space(const std::string& key) {
  for (const BodySpace& space : body_spaces())
    if (space.factor->notation().key == key) return &space;
  return nullptr;
}

std::string wrong_inertia(const Matrix<double, 3>& inertia) {
  constexpr double tolerance = 1e-12;  // of what was rounded when it was written down
  const double size = inertia.cwiseAbs().maxCoeff();
  const Matrix<double, 3> skew = inertia - inertia.transpose();
  if (skew.cwiseAbs().maxCoeff() > tolerance * size) return "the matrix is not symmetric";
  const Vector<double, 3> moments =
      Eigen::SelfAdjointEigenSolver<Matrix<double, 3>>(inertia, Eigen::EigenvaluesOnly)
          .eigenvalues();
  const std::string found = "the principal moments are " + to_text(moments[0]) + ", " +
                            to_text(moments[1]) + " and " + to_text(moments[2]);
  if (!(moments[0] > tolerance * size))
    return found + "; all must be greater than 0. A thin rod takes a small moment along its axis";
  if (moments[2] > (1.0 + tolerance) * (moments[0] + moments[1]))
    return found + "; in a body none is greater than the sum of the other two";
  return {};
}

}  // namespace varia
