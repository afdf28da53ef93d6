// SPDX-License-Identifier: BSD-3-Clause
// A discrete Lagrangian as text: starts, checkpoints, bands, rest, and what is not regular.
#include "varia/flow/discrete_lagrangian_flow.hpp"

#include "flow/derivative_laws.hpp"
#include "problems.hpp"
#include "refusal.hpp"

namespace varia::discrete_lagrangian_flow_test {
namespace {

using namespace problems;

TEST(DiscreteLagrangianFlow, ManyStepsAreSingleStepsAndCheckpointsGoOnToTheBit) {
  for (const bool compensated : {true, false}) {
    const auto flow = discrete_flow(discrete::double_pendulum(), 2, {.compensated = compensated});
    const VectorState start = flow.start(vector({0.7, -0.3}), vector({1.0, 0.4}), 0.5);
    auto memory = flow.memory(start);
    auto single = flow.memory(start);
    const VectorState s = flow.steps(start, 0.1, 12, memory);
    VectorState one = start;
    for (int k = 0; k < 12; ++k) one = flow.step(one, 0.1, single);
    EXPECT_EQ(s.q, one.q);
    EXPECT_EQ(s.p, one.p);
    EXPECT_EQ(s.t, one.t);
    EXPECT_NEAR(s.t, 1.7, 1e-14);
    auto other = flow.memory(s);
    other.load(memory.save());
    const VectorState a = flow.steps(s, 0.1, 9, memory);
    const VectorState b = flow.steps(s, 0.1, 9, other);
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.q_rest, b.q_rest);
    EXPECT_EQ(a.p, b.p);
    EXPECT_EQ(other.statistics.steps, 21);
    EXPECT_EQ(other.statistics.iterations, memory.statistics.iterations);
    EXPECT_EQ(compensated, a.q_rest.cwiseAbs().maxCoeff() > 0.0);
    EXPECT_THROW(other.load({1.0, 2.0, 3.0}), InvalidArgument);
  }
}

/// Two positions are a start as well.
TEST(DiscreteLagrangianFlow, StartBetweenTwoPositions) {
  const auto flow = discrete_flow(discrete::ring_midpoint(), 2);
  const Vn q0 = vector({1.0, 0.1});
  const Vn q1 = vector({1.02, 0.15});
  const VectorState s = flow.start_between(q0, q1, 0.1, 2.0);
  EXPECT_EQ(s.t, 2.0);
  EXPECT_LT((flow(s, 0.1).q - q1).norm(), 1e-15);
}

/// A hanging chain at rest: large forces that cancel, displacements of the size of their round-off.
TEST(DiscreteLagrangianFlow, RestsWhereForcesCancel) {
  constexpr int n = 6;
  const auto potential = [](const std::string& x) {
    return "(500*(" + x + "[1] + 1)^2 + sum(i, 1, 5, 500*(" + x + "[i+1] - " + x +
           "[i] + 1)^2) + 9.81*sum(i, 1, 6, " + x + "[i]))";
  };
  const std::string energy = "sum(i, 1, 6, (b[i] - a[i])^2/(2*h))";
  const std::string centred =
      energy +
      " - h*(500*((a[1] + b[1])/2 + 1)^2 + sum(i, 1, 5, 500*((a[i+1] + b[i+1] - a[i] - b[i])/2 + "
      "1)^2) + 9.81*sum(i, 1, 6, (a[i] + b[i])/2))";
  Vn q(n);
  double above = 0.0;
  for (int i = 0; i < n; ++i) q[i] = above = above - 1.0 - 9.81 * (n - i) / 1e3;
  const auto moved = [&](const std::string& text, double h) {
    const auto flow = discrete_flow(text, n);
    return (walk(flow, flow.start(q, Vn::Zero(n)), h, 500).q - q).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(moved(energy + " - h/2*(" + potential("a") + " + " + potential("b") + ")", 0.02),
            1e-12);
  for (const double h : {0.1, 0.3, 1.0, 3.0}) EXPECT_LT(moved(centred, h), 1e-12) << h;
}

/// Squares multiplied out lose digits far from the origin; the step is solved to those that are left.
TEST(DiscreteLagrangianFlow, SquaresMultipliedOut) {
  const auto flow = discrete_flow("(b[1]^2 - 2*a[1]*b[1] + a[1]^2)/(2*h)", 1);
  for (const double far : {0.0, 10.0, 1e3, 1e5}) {
    const VectorState end = walk(flow, flow.start(vector({far}), vector({0.3})), 1e-3, 100);
    EXPECT_NEAR(end.q[0], far + 0.03, 1e-14 + 1e-12 * far);
  }
}

TEST(DiscreteLagrangianFlow, ChainsAreSolvedInABand) {
  constexpr int n = 60;
  const std::string text =
      "sum(i, 1, 60, (b[i] - a[i])^2/(2*h)) - h*sum(i, 1, 59, ((a[i+1] + b[i+1] - a[i] - "
      "b[i])/2)^2/2 + ((a[i+1] + b[i+1] - a[i] - b[i])/2)^4/4)";
  const auto flow = discrete_flow(text, n);
  EXPECT_TRUE(flow.banded());
  EXPECT_FALSE(discrete_flow(discrete::double_pendulum(), 2).banded());
  EXPECT_EQ(flow.discrete_system()->mixed.size(), n + 2 * (n - 1));
  Vn q(n);
  for (int i = 0; i < n; ++i) q[i] = 0.5 * std::sin(0.4 * i);
  const VectorState s0 = flow.start(q, Vn::Zero(n));
  const VectorState s1 = flow(s0, 0.5);
  const auto d = flow.at(s0.q, s1.q, 0.5);
  EXPECT_LT((s0.p + d.d1).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((s1.p - d.d2).cwiseAbs().maxCoeff(), 1e-15);
}

/// D₁D₂L_d is not symmetric in general: with its transpose Newton's method would not converge.
TEST(DiscreteLagrangianFlow, TheMatrixIsNotSymmetric) {
  const auto flow = discrete_flow(
      discrete::kinetic() + " + 30*a[1]*b[2] - h*(cos(a[1] + b[2]) + sin(b[1])^2*a[2]^3)", 2);
  const VectorState s = flow.start(vector({0.4, 0.2}), vector({0.3, 0.7}));
  auto memory = flow.memory(s);
  const VectorState end = flow.step(s, 0.2, memory);
  const auto d = flow.at(s.q, end.q, 0.2);
  EXPECT_GT(std::abs(d.d1d2(0, 1) - d.d1d2(1, 0)), 25.0);
  EXPECT_LE(memory.statistics.max_iterations, 6);
  EXPECT_LT((s.p + d.d1).norm(), 1e-12);
}

TEST(DiscreteLagrangianFlow, DerivativeOfAStep) {
  const PhaseVector z{vector({0.7, -0.4}), vector({0.3, 0.5}), 0.6, -0.2, Vn()};
  for (const std::string& text :
       {discrete::ring_trapezoid(), discrete::ring_midpoint(), discrete::ring_rectangle()}) {
    const auto flow = discrete_flow(text, 2);
    const auto near = [&](double e) {
      return flow.start(vector({0.8, 0.2}) + e * z.delta, vector({0.3, 0.7}) + e * z.nu, e * z.t);
    };
    for (const double h : {0.1, -0.07}) derivative_laws::expect_derivative(flow, near, z, h, text);
  }
}

TEST(DiscreteLagrangianFlow, IrregularOnesAreRefused) {
  expect_words(refusal([] { discrete_flow("(b[1] - a[1])^2/(2*h) - h*a[2]^2", 2); }),
               {"not regular", "coordinate 2 of q0", "D1 D2 Ld"});
  expect_words(refusal([] { discrete_flow("a[1]*b[1]/h + a[2]*b[1]", 2); }),
               {"coordinate 2 of q1"});
  expect_words(refusal([] { discrete_flow("h*a[1]^2 + b[1]", 1); }),
               {"coordinate 1", "kinetic term"});
  // two momenta that are the same function of q₁
  const auto twice = discrete_flow("(a[1] + a[2])*(b[1] + b[2])", 2);
  expect_words(refusal<NoConvergence>([&] {
                 twice(twice.start(vector({1, 2}), vector({1, 1}), 0.75), 0.1);
               }),
               {"singular D1 D2 Ld", "t = 0.75", "does not determine q1"});
  // singular only where it gets to: D₁D₂ = -3(b - a)²/h at rest
  const auto quartic = discrete_flow("(b[1] - a[1])^4/h", 1);
  expect_words(
      refusal<NoConvergence>([&] { quartic(quartic.start(vector({1}), vector({1})), 0.1); }),
      {"singular D1 D2 Ld"});
}

TEST(DiscreteLagrangianFlow, Refusals) {
  expect_words(refusal([] { discrete_flow("h", 0); }), {"at least 1 coordinate"});
  expr::Graph graph;
  const expr::Id other = graph.variable(3);
  expect_words(refusal([&] { discrete_lagrangian_system(graph, other, 1); }),
               {"variable 3", "0 (h)", "2 to 2 (q1)"});
  const auto flow = discrete_flow(discrete::ring_midpoint(), 2);
  const VectorState s = flow.start(vector({1.0, 0.0}), vector({0.3, 0.7}));
  refusal([&] { flow(s, 0.0); });
  refusal([&] { flow.at(s.q, s.q, 0.0); });
  expect_words(refusal([&] {
                 flow.start(vector({1.0}), vector({0.3, 0.7}));
               }),
               {"the position has 1", "has 2 coordinates"});
  refusal([&] { flow.start(vector({1.0, std::nan("")}), vector({0.3, 0.7})); });
  refusal([&] { discrete_flow(discrete::ring_midpoint(), 2, {.newton = {.max_iterations = 0}}); });
  expect_words(refusal<NoConvergence>([&] {
                 discrete_flow(discrete::ring_midpoint(), 2, {.newton = {.max_iterations = 2}})(
                     s, 0.5);
               }),
               {"t = 0", "h = 0.5", "2 iterations"});
  const auto logarithm = discrete_flow("(b[1] - a[1])^2/(2*h) + h*log(a[1]) + h*log(b[1])", 1);
  expect_words(
      refusal<DomainError>([&] { logarithm(logarithm.start(vector({-1.0}), vector({1.0})), 0.1); }),
      {"no value", "t = 0"});
  const auto root = discrete_flow("(b[1] - a[1])^2/(2*h) + h*sqrt(a[1]) + h*sqrt(b[1])", 1);
  EXPECT_THROW(root(root.start(vector({-1.0}), vector({1.0})), 0.1), NoConvergence);
}

}  // namespace
}  // namespace varia::discrete_lagrangian_flow_test
