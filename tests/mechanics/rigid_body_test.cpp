// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies are many points whose distances do not change; joints hold where their functions vanish, and the
// functions are independent there.
// Of joint.hpp too.
#include "varia/mechanics/rigid_body.hpp"

#include <gtest/gtest.h>

#include "refusal.hpp"
#include "varia/ad/eigen.hpp"
#include "varia/ad/jet.hpp"
#include "varia/mechanics/joint.hpp"
#include "varia/space/se3.hpp"

namespace varia::rigid_body_test {
namespace {

using V3 = Vector<double, 3>;
using M3 = Matrix<double, 3>;

const M3 turned = Eigen::AngleAxisd(0.8, V3(2, -1, 2) / 3.0).toRotationMatrix();

/// Four masses at corners that are no symmetric figure.
struct Corners {
  double m[4] = {1.0, 0.5, 0.8, 0.3};
  V3 r[4] = {{0, 0, 0.4}, {1, 0.2, 0}, {0, -0.7, 0.1}, {0.3, 0.2, 1.2}};

  RigidBody<double> body() const {
    RigidBody<double> b{0.0};
    for (int k = 0; k < 4; ++k) b.mass += m[k];
    for (int k = 0; k < 4; ++k) b.centre += m[k] * r[k] / b.mass;
    for (int k = 0; k < 4; ++k) {
      const V3 d = r[k] - b.centre;
      b.inertia += m[k] * (d.squaredNorm() * M3::Identity() - d * d.transpose());
    }
    return b;
  }
};

TEST(RigidBody, HasTheEnergyOfItsPoints) {
  const Corners corners;
  const RigidBody<double> b = corners.body();
  const BodyMotion<double> motion{turned, {1, 2, 3}, {0.3, -0.4, 0.9}, {0.1, 0.7, -0.2}};
  const V3 gravity(0.2, -0.5, -3);
  double kinetic = 0.0, potential = 0.0;
  for (int k = 0; k < 4; ++k) {
    kinetic += corners.m[k] * (motion.v + motion.w.cross(corners.r[k])).squaredNorm() / 2.0;
    potential -= corners.m[k] * gravity.dot(motion.x + turned * corners.r[k]);
  }
  EXPECT_NEAR(b.kinetic_energy(motion), kinetic, 1e-14);
  EXPECT_NEAR(b.potential(motion, gravity), potential, 1e-13);
  EXPECT_EQ(wrong_inertia(b.inertia), "");
}

TEST(RigidBody, HasAnInertiaThatIsPossible) {
  const auto diagonal = [](double a, double b, double c) { return M3(V3(a, b, c).asDiagonal()); };
  EXPECT_EQ(wrong_inertia(turned * diagonal(1, 2, 2.5) * turned.transpose()), "");
  EXPECT_EQ(wrong_inertia(diagonal(0.1, 0.2, 0.1 + 0.2)), "");  // a plate
  expect_has(wrong_inertia(diagonal(1, 2, 3.001)), "sum of the other two");
  expect_has(wrong_inertia(diagonal(1, 1, 0)), "greater than 0");
  expect_has(wrong_inertia(diagonal(1, 1, -1)), "greater than 0");
  M3 skew = diagonal(1, 1, 1);
  skew(0, 1) = 0.1;
  expect_has(wrong_inertia(skew), "not symmetric");
}

TEST(RigidBody, MovesInSpacesOfTwoOrThreeDimensions) {
  EXPECT_EQ(find_body_space("SE3")->dimension, 3);
  EXPECT_EQ(find_body_space("SE2")->dimension, 2);
  EXPECT_EQ(find_body_space("S2"), nullptr);
}

TEST(JointFrame, HasTheAxisAndIsOrthonormal) {
  for (int k = 0; k < 3; ++k) {
    V3 axis(3, -1, 2);
    axis[k] = 0.1;
    const M3 frame = frame_along(axis, k);
    EXPECT_LT((frame.transpose() * frame - M3::Identity()).norm(), 1e-14);
    EXPECT_GT(frame.determinant(), 0.0);
    EXPECT_LT((frame.col(2) - axis.normalized()).norm(), 1e-15);
    EXPECT_EQ(frame(k, 0), 0.0);
  }
}

/// Where a joint holds, its functions vanish and their derivatives by the motion of one body have full rank.
TEST(Joint, FunctionsAreIndependentWhereTheyVanish) {
  using J = Jet<double, 6>;
  const V3 point(0.3, -0.2, 0.5), far(0.1, 0.9, 0.2);
  for (const JointKind& kind : joint_kinds()) {
    SCOPED_TRACE(kind.name);
    const bool distance = kind.joint == Joint::distance;
    const M3 frame = frame_along(V3(1, 2, -2), 0);
    const JointEnd<J> a{(turned * (distance ? far : point)).cast<J>(), (turned * frame).cast<J>()};
    Vector<J, 6> delta;
    for (int i = 0; i < 6; ++i) delta[i] = J::variable(0.0, i);
    const SE3<J> moved = Space<SE3<double>>::displace<J>({SO3<double>(turned), V3::Zero()}, delta);
    const JointEnd<J> b{moved * Vector<J, 3>(point.cast<J>()),
                        moved.rotation.matrix * frame.cast<J>()};
    const std::vector<J> phi = joint_constraints(kind.joint, a, b, J((far - point).norm()));
    Eigen::MatrixXd g(std::ssize(phi), 6);
    for (std::size_t k = 0; k < phi.size(); ++k) {
      EXPECT_NEAR(phi[k].v, 0.0, 1e-15);
      g.row(static_cast<Eigen::Index>(k)) = Vector<double, 6>(phi[k].d).transpose();
    }
    EXPECT_GT(Eigen::JacobiSVD<Eigen::MatrixXd>(g).singularValues().minCoeff(), 0.3);
    for (const J& cosine : joint_alignment(kind.joint, a, b)) EXPECT_NEAR(cosine.v, 1.0, 1e-15);
  }
}

}  // namespace
}  // namespace varia::rigid_body_test
