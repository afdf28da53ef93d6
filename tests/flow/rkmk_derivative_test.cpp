// SPDX-License-Identifier: BSD-3-Clause
// The derivative of a step of (rkmk), on vector spaces and groups, with forces, t, h and a free parameter.
#include <gtest/gtest.h>

#include "derivative_laws.hpp"
#include "problems/curved.hpp"
#include "problems/states.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/flow/rkmk_flow.hpp"

namespace varia::rkmk_derivative_test {
namespace {

using namespace problems;

struct Case {
  Texts texts;
  Vn xi, v;
};

/// With a parameter c = 0.3.
std::vector<Case> cases() {
  std::vector<Case> list;
  list.push_back({{{"x", "y"},
                   "(1 + c*x^2)*x_dot^2/2 + y_dot^2*(1 + 0.3*cos(t))/2 - x*y^2*t",
                   {"-0.3*x_dot*y + c*sin(2*t)", "-0.1*y_dot^3 + x*y"}},
                  vector({0.5, -0.4}),
                  vector({0.3, 0.2})});
  list.push_back({{{{"R", "SO3"}},
                   "(R_w1^2 + 1.4*R_w2^2 + 0.6*R_w3^2)/2 + c*R_w1*R31*cos(t) - R33 - 0.4*R12",
                   {"-0.1*R_w1", "0.2*R13 + c*sin(t)*R_w3", "-0.1*R_w3*R11"}},
                  vector({0.4, -0.3, 0.2}),
                  vector({0.6, 0.9, 2.0})});
  list.push_back({{{{"g", "SE2"}, {"x"}},
                   "(g_v1^2 + 2*g_v2^2 + 0.7*g_w^2)/2 + x_dot^2/2*(1 + c*g_x^2) "
                   "- g_x^2/2 - g_y*cos(g_theta)*x"},
                  vector({0.4, -0.3, 0.2, 0.5}),
                  vector({0.6, 0.9, 1.0, -0.3})});
  list.push_back({{{{"g", "SE3"}},
                   "(g_w1^2 + 1.4*g_w2^2 + 0.6*g_w3^2 + g_v1^2 + 2*g_v2^2 + 1.5*g_v3^2)/2 "
                   "+ c*g_w1*g_v2 - g_z*g_x - 0.5*g_y^2 - g11*g_x*sin(t)"},
                  vector({0.4, -0.3, 0.2, 0.5, 0.1, -0.3}),
                  vector({0.6, 0.9, 1.0, 0.2, -0.3, 0.5})});
  return list;
}

TEST(RkmkDerivative, IsThatOfDifferencesAndItsTransposed) {
  for (const Case& c : cases())
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
      for (const int s : {1, 2, 3}) {
        FlowOptions options;
        options.retraction = tau;
        const auto system = system_of(c.texts, tau, {{"c", 0.3}});
        const int n = system->n;
        const PhaseVector z{Vn::LinSpaced(n, 0.7, -0.4), Vn::LinSpaced(n, -0.3, 0.6), 0.6, -0.2,
                            Vn::Constant(1, 0.5)};
        derivative_laws::expect_derivative_on_groups(
            [&](double e) {
              return RkmkFlow(rkmk(s), system_of(c.texts, tau, {{"c", 0.3 + 0.5 * e}}), options);
            },
            start_of(system, c.xi, c.v, 0.4), z, 0.15,
            system->space.name() + " rkmk(" + std::to_string(s) + ")", s);
      }
}

/// On a vector space it is that of gauss(s), which shares no code with it.
TEST(RkmkDerivative, IsThatOfGaussOnVectorSpaces) {
  const Case c = cases().front();
  const auto system = system_of(c.texts, Retraction::exponential, {{"c", 0.3}});
  const auto matrix = [&](const Method& method) {
    const AnyFlow flow = make_flow(method, {.lagrangian = system});
    EXPECT_TRUE(flow.differentiable());
    VectorState s = start_of(system, c.xi, c.v, 0.4);
    auto memory = flow.memory(s);
    return flow.differentiate(s, 0.15, memory).matrix(2);
  };
  EXPECT_LT((matrix(rkmk(2)) - matrix(gauss(2))).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_GT((matrix(rkmk(2)) - matrix(gauss(3))).cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace
}  // namespace varia::rkmk_derivative_test
