// SPDX-License-Identifier: BSD-3-Clause
// The laws of tests/space/space_laws.hpp for the spaces of the library, and what is special to each.
#include <gtest/gtest.h>

#include <limits>

#include "space/space_laws.hpp"
#include "varia/core/round_off.hpp"

namespace varia::space_test {
namespace {

using Line = Vector<double, 1>;
using R5 = Vector<double, 5>;
using Body = Product<SO3<double>, Vector<double, 3>>;
using Sandwich = Product<Vector<double, 2>, SO3<double>, Vector<double, 1>>;

using Points =
    ::testing::Types<Line, R5, Vn, SO3<double>, SE2<double>, SE3<double>, Body, Sandwich>;
INSTANTIATE_TYPED_TEST_SUITE_P(Space, SpaceLaws, Points);

TEST(Space, KnowsWhetherItIsAVectorSpace) {
  static_assert(Space<R5>::is_vector_space && Space<Vn>::is_vector_space &&
                !Space<SO3<double>>::is_vector_space);
  static_assert(dof<R5> == 5 && dof<SO3<double>> == 3 && dof<Vn> == Dynamic);
}

/// Many increments far below round-off, whose sum is not.
template <class Q> void expect_small_steps_count(Q q) {
  Q rest = Q::Zero(q.size());
  const Q xi = Q::Constant(q.size(), 1e-17);
  for (int k = 0; k < 20000; ++k) detail::exact_add(q, rest, xi);
  for (int i = 0; i < q.size(); ++i) {
    EXPECT_NEAR((q[i] - 1.0) + rest[i], 2e-13, 1e-17) << i;
    EXPECT_LE(std::abs(rest[i]), std::numeric_limits<double>::epsilon());
  }
}

TEST(Remainder, KeepsWhatRoundingWouldLose) {
  expect_small_steps_count(R5(R5::Ones()));
  expect_small_steps_count(Vn(Vn::Ones(2)));
}

/// The sum of terms of either sign and size is that of exact arithmetic, rounded once.
TEST(Remainder, CompensatesCancellation) {
  Line q(0.0), rest(0.0);
  for (const double x : {1.0, 1e16, 3.0, -1e16, -1.0}) detail::exact_add(q, rest, Line(x));
  EXPECT_EQ(q[0] + rest[0], 3.0);
}

TEST(Rotation, StaysOrthogonalInManySteps) {
  for (const Retraction tau : {Retraction::cayley, Retraction::exponential}) {
    SO3<double> r;
    Vector<double, 3> rest = Vector<double, 3>::Zero(), p = rest, p_rest = rest;
    const Vector<double, 3> xi(0.11, -0.07, 0.05);
    for (int k = 0; k < 20000; ++k) Space<SO3<double>>::update(r, rest, p, p_rest, xi, p, tau);
    const Matrix<double, 3> off = r.matrix.transpose() * r.matrix - Matrix<double, 3>::Identity();
    EXPECT_LE(off.cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_NEAR(r.matrix.determinant(), 1.0, 1e-15);
  }
}

TEST(Rotation, ComposesAndInvertsAsAGroup) {
  using V3 = Vector<double, 3>;
  const SO3<double> a(rotation(V3(0.3, 0.1, -0.7), Retraction::cayley));
  const SO3<double> b(rotation(V3(-1.3, 0.4, 0.2), Retraction::exponential));
  const V3 x(1.0, -2.0, 0.5);
  EXPECT_LE(((a * b) * x - a * V3(b * x)).norm(), 1e-15);
  EXPECT_LE(((a * b).inverse() * x - b.inverse() * V3(a.inverse() * x)).norm(), 1e-15);
  EXPECT_LE((a.inverse() * V3(a * x) - x).norm(), 1e-15);
  EXPECT_EQ(a(0, 2), a.matrix(0, 2));
}

}  // namespace
}  // namespace varia::space_test
