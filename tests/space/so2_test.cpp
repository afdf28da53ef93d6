// SPDX-License-Identifier: BSD-3-Clause
// The laws of tests/space/tangent_laws.hpp for rotations of the plane, and their two factors.
#include "varia/space/so2.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "space/chart_laws.hpp"
#include "space/tangent_laws.hpp"
#include "varia/space/list.hpp"

namespace varia {

template <> struct Origin<SO2<double>> {
  static SO2<double> point() { return {0.3}; }
};
template <class S> std::vector<S> entries(const SO2<S>& q) { return {q.angle}; }

}  // namespace varia

namespace varia::so2_test {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(PlaneRotation, TangentLaws, ::testing::Types<SO2<double>>);
INSTANTIATE_TYPED_TEST_SUITE_P(PlaneRotation, ChartLaws, ::testing::Types<SO2<double>>);

/// The Cayley map of the matrices: (I - xJ/2)⁻¹(I + xJ/2) with J = (0 -1; 1 0).
TEST(SO2, CayleyMapIsThatOfMatrices) {
  for (const double x : {0.0, 1e-9, 0.3, -1.7, 40.0}) {
    const SO2<double> q = Space<SO2<double>>::retract({}, Vector<double, 1>(x), Retraction::cayley);
    const double s = 1.0 + 0.25 * x * x;
    const Vector<double, 2> moved = q * Vector<double, 2>(1.0, 0.0);
    EXPECT_NEAR(moved[0], (1.0 - 0.25 * x * x) / s, 1e-15);
    EXPECT_NEAR(moved[1], x / s, 1e-15);
  }
}

TEST(SO2, AFactorForEachMap) {
  EXPECT_EQ(find_space("SO2"), angles());
  EXPECT_EQ(angles()->curved(), nullptr);
  EXPECT_EQ(angles()->with(Retraction::exponential), nullptr);
  EXPECT_EQ(angles()->with(Retraction::cayley), curved_angles());
  EXPECT_NE(curved_angles()->curved(), nullptr);
  EXPECT_EQ(angles()->name(), curved_angles()->name());
  EXPECT_EQ(angles()->notation().period, 2.0 * std::numbers::pi);
  EXPECT_EQ(angles()->power(3), nullptr);
  EXPECT_EQ(euclidean(2)->power(3)->dof(), 6);
}

}  // namespace
}  // namespace varia::so2_test
