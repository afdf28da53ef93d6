// SPDX-License-Identifier: BSD-3-Clause
// The exact discrete Lagrangian on a constraint manifold: the sphere in closed form, where only the
// projected Legendre transforms are determined, without and with a force.
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "verify/exact_derivatives.hpp"

namespace varia::exact_constraints_test {
namespace {

using V3 = Vector<double, 3>;

/// A free particle on the unit sphere: L^E = mθ²/(2h), cos θ = q₀·q₁.
TEST(ExactConstraints, SphereInClosedForm) {
  const double m = 1.3;
  const System sphere{[m](const auto&, const auto& v) { return 0.5 * m * v.dot(v); },
                      Holonomic{[](const auto& q) { return q.dot(q) - 1.0; }}};
  const ExactLagrangian exact(sphere);
  const V3 q0 = V3(1.0, 2.0, -0.5).normalized();
  const V3 q1 = V3(0.2, 1.0, 0.9).normalized();
  const double h = 0.6;
  const double theta = std::acos(q0.dot(q1));
  const auto d = exact_derivatives(exact, q0, q1, h);
  EXPECT_NEAR(d.value, m * theta * theta / (2 * h), 1e-12);
  // the gradients of the closed form, along the sphere
  const V3 along0 = (q1 - q0.dot(q1) * q0).normalized();
  const V3 along1 = (q1.dot(q0) * q1 - q0).normalized();
  EXPECT_LT((d.d1 + m * theta / h * along0).norm(), 1e-11);
  EXPECT_LT((d.d2 - m * theta / h * along1).norm(), 1e-11);
  // off the sphere the closed form goes on differently: Legendre transforms agree after projection only
  const V3 ambient = -m * theta / h / std::sin(theta) * q1;  // ∂/∂q₀ of mθ²/(2h) in ℝ³
  EXPECT_GT((ambient - d.d1).norm(), 0.1);
  const V3 projected = ambient - ambient.dot(q0) * q0;
  EXPECT_LT((projected - d.d1).norm(), 1e-11);
  expect_words(refusal([&] { exact.at(q0, V3(1.01 * q1), h); }), {"off the constraint"});
}

/// A pendulum with drag: D₁L^E and D₂L^E differenced along the sphere and f^{E-}, f^{E+} add up to the
/// momenta at the ends; the forces of the two ends are not interchangeable.
TEST(ExactConstraints, ForcedPendulum) {
  const System drag{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[2]; },
                    Force{[](const auto&, const auto& v) {
                      return Vector<std::decay_t<decltype(v[0])>, 3>(-0.4 * v);
                    }},
                    Holonomic{[](const auto& q) { return q.dot(q) - 1.0; }}};
  const ExactLagrangian exact(drag);
  const V3 q0 = V3(1.0, 0.2, -0.5).normalized();
  const auto start = initial(drag, q0, V3(V3(0.1, 0.5, 0.8) - q0.dot(V3(0.1, 0.5, 0.8)) * q0));
  const double h = 0.5;
  const auto a = exact.along(start, h);
  const auto d = exact_derivatives(exact, q0, a.end.q, h);
  const auto back = exact.at(q0, a.end.q, h);
  EXPECT_LT((back.start.p - start.p).norm(), 1e-12);
  EXPECT_LT((back.end.p - a.end.p).norm(), 1e-12);
  const V3 q1 = a.end.q;
  const auto moved = [](const V3& q, const V3& along, double e) {
    return V3(std::cos(e) * q + std::sin(e) * along);
  };
  const auto slope = [](const auto& value) {
    return derivative_at_zero([&](double e) { return Eigen::VectorXd::Constant(1, value(e)); },
                              0.3)[0];
  };
  for (int k = 0; k < 2; ++k) {
    const V3 u = d.basis0.col(k), w = d.basis1.col(k);
    const double d1 = slope([&](double e) { return exact(moved(q0, u, e), q1, h); });
    const double d2 = slope([&](double e) { return exact(q0, moved(q1, w, e), h); });
    EXPECT_NEAR(d.d1.dot(u), d1, 1e-11);
    EXPECT_NEAR(d.d2.dot(w), d2, 1e-11);
    EXPECT_NEAR(start.p.dot(u), -d1 - d.f_minus.dot(u), 1e-11);
    EXPECT_NEAR(a.end.p.dot(w), d2 + d.f_plus.dot(w), 1e-11);
    EXPECT_GT(std::abs(d.f_minus.dot(u)), 1e-3);
    EXPECT_GT(std::abs(d.f_plus.dot(w)), 1e-3);
    EXPECT_GT(std::abs(a.end.p.dot(w) - d2 - d.f_minus.dot(w)), 1e-3);
  }
}

}  // namespace
}  // namespace varia::exact_constraints_test
