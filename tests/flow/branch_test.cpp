// SPDX-License-Identifier: BSD-3-Clause
// Branches of the inverse Legendre transform: a motion starts with the velocity that was given, stays on
// its branch, and ends where ∂²L/∂v² becomes singular. L = v⁴/4 - v²/2 - V(q) has p = v³ - v and the mass
// 3v² - 1: three velocities have one momentum between p = ±2/(3√3).
// Of legendre_transform.hpp.
#include <gtest/gtest.h>

#include <cmath>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/flow.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/flow/start.hpp"
#include "varia/mechanics/system.hpp"
#include "varia/methods/composition.hpp"

namespace varia::branch_test {
namespace {

using namespace problems;

const Texts folding{{"q"}, "q_dot^4/4 - q_dot^2/2 - q^2/2"};
const Texts staying{{"q"}, "q_dot^4/4 - q_dot^2/2 - 0.1*cos(q)"};
const double edge = 1.0 / std::sqrt(3.0);  // of the mass

std::vector<Method> methods() {
  return {midpoint(), gauss(2), lobatto(3), verlet(), yoshida(4, midpoint()), rk4(), dopri5()};
}

Vn velocity(const AnyFlow& flow, const VectorState& s) {
  Vn v = Vn::Zero(s.p.size());
  flow.velocity(s, v.data(), flow.memory(s));
  return v;
}

TEST(Branch, TheStartIsWhatWasGiven) {
  const auto system = system_of(folding);
  for (const double v : {1.05, 1.5, 0.6, 0.3, 0.0, -0.5, -0.7, -1.05})
    for (const Method& method : methods()) {
      const AnyFlow flow = make_flow(method, {.lagrangian = system});
      EXPECT_EQ(velocity(flow, initial(*system, vector({0.0}), vector({v})))[0], v)
          << method.name();
    }
}

/// (q, v) of v' = 0.1 sin(q)/(3v² - 1) by the classical Runge-Kutta method with short steps.
std::pair<double, double> reference(double v, double t) {
  const auto rate = [](double q, double w) { return 0.1 * std::sin(q) / (3 * w * w - 1); };
  constexpr int steps = 20000;
  const double h = t / steps;
  double q = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double a1 = rate(q, v), v2 = v + h / 2 * a1;
    const double a2 = rate(q + h / 2 * v, v2), v3 = v + h / 2 * a2;
    const double a3 = rate(q + h / 2 * v2, v3), v4 = v + h * a3;
    const double a4 = rate(q + h * v3, v4);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return {q, v};
}

TEST(Branch, IsFollowed) {
  const auto system = system_of(staying);
  for (const double v0 : {1.05, 0.9, 0.2, -1.05}) {
    const auto [q, v] = reference(v0, 20.0);
    for (const Method& method : methods()) {
      const AnyFlow flow = make_flow(method, {.lagrangian = system});
      VectorState s = initial(*system, vector({0.0}), vector({v0}));
      auto memory = flow.memory(s);
      flow.move(s, 0.05, 400, memory);
      const double tolerance = method.order() > 2 ? 1e-5 : 2e-3;
      EXPECT_NEAR(s.q[0], q, tolerance) << method.name() << " from " << v0;
      EXPECT_NEAR(velocity(flow, s)[0], v, tolerance) << method.name() << " from " << v0;
    }
  }
}

/// Steps of variable length, steps with derivatives, and shooting.
TEST(Branch, IsFollowedByOtherFlows) {
  const auto system = system_of(staying);
  const VectorState start = initial(*system, vector({0.0}), vector({1.05}));
  FlowKinds energy;
  energy.variable = VariableSteps{true, true, {}};
  const AnyFlow keeps = make_flow(midpoint(), {.lagrangian = system}, {}, energy);
  VectorState s = start;
  auto memory = keeps.memory(s);
  keeps.move(s, 0.05, 50, memory);
  const auto [q, v] = reference(1.05, s.t);
  EXPECT_NEAR(s.q[0], q, 2e-3);
  EXPECT_NEAR(velocity(keeps, s)[0], v, 2e-3);

  const AnyFlow flow = make_flow(gauss(2), {.lagrangian = system});
  VectorState plain = start, differentiated = start;
  auto first = flow.memory(start);
  auto second = flow.memory(start);
  for (int i = 0; i < 50; ++i) {
    flow.move(plain, 0.1, 1, first);
    flow.differentiate(differentiated, 0.1, second);
  }
  EXPECT_EQ(plain.q, differentiated.q);
  EXPECT_EQ(plain.branch, differentiated.branch);
}

/// T = ∫ (3v² - 1)/q dv from the edge to v₀, where ½q² = E - ¾v⁴ + ½v²; smooth in s with v = v₀ - s².
double time_of_the_end(double v0) {
  const auto energy = [](double v) { return 0.75 * v * v * v * v - 0.5 * v * v; };
  const auto integrand = [&](double s) {
    if (s == 0.0) s = 1e-6;
    const double v = v0 - s * s;
    return (3 * v * v - 1) * 2 * s / std::sqrt(2 * (energy(v0) - energy(v)));
  };
  constexpr int n = 2000;
  const double end = std::sqrt(v0 - edge);
  double sum = integrand(0.0) + integrand(end);
  for (int i = 1; i < n; ++i) sum += (i % 2 == 0 ? 2 : 4) * integrand(end * i / n);
  return sum * end / n / 3;
}

TEST(Branch, TheRunStopsWhereItEnds) {
  const auto system = system_of(folding);
  for (const double v0 : {1.05, 1.5})
    for (const Method& method : methods()) {
      const AnyFlow flow = make_flow(method, {.lagrangian = system});
      VectorState s = initial(*system, vector({0.0}), vector({v0}));
      auto memory = flow.memory(s);
      constexpr double h = 0.01;
      double last = 0.0;
      const auto go = [&] {
        for (int i = 0; i < 1000; ++i) {
          flow.move(s, h, 1, memory);
          last = s.t;
          EXPECT_GT(velocity(flow, s)[0], edge) << method.name();
        }
      };
      expect_has(refusal<SingularMass>(go), "the end of its branch of the Legendre transform");
      EXPECT_NEAR(last, time_of_the_end(v0), 3 * h) << method.name() << " from " << v0;
    }
}

/// The masses of equal particles change sign together, and their determinant does not.
TEST(Branch, EndsForEqualParticlesAlike) {
  const auto system =
      system_of({{"a", "b"}, "(a_dot^4 + b_dot^4)/4 - (a_dot^2 + b_dot^2)/2 - (a^2 + b^2)/2"});
  const AnyFlow flow = make_flow(gauss(2), {.lagrangian = system});
  VectorState s = initial(*system, vector({0.0, 0.0}), vector({1.05, 1.05}));
  auto memory = flow.memory(s);
  expect_has(refusal<SingularMass>([&] { flow.move(s, 0.01, 1000, memory); }), "its branch");
}

/// Where ∂²L/∂v² does not depend on v, a state has no branch and nothing is followed.
TEST(Branch, QuadraticLagrangiansHaveNone) {
  for (const char* text :
       {"q_dot^2/2 - q^2/2", "(1 + q^2)*q_dot^2/2", "exp(t)*q_dot^2/2 + q*q_dot"}) {
    const auto system = system_of({{"q"}, text});
    EXPECT_FALSE(system->nonlinear_momentum) << text;
    EXPECT_EQ(initial(*system, vector({0.3}), vector({1.05})).branch.size(), 0) << text;
  }
  EXPECT_TRUE(system_of(folding)->nonlinear_momentum);
  EXPECT_TRUE(system_of({{"q"}, "-sqrt(1 - q_dot^2)"})->nonlinear_momentum);
}

/// Near the edge of the mass round-off of the momentum moves the velocity: p differs by as much as it
/// would be rounded if it were of size 10⁵. The start that was given cannot be kept, and is refused.
TEST(Branch, AStartThatItsMomentumDoesNotDetermineIsRefused) {
  const auto system = system_of(folding);
  KernelSystem rounded = *system;
  rounded.gradient = expr::Kernel(system, [](const void* exact, const double* x, double* out) {
    static_cast<const KernelSystem*>(exact)->gradient(x, out);
    out[1] += 1e-11;
  });
  const auto start = [&](double v) { return initial(rounded, vector({0.0}), vector({v})); };
  for (const double v : {edge + 1e-6, edge - 1e-6, -edge - 1e-6})
    expect_words(refusal<SingularMass>([&] { start(v); }),
                 {"is not determined by its momentum", "Start farther"});
  for (const double v : {edge + 1e-2, edge - 1e-2, 1.5, 0.1, -1.05})
    EXPECT_EQ(start(v).branch[0], v) << "far from the edge it moves by 1e-11 over the mass";
}

/// A Lagrangian in C++: what was given is found out by Newton's method.
TEST(Branch, OfCallables) {
  const auto one = [](double x) { return Vector<double, 1>(Vector<double, 1>::Constant(x)); };
  const System quartic{[](const auto& q, const auto& v) {
    return v[0] * v[0] * v[0] * v[0] / 4.0 - v[0] * v[0] / 2.0 - 0.1 * cos(q[0]);
  }};
  const auto start = initial(quartic, one(0.0), one(1.05));
  EXPECT_EQ(varia::velocity(quartic, start)[0], 1.05);
  const Flow flow(gauss(2), quartic);
  auto memory = flow.memory(start);
  const auto end = flow.steps(start, 0.05, 400, memory);
  const auto [q, v] = reference(1.05, 20.0);
  EXPECT_NEAR(end.q[0], q, 1e-5);
  EXPECT_NEAR(varia::velocity(quartic, end)[0], v, 1e-5);
}

}  // namespace
}  // namespace varia::branch_test
