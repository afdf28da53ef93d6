// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of Lagrangians: closed forms, and one Lagrangian stated in several ways.
#include "varia/mechanics/lagrangian.hpp"

#include <gtest/gtest.h>

#include "varia/mechanics/separable.hpp"
#include "varia/space/euclidean.hpp"
#include "varia/space/so3.hpp"

namespace varia::lagrangian_test {
namespace {

using V2 = Vector<double, 2>;
using V3 = Vector<double, 3>;
double error(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

template <class Q> struct Bundle {
  GradientOf<Q> g, alone;  ///< with the Hessian, and by itself
  HessianOf<Q> h;
};
template <class L, class Q>
Bundle<Q> derivatives(const L& l, double t, const Q& q, const Tangent<Q>& v) {
  Bundle<Q> d;
  l.gradient(t, q, v, d.alone);
  l.hessian(t, q, v, d.g, d.h);
  EXPECT_LE(error(d.alone.q, d.g.q) + error(d.alone.v, d.g.v), 1e-14);
  EXPECT_LE(error(d.h.qq, d.h.qq.transpose()) + error(d.h.vv, d.h.vv.transpose()), 1e-14);
  return d;
}

/// Not separable, depends on time: ½(1+x²) u² + x y u w + ½ w² - sin(x y + t)
constexpr auto entangled = [](double t, const auto& q, const auto& v) {
  using std::sin;
  return 0.5 * (1.0 + q[0] * q[0]) * v[0] * v[0] + q[0] * q[1] * v[0] * v[1] + 0.5 * v[1] * v[1] -
         sin(q[0] * q[1] + t);
};

TEST(Lagrangian, DerivativesAreTheClosedForms) {
  const double t = 0.4, x = 0.7, y = -1.3, u = 0.9, w = 0.2;
  const auto d = derivatives(Lagrangian(entangled), t, V2(x, y), V2(u, w));
  const double c = std::cos(x * y + t), s = std::sin(x * y + t);
  EXPECT_NEAR(d.g.q[0], x * u * u + y * u * w - y * c, 1e-15);
  EXPECT_NEAR(d.g.q[1], x * u * w - x * c, 1e-15);
  EXPECT_NEAR(d.g.v[0], (1 + x * x) * u + x * y * w, 1e-15);
  EXPECT_NEAR(d.g.v[1], x * y * u + w, 1e-15);
  const Matrix<double, 2> qq{{u * u + y * y * s, u * w - c + x * y * s},
                             {u * w - c + x * y * s, x * x * s}};
  const Matrix<double, 2> qv{{2 * x * u + y * w, y * u}, {x * w, x * u}};  // row: q, column: v
  const Matrix<double, 2> vv{{1 + x * x, x * y}, {x * y, 1.0}};
  EXPECT_LE(error(d.h.qq, qq), 2e-15);
  EXPECT_LE(error(d.h.qv, qv), 2e-15);
  EXPECT_LE(error(d.h.vv, vv), 2e-15);
  EXPECT_EQ(Lagrangian(entangled)(t, V2(x, y), V2(u, w)), entangled(t, V2(x, y), V2(u, w)));
}

TEST(Lagrangian, RunTimeSizeGivesTheSameDerivatives) {
  const V2 q(0.7, -1.3), v(0.9, 0.2);
  const auto fixed = derivatives(Lagrangian(entangled), 0.4, q, v);
  const auto sized = derivatives(Lagrangian(entangled), 0.4, Vn(q), Vn(v));
  EXPECT_LE(error(fixed.g.q, sized.g.q) + error(fixed.g.v, sized.g.v), 1e-15);
  EXPECT_LE(error(fixed.h.qq, sized.h.qq), 1e-15);
  EXPECT_LE(error(fixed.h.qv, sized.h.qv), 1e-15);
  EXPECT_LE(error(fixed.h.vv, sized.h.vv), 1e-15);
}

/// A chain of n springs, more coordinates than one chunk of jets, against its matrices.
TEST(Lagrangian, RunTimeSizeIsNotLimitedByChunks) {
  const int n = 11;
  const auto chain = [](const auto& q, const auto& v) {
    auto sum = 0.5 * v.squaredNorm() + q[0] * v[q.size() - 1];
    for (Eigen::Index i = 0; i + 1 < q.size(); ++i)
      sum -= 0.5 * (q[i + 1] - q[i]) * (q[i + 1] - q[i]) * (1.0 + static_cast<double>(i));
    return sum;
  };
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n), qv = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i + 1 < n; ++i) {
    const double stiffness = 1.0 + i;
    k(i, i) += stiffness;
    k(i + 1, i + 1) += stiffness;
    k(i, i + 1) = k(i + 1, i) = -stiffness;
  }
  qv(0, n - 1) = 1.0;
  Vn q(n), v(n);
  for (int i = 0; i < n; ++i) {
    q[i] = std::sin(1.0 + 3 * i);
    v[i] = std::cos(2.0 + 5 * i);
  }
  const auto d = derivatives(Lagrangian(chain), 0.0, q, v);
  EXPECT_LE(error(d.g.q, qv * v - k * q), 1e-13);
  EXPECT_LE(error(d.g.v, v + qv.transpose() * q), 1e-15);
  EXPECT_LE(error(d.h.qq, -k), 1e-15);
  EXPECT_LE(error(d.h.qv, qv), 1e-15);
  EXPECT_LE(error(d.h.vv, Eigen::MatrixXd::Identity(n, n)), 1e-15);
}

// The same physics declared as Separable and written out.
constexpr auto well = [](double t, const auto& q) {
  using std::cos;
  return q[0] * q[0] * q[1] + cos(q[1] - t * q[2]) + 0.3 * q[2];
};
template <class M>
void expect_declaration_equals_callable(const M& mass, const Matrix<double, 3>& matrix) {
  const V3 q(0.4, -1.1, 0.8), v(1.2, 0.3, -0.7);
  const double t = 0.6;
  const auto plain = [&](double time, const auto& x, const auto& u) {
    using T = typename std::decay_t<decltype(u)>::Scalar;
    const Vector<T, 3> w = u.template head<3>();
    return 0.5 * w.dot(Vector<T, 3>(matrix * w)) - well(time, x);
  };
  const auto expected = derivatives(Lagrangian(plain), t, q, v);
  const auto check = [&](const auto& d) {
    EXPECT_LE(error(d.g.q, expected.g.q) + error(d.g.v, expected.g.v), 4e-15);
    EXPECT_LE(error(d.h.qq, expected.h.qq), 4e-15);
    EXPECT_LE(error(d.h.qv, expected.h.qv), 0.0);
    EXPECT_LE(error(d.h.vv, expected.h.vv), 1e-15);
  };
  const auto declared = detail::make_lagrangian(Separable{mass, well});
  static_assert(decltype(declared)::separable);
  EXPECT_NEAR(declared(t, q, v), plain(t, q, v), 1e-15);
  check(derivatives(declared, t, q, v));
  check(derivatives(declared, t, Vn(q), Vn(v)));
}

TEST(Separable, UniformMassEqualsTheCallable) {
  expect_declaration_equals_callable(2.5, 2.5 * Matrix<double, 3>::Identity());
}
TEST(Separable, DiagonalMassEqualsTheCallable) {
  const V3 m(1.0, 2.0, 0.25);
  expect_declaration_equals_callable(m, m.asDiagonal());
  expect_declaration_equals_callable(Vn(m), m.asDiagonal());
}
TEST(Separable, MatrixMassEqualsTheCallable) {
  const Matrix<double, 3> m{{2.0, 0.3, -0.1}, {0.3, 1.0, 0.2}, {-0.1, 0.2, 3.0}};
  expect_declaration_equals_callable(m, m);
}

TEST(Separable, PotentialWithoutTimeIsAllowed) {
  const auto l = detail::make_lagrangian(Separable{2.0, [](const auto& q) { return q[0] * q[1]; }});
  const auto d = derivatives(l, 9.0, V2(3.0, 5.0), V2(1.0, 2.0));
  EXPECT_EQ(d.g.q, V2(-5.0, -3.0));
  EXPECT_EQ(d.g.v, V2(2.0, 4.0));
}

/// Gravitation of unequal bodies, pair by pair and as one callable, in the plane and in space.
template <int Dim> void expect_pairs_equal_the_whole(int bodies) {
  const auto pair = [](int i, int j, const auto& r) {
    using std::log;
    return -(1.0 + i) * (2.0 + j) / r + 0.1 * log(r) * i;
  };
  const auto pairs = over_pairs<Dim>(pair);
  const Potential whole([&](const auto& q) {
    using std::sqrt;
    using S = typename std::decay_t<decltype(q)>::Scalar;
    S sum(0.0);
    for (int i = 0; i < bodies; ++i)
      for (int j = i + 1; j < bodies; ++j) {
        S r2(0.0);
        for (int k = 0; k < Dim; ++k) {
          const S d = q[Dim * i + k] - q[Dim * j + k];
          r2 += d * d;
        }
        sum += pair(i, j, S(sqrt(r2)));
      }
    return sum;
  });
  Vn q(Dim * bodies);
  for (int i = 0; i < q.size(); ++i) q[i] = 2.0 * std::sin(1.0 + 7 * i);
  Vn g(q.size()), expected_g(q.size());
  Matrix<double, Dynamic> h(q.size(), q.size()), expected_h = h;
  EXPECT_NEAR(pairs(0.0, q), whole(0.0, q), 1e-14);
  whole.hessian(0.0, q, expected_g, expected_h);
  pairs.gradient(0.0, q, g);
  EXPECT_LE(error(g, expected_g), 1e-13);
  pairs.hessian(0.0, q, g, h);
  EXPECT_LE(error(g, expected_g), 1e-13);
  EXPECT_LE(error(h, expected_h), 1e-12);
  for (int k = 0; k < Dim; ++k) {  // action = reaction
    double sum = 0.0;
    for (int i = 0; i < bodies; ++i) sum += g[Dim * i + k];
    EXPECT_NEAR(sum, 0.0, 1e-14);
  }
}

TEST(PairPotential, EqualsTheSumAsOneCallable) {
  expect_pairs_equal_the_whole<2>(2);
  expect_pairs_equal_the_whole<2>(4);
  expect_pairs_equal_the_whole<3>(3);
}

TEST(PairPotential, RefusesPartsOfBodies) {
  Vn g(7);
  const auto pairs = over_pairs<3>([](int, int, const auto& r) { return 1.0 / r; });
  EXPECT_THROW(pairs.gradient(0.0, Vn(Vn::Ones(7)), g), InvalidArgument);
}

// The heavy top: L = ½ Ω·IΩ - m g l e₃·RX. Its torque in the body frame is m g l Γ × X with
// Γ = Rᵀe₃: δL = -m g l Γ·(δ × X) = -m g l δ·(X × Γ), so ∂L/∂q = m g l Γ × X.
TEST(Lagrangian, HeavyTopHasItsTorqueInTheBodyFrame) {
  const V3 inertia(1.0, 2.0, 0.5), centre(0.1, -0.3, 0.9);
  const double weight = 4.0;
  const auto top = [&](const auto& r, const auto& w) {
    const auto height = (r * centre)[2];
    return 0.5 * w.dot(inertia.cwiseProduct(w)) - weight * height;
  };
  const SO3<double> r(rotation(V3(0.4, -1.2, 0.7), Retraction::exponential));
  const V3 omega(0.3, -0.5, 1.1);
  const auto d = derivatives(Lagrangian(top), 0.0, r, omega);
  const V3 gamma = r.inverse() * V3(0, 0, 1);
  EXPECT_LE(error(d.g.q, weight * gamma.cross(centre)), 4e-15);
  EXPECT_LE(error(d.g.v, inertia.cwiseProduct(omega)), 1e-15);

  // second derivatives in the exponential chart, by nested jets through the retraction itself
  using Inner = Jet<double, 3>;
  using J = Jet<Inner, 3>;
  Vector<J, 3> delta;
  for (int i = 0; i < 3; ++i) delta[i] = J::variable(Inner::variable(0.0, i), i);
  const SO3<J> near =
      Space<SO3<J>>::retract(Space<SO3<double>>::cast<J>(r), delta, Retraction::exponential);
  const J value = top(near, Vector<J, 3>(omega.cast<J>()));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(d.h.qq(i, j), value.d[i].d[j], 4e-15);
  EXPECT_LE(error(d.h.qv, Matrix<double, 3>::Zero()), 0.0);
  EXPECT_LE(error(d.h.vv, Matrix<double, 3>(inertia.asDiagonal())), 1e-15);

  // the same body declared
  const auto declared = detail::make_lagrangian(
      Separable{inertia, [&](const auto& x) { return weight * (x * centre)[2]; }});
  const auto e = derivatives(declared, 0.0, r, omega);
  EXPECT_LE(
      error(e.g.q, d.g.q) + error(e.g.v, d.g.v) + error(e.h.qq, d.h.qq) + error(e.h.vv, d.h.vv),
      1e-14);
}

}  // namespace
}  // namespace varia::lagrangian_test
