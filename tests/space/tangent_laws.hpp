// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The laws of the tangents of a configuration space: dτ_ξ η and seeds of jets.
#include "space/space_points.hpp"

namespace varia {

template <class Q> class TangentLaws : public SpacePoints<Q> {};
TYPED_TEST_SUITE_P(TangentLaws);

TYPED_TEST_P(TangentLaws, DisplaceAndSeedAreExpToSecondOrder) {
  using S = Space<TypeParam>;
  constexpr int n = TestFixture::dim;
  constexpr int k = 2;  // the seeds begin at direction 2 of n + 3
  using Inner = Jet<double, n>;
  using Nested = Jet<Inner, n>;
  using J2 = Jet2<n + 3>;
  const TypeParam q = this->point();
  Vector<Nested, S::dof> delta(n);
  for (int i = 0; i < n; ++i) {
    delta[i] = Nested(0.0);
    delta[i].d[i] = Inner(1.0);
    delta[i].v.d[i] = 1.0;
  }
  const auto exact = entries(Space<Rebind<TypeParam, Nested>>::retract(
      S::template cast<Nested>(q), delta, Retraction::exponential));
  const auto zero = typename TestFixture::Tan(TestFixture::Tan::Zero(n));
  const auto seeded = entries(S::template seed<J2>(q, k));
  const auto displaced =
      entries(S::template displace<J2>(q, this->template variables<J2>(zero, k)));
  const auto first = entries(S::template seed<Jet<double, n + 3>>(q, k));
  ASSERT_EQ(seeded.size(), exact.size());
  for (std::size_t e = 0; e < exact.size(); ++e)
    for (const J2& x : {seeded[e], displaced[e]}) {
      EXPECT_NEAR(x.v, exact[e].v.v, 1e-15);
      EXPECT_EQ(first[e].v, seeded[e].v);
      for (int i = 0; i < n + 3; ++i) {
        const bool inside = i >= k && i < k + n;
        EXPECT_NEAR(x.g[i], inside ? exact[e].v.d[i - k] : 0.0, 1e-15);
        EXPECT_EQ(first[e].d[i], seeded[e].g[i]);
        for (int j = 0; j <= i; ++j) {
          const bool here = inside && j >= k && j < k + n;
          EXPECT_NEAR(x.hess(i, j), here ? exact[e].d[i - k].d[j - k] : 0.0, 1e-15)
              << i << " " << j;
        }
      }
    }
}

TYPED_TEST_P(TangentLaws, VelocityIsTheTrivialisedTangentOfRetract) {
  using S = Space<TypeParam>;
  using J = Jet<double, TestFixture::dim>;
  using SJ = Space<Rebind<TypeParam, J>>;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      const TypeParam q0 = this->point();
      const TypeParam q1 = S::retract(q0, xi, tau);
      // q1⁻¹ d(q0 τ(ξ)): the differential of the difference at coinciding points
      const auto moved = SJ::retract(S::template cast<J>(q0), this->template variables<J>(xi), tau);
      const auto dtau = SJ::difference(S::template cast<J>(q1), moved, tau);
      for (int j = 0; j < TestFixture::dim; ++j) {
        typename TestFixture::Tan unit = TestFixture::Tan::Zero(TestFixture::dim);
        unit[j] = 1.0;
        const auto velocity = S::template velocity<double>(xi, unit, tau);
        for (int i = 0; i < TestFixture::dim; ++i) EXPECT_NEAR(velocity[i], dtau[i].d[j], 1e-14);
      }
    }
}

REGISTER_TYPED_TEST_SUITE_P(TangentLaws, DisplaceAndSeedAreExpToSecondOrder,
                            VelocityIsTheTrivialisedTangentOfRetract);

}  // namespace varia
