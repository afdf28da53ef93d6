// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The laws of a configuration space, written once. A user's space is tested by
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(Mine, SpaceLaws, ::testing::Types<MyPoint>);
//
// after an `origin` and an `entries` for its points. Every law is checked for both retractions.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "varia/ad/derivative.hpp"
#include "varia/space/euclidean.hpp"
#include "varia/space/product.hpp"
#include "varia/space/so3.hpp"

namespace varia {

/// Some point from which all others are displaced; ℝⁿ of run-time size is ℝ⁴ here.
template <class Q>
struct Origin;
template <int N>
struct Origin<Vector<double, N>> {
  static Vector<double, N> point() { return Vector<double, N>::Zero(N == Dynamic ? 4 : N); }
};
template <>
struct Origin<SO3<double>> {
  static SO3<double> point() { return {}; }
};
template <class... Q>
struct Origin<Product<Q...>> {
  static Product<Q...> point() { return Product<Q...>(Origin<Q>::point()...); }
};

/// The numbers a point is stored as.
template <class S, int N>
std::vector<S> entries(const Eigen::Matrix<S, N, 1>& x) {
  return {x.data(), x.data() + x.size()};
}
template <class S>
std::vector<S> entries(const SO3<S>& r) {
  return {r.matrix.data(), r.matrix.data() + 9};
}
template <class... Q>
std::vector<Scalar<Product<Q...>>> entries(const Product<Q...>& q) {
  std::vector<Scalar<Product<Q...>>> all;
  std::apply(
      [&](const auto&... part) {
        (
            [&] {
              for (const auto& e : entries(part)) all.push_back(e);
            }(),
            ...);
      },
      q.parts);
  return all;
}

template <class Q>
class SpaceLaws : public ::testing::Test {
 protected:
  using S = Space<Q>;
  using V = Tangent<Q>;
  using Map = TangentMap<Q>;
  static constexpr int n = S::dof == Dynamic ? 4 : S::dof;  ///< of the points tested
  static constexpr Retraction both[] = {Retraction::cayley, Retraction::exponential};

  /// Components uniform in [-size, size]: size below π/√3 keeps rotations below half a turn.
  V tangent(double size) {
    std::uniform_real_distribution<double> uniform(-size, size);
    V v(n);
    for (int i = 0; i < n; ++i) v[i] = uniform(random_);
    return v;
  }
  Q point() { return S::retract(Origin<Q>::point(), tangent(1.5), Retraction::exponential); }

  static double distance(const Q& a, const Q& b) {
    const auto x = entries(a);
    const auto y = entries(b);
    EXPECT_EQ(x.size(), y.size());
    double most = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
    return most;
  }
  static double error(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return (a - b).cwiseAbs().maxCoeff();
  }
  template <class J>
  static Vector<J, S::dof> variables(const V& x, int k = 0) {
    Vector<J, S::dof> y(n);
    for (int i = 0; i < n; ++i) y[i] = J::variable(x[i], k + i);
    return y;
  }
  /// Displacements of every size a law should hold for.
  std::vector<V> displacements() {
    std::vector<V> all = {V::Zero(n)};
    for (const double size : {1e-8, 1e-3, 0.4, 1.0, 1.7})
      for (int k = 0; k < 4; ++k) all.push_back(tangent(size));
    return all;
  }

 private:
  std::mt19937 random_{20240229u};
};

TYPED_TEST_SUITE_P(SpaceLaws);

TYPED_TEST_P(SpaceLaws, DimensionIsThatOfTangents) {
  using S = Space<TypeParam>;
  EXPECT_EQ(S::dim(this->point()), this->n);
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
      EXPECT_LE(this->error(S::difference(q, S::retract(q, xi, tau), tau), xi), 2e-14) << xi.transpose();
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

TYPED_TEST_P(SpaceLaws, DisplaceAndSeedAreExpToSecondOrder) {
  using S = Space<TypeParam>;
  constexpr int n = TestFixture::n;
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
  const auto zero = typename TestFixture::V(TestFixture::V::Zero(n));
  const auto seeded = entries(S::template seed<J2>(q, k));
  const auto displaced = entries(S::template displace<J2>(q, this->template variables<J2>(zero, k)));
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
          EXPECT_NEAR(x.hess(i, j), here ? exact[e].d[i - k].d[j - k] : 0.0, 1e-15) << i << " " << j;
        }
      }
    }
}

