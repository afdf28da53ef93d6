// SPDX-License-Identifier: BSD-3-Clause
// The laws of tests/space/space_laws.hpp for the spaces of the library, and what is special to each.
#include "space/space_laws.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace varia {
namespace {

using Line = Vector<double, 1>;
using R5 = Vector<double, 5>;
using Rn = Vector<double, Dynamic>;
using Body = Product<SO3<double>, Vector<double, 3>>;
using Sandwich = Product<Vector<double, 2>, SO3<double>, Vector<double, 1>>;

using Points = ::testing::Types<Line, R5, Rn, SO3<double>, Body, Sandwich>;
INSTANTIATE_TYPED_TEST_SUITE_P(Space, SpaceLaws, Points);

TEST(Flatness, OnlyVectorSpacesAreFlat) {
  static_assert(Space<R5>::flat && Space<Rn>::flat && !Space<SO3<double>>::flat);
  static_assert(!Space<Body>::flat && !Space<Sandwich>::flat);
  static_assert(Space<Product<Line, R5>>::flat);
  static_assert(dof<Body> == 6 && dof<Sandwich> == 6 && dof<Rn> == Dynamic);
}

/// A product is its parts: every operation on the whole is the operation on the segments.
TEST(Product, IsItsParts) {
  using S = Space<Sandwich>;
  using V6 = Vector<double, 6>;
  using V3 = Vector<double, 3>;
  V6 xi, eta, pi;
  xi << 0.3, -1.2, 0.5, 0.7, -0.4, 2.0;
  eta << -0.1, 0.9, 1.5, -0.6, 0.2, 0.8;
  pi << 0.4, 0.1, -0.8, 0.3, 1.1, -0.5;
  const SO3<double> r(rotation(V3(0.2, -0.9, 1.4), Retraction::exponential));
  const Sandwich q(Vector<double, 2>(1.0, 2.0), r, Line(3.0));
  const V3 x = xi.segment<3>(2), e = eta.segment<3>(2), p = pi.segment<3>(2);
  for (const Retraction tau : {Retraction::cayley, Retraction::exponential}) {
    const Sandwich moved = S::retract(q, xi, tau);
    EXPECT_EQ(get<0>(moved), Vector<double, 2>(1.3, 0.8));
    EXPECT_EQ(get<1>(moved).matrix, Space<SO3<double>>::retract(r, x, tau).matrix);
    EXPECT_EQ(get<2>(moved)[0], 5.0);

    const auto check = [&](const Matrix<double, 6>& whole, const Matrix<double, 3>& part, double flat) {
      Matrix<double, 6> expected = flat * Matrix<double, 6>::Identity();
      expected.block<3, 3>(2, 2) = part;
      EXPECT_EQ(whole, expected);
    };
    using R = Space<SO3<double>>;
    check(S::dtau(xi, tau), R::dtau(x, tau), 1.0);
    check(S::dtau_derivative(xi, eta, tau), R::dtau_derivative(x, e, tau), 0.0);
    check(S::dtau_transpose_derivative(xi, pi, tau), R::dtau_transpose_derivative(x, p, tau), 0.0);
    check(S::dtau_hessian(xi, pi, eta, tau), R::dtau_hessian(x, p, e, tau), 0.0);
    check(S::coadjoint(xi, tau), R::coadjoint(x, tau), 1.0);
    check(S::ad_star(pi), R::ad_star(p), 0.0);
  }
}

/// A million increments far below round-off, whose sum is not.
template <class Q, class At>
void expect_small_steps_count(Q q, int n, const std::vector<int>& flat_components, const At& at) {
  using V = Tangent<Q>;
  V rest = V::Zero(n);
  V xi = V::Zero(n);
  for (const int i : flat_components) xi[i] = 1e-17;
  for (int k = 0; k < 1000000; ++k) Space<Q>::advance(q, rest, xi, Retraction::cayley);
  for (const int i : flat_components) {
    EXPECT_NEAR((at(q, i) - 1.0) + rest[i], 1e-11, 1e-17) << i;
    EXPECT_LE(std::abs(rest[i]), std::numeric_limits<double>::epsilon());
  }
}

TEST(Remainder, KeepsWhatRoundingWouldLose) {
  expect_small_steps_count(R5(R5::Ones()), 5, {0, 1, 2, 3, 4}, [](const R5& q, int i) { return q[i]; });
  expect_small_steps_count(Rn(Rn::Ones(2)), 2, {0, 1}, [](const Rn& q, int i) { return q[i]; });
  expect_small_steps_count(Body(SO3<double>{}, Vector<double, 3>::Ones()), 6, {3, 4, 5},
                           [](const Body& q, int i) { return get<1>(q)[i - 3]; });
}

TEST(Remainder, OfMomentaKeepsWhatRoundingWouldLose) {
  using S = Space<Body>;
  Vector<double, 6> p = Vector<double, 6>::Ones(), rest = Vector<double, 6>::Zero();
  Vector<double, 6> delta = Vector<double, 6>::Zero();
  delta.tail<3>().setConstant(1e-17);
  for (int k = 0; k < 1000000; ++k)
    S::transport(p, rest, delta, Vector<double, 6>(Vector<double, 6>::Zero()), Retraction::cayley);
  for (int i = 3; i < 6; ++i) EXPECT_NEAR((p[i] - 1.0) + rest[i], 1e-11, 1e-17);
}

/// The sum of terms of either sign and size is that of exact arithmetic, rounded once.
TEST(Remainder, CompensatesCancellation) {
  Line q(0.0), rest(0.0);
  for (const double x : {1.0, 1e16, 3.0, -1e16, -1.0}) {
    Space<Line>::advance(q, rest, Line(x), Retraction::cayley);
  }
  EXPECT_EQ(q[0] + rest[0], 3.0);
}

TEST(Rotation, StaysOrthogonalInAMillionSteps) {
  for (const Retraction tau : {Retraction::cayley, Retraction::exponential}) {
    SO3<double> r;
    Vector<double, 3> rest = Vector<double, 3>::Zero();
    const Vector<double, 3> xi(0.11, -0.07, 0.05);
    for (int k = 0; k < 1000000; ++k) Space<SO3<double>>::advance(r, rest, xi, tau);
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
}  // namespace varia
