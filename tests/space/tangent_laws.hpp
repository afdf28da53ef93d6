// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The laws of the tangents of a configuration space: dτ, its derivatives, coadjoint, seeds of jets.
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

TYPED_TEST_P(TangentLaws, DtauIsTheTrivialisedTangentOfRetract) {
  using S = Space<TypeParam>;
  using J = Jet<double, TestFixture::dim>;
  using SJ = Space<Rebind<TypeParam, J>>;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      const TypeParam q0 = this->point();
      const TypeParam q1 = S::retract(q0, xi, tau);
      // q1⁻¹ d(q0 τ(ξ)): the differential of the difference at coinciding points
      const auto moved = SJ::retract(S::template cast<J>(q0), this->template variables<J>(xi), tau);
      const auto velocity = SJ::difference(S::template cast<J>(q1), moved, tau);
      const auto dtau = S::dtau(xi, tau);
      const auto eta = this->tangent(1.0);
      for (int i = 0; i < TestFixture::dim; ++i)
        for (int j = 0; j < TestFixture::dim; ++j) EXPECT_NEAR(dtau(i, j), velocity[i].d[j], 1e-14);
      EXPECT_LE(this->error(S::template velocity<double>(xi, eta, tau), dtau * eta), 1e-15);
    }
}

TYPED_TEST_P(TangentLaws, DerivativesOfDtauAreThoseOfVelocity) {
  using S = Space<TypeParam>;
  constexpr int n = TestFixture::dim;
  using J = Jet2<n>;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      const auto eta = this->tangent(1.0);
      const auto pi = this->tangent(1.0);
      const Vector<J, S::dof> velocity =
          S::template velocity<J>(this->template variables<J>(xi), eta.template cast<J>(), tau);
      J pairing(0.0);
      for (int i = 0; i < n; ++i) pairing += velocity[i] * pi[i];
      const auto derivative = S::dtau_derivative(xi, eta, tau);
      const auto second = S::dtau_hessian(xi, pi, eta, tau);
      // ⟨∂(dτ* π) δ, η⟩ = ⟨π, ∂(dτ η) δ⟩
      const auto transposed = S::dtau_transpose_derivative(xi, pi, tau);
      EXPECT_LE(this->error(transposed.transpose() * eta, derivative.transpose() * pi), 1e-14);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          EXPECT_NEAR(derivative(i, j), velocity[i].g[j], 1e-14);
          EXPECT_NEAR(second(i, j), pairing.hess(i, j), 1e-14);
        }
    }
}

TYPED_TEST_P(TangentLaws, CoadjointMovesCovectorsBetweenFrames) {
  using S = Space<TypeParam>;
  using V = typename TestFixture::Tan;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      // dτ_ξ = Ad_{τ(-ξ)} dτ_{-ξ}, and coadjoint(ξ) is the transpose of Ad_{τ(-ξ)}
      const Eigen::MatrixXd adjoint = S::coadjoint(xi, tau).transpose();
      EXPECT_LE(this->error(S::dtau(xi, tau), adjoint * Eigen::MatrixXd(S::dtau(V(-xi), tau))),
                4e-15);
      // d/dε Ad*_{τ(-εδ)} π = -ad*_δ π
      const V pi = this->tangent(1.0);
      const V delta = this->tangent(1.0);
      const double e = 1e-4;
      const V rate =
          (S::coadjoint(V(e * delta), tau) * pi - S::coadjoint(V(-e * delta), tau) * pi) / (2 * e);
      EXPECT_LE(this->error(rate, -S::ad_star(pi) * delta), 1e-7);
    }
}

TYPED_TEST_P(TangentLaws, TransportKeepsTheMomentumOfSpace) {
  using S = Space<TypeParam>;
  using V = typename TestFixture::Tan;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      const V p = this->tangent(1.0);
      const V delta = this->tangent(0.1);
      V moved = p;
      V rest = V::Zero(this->dim);
      S::transport(moved, rest, delta, xi, tau);
      EXPECT_LE(this->error(S::coadjoint(xi, tau) * moved, p + delta), 2e-15);
    }
}

REGISTER_TYPED_TEST_SUITE_P(TangentLaws, DisplaceAndSeedAreExpToSecondOrder,
                            DtauIsTheTrivialisedTangentOfRetract,
                            DerivativesOfDtauAreThoseOfVelocity,
                            CoadjointMovesCovectorsBetweenFrames, TransportKeepsTheMomentumOfSpace);

}  // namespace varia
