// SPDX-License-Identifier: BSD-3-Clause
// A C++ function written out as formulas: the same system as by jets, and methods that need formulas.
#include "varia/flow/statement_of.hpp"

#include <gtest/gtest.h>

#include "varia/mechanics/kernels.hpp"
#include "varia/methods/methods.hpp"
#include "varia/verify/certify_flow.hpp"
#include "varia/verify/certify_order.hpp"
#include "varia/verify/check_points.hpp"

namespace varia::statement_of_test {
namespace {

using V1 = Vector<double, 1>;
using V2 = Vector<double, 2>;

struct Pendulum {
  template <class Q, class V> auto operator()(const Q& q, const V& v) const {
    return 0.5 * v.dot(v) + cos(q[0]);
  }
};

/// Every function of a formula.
struct Everything {
  template <class Q, class V> auto operator()(const Q& q, const V& v) const {
    const auto x = q[0] * 0.5 + 0.3;
    const auto y = q[1] * q[1] + 1.5;
    return 0.5 * (v[0] * v[0] * (1.0 + exp(x)) + v[1] * v[1]) + v[0] * v[1] * sin(x) / y + sqrt(y) +
           log(y) - cos(x) * tan(0.2 * x) + asin(0.3 * x) - acos(0.2 * x) + atan(y) + sinh(x) +
           cosh(0.1 * y) - tanh(y) + abs(y) + pow(y, 1.5) - (-x) * 2.0;
  }
};

/// On a paraboloid: the mass depends on the configuration, L does not change under rotations.
struct Bead {
  template <class Q, class V> auto operator()(const Q& q, const V& v) const {
    const auto rise = q[0] * v[0] + q[1] * v[1];
    return 0.5 * (v.dot(v) + rise * rise) - 0.5 * q.dot(q);
  }
};

template <class Kernel>
void expect_equal(const Kernel& a, const Kernel& b, const std::vector<double>& x, std::size_t n) {
  std::vector<double> of_a(n, 0.0);
  std::vector<double> of_b(n, 0.0);
  a(x.data(), of_a.data());
  b(x.data(), of_b.data());
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(of_a[i], of_b[i], 1e-13) << i;
}

TEST(StatementOf, TheSystemIsThatOfTheJets) {
  const Statement traced = statement_of<2>(Everything{});
  const System system{Everything{}};
  const auto by_jets = kernels_of(system, V2(0.4, -0.3));
  const std::vector<double> x = {0.0, 0.4, -0.3, 0.7, 0.2};
  expect_equal(traced.lagrangian->value, by_jets->value, x, 1);
  expect_equal(traced.lagrangian->gradient, by_jets->gradient, x, 4);
}

/// Order min(p, q) of the path and the quadrature, in L_d.
TEST(StatementOfSlow, OrdersByShootingAndTaylorSeries) {
  const Statement pendulum = statement_of<1>(Pendulum{});
  const VectorState start = initial(*pendulum.lagrangian, V1(1.0), V1(0.4));
  const auto expect_order = [&](const Method& method, int order, double h) {
    const AnyFlow flow = make_flow(method, pendulum);
    EXPECT_EQ(method.order(), order) << method.name();
    EXPECT_NEAR(certify_order(flow, start, h).measured, order, 0.1) << method.name();
    EXPECT_LT(check_symplectic(flow, start, 0.3).defect, 1e-12) << method.name();
  };
  for (const int p : {1, 2, 3, 4})
    for (const char* name : {"trapezoid", "gauss:1", "radau:2", "lobatto:3", "gauss:2"}) {
      const Quadrature rule = parse_quadrature(name);
      expect_order(shooting(p, rule), std::min(p, rule.order), 0.5);
    }
  for (const int r : {1, 2, 3, 5})
    expect_order(taylor(r, lobatto_quadrature(3)), std::min(r, 4), 0.6);
  expect_order(taylor(6, lobatto_quadrature(4)), 6, 0.6);
}

/// Noether's theorem for the rotation; the energy is not kept.
TEST(StatementOf, MomentumOfARotation) {
  const Statement bead = statement_of<2>(Bead{});
  const VectorState start = initial(*bead.lagrangian, V2(0.8, 0.1), V2(0.2, 0.6));
  const AnyFlow flow = make_flow(taylor(3, lobatto_quadrature(3)), bead);
  auto memory = flow.memory(start);
  VectorState s = start;
  flow.move(s, 0.1, 10, memory);
  const auto momentum_of = [](const VectorState& z) { return z.q[0] * z.p[1] - z.q[1] * z.p[0]; };
  EXPECT_NEAR(momentum_of(s), momentum_of(start), 1e-13);
}

/// Euler's method and the trapezoidal rule in closed form: v₀ = (q₁ - q₀)/h, v₁ = v₀ - h sin q₀.
TEST(StatementOf, TheDiscreteLagrangianOfEulersMethod) {
  const AnyFlow flow =
      make_flow(shooting(1, parse_quadrature("trapezoid")), statement_of<1>(Pendulum{}));
  const double h = 0.3;
  const double a = 1.0;
  const double b = 1.1;
  const double v = (b - a) / h;
  const double w = v - h * std::sin(a);
  const double closed = 0.5 * h * (0.5 * v * v + std::cos(a) + 0.5 * w * w + std::cos(b));
  EXPECT_NEAR(flow.discrete_lagrangian()(0.0, V1(a), V1(b), h), closed, 1e-15);
}

}  // namespace
}  // namespace varia::statement_of_test
