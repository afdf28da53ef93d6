// SPDX-License-Identifier: BSD-3-Clause
#include "varia/space/so3.hpp"

#include <Eigen/Geometry>

#include "varia/space/factor_of.hpp"

namespace varia {

namespace {

constexpr double largest_angle = 1e5;  // its last digit is 1e-11

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
  n.velocities = {{"_w1", "_w2", "_w3"}, "an angular velocity of", {{"_w"}}};
  n.momenta = {{"_m1", "_m2", "_m3"}, "an angular momentum of", {{"_m"}}};
  n.forces = {{"_1", "_2", "_3"}, "a torque on", {{""}}};
  n.spatial = {{"_s1", "_s2", "_s3"}, "an angular momentum in the frame of space of", {{"_s"}}};
  n.casimirs = {"_casimir"};
  n.forms = {{{"angle_axis",
               {3},
               "[x, y, z]",
               "The rotation vector: the axis times the angle; 3 entries.",
               R"([0, 0, "pi/6"])"}},
             {{"quaternion",
               {4},
               "[w, x, y, z]",
               "The rotation as w, x, y, z; 4 entries, which are normalised: any length but 0.",
               "[1, 0, 0, 0]"}},
             {{"matrix",
               {3, 3},
               "[[..], [..], [..]]",
               "The rotation as 3 rows of 3 entries; orthonormal to 1e-10, with determinant 1.",
               "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"}}};
  n.frame_term = "(dL/dw x w)";
  n.drawing = {"axis of", {"13", "23", "33"}};
  return n;
}

/// The largest entry is taken out: squares of entries may be beyond the numbers.
template <int N> double norm_of(const Vector<double, N>& x) {
  const double largest = x.cwiseAbs().maxCoeff();
  return largest > 0.0 ? largest * Vector<double, N>(x / largest).norm() : 0.0;
}

SO3<double> turn_about(const Vector<double, 3>& axis) {
  const double angle = norm_of(axis);
  if (!(angle <= largest_angle))
    throw InvalidArgument("the rotation vector has the angle " + to_text(angle) + ", of which " +
                          "no more than " + to_text(rotation_tolerance) +
                          " of a turn is certain; take whole turns away from it");
  if (angle == 0.0) return {};
  return SO3<double>(
      Eigen::AngleAxisd(angle, Vector<double, 3>(axis / angle).normalized()).toRotationMatrix());
}

SO3<double> of_quaternion(const Vector<double, 4>& x) {
  const double largest = x.cwiseAbs().maxCoeff();
  if (largest == 0.0)
    throw InvalidArgument(
        "the quaternion is zero and stands for no rotation; that by no angle is [1, 0, 0, 0]");
  const Vector<double, 4> unit = Vector<double, 4>(x / largest).normalized();
  return SO3<double>(Eigen::Quaterniond(unit[0], unit[1], unit[2], unit[3]).toRotationMatrix());
}

}  // namespace

SO3<double> read_rotation(std::size_t form, const double* x) {
  if (form == 0) return turn_about(Vector<double, 3>(x[0], x[1], x[2]));
  if (form == 1) return of_quaternion(Vector<double, 4>(x[0], x[1], x[2], x[3]));
  auto q = Space<SO3<double>>::read(x);
  const Matrix<double, 3>& m = q.matrix;
  const double off =
      Matrix<double, 3>(m.transpose() * m - Matrix<double, 3>::Identity()).cwiseAbs().maxCoeff();
  if (!(off <= rotation_tolerance))
    throw InvalidArgument("the matrix is not a rotation: its columns are off orthonormal by " +
                          to_text(off) + ", at most " + to_text(rotation_tolerance) +
                          " is allowed; give more digits, or a quaternion");
  if (m.determinant() < 0.0)
    throw InvalidArgument(
        "the matrix is a reflection, not a rotation: its determinant is -1; change the sign of one "
        "of its columns");
  return q;
}

const FactorPtr& rotations() {
  static const FactorPtr factor =
      std::make_shared<const FactorOf<SO3<double>>>(rotation_notation(), read_rotation);
  return factor;
}

}  // namespace varia
