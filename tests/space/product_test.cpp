// SPDX-License-Identifier: BSD-3-Clause
// Products of spaces: the laws of tests/space/tangent_laws.hpp, and that a product is its parts.
#include "varia/space/product.hpp"

#include <gtest/gtest.h>

#include "space/tangent_laws.hpp"

namespace varia::product_test {
namespace {

using Line = Vector<double, 1>;
using Body = Product<SO3<double>, Vector<double, 3>>;
using Sandwich = Product<Vector<double, 2>, SO3<double>, Vector<double, 1>>;

using Points = ::testing::Types<Sandwich>;
INSTANTIATE_TYPED_TEST_SUITE_P(Product, TangentLaws, Points);

TEST(Product, IsAVectorSpaceWhenItsPartsAre) {
  static_assert(!Space<Body>::is_vector_space && !Space<Sandwich>::is_vector_space);
  static_assert(Space<Product<Line, Vector<double, 5>>>::is_vector_space);
  static_assert(dof<Body> == 6 && dof<Sandwich> == 6);
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
    EXPECT_EQ(get<0>(moved), (Vector<double, 2>(1.0 + 0.3, 2.0 - 1.2)));
    EXPECT_EQ(get<1>(moved).matrix, Space<SO3<double>>::retract(r, x, tau).matrix);
    EXPECT_EQ(get<2>(moved)[0], 5.0);

    const auto check = [&](const Matrix<double, 6>& whole, const Matrix<double, 3>& part,
                           double flat) {
      Matrix<double, 6> expected = flat * Matrix<double, 6>::Identity();
      expected.block<3, 3>(2, 2) = part;
      EXPECT_EQ(whole, expected);
    };
    using R = Space<SO3<double>>;
    V6 velocity = eta;
    velocity.segment<3>(2) = R::velocity<double>(x, e, tau);
    EXPECT_EQ(S::velocity<double>(xi, eta, tau), velocity);
    check(S::ad_star(pi), R::ad_star(p), 0.0);
  }
}

}  // namespace
}  // namespace varia::product_test