TYPED_TEST_P(SpaceLaws, DisplaceDiffersFromExpInThirdOrderOnly) {
  using S = Space<TypeParam>;
  const TypeParam q = this->point();
  const auto xi = this->tangent(1.0);
  for (const double size : {1e-1, 1e-2, 1e-3}) {
    const typename TestFixture::V step = size * xi;
    const double off =
        this->distance(S::displace(q, step), S::retract(q, step, Retraction::exponential));
    EXPECT_LE(off, std::pow(size * xi.norm(), 3) + 1e-15);
  }
}

TYPED_TEST_P(SpaceLaws, DtauIsTheTrivialisedTangentOfRetract) {
  using S = Space<TypeParam>;
  using J = Jet<double, TestFixture::n>;
  using SJ = Space<Rebind<TypeParam, J>>;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      const TypeParam q0 = this->point();
      const TypeParam q1 = S::retract(q0, xi, tau);
      // q1⁻¹ d(q0 τ(ξ)): the differential of the difference at coinciding points
      const auto moved =
          SJ::retract(S::template cast<J>(q0), this->template variables<J>(xi), tau);
      const auto velocity = SJ::difference(S::template cast<J>(q1), moved, tau);
      const auto dtau = S::dtau(xi, tau);
      const auto eta = this->tangent(1.0);
      for (int i = 0; i < TestFixture::n; ++i)
        for (int j = 0; j < TestFixture::n; ++j) EXPECT_NEAR(dtau(i, j), velocity[i].d[j], 1e-14);
      EXPECT_LE(this->error(S::template velocity<double>(xi, eta, tau), dtau * eta), 1e-15);
    }
}

TYPED_TEST_P(SpaceLaws, DerivativesOfDtauAreThoseOfVelocity) {
  using S = Space<TypeParam>;
  constexpr int n = TestFixture::n;
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

TYPED_TEST_P(SpaceLaws, CoadjointMovesCovectorsBetweenFrames) {
  using S = Space<TypeParam>;
  using V = typename TestFixture::V;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      // dτ_ξ = Ad_{τ(-ξ)} dτ_{-ξ}, and coadjoint(ξ) is the transpose of Ad_{τ(-ξ)}
      const auto adjoint = S::coadjoint(xi, tau).transpose();
      EXPECT_LE(this->error(S::dtau(xi, tau), adjoint * S::dtau(V(-xi), tau)), 4e-15);
      // d/dε Ad*_{τ(-εδ)} π = -ad*_δ π
      const V pi = this->tangent(1.0);
      const V delta = this->tangent(1.0);
      const double e = 1e-4;
      const V rate = (S::coadjoint(V(e * delta), tau) * pi - S::coadjoint(V(-e * delta), tau) * pi) / (2 * e);
      EXPECT_LE(this->error(rate, -S::ad_star(pi) * delta), 1e-7);
    }
}

TYPED_TEST_P(SpaceLaws, AdvanceIsRetract) {
  using S = Space<TypeParam>;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      const TypeParam q = this->point();
      TypeParam moved = q;
      typename TestFixture::V rest = TestFixture::V::Zero(this->n);
      S::advance(moved, rest, xi, tau);
      EXPECT_LE(this->distance(moved, S::retract(q, xi, tau)), 2e-15);
      EXPECT_LE(rest.cwiseAbs().maxCoeff(), 1e-15);
    }
}

TYPED_TEST_P(SpaceLaws, TransportKeepsTheMomentumOfSpace) {
  using S = Space<TypeParam>;
  using V = typename TestFixture::V;
  for (const Retraction tau : this->both)
    for (const auto& xi : this->displacements()) {
      const V p = this->tangent(1.0);
      const V delta = this->tangent(0.1);
      V moved = p;
      V rest = V::Zero(this->n);
      S::transport(moved, rest, delta, xi, tau);
      EXPECT_LE(this->error(S::coadjoint(xi, tau) * moved, p + delta), 2e-15);
    }
}

REGISTER_TYPED_TEST_SUITE_P(SpaceLaws, DimensionIsThatOfTangents, ZeroDisplacementStaysExactly,
                            DifferenceInvertsRetract, RetractInvertsDifference,
                            OppositeDisplacementGoesBack, DisplacementsArriveWhereStated,
                            CastKeepsTheValuesAndHasNoDerivative,
                            DisplaceAndSeedAreExpToSecondOrder,
                            DisplaceDiffersFromExpInThirdOrderOnly,
                            DtauIsTheTrivialisedTangentOfRetract,
                            DerivativesOfDtauAreThoseOfVelocity,
                            CoadjointMovesCovectorsBetweenFrames, AdvanceIsRetract,
                            TransportKeepsTheMomentumOfSpace);

}  // namespace varia
