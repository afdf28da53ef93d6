// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The laws of a configuration space, written once: moving points. A user's space is tested by
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(Mine, SpaceLaws, ::testing::Types<MyPoint>);
//
// after an `Origin` and an `entries` for its points; tangent_laws.hpp has the laws of its tangents,
// chart_laws.hpp those of its chart and of the end of a step.
// Every law is checked for both retractions.
#include "space/space_points.hpp"

namespace varia {

template <class Q> class SpaceLaws : public SpacePoints<Q> {};
TYPED_TEST_SUITE_P(SpaceLaws);

TYPED_TEST_P(SpaceLaws, DimensionIsThatOfTangents) {
  using S = Space<TypeParam>;
  EXPECT_EQ(S::dim(this->point()), this->dim);
  static_assert(Point<TypeParam>);
}

TYPED_TEST_P(SpaceLaws, ZeroDisplacementStaysExactly) {
  const TypeParam q = this->point();
  for (const Retraction tau : this->both)
    EXPECT_EQ(this->distance(Space<TypeParam>::retract(q, this->displacements()[0], tau), q), 0.0);
}

TYPED_TEST_P(SpaceLaws, DifferenceInvertsRetract) {
  using S = Space<TypeParam>;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      const TypeParam q = this->point();
      EXPECT_LE(this->error(S::difference(q, S::retract(q, xi, tau), tau), xi), 2e-14)
          << xi.transpose();
    }
}

TYPED_TEST_P(SpaceLaws, RetractInvertsDifference) {
  using S = Space<TypeParam>;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      const TypeParam q0 = this->point();
      const TypeParam q1 = S::retract(q0, xi, Retraction::exponential);
      EXPECT_LE(this->distance(S::retract(q0, S::difference(q0, q1, tau), tau), q1), 2e-14);
    }
}

TYPED_TEST_P(SpaceLaws, OppositeDisplacementGoesBack) {
  using S = Space<TypeParam>;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      const TypeParam q = this->point();
      const TypeParam back = S::retract(S::retract(q, xi, tau), -xi, tau);
      EXPECT_LE(this->distance(back, q), 4e-15);
    }
}

TYPED_TEST_P(SpaceLaws, DisplacementsArriveWhereStated) {
  using S = Space<TypeParam>;
  const TypeParam q = this->point();
  for (const auto& xi : this->displacements()) {
    if (xi.isZero(0.0)) continue;
    EXPECT_GT(this->distance(S::retract(q, xi), q), 0.0);  // the laws above hold for ⊕ = id too
  }
}

TYPED_TEST_P(SpaceLaws, CastKeepsTheValuesAndHasNoDerivative) {
  using S = Space<TypeParam>;
  using J = Jet<double, 2>;
  const TypeParam q = this->point();
  EXPECT_EQ(this->distance(S::template cast<double>(q), q), 0.0);
  const auto jets = entries(S::template cast<J>(q));
  const auto plain = entries(q);
  ASSERT_EQ(jets.size(), plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(jets[i].v, plain[i]);
    EXPECT_EQ(jets[i].d[0], 0.0);
    EXPECT_EQ(jets[i].d[1], 0.0);
  }
}

TYPED_TEST_P(SpaceLaws, DisplaceDiffersFromExpInThirdOrderOnly) {
  using S = Space<TypeParam>;
  const TypeParam q = this->point();
  const auto xi = this->tangent(1.0);
  for (const double size : {1e-1, 1e-2, 1e-3}) {
    const typename TestFixture::Tan step = size * xi;
    const double off =
        this->distance(S::displace(q, step), S::retract(q, step, Retraction::exponential));
    EXPECT_LE(off, std::pow(size * xi.norm(), 3) + 1e-15);
  }
}

REGISTER_TYPED_TEST_SUITE_P(SpaceLaws, DimensionIsThatOfTangents, ZeroDisplacementStaysExactly,
                            DifferenceInvertsRetract, RetractInvertsDifference,
                            OppositeDisplacementGoesBack, DisplacementsArriveWhereStated,
                            CastKeepsTheValuesAndHasNoDerivative,
                            DisplaceDiffersFromExpInThirdOrderOnly);

}  // namespace varia
