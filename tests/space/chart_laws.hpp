// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The laws of what integrators ask of a curved space: its chart, and the end of a step.
#include "space/space_points.hpp"
#include "varia/space/chart.hpp"

namespace varia {

template <class Q> class ChartLaws : public SpacePoints<Q> {};
TYPED_TEST_SUITE_P(ChartLaws);

TYPED_TEST_P(ChartLaws, DtauAndItsDerivativesAreThoseOfVelocity) {
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
      const Chart<TypeParam> chart(xi, tau);
      EXPECT_LE(this->error(S::template velocity<double>(xi, eta, tau), chart.dtau() * eta), 1e-15);
      const auto derivative = chart.dtau_derivative(eta);
      const auto second = chart.dtau_hessian(pi, eta);
      // ⟨∂(dτ* π) δ, η⟩ = ⟨π, ∂(dτ η) δ⟩
      const auto transposed = chart.dtau_transpose_derivative(pi);
      EXPECT_LE(this->error(transposed.transpose() * eta, derivative.transpose() * pi), 1e-14);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          EXPECT_NEAR(derivative(i, j), velocity[i].g[j], 1e-14);
          EXPECT_NEAR(second(i, j), pairing.hess(i, j), 1e-14);
        }
    }
}

TYPED_TEST_P(ChartLaws, CoadjointMovesCovectorsBetweenFrames) {
  using S = Space<TypeParam>;
  using V = typename TestFixture::Tan;
  using Chart = varia::Chart<TypeParam>;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      // dτ_ξ = Ad_{τ(-ξ)} dτ_{-ξ}, and coadjoint(ξ) is the transpose of Ad_{τ(-ξ)}
      const Eigen::MatrixXd adjoint = Chart(xi, tau).coadjoint().transpose();
      const Eigen::MatrixXd opposite = Chart(V(-xi), tau).dtau();
      EXPECT_LE(this->error(Chart(xi, tau).dtau(), adjoint * opposite), 4e-15);
      // d/dε Ad*_{τ(-εδ)} π = -ad*_δ π
      const V pi = this->tangent(1.0);
      const V delta = this->tangent(1.0);
      const double e = 1e-4;
      const V rate =
          (Chart(V(e * delta), tau).coadjoint() * pi - Chart(V(-e * delta), tau).coadjoint() * pi) /
          (2 * e);
      EXPECT_LE(this->error(rate, -S::ad_star(pi) * delta), 1e-7);
    }
}

TYPED_TEST_P(ChartLaws, UpdateMovesThePointAndKeepsTheMomentumOfSpace) {
  using S = Space<TypeParam>;
  using V = typename TestFixture::Tan;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      const TypeParam q = this->point();
      const V p = this->tangent(1.0);
      const V delta = this->tangent(0.1);
      TypeParam moved = q;
      V carried = p;
      V q_rest = V::Zero(this->dim);
      V p_rest = q_rest;
      S::update(moved, q_rest, carried, p_rest, xi, delta, tau);
      EXPECT_LE(this->distance(moved, S::retract(q, xi, tau)), 2e-15);
      EXPECT_LE(q_rest.cwiseAbs().maxCoeff(), 1e-15);
      EXPECT_LE(this->error(Chart<TypeParam>(xi, tau).coadjoint() * carried, p + delta), 2e-15);
    }
}

REGISTER_TYPED_TEST_SUITE_P(ChartLaws, DtauAndItsDerivativesAreThoseOfVelocity,
                            CoadjointMovesCovectorsBetweenFrames,
                            UpdateMovesThePointAndKeepsTheMomentumOfSpace);

}  // namespace varia
