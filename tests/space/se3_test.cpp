// SPDX-License-Identifier: BSD-3-Clause
// The laws of tests/space/tangent_laws.hpp for motions of space, and the 4 × 4 matrices they are.
#include <gtest/gtest.h>

#include "space/chart_laws.hpp"
#include "space/tangent_laws.hpp"

namespace varia::se3_test {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Motion, TangentLaws, ::testing::Types<SE3<double>>);
INSTANTIATE_TYPED_TEST_SUITE_P(Motion, ChartLaws, ::testing::Types<SE3<double>>);

/// exp of ξ as a 4 × 4 matrix by its series, and cay(ξ) = (I - ξ/2)⁻¹(I + ξ/2).
Eigen::Matrix4d matrix_motion(const Vector<double, 6>& xi, Retraction tau) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Zero();
  m.topLeftCorner<3, 3>() = hat(Vector<double, 3>(xi.head<3>()));
  m.topRightCorner<3, 1>() = xi.tail<3>();
  const Eigen::Matrix4d one = Eigen::Matrix4d::Identity();
  if (tau == Retraction::cayley) return (one - 0.5 * m).inverse() * (one + 0.5 * m);
  Eigen::Matrix4d sum = one;
  Eigen::Matrix4d term = one;
  for (int k = 1; k < 40; ++k) sum += term = term * m / k;
  return sum;
}

/// Trap 3: the Cayley map of the adjoint representation is another one.
TEST(Motion, IsThatOfMatrices) {
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
    for (const double size : {0.0, 1e-7, 1e-3, 0.1, 1.0, 2.0}) {
      Vector<double, 6> xi;
      xi << 0.3, -0.8, 0.5, 0.7, 0.2, -0.9;
      xi *= size;
      const SE3<double> g = Space<SE3<double>>::retract({}, xi, tau);
      const Eigen::Matrix4d expected = matrix_motion(xi, tau);
      EXPECT_LE((g.rotation.matrix - expected.topLeftCorner<3, 3>()).cwiseAbs().maxCoeff(), 1e-15);
      EXPECT_LE((g.position - expected.topRightCorner<3, 1>()).cwiseAbs().maxCoeff(), 1e-15);
      // motions of the plane are those about the third axis
      const SE2<double> plane =
          Space<SE2<double>>::retract({}, Vector<double, 3>(xi[3], xi[4], xi[2]), tau);
      Vector<double, 6> flat;
      flat << 0.0, 0.0, xi[2], xi[3], xi[4], 0.0;
      const SE3<double> space = Space<SE3<double>>::retract({}, flat, tau);
      EXPECT_NEAR(plane.x, space.position[0], 1e-15);
      EXPECT_NEAR(plane.y, space.position[1], 1e-15);
      EXPECT_NEAR(std::sin(plane.theta), space.rotation(1, 0), 1e-15);
    }
}

}  // namespace
}  // namespace varia::se3_test
