// SPDX-License-Identifier: BSD-3-Clause
// Shooting-based discrete Lagrangians: order min(p, q) in the flow and in L_d itself, derivatives
// through the inner solve, symplectic steps from a method that is not.
#include "varia/flow/shooting.hpp"

#include <gtest/gtest.h>

#include "refusal.hpp"
#include "varia/flow/discrete_flow.hpp"
#include "varia/flow/integrate.hpp"
#include "varia/verify/certify_order.hpp"
#include "varia/verify/check_symplectic.hpp"

namespace varia::shooting_test {
namespace {

using V1 = Vector<double, 1>;

struct Pendulum {
  template <class Q, class V> auto operator()(const Q& q, const V& v) const {
    return 0.5 * v.dot(v) + cos(q[0]);
  }
};

/// The slope of the error of a flow at the end of the duration between n and 2n steps.
template <class F, class StateT>
double slope(const F& flow, const StateT& start, const StateT& exact, double duration, long n) {
  const auto error = [&](long steps) {
    return detail::distance(advance(flow, start, duration / static_cast<double>(steps), steps),
                            exact);
  };
  return std::log2(error(n) / error(2 * n));
}

TEST(Shooting, OrderIsTheSmallerOfBoth) {
  const System system{Pendulum{}};
  const auto start = initial(system, V1(1.0), V1(0.4));
  const auto exact = reference_state(system, start, 3.0);
  for (const int p : {1, 2, 3, 4})
    for (const char* name : {"trapezoid", "gauss:1", "radau:2", "lobatto:3", "gauss:2"}) {
      const Quadrature rule = parse_quadrature(name);
      const auto ld = shooting_lagrangian(Pendulum{}, p, rule);
      EXPECT_EQ(ld.order(), std::min(p, rule.order));
      EXPECT_NEAR(certify_order(system, ld, start, 0.5, ld.order()).measured, ld.order(), 0.1)
          << p << " " << name;
      const double measured = slope(DiscreteFlow(ld), start, exact, 3.0, ld.order() < 4 ? 80 : 40);
      EXPECT_NEAR(measured, ld.order(), 0.1) << p << " " << name;
    }
}

/// Euler's method and the trapezoidal rule in closed form: v₀ = (q₁ - q₀)/h, v₁ = v₀ - h sin q₀. The
/// second derivatives pass through the inner solve unharmed.
TEST(Shooting, DerivativesAreThoseOfTheClosedForm) {
  const auto closed = [](const auto& a, const auto& b, double h) {
    const auto v = (b[0] - a[0]) / h;
    const auto w = v - h * sin(a[0]);
    return 0.5 * h * (0.5 * v * v + cos(a[0]) + 0.5 * w * w + cos(b[0]));
  };
  const V1 a(1.0);
  const V1 b(1.1);
  const auto x = slot_derivatives(shooting_lagrangian(Pendulum{}, 1, parse_quadrature("trapezoid")),
                                  a, b, 0.3);
  const auto y = slot_derivatives(closed, a, b, 0.3);
  EXPECT_NEAR(x.value, y.value, 1e-15);
  EXPECT_NEAR(x.d1[0], y.d1[0], 1e-14);
  EXPECT_NEAR(x.d2[0], y.d2[0], 1e-14);
  EXPECT_NEAR(x.d1d2(0, 0), y.d1d2(0, 0), 1e-13);
}

/// Where q₁ depends on v₀ nonlinearly: D₁ and D₂ are derivatives of the value, D₁D₂ that of D₁.
TEST(Shooting, SecondDerivativesPassThroughTheSolve) {
  const auto ld = shooting_lagrangian(Pendulum{}, 4, lobatto_quadrature(3));
  const V1 a(1.0);
  const V1 b(1.3);
  const double h = 0.9;
  const auto d = slot_derivatives(ld, a, b, h);
  const auto by_q0 = [&](double e) { return Eigen::VectorXd::Constant(1, ld(V1(a[0] + e), b, h)); };
  const auto by_q1 = [&](double e) {
    return Eigen::VectorXd(slot_derivatives(ld, a, V1(b[0] + e), h).d1);
  };
  EXPECT_NEAR(d.d1[0], derivative_at_zero(by_q0, 0.5)[0], 1e-11);
  EXPECT_NEAR(d.d1d2(0, 0), derivative_at_zero(by_q1, 0.5)[0], 1e-11);
}

/// The flow of L_d is symplectic; the one-step method inside it is not.
TEST(Shooting, SymplecticFromNotSymplectic) {
  const System system{Pendulum{}};
  const auto start = initial(system, V1(1.0), V1(0.4));
  const RungeKuttaStep<Pendulum> step(Pendulum{}, 3);
  const auto inner = [&](const auto& s, double h) {  // L = v²/2 - V: p = v
    const Motion<double, 1> z = step(Motion<double, 1>{s.q, s.p}, h);
    return make_state(z.q, z.v, s.t + h);
  };
  EXPECT_GT(check_symplectic(inner, start, 0.3).defect, 1e-5);
  for (const int p : {1, 2, 3, 4}) {
    const DiscreteFlow flow(shooting_lagrangian(Pendulum{}, p, lobatto_quadrature(3)));
    EXPECT_LT(check_symplectic(flow, start, 0.3).defect, 1e-12) << p;
    EXPECT_LT(check_action(flow, start, 0.3).p0_defect, 1e-13) << p;
  }
}

TEST(Shooting, Refusals) {
  expect_words(refusal([] { shooting_lagrangian(Pendulum{}, 5, gauss_quadrature(2)); }),
               {"order 1, 2, 3 or 4", "got 5"});
  Quadrature turned = gauss_quadrature(2);
  std::swap(turned.c[0], turned.c[1]);
  expect_words(refusal([&] { shooting_lagrangian(Pendulum{}, 2, turned); }), {"must increase"});
  // massless: no acceleration
  const auto degenerate = [](const auto& q, const auto& v) { return q[0] * v[0] - q[0] * q[0]; };
  const auto ld = shooting_lagrangian(degenerate, 2, gauss_quadrature(2));
  expect_words(refusal<SingularMass>([&] { ld(V1(0.1), V1(0.2), 0.1); }), {"d2L/dv2", "regular"});
  // q₁ ≥ -0.03 whatever v₀ is
  const auto pushed = [](const auto& q, const auto& v) {
    return 0.5 * v.dot(v) + 100.0 / 3.0 * q[0] * q[0] * q[0];
  };
  const auto far = shooting_lagrangian(pushed, 4, parse_quadrature("trapezoid"));
  expect_words(refusal<NoConvergence>([&] { far(V1(0.0), V1(-1.0), 1.0); }),
               {"shooting discrete Lagrangian", "h = 1", "smaller step"});
}

}  // namespace
}  // namespace varia::shooting_test
