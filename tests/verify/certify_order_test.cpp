// SPDX-License-Identifier: BSD-3-Clause
// Orders of discrete Lagrangians against the exact one: methods, compositions, a user's own, an added
// function of h; and the orders of the Legendre transforms, one less.
#include "varia/verify/certify_order.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "problems.hpp"
#include "refusal.hpp"

namespace varia::certify_order_test {
namespace {

using V1 = Vector<double, 1>;

TEST(CertifyOrder, MethodsAndCompositions) {
  const auto p = problems::pendulum();
  for (const char* name :
       {"euler_a", "midpoint", "trapezoid", "verlet", "gauss(2)", "gauss(3)", "gauss(4)",
        "lobatto(3)", "lobatto(4)", "triple_jump(verlet)", "ruth(3)", "mclachlan(4)"}) {
    const Flow flow(parse_method(name), p.system);
    const auto report = certify_order(flow, p.start, 0.8);
    EXPECT_NEAR(report.measured, flow.method().order(), 0.1) << name;
    EXPECT_TRUE(report.passes()) << name;
    std::printf("%-20s %d %.3f  %zu steps, error %.1e to %.1e\n", name, report.declared,
                report.measured, report.steps.size(), report.errors.front(), report.errors.back());
  }
}

/// A claim that is too high or too low is found, also for a composition that claims too much.
TEST(CertifyOrder, FindsWrongClaims) {
  const auto p = problems::pendulum();
  const auto ld = [](const auto& a, const auto& b, double h) {
    const auto v = (b[0] - a[0]) / h;
    return h * (0.5 * v * v + cos(a[0]));  // rectangle rule
  };
  EXPECT_TRUE(certify_order(p.system, ld, p.start, 0.4, 1).passes());
  EXPECT_FALSE(certify_order(p.system, ld, p.start, 0.4, 2).passes());
  EXPECT_FALSE(certify_order(p.system, ld, p.start, 0.4, 0).passes());
  const Flow flow(compose({{euler_a(), 0.5}, {euler_a(), 0.5}}, 2), p.system);
  EXPECT_NEAR(certify_order(flow, p.start, 0.4).measured, 1.0, 0.1);
}

/// f(h) added to L_d changes no motion and no order; something that depends on q does.
TEST(CertifyOrder, AllowsAFunctionOfTheStep) {
  const auto p = problems::pendulum();
  const auto midpoint_with = [](double f, double g) {
    return [f, g](const auto& a, const auto& b, double h) {
      const auto v = (b[0] - a[0]) / h;
      return h * (0.5 * v * v + cos(0.5 * (a[0] + b[0]))) + f * h + g * h * h * b[0];
    };
  };
  const DiscreteFlow flow(midpoint_with(0.7, 0.0));
  const auto report = certify_order(p.system, flow, p.start, 0.4, 2);
  EXPECT_TRUE(report.passes());
  EXPECT_NEAR(report.additive.back() / report.steps.back(), 0.7, 1e-3);
  EXPECT_NEAR(certify_order(p.system, midpoint_with(0.0, 0.1), p.start, 0.4, 2).measured, 1.0, 0.1);
}

/// The order of L_d is that of the flow, here measured by steps; the Legendre transforms at exact end
/// points are one order worse than printed in the source: O(h^r), not O(h^{r+1}).
TEST(CertifyOrder, LegendreTransformsLoseOneOrder) {
  const auto p = problems::pendulum();
  const ExactLagrangian exact(p.system);
  for (const auto& [method, r] : {std::pair{midpoint(), 2}, std::pair{euler_a(), 1}}) {
    std::vector<double> error;
    for (const double h : {0.02, 0.01}) {
      const auto end = exact.along(p.start, h).end;
      const auto a = Certificate(method, p.system).at(p.start.q, end.q, 0.0, h);
      error.push_back((p.start.p + a.d1).norm());
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), r, 0.1) << method.name();
  }
}

TEST(CertifyOrder, TimeDependentLagrangian) {
  const System driven{[](double t, const auto& q, const auto& v) {
    return std::exp(0.2 * t) * (0.5 * v.dot(v) + cos(q[0]));
  }};
  const auto start = initial(driven, V1(1.0), V1(0.4), 0.5);
  EXPECT_TRUE(certify_order(Flow(midpoint(), driven), start, 0.4).passes());
  EXPECT_TRUE(certify_order(Flow(gauss(2), driven), start, 0.8).passes());
  EXPECT_TRUE(certify_order(Flow(euler_b(), driven), start, 0.4).passes());
}

TEST(CertifyOrder, RefusesRest) {
  const auto p = problems::pendulum();
  const auto rest = initial(p.system, V1(0.0), V1(0.0));
  expect_words(refusal([&] { certify_order(Flow(gauss(2), p.system), rest, 0.4); }),
               {"certify_order", "larger h"});
}

}  // namespace
}  // namespace varia::certify_order_test
