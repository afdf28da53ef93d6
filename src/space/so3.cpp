// SPDX-License-Identifier: BSD-3-Clause
#include "varia/space/so3.hpp"

#include <Eigen/Geometry>

#include "varia/space/factor_of.hpp"

namespace varia {

namespace {

Notation rotation_notation() {
  Notation n;
  n.key = "SO3";
  n.example = "R";
  n.what = "a rotation";
  n.summary = "rotations, with body angular velocity and momentum";
  n.entries.what = "an entry of the rotation";
  for (const char* row : {"1", "2", "3"})
    for (const char* column : {"1", "2", "3"})
      n.entries.suffixes.push_back(std::string(row) + column);
  n.velocities = {{"_w1", "_w2", "_w3"}, "an angular velocity of"};
  n.momenta = {{"_m1", "_m2", "_m3"}, "an angular momentum of"};
  n.forces = {{"_1", "_2", "_3"}, "a torque on"};
  n.forms = {{{"angle_axis", {3}, "[x, y, z]"}},
             {{"quaternion", {4}, "[w, x, y, z]"}},
             {{"matrix", {3, 3}, "[[..], [..], [..]]"}}};
  n.frame_term = "(dL/dw x w)";
  n.drawing = {"axis of", {"13", "23", "33"}};
  return n;
}

}  // namespace

SO3<double> read_rotation(std::size_t form, const double* x) {
  if (form == 0) {
    const Vector<double, 3> axis(x[0], x[1], x[2]);
    const double angle = axis.norm();
    if (angle == 0.0) return {};
    return SO3<double>(Eigen::AngleAxisd(angle, axis / angle).toRotationMatrix());
  }
  if (form == 1) {
    const Eigen::Quaterniond q(x[0], x[1], x[2], x[3]);
    if (!(q.norm() > 0.0)) throw InvalidArgument("the quaternion is zero");
    return SO3<double>(q.normalized().toRotationMatrix());
  }
  auto q = Space<SO3<double>>::read(x);
  const Matrix<double, 3>& m = q.matrix;
  const double off =
      Matrix<double, 3>(m.transpose() * m - Matrix<double, 3>::Identity()).cwiseAbs().maxCoeff();
  if (!(off <= rotation_tolerance) || m.determinant() < 0.0)
    throw InvalidArgument("the matrix is not a rotation: its columns are off orthonormal by " +
                          to_text(off) + " and its determinant is " + to_text(m.determinant()));
  return q;
}

const FactorPtr& rotations() {
  static const FactorPtr factor =
      std::make_shared<const FactorOf<SO3<double>>>(rotation_notation(), read_rotation);
  return factor;
}

}  // namespace varia
