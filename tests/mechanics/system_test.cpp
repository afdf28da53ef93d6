// SPDX-License-Identifier: BSD-3-Clause
// Forces, constraints, symmetries, and the system that collects them.
// Of force.hpp, constraint.hpp, symmetry.hpp.
#include "varia/mechanics/system.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "varia/space/euclidean.hpp"
#include "varia/space/so3.hpp"

namespace varia::system_test {
namespace {

using V2 = Vector<double, 2>;
using V3 = Vector<double, 3>;
double error(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

/// f = (-|v|² u + t y, x u w)
constexpr auto drag = [](double t, const auto& q, const auto& v) {
  using X = std::decay_t<decltype(v)>;
  X f(2);
  f[0] = -v.squaredNorm() * v[0] + t * q[1];
  f[1] = q[0] * v[0] * v[1];
  return f;
};

template <class Q> void expect_derivatives_of_drag() {
  const double t = 0.5, x = 0.3, y = -0.8, u = 1.1, w = 0.6;
  const Q q = V2(x, y), v = V2(u, w);
  Q f(2), alone(2);
  TangentMap<Q> fq(2, 2), fv(2, 2);
  Force force(drag);
  force.derivative(t, q, v, f, fq, fv);
  force.value(t, q, v, alone);
  EXPECT_LE(error(f, V2(-(u * u + w * w) * u + t * y, x * u * w)), 1e-15);
  EXPECT_LE(error(alone, f), 1e-16);
  EXPECT_LE(error(fq, Matrix<double, 2>{{0.0, t}, {u * w, 0.0}}), 1e-15);
  EXPECT_LE(error(fv, Matrix<double, 2>{{-3 * u * u - w * w, -2 * u * w}, {x * w, x * u}}), 1e-15);
}

TEST(Force, DerivativesAreTheClosedForms) {
  expect_derivatives_of_drag<V2>();
  expect_derivatives_of_drag<Vn>();
}

/// A constant force of space seen in the body: f = Rᵀa, ∂f/∂δ η = -η × Rᵀa.
TEST(Force, OnRotationsIsDifferentiatedInTheBodyFrame) {
  const V3 a(0.3, -0.7, 1.9);
  Force force([&](const auto& r, const auto& v) {
    return std::decay_t<decltype(v)>(r.inverse() * a - v * 0.1);
  });
  const SO3<double> r(rotation(V3(0.4, -1.2, 0.7), Retraction::exponential));
  V3 f;
  Matrix<double, 3> fq, fv;
  force.derivative(0.0, r, V3(1, 2, 3), f, fq, fv);
  const V3 body = r.inverse() * a;
  EXPECT_LE(error(f, body - 0.1 * V3(1, 2, 3)), 1e-15);
  EXPECT_LE(error(fq, hat(body)), 1e-15);
  EXPECT_LE(error(fv, -0.1 * Matrix<double, 3>::Identity()), 1e-16);
}

/// φ = (|q|² - 1, x y z) and its first component alone as a number
constexpr auto two = [](const auto& q) {
  using S = typename std::decay_t<decltype(q)>::Scalar;
  return Vector<S, 2>(q.squaredNorm() - 1.0, q[0] * q[1] * q[2]);
};
constexpr auto sphere = [](const auto& q) { return q.squaredNorm() - 1.0; };

template <class Q> void expect_derivatives_of_constraints() {
  const double x = 0.3, y = -0.8, z = 1.1;
  const Q q = V3(x, y, z);
  const V2 lambda(0.7, -2.0);
  const Matrix<double, 2, 3> g{{2 * x, 2 * y, 2 * z}, {y * z, x * z, x * y}};
  const Matrix<double, 3> second{{0, z, y}, {z, 0, x}, {y, x, 0}};
  V2 phi;
  Matrix<double, 2, dof<Q>> jacobian(2, 3);
  TangentMap<Q> h(3, 3);
  Holonomic both(two);
  static_assert(decltype(both)::template count<Q>() == 2);
  both.jacobian(0.0, q, phi, jacobian);
  EXPECT_LE(error(jacobian, g), 1e-15);
  EXPECT_LE(error(phi, V2(x * x + y * y + z * z - 1, x * y * z)), 1e-15);
  jacobian.setZero();
  both.hessian(0.0, q, lambda, phi, jacobian, h);
  EXPECT_LE(error(jacobian, g), 1e-15);
  EXPECT_LE(error(h, 2 * lambda[0] * Matrix<double, 3>::Identity() + lambda[1] * second), 1e-15);

  Vector<double, 1> one_phi;
  Matrix<double, 1, dof<Q>> one(1, 3);
  Holonomic single(sphere);
  static_assert(decltype(single)::template count<Q>() == 1);
  single.hessian(0.0, q, Vector<double, 1>(-3.0), one_phi, one, h);
  EXPECT_LE(error(one, g.row(0)), 1e-15);
  EXPECT_NEAR(one_phi[0], x * x + y * y + z * z - 1, 1e-15);
  EXPECT_LE(error(h, -6.0 * Matrix<double, 3>::Identity()), 1e-15);
}

TEST(Holonomic, DerivativesAreTheClosedForms) {
  expect_derivatives_of_constraints<V3>();
  expect_derivatives_of_constraints<Vn>();
}

/// A body whose axis e₃ stays horizontal: φ = e₃·Re₃, dφ(δ) = Γ·(δ × e₃), Γ = Rᵀe₃.
TEST(Holonomic, OnRotationsIsDifferentiatedInTheBodyFrame) {
  Holonomic level([](const auto& r) { return r(2, 2); });
  const SO3<double> r(rotation(V3(0.4, -1.2, 0.7), Retraction::exponential));
  Vector<double, 1> phi;
  Matrix<double, 1, 3> g;
  level.jacobian(0.0, r, phi, g);
  const V3 gamma = r.inverse() * V3(0, 0, 1), e3(0, 0, 1);
  EXPECT_EQ(phi[0], r(2, 2));
  EXPECT_LE(error(g.transpose(), e3.cross(gamma)), 1e-15);
}

TEST(Symmetry, MomentumIsThatOfNoether) {
  const Symmetry angular("angular momentum", [](const auto& q) { return V2(-q[1], q[0]); });
  const V2 q(0.3, -0.8), p(1.1, 0.6);
  EXPECT_NEAR(angular.momentum(q, p), q[0] * p[1] - q[1] * p[0], 1e-16);
  EXPECT_EQ(angular.name(), "angular momentum");
  const Symmetry translation("total momentum",
                             [](const auto& x) { return Vn(Vn::Ones(x.size())); });
  EXPECT_NEAR(translation.momentum(Vn(Vn::Zero(3)), Vn(V3(1, 2, 4))), 7.0, 0.0);
}

/// Turning space about a changes J by ⟨p, Rᵀa⟩ = a·(R p): the spatial momentum.
TEST(Symmetry, OfRotationsIsTheSpatialMomentum) {
  const V3 p(0.3, -0.5, 1.1);
  const SO3<double> r(rotation(V3(0.4, -1.2, 0.7), Retraction::exponential));
  const V3 spatial = r * p;
  for (int k = 0; k < 3; ++k) {
    const Symmetry turn("turn", [k](const auto& x) { return V3(x.inverse() * V3::Unit(k)); });
    EXPECT_NEAR(turn.momentum(r, p), spatial[k], 1e-15);
  }
}

TEST(System, CollectsItsPartsInAnyOrder) {
  const auto l = [](const auto&, const auto& v) { return 0.5 * v.squaredNorm(); };
  const Symmetry first("first", [](const auto& q) { return V2(-q[1], q[0]); });
  const Symmetry second("second", [](const auto&) { return V2(1, 0); });
  const Holonomic circle(sphere);
  const Force force(drag);
  const System plain{l};
  static_assert(!plain.forced && !plain.constrained && !plain.separable && plain.symmetries == 0);
  static_assert(decltype(plain)::constraints<V2>() == 0);
  const System full{l, first, circle, second, force};
  static_assert(full.forced && full.constrained && full.symmetries == 2);
  static_assert(decltype(full)::constraints<V2>() == 1);
  std::vector<std::string> names;
  full.for_each_symmetry([&](const auto& s) { names.push_back(s.name()); });
  EXPECT_EQ(names, (std::vector<std::string>{"first", "second"}));
  EXPECT_NEAR(full.constraint()(0.0, V2(0.6, 0.8))[0], 0.0, 1e-15);
  V2 f;
  full.force().value(0.0, V2(0, 0), V2(1, 0), f);
  EXPECT_EQ(f, V2(-1, 0));
  const System separable{Separable{1.0, [](const auto& q) { return q[0]; }}, force};
  static_assert(separable.separable && separable.forced && !separable.constrained);
}

}  // namespace
}  // namespace varia::system_test
