// SPDX-License-Identifier: BSD-3-Clause
// The continuous equations of motion against textbook forms.
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/flow/start.hpp"
#include "varia/space/euclidean.hpp"
#include "varia/space/so3.hpp"

namespace varia::start_acceleration_test {
namespace {

using V1 = Vector<double, 1>;
using V2 = Vector<double, 2>;
using V3 = Vector<double, 3>;
double error(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

TEST(Acceleration, OfThePendulum) {
  const System pendulum{[](const auto& q, const auto& v) {
    using std::cos;
    return 0.5 * 0.3 * v[0] * v[0] + 2.0 * cos(q[0]);
  }};
  EXPECT_NEAR(acceleration(pendulum, 0.0, V1(0.8), V1(1.5)).a[0], -2.0 / 0.3 * std::sin(0.8),
              1e-14);
  EXPECT_NEAR(acceleration(pendulum, 0.0, Vn(V1(0.8)), Vn(V1(1.5))).a[0],
              -2.0 / 0.3 * std::sin(0.8), 1e-14);
}

/// Polar coordinates: r″ = r θ′² - V′(r), θ″ = -2 r′θ′/r. The mixed derivative ∂²L/∂v∂q is at work.
TEST(Acceleration, InPolarCoordinates) {
  const System polar{[](const auto& q, const auto& v) {
    return 0.5 * (v[0] * v[0] + q[0] * q[0] * v[1] * v[1]) + 1.0 / q[0];
  }};
  const V2 q(1.7, 0.4), v(-0.6, 0.9);
  const V2 expected(q[0] * v[1] * v[1] - 1.0 / (q[0] * q[0]), -2.0 * v[0] * v[1] / q[0]);
  EXPECT_LE(error(acceleration(polar, 0.0, q, v).a, expected), 1e-15);
}

/// L = e^{ct}(½v² - ½q²) is a damped oscillator: a = -q - c v.
TEST(Acceleration, WithTime) {
  const double c = 0.3;
  const System damped{[c](double t, const auto& q, const auto& v) {
    return std::exp(c * t) * (0.5 * v[0] * v[0] - 0.5 * q[0] * q[0]);
  }};
  EXPECT_NEAR(acceleration(damped, 1.3, V1(0.8), V1(-0.5)).a[0], -0.8 + c * 0.5, 1e-9);
}

TEST(Acceleration, WithAForce) {
  const System driven{Separable{2.0, [](const auto& q) { return 0.5 * q[0] * q[0]; }},
                      Force{[](double t, const auto& q, const auto& v) {
                        return std::decay_t<decltype(v)>(v * (-0.4) + q * t);
                      }}};
  EXPECT_NEAR(acceleration(driven, 3.0, V1(0.8), V1(-0.5)).a[0], (-0.8 + 0.2 + 2.4) / 2.0, 1e-15);
}

/// A mass that changes with time, as text: (1 + t)a + v = -x.
TEST(Acceleration, WithAMassThatChanges) {
  const auto system = problems::system_of({{"x"}, "(1 + t)*x_dot^2/2 - x^2/2"});
  const double t = 0.7, x = 0.8, v = -0.5;
  double a = 0.0;
  ASSERT_TRUE(LegendreTransform(*system).acceleration(t, &x, &v, &a));
  EXPECT_NEAR(a, (-x - v) / (1 + t), 1e-15);
  EXPECT_NEAR(acceleration(*system, t, Vn(V1(x)), Vn(V1(v))).a[0], a, 1e-15);
}

/// On the circle, (1 + t)x″ + x′ = 2λx, y″ = -1 + 2λy and q·q″ = -|v|². (Of (1 + t)T the rate of the mass
/// has no part along G unless the constraint moves.)
TEST(Acceleration, FirstMultiplierWithAMassThatChanges) {
  const auto system =
      problems::system_of({{"x", "y"}, "((1 + t)*x_dot^2 + y_dot^2)/2 - y", {}, {"x^2 + y^2 - 1"}});
  const double t = 0.7, x = 0.6, y = 0.8, speed = 1.3;
  const V2 v(-y * speed, x * speed);
  const double lambda =
      (-speed * speed + x * v[0] / (1 + t) + y) / (2 * x * x / (1 + t) + 2 * y * y);
  const auto start = initial(*system, Vn(V2(x, y)), Vn(v), t);
  EXPECT_NEAR(start.lambda[0], lambda, 1e-15);
  const V2 a = acceleration(*system, t, Vn(V2(x, y)), Vn(v)).a;
  EXPECT_LE(error(a, V2((2 * lambda * x - v[0]) / (1 + t), -1 + 2 * lambda * y)), 1e-15);
}

/// L = (1 + t)|v|²/2 - y on the circle of radius 1 + t, which carries the particle outwards:
/// (1 + t)q″ + q′ = (0, -1) + 2λq, q·q′ = 1 + t, q·q″ = 1 - |v|².
TEST(Acceleration, FirstMultiplierOnAConstraintThatMoves) {
  const auto system = problems::system_of(
      {{"x", "y"}, "(1 + t)*(x_dot^2 + y_dot^2)/2 - y", {}, {"x^2 + y^2 - (1 + t)^2"}});
  const double t = 0.7, r = 1 + t;
  const V2 q(0.6 * r, 0.8 * r), v(0.6 - 0.8 * 1.3, 0.8 + 0.6 * 1.3);
  const double lambda = (r * (1 - v.squaredNorm()) + r + q[1]) / (2 * r * r);
  EXPECT_NEAR(initial(*system, Vn(q), Vn(v), t).lambda[0], lambda, 1e-15);
  const V2 expected = (V2(0, -1) + 2 * lambda * q - v) / r;
  EXPECT_LE(error(acceleration(*system, t, Vn(q), Vn(v)).a, expected), 1e-14);
}

/// I ω′ = Iω × ω + torque
TEST(Acceleration, OfARigidBodyIsThatOfEuler) {
  const V3 inertia(1.0, 2.0, 0.5), centre(0.1, -0.3, 0.9), omega(0.3, -0.5, 1.1);
  const double weight = 4.0;
  const SO3<double> r(rotation(V3(0.4, -1.2, 0.7), Retraction::exponential));
  const V3 gamma = r.inverse() * V3(0, 0, 1);
  const V3 spin = inertia.cwiseProduct(omega);
  const V3 expected = (spin.cross(omega) + weight * gamma.cross(centre)).cwiseQuotient(inertia);
  const auto potential = [&](const auto& x) { return weight * (x * centre)[2]; };
  const System declared{Separable{inertia, potential}};
  const System plain{[&](const auto& x, const auto& w) {
    return 0.5 * w.dot(inertia.cwiseProduct(w)) - potential(x);
  }};
  EXPECT_LE(error(acceleration(declared, 0.0, r, omega).a, expected), 1e-14);
  EXPECT_LE(error(acceleration(plain, 0.0, r, omega).a, expected), 1e-14);
}

/// The spherical pendulum |q| = l: m q″ = -m g e₃ + 2 λ q with 2 λ l² = m (g z - |v|²).
template <class Q> void expect_spherical_pendulum() {
  const double m = 1.7, g = 9.81;
  const System pendulum{Separable{m, [=](const auto& q) { return m * g * q[2]; }},
                        Holonomic{[](const auto& q) { return q.squaredNorm() - 4.0; }}};
  const V3 q = 2.0 * V3(2, -3, 6) / 7.0;
  const V3 v = q.cross(V3(0.3, 0.8, -0.2));
  const auto result = acceleration(pendulum, 0.0, Q(q), Q(v));
  const double lambda = m * (g * q[2] - v.squaredNorm()) / 8.0;
  EXPECT_NEAR(result.lambda[0], lambda, 1e-13);
  EXPECT_LE(error(result.a, V3(0, 0, -g) + 2.0 * lambda / m * q), 1e-13);
  EXPECT_NEAR(q.dot(result.a) + v.squaredNorm(), 0.0, 1e-13);  // d²φ/dt² = 0
}

TEST(Acceleration, OfTheSphericalPendulum) {
  expect_spherical_pendulum<V3>();
  expect_spherical_pendulum<Vn>();
}

/// A rod in the plane, two masses at distance 1: the multiplier is the tension of the rod.
TEST(Acceleration, WithTwoConstraintsKeepsBoth) {
  const System rods{Separable{Vector<double, 4>(1.0, 1.0, 3.0, 3.0),
                              [](const auto& q) { return 9.81 * (q[1] + 3.0 * q[3]); }},
                    Holonomic{[](const auto& q) {
                      using S = typename std::decay_t<decltype(q)>::Scalar;
                      const S dx = q[2] - q[0], dy = q[3] - q[1];
                      return Vector<S, 2>(q[0] * q[0] + q[1] * q[1] - 1.0, dx * dx + dy * dy - 1.0);
                    }}};
  const double a = 0.4, b = -0.7, u = 1.2, w = -0.3;
  using V4 = Vector<double, 4>;
  const V4 q(std::sin(a), -std::cos(a), std::sin(a) + std::sin(b), -std::cos(a) - std::cos(b));
  const V4 va(std::cos(a), std::sin(a), std::cos(a), std::sin(a)),
      vb(0, 0, std::cos(b), std::sin(b));
  const V4 v = u * va + w * vb;
  const V4 acc = acceleration(rods, 0.0, q, v).a;
  EXPECT_NEAR(q.head<2>().dot(acc.head<2>()) + v.head<2>().squaredNorm(), 0.0, 1e-14);
  const V2 d = q.tail<2>() - q.head<2>(), dv = v.tail<2>() - v.head<2>(),
           da = acc.tail<2>() - acc.head<2>();
  EXPECT_NEAR(d.dot(da) + dv.squaredNorm(), 0.0, 1e-14);

  // the same motion in angles, without constraints
  const System angles{[](const auto& x, const auto& y) {
    using std::cos;
    return 2.0 * y[0] * y[0] + 1.5 * y[1] * y[1] + 3.0 * y[0] * y[1] * cos(x[0] - x[1]) +
           9.81 * (4.0 * cos(x[0]) + 3.0 * cos(x[1]));
  }};
  const V2 alpha = acceleration(angles, 0.0, V2(a, b), V2(u, w)).a;
  V4 expected = alpha[0] * va + alpha[1] * vb;
  expected -= u * u * V4(std::sin(a), -std::cos(a), std::sin(a), -std::cos(a));
  expected -= w * w * V4(0, 0, std::sin(b), -std::cos(b));
  EXPECT_LE(error(acc, expected), 1e-13);
}

}  // namespace
}  // namespace varia::start_acceleration_test
