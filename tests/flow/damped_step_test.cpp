// SPDX-License-Identifier: BSD-3-Clause
// Steps that whole steps of Newton's method do not solve: damped ones find the solution near the start,
// are counted, and say how they failed.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/flow/start.hpp"
#include "varia/methods/methods.hpp"

namespace varia::damped_step_test {
namespace {

using namespace problems;

/// The middle velocity of the midpoint rule with force f(q, v): u - v₀ - h/2 f(q₀ + h/2 u, u).
struct Middle {
  std::function<double(double, double)> force;
  double q, v, h;
  double operator()(double u) const { return u - v - 0.5 * h * force(q + 0.5 * h * u, u); }
};

double root_between(const Middle& f, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    ((f(middle) < 0.0) == (f(low) < 0.0) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

struct Stepped {
  VectorState end;
  FlowStatistics statistics;
};

Stepped step_of(const std::shared_ptr<const KernelSystem>& system, double q, double v, double h,
                const Method& method = midpoint()) {
  const AnyFlow flow = make_flow(method, {.lagrangian = system});
  VectorState s = initial(*system, vector({q}), vector({v}));
  AnyFlow::Memory memory = flow.memory(s);
  flow.move(s, h, 1, memory);
  return {s, memory.statistics()};
}

/// A block that stops within the step: friction of size 1 in a layer of 1e-6 about v = 0.
TEST(DampedStep, FindsWhereABlockStops) {
  const auto system = system_of({{"q"}, "q_dot^2/2", {"-tanh(q_dot/1e-6)"}});
  for (const double v : {0.01, 0.03, 0.049, -0.02}) {
    const Middle f{[](double, double u) { return -std::tanh(u / 1e-6); }, 0.0, v, 0.1};
    const double u = root_between(f, -1.0, 1.0);
    const Stepped found = step_of(system, 0.0, v, 0.1);
    EXPECT_EQ(found.statistics.damped, 1) << v;
    EXPECT_EQ(found.statistics.failed, 1) << v;
    EXPECT_NEAR(found.end.q[0], 0.1 * u, 1e-17 + 1e-9 * std::abs(0.1 * u));
    EXPECT_NEAR(found.end.p[0], 2.0 * u - v, 1e-15);
  }
}

/// A stiff spring that is straight but for a bend of 1e-5: |q| as a potential, smoothed.
TEST(DampedStep, FindsTheBendOfAPotential) {
  const auto system = system_of({{"q"}, "q_dot^2/2 - 100*sqrt(q^2 + 1e-10)"});
  const auto force = [](double q, double) { return -100.0 * q / std::sqrt(q * q + 1e-10); };
  int damped = 0;
  for (const double q : {0.3, 0.5, 0.8}) {
    const Middle f{force, q, -1.0, 0.2};
    const double u = root_between(f, -100.0, 100.0);  // the only one: f increases
    const Stepped found = step_of(system, q, -1.0, 0.2);
    EXPECT_NEAR(found.end.q[0], q + 0.2 * u, 1e-12);
    damped += static_cast<int>(found.statistics.damped);
  }
  EXPECT_GT(damped, 0);
}

/// Long steps in a row of wells have many solutions. The one that is found is the first on the way from the
/// velocity at the start: F does not change its sign before.
TEST(DampedStep, FindsTheSolutionNextToTheStart) {
  const auto system = system_of({{"q"}, "q_dot^2/2 + 6*cos(3*q)"});
  const auto force = [](double q, double) { return -18.0 * std::sin(3.0 * q); };
  int damped = 0;
  for (int k = 0; k < 400; ++k) {
    const double q = -1.0 + 0.005 * k;
    const double v = 2.0 * std::cos(0.7 * k);
    const double h = 0.35;
    Stepped found;
    try {
      found = step_of(system, q, v, h);
    } catch (const NoConvergence&) {
      continue;
    }
    if (found.statistics.damped == 0) continue;
    ++damped;
    const Middle f{force, q, v, h};
    const double u = (found.end.q[0] - q) / h;
    for (int i = 1; i < 1000; ++i) {
      const double between = v + (u - v) * 1e-3 * i;
      EXPECT_EQ(f(between) < 0.0, f(v) < 0.0) << q << " " << v << " before " << u;
    }
  }
  EXPECT_GT(damped, 3);
}

/// What whole steps solve is as it was: nothing is damped.
TEST(DampedStep, IsNotTakenWhereWholeStepsDo) {
  const auto system = system_of({{"q"}, "q_dot^2/2 + cos(q)"});
  const AnyFlow flow = make_flow(gauss(2), {.lagrangian = system});
  VectorState s = initial(*system, vector({1.0}), vector({0.3}));
  AnyFlow::Memory memory = flow.memory(s);
  flow.move(s, 0.1, 500, memory);
  EXPECT_EQ(memory.statistics().damped, 0);
}

/// Stages, constraints and compositions go the same way.
TEST(DampedStep, WorksForStagesAndConstraints) {
  const auto rough = system_of({{"q"}, "q_dot^2/2", {"-tanh(q_dot/1e-6)"}});
  for (const Method& method :
       {gauss(2), lobatto(2), compose({{midpoint(), 0.5}, {midpoint(), 0.5}})}) {
    const Stepped found = step_of(rough, 0.0, 0.02, 0.1, method);
    EXPECT_GE(found.statistics.damped, 1) << method.name();
    EXPECT_LT(std::abs(found.end.q[0]), 0.02 * 0.1) << method.name();
  }
  const auto held = system_of(
      {{"x", "y"}, "(x_dot^2 + y_dot^2)/2", {"-tanh(x_dot/1e-6)", "-tanh(y_dot/1e-6)"}, {"x - y"}});
  const AnyFlow flow = make_flow(lobatto(2), {.lagrangian = held});
  VectorState s = initial(*held, vector({0.0, 0.0}), vector({0.02, 0.02}));
  AnyFlow::Memory memory = flow.memory(s);
  flow.move(s, 0.1, 1, memory);
  EXPECT_GE(memory.statistics().damped, 1);
  EXPECT_EQ(s.q[0], s.q[1]);
}

/// u = v₀ - h/2 s(u) with a jump of s over 0 has no solution where v₀ is small.
TEST(DampedStep, SaysHowItFailed) {
  const auto jump = system_of({{"q"}, "q_dot^2/2", {"-sign(q_dot)"}});
  const auto text = refusal<NoConvergence>([&] { step_of(jump, 0.0, 0.01, 0.1); });
  expect_words(text, {"Newton's method did not converge in 50 iterations", "damped",
                      "no part of the next one", "kink", "smaller step"});
}

/// A memory that is saved keeps the count.
TEST(DampedStep, IsCountedAfterARestart) {
  const auto system = system_of({{"q"}, "q_dot^2/2", {"-tanh(q_dot/1e-6)"}});
  const AnyFlow flow = make_flow(midpoint(), {.lagrangian = system});
  VectorState s = initial(*system, vector({0.0}), vector({0.02}));
  AnyFlow::Memory memory = flow.memory(s);
  flow.move(s, 0.1, 1, memory);
  AnyFlow::Memory other = flow.memory(s);
  other.load(memory.save());
  EXPECT_EQ(other.statistics().damped, 1);
}

}  // namespace
}  // namespace varia::damped_step_test
