// SPDX-License-Identifier: BSD-3-Clause
// ShootingFlow against an oracle for its discrete Lagrangian: two ways to compute one flow.
#include <gtest/gtest.h>

#include "flow/shooting_oracle.hpp"
#include "problems.hpp"
#include "varia/flow/discrete_flow.hpp"

namespace varia::shooting_equivalence_test {
namespace {

using namespace problems;
using V2 = Vector<double, 2>;

/// The double pendulum with a magnetic term: mass and curl depend on the configuration.
struct Charged {
  template <class Q, class V> auto operator()(const Q& q, const V& v) const {
    return v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * cos(q[0] - q[1]) +
           0.4 * q[0] * q[0] * v[1] + 2.0 * cos(q[0]) + cos(q[1]);
  }
};

Shooting charged() {
  return Shooting({{"x", "y"},
                   "x_dot^2 + y_dot^2/2 + x_dot*y_dot*cos(x - y) + 0.4*x^2*y_dot + 2*cos(x)"
                   " + cos(y)"});
}

template <class Ld> void expect_same(const Ld& ld, const ShootingFlow& flow) {
  const DiscreteFlow other(ld);
  const double h = 0.2;
  VectorState s = charged().start(vector({0.7, -0.3}), vector({0.2, 0.3}));
  auto z = make_state(V2(s.q), V2(s.p));
  auto memory = flow.memory(s);
  double apart = 0.0;
  for (int k = 0; k < 20; ++k) {
    s = flow.step(s, h, memory);
    z = other(z, h);
    apart = std::max({apart, (s.q - z.q).cwiseAbs().maxCoeff(), (s.p - z.p).cwiseAbs().maxCoeff()});
  }
  EXPECT_LT(apart, 1e-12) << flow.method().name();
  const V2 q0(0.7, -0.3);
  const V2 q1(0.73, -0.22);
  const auto a = slot_derivatives(ld, q0, q1, h);
  const ShootingAction b = flow.discrete_lagrangian(0.0, q0, q1, h);
  EXPECT_NEAR(a.value, b.value, 1e-14) << flow.method().name();
  EXPECT_LT((a.d1 - b.d1).cwiseAbs().maxCoeff(), 2e-14) << flow.method().name();
  EXPECT_LT((a.d2 - b.d2).cwiseAbs().maxCoeff(), 2e-14) << flow.method().name();
}

TEST(ShootingEquivalence, RungeKutta) {
  for (const auto& [p, rule] : {std::pair(1, "trapezoid"), std::pair(2, "gauss:2"),
                                std::pair(3, "radau:2"), std::pair(4, "lobatto:3")})
    expect_same(shooting_lagrangian(Charged{}, p, parse_quadrature(rule)),
                charged().shooting(p, rule));
}

TEST(ShootingEquivalence, Taylor) {
  expect_same(taylor_lagrangian<3>(Charged{}, parse_quadrature("gauss:2")),
              charged().taylor(3, "gauss:2"));
}

/// Runge-Kutta and Taylor methods of one order are not the same.
TEST(ShootingEquivalence, OtherStepsAreOtherFlows) {
  const VectorState s = charged().start(vector({0.7, -0.3}), vector({0.2, 0.3}));
  const double apart = distance(charged().shooting(4, "lobatto:3")(s, 0.2),
                                charged().taylor(4, "lobatto:3")(s, 0.2));
  EXPECT_GT(apart, 1e-8);
  EXPECT_LT(apart, 1e-4);
}

}  // namespace
}  // namespace varia::shooting_equivalence_test
