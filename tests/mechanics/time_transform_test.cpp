// SPDX-License-Identifier: BSD-3-Clause
// Expressions from kernels, systems from expressions, and the transformed Lagrangian.
#include "varia/mechanics/time_transform.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/graft.hpp"
#include "varia/expr/parse.hpp"
#include "varia/mechanics/symbolic.hpp"

namespace varia::time_transform_test {
namespace {

using namespace problems;
using expr::Id;

TEST(Graft, AKernelBecomesAnExpressionAgain) {
  expr::Graph graph;
  expr::Scope scope;
  scope.add("x", graph.variable(0));
  scope.add("y", graph.variable(1));
  const Id f = parse(graph, scope, "sin(x)*y - atan2(x, y)/(1 + x^2) + min(x, y) + 3");
  const expr::Tape tape(graph, {f, graph.variable(1)}, 2);
  // in the same graph equal expressions are one node
  const auto back = graft(graph, tape, {graph.variable(0), graph.variable(1)});
  EXPECT_EQ(back[0], f);
  EXPECT_EQ(back[1], graph.variable(1));
  EXPECT_TRUE(expr::reads(tape, 0));
  EXPECT_FALSE(expr::reads(expr::Tape(graph, {graph.variable(1)}, 2), 0));
  expect_words(refusal([&] { graft(graph, tape, {f}); }), {"2 inputs", "1 expressions"});
}

TEST(SymbolicSystem, FindsWhatTheLagrangianIs) {
  const auto separable =
      symbolic_system({"x", "y"}, "x_dot^2 + x_dot*y_dot + y_dot^2 - cos(t)*x*y");
  EXPECT_TRUE(separable->separable);
  EXPECT_TRUE(separable->uses_time);
  EXPECT_DOUBLE_EQ(separable->mass(0, 1), 1.0);
  for (const char* l : {"(1 + x^2)*x_dot^2/2", "x_dot^2/2 + x*x_dot", "x_dot^2/2 + x_dot",
                        "exp(t)*x_dot^2/2", "sqrt(1 + x_dot^2)", "x"})
    EXPECT_FALSE(symbolic_system({"x"}, l)->separable) << l;
  const auto driven = symbolic_system({"x"}, "exp(t)*x_dot^2/2 - t^3*x");
  const double x[] = {0.5, 2.0, 3.0};
  double rate = 0.0;
  time_derivative (*driven)(x, &rate);
  EXPECT_NEAR(rate, std::exp(0.5) * 4.5 - 3 * 0.25 * 2.0, 1e-14);
}

/// L̄(q, w) = g (L(q, w/g) + E), and (poincare) by the Legendre transform of it.
TEST(TimeTransform, TheHamiltonianIsMultiplied) {
  const SystemPtr system =
      symbolic_system({"x", "y"}, "(1 + x^2)*x_dot^2/2 + y_dot^2/2 + x*y_dot - cos(x)*y^2");
  const auto g = step_function({"x", "y"}, "1/(1 + x^2 + y^4)");
  const double e = 0.7;
  const auto bar = time_transformed(*system, g, e);
  const double q[] = {0.3, -0.8};
  const double v[] = {0.4, 1.1};
  const double ratio = 1.0 / (1.0 + 0.09 + 0.4096);
  const double w[] = {ratio * v[0], ratio * v[1]};
  double p[2];
  double p_bar[2];
  LegendreTransform legendre(*system);
  LegendreTransform transformed(*bar);
  legendre.momentum(0.0, q, v, p);
  transformed.momentum(0.0, q, w, p_bar);
  EXPECT_NEAR(p[0], p_bar[0], 1e-15);
  EXPECT_NEAR(p[1], p_bar[1], 1e-15);
  EXPECT_NEAR(transformed.energy(0.0, q, w), ratio * (legendre.energy(0.0, q, v) - e), 1e-15);
}

TEST(TimeTransform, LocalPeriodOfKeplerAndOscillator) {
  // V″ has the eigenvalues -2/r³ and 1/r³
  const auto kepler = system_of(texts::kepler());
  const auto g = local_period(*kepler);
  double out[3];
  const double x[] = {0.0, 0.6, -0.8 * 2};
  g(x, out);
  const double r = std::hypot(x[1], x[2]);
  EXPECT_NEAR(out[0], std::pow(r, 1.5) / std::pow(5.0, 0.25), 1e-14);
  EXPECT_NEAR(out[1], 1.5 * out[0] * x[1] / (r * r), 1e-13);
  // with a full mass matrix: frequencies are those of M⁻¹V″, here ω² = 1 and 3
  const auto pair = symbolic_system(
      {"x", "y"}, "x_dot^2 + x_dot*y_dot + y_dot^2 - (x^2 + x*y + y^2) - (x - y)^2/2");
  Eigen::Matrix2d mass;
  mass << 2, 1, 1, 2;
  Eigen::Matrix2d stiff;
  stiff << 3, 0, 0, 3;
  const Eigen::Matrix2d ratio = mass.inverse() * stiff;
  local_period (*pair)(x, out);
  EXPECT_NEAR(out[0], std::pow((ratio * ratio).trace(), -0.25), 1e-14);
  EXPECT_EQ(out[1], 0.0);
  // and bounded
  local_period(*kepler, 0.5)(x, out);
  EXPECT_NEAR(std::pow(out[0], -4), 5 * std::pow(r, -6) + 16, 1e-12);
}

TEST(TimeTransform, WrongRequestsAreRefused) {
  const auto kepler = system_of(texts::kepler());
  const auto g = step_function({"x", "y"}, "x^2 + y^2");
  expect_words(refusal([&] { time_transformed(*kepler, step_function({"x"}, "x"), 0.0); }),
               {"2 coordinates", "3 inputs and outputs", "2 and 2"});
  expect_has(refusal([&] { time_transformed(*kepler, expr::Kernel(), 0.0); }), "no step function");
  expect_has(refusal([&] { time_transformed(*kepler, g, std::nan("")); }), "finite");
  expr::Graph graph;
  const auto timed = step_function(graph, graph.add(graph.variable(0), graph.variable(1)), 2);
  expect_has(refusal([&] { time_transformed(*kepler, timed, 0.0); }), "depends on the time");
  const auto driven = symbolic_system({"x", "y"}, "x_dot^2 + y_dot^2 - cos(t)*x*y");
  expect_words(refusal([&] { time_transformed(*driven, g, 0.0); }), {"depends on the time"});
  KernelSystem forced = *kepler;
  forced.forced = true;
  expect_has(refusal([&] { time_transformed(forced, g, 0.0); }), "force");
  KernelSystem bound = *kepler;
  bound.d = 1;
  expect_has(refusal([&] { time_transformed(bound, g, 0.0); }), "constraints");
  KernelSystem curved = *kepler;
  curved.space = ProductSpace({rotations()});
  expect_has(refusal([&] { time_transformed(curved, g, 0.0); }), "rotations");
  const auto free = symbolic_system({"x"}, "x_dot^2/2 - 3*x");
  expect_has(refusal([&] { local_period(*free); }), "not curved");
  const auto negative = symbolic_system({"x", "y"}, "x_dot^2 - y_dot^2 - x^4");
  expect_has(refusal([&] { local_period(*negative); }), "positive");
  const auto turning = symbolic_system({"x"}, "(1 + x^2)*x_dot^2/2 - x^4");
  expect_has(refusal([&] { local_period(*turning); }), "constant mass");
  expect_has(refusal([&] { local_period(*kepler, -1.0); }), "positive");
  expect_has(refusal([&] { symbolic_system({}, "1"); }), "at least one coordinate");
}

}  // namespace
}  // namespace varia::time_transform_test
