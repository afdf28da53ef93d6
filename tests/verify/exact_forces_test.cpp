// SPDX-License-Identifier: BSD-3-Clause
// Exact discrete forces, and the flow of L_d^E.
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/flow/discrete_flow.hpp"
#include "verify/exact_derivatives.hpp"

namespace varia::exact_forces_test {
namespace {

using namespace problems;
using V1 = Vector<double, 1>;
using V2 = Vector<double, 2>;

auto damped(double c) {
  return System{
      [](const auto& q, const auto& v) { return 0.5 * v.dot(v) + cos(q[0]) + cos(q[1] - q[0]); },
      Force{[c](const auto& q, const auto& v) {
        using S = std::decay_t<decltype(q[0])>;
        return Vector<S, 2>(-c * v[0], -c * v[1] * q[0]);
      }}};
}

/// (LdE±) with forces: D₁ and D₂ of the value, differenced, and the forces, integrated, add up to the
/// momenta of the motion. The forces alone or D alone do not.
TEST(ExactForces, ReproduceTheForcedMotion) {
  const auto system = damped(0.3);
  const ExactLagrangian exact(system);
  const double h = 0.7;
  const auto start = initial(system, V2(0.9, 0.2), V2(0.3, -0.4));
  const auto end = reference_state(system, start, h);
  const auto d = exact_derivatives(exact, start.q, end.q, h);
  for (int k = 0; k < 2; ++k) {
    const V2 unit = V2::Unit(k);
    const double d1 = derivative_at_zero(
        [&](double e) {
          return Eigen::VectorXd::Constant(1, exact(V2(start.q + e * unit), end.q, h));
        },
        0.5)[0];
    const double d2 = derivative_at_zero(
        [&](double e) {
          return Eigen::VectorXd::Constant(1, exact(start.q, V2(end.q + e * unit), h));
        },
        0.5)[0];
    EXPECT_NEAR(d.d1[k], d1, 1e-11);
    EXPECT_NEAR(d.d2[k], d2, 1e-11);
    EXPECT_NEAR(start.p[k], -d1 - d.f_minus[k], 1e-11);
    EXPECT_NEAR(end.p[k], d2 + d.f_plus[k], 1e-11);
    EXPECT_GT(std::abs(start.p[k] + d1), 1e-3);
    EXPECT_GT(std::abs(start.p[k] + d1 + d.f_plus[k]), 1e-4);  // the forces are not interchangeable
  }
}

/// A constant force in closed form: f^{E±} = f h/2 each.
TEST(ExactForces, ConstantForce) {
  const System pushed{[](const auto&, const auto& v) { return 0.5 * v.dot(v); },
                      Force{[](const auto& q, const auto&) {
                        return Vector<std::decay_t<decltype(q[0])>, 1>(2.0);
                      }}};
  const ExactLagrangian exact(pushed);
  const double h = 0.8;
  const auto d = exact_derivatives(exact, V1(0.1), V1(0.5), h);
  EXPECT_NEAR(d.f_minus[0], 2.0 * h / 2, 1e-12);
  EXPECT_NEAR(d.f_plus[0], 2.0 * h / 2, 1e-12);
  EXPECT_NEAR(d.value, 0.4 * 0.4 / (2 * h) + 4.0 * h * h * h / 24, 1e-13);
}

/// Without force f^{E±} = 0, and the derivatives of the momenta are those of one function.
TEST(ExactForces, VanishWithoutForce) {
  const System free{pendulum_lagrangian};
  const auto d = exact_derivatives(ExactLagrangian(free), V1(0.1), V1(0.5), 0.6);
  EXPECT_EQ(d.f_minus[0], 0.0);
  EXPECT_EQ(d.f_plus[0], 0.0);
  // D₁D₂ is symmetric: -∂p(0)/∂q₁ = ∂p(h)/∂q₀
  EXPECT_NEAR(-d.dp_start(0, 1), d.dp_end(0, 0), 1e-11);
}

/// The flow of L_d^E, by discrete Euler-Lagrange equations alone, is the exact flow, at a step at
/// which a method of order 2 is far off.
TEST(ExactFlow, OfTheDiscreteLagrangian) {
  const System pendulum{pendulum_lagrangian};
  const auto start = initial(pendulum, V1(1.0), V1(0.4));
  const ExactCallable exact_ld{ExactLagrangian(pendulum)};
  const DiscreteFlow flow(exact_ld);
  const double h = 0.8;
  auto z = make_state(start.q, start.p);
  for (int k = 1; k <= 3; ++k) {
    z = flow(z, h);
    const auto exact = reference_state(pendulum, start, k * h);
    EXPECT_NEAR(z.q[0], exact.q[0], 1e-11);
    EXPECT_NEAR(z.p[0], exact.p[0], 1e-11);
  }
  EXPECT_GT((Flow(midpoint(), pendulum)(start, h).q - flow(start, h).q).norm(), 1e-3);
}

}  // namespace
}  // namespace varia::exact_forces_test
