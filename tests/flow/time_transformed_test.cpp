// SPDX-License-Identifier: BSD-3-Clause
// The explicit time-transformed Verlet method (density): what it keeps and what it does not.
#include "varia/flow/time_transformed.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/mechanics/time_transform.hpp"
#include "varia/varia.hpp"
#include "varia/verify/check_symplectic.hpp"

namespace varia::time_transformed_test {
namespace {

using namespace problems;

TEST(TimeTransformedVerlet, OrderTwoInTauAndInTime) {
  const auto g = step_function({"x", "y"}, "1/(1 + x^2 + 3*y^2)");
  for (const auto& [system, start] :
       {std::pair(system_of(texts::kepler()), start_of(texts::kepler(0.6))),
        std::pair(system_of(texts::henon_heiles()), start_of(texts::henon_heiles()))}) {
    const TimeTransformedFlow flow(verlet(), system, g);
    ASSERT_TRUE(flow.is_explicit());
    const double tau = 2.0;
    const VectorState exact = walk(TimeTransformedFlow(gauss(6), system, g), start, tau / 100, 100);
    double in_tau[2];
    double in_t[2];
    double of_t[2];
    for (int k = 0; k < 2; ++k) {
      const long steps = 400 << k;
      const VectorState end = walk(flow, start, tau / static_cast<double>(steps), steps);
      in_tau[k] = distance(end, exact);
      of_t[k] = std::abs(end.t - exact.t);
      in_t[k] = distance(end, at_time(system, start, end.t, 200));
    }
    EXPECT_NEAR(slope(in_tau[0], in_tau[1], 2), 2.0, 0.1);
    EXPECT_NEAR(slope(of_t[0], of_t[1], 2), 2.0, 0.1);
    EXPECT_NEAR(slope(in_t[0], in_t[1], 2), 2.0, 0.1);
  }
}

TEST(TimeTransformedVerlet, ForthAndBackWithTheDensity) {
  const auto system = system_of(texts::kepler());
  const TimeTransformedFlow flow(verlet(), system);
  const VectorState start = start_of(texts::kepler(0.9));
  auto memory = flow.memory(start);
  const double density = memory.density();
  VectorState s = flow.steps(start, 0.1, 300, memory);
  EXPECT_GT(distance(s, start), 0.1);
  s = flow.steps(s, -0.1, 300, memory);
  EXPECT_LT(distance(s, start), 1e-10);
  EXPECT_NEAR(s.t, 0.0, 1e-10);
  EXPECT_NEAR(memory.density(), density, 1e-10 * density);
  // also by reflection of the momenta
  auto there = flow.memory(start);
  s = flow.steps(start, 0.1, 300, there);
  s.p = -s.p;
  s = flow.steps(s, 0.1, 300, there);
  EXPECT_LT((s.q - start.q).norm(), 1e-10);
  EXPECT_LT((s.p + start.p).norm(), 1e-10);
  // a step size from g at the beginning of each step is not reversible
  const auto naive = [&](VectorState z, double h) {
    for (int k = 0; k < 300; ++k) z = StageFlow(verlet(), system)(z, h * flow.step_ratio(z));
    return z;
  };
  EXPECT_GT(distance(naive(naive(start, 0.1), -0.1), start), 1e-2);
}

TEST(TimeTransformedVerlet, MomentaAreExactForEveryStepFunction) {
  const auto system = system_of(texts::kepler());
  const VectorState start = start_of(texts::kepler(0.9));
  for (const char* text : {"(x^2 + y^2)^0.75", "0.1 + (x^2 + 2*y^2 + 0.1*x)^0.75"}) {
    const TimeTransformedFlow flow(verlet(), system, step_function({"x", "y"}, text));
    auto memory = flow.memory(start);
    VectorState s = start;
    double drift = 0.0;
    for (int k = 0; k < 1000; ++k) {
      s = flow.step(s, 0.05, memory);
      drift = std::max(drift, std::abs(spin(s) - spin(start)));
    }
    EXPECT_LT(drift, 1e-13) << text;
  }
}

/// One step as a map of (q, p): the size of the step depends on the point, and Ω is lost.
TEST(TimeTransformedVerlet, IsNotSymplectic) {
  const auto system = system_of(texts::henon_heiles());
  const VectorState start = start_of(texts::henon_heiles());
  const auto g = step_function({"x", "y"}, "1/(1 + x^2 + 3*y^2)");
  const TimeTransformedFlow flow(verlet(), system, g);
  const auto step = [&](const VectorState& s, double h) { return flow(s, h); };
  EXPECT_GT(check_symplectic(step, start, 0.2).defect, 1e-3);
  const auto one = step_function({"x", "y"}, "1 + 0*x");
  const TimeTransformedFlow constant(verlet(), system, one);
  const auto even = [&](const VectorState& s, double h) { return constant(s, h); };
  EXPECT_LT(check_symplectic(even, start, 0.2).defect, 1e-12);
}

/// With g = 1 it is the method of constant steps.
TEST(TimeTransformedVerlet, IsVerletForAConstantStepFunction) {
  const auto system = system_of(texts::kepler());
  const VectorState start = start_of(texts::kepler(0.6));
  const TimeTransformedFlow flow(verlet(), system, step_function({"x", "y"}, "0.5 + 0*x"));
  const StageFlow fixed(verlet(), system);
  auto memory = fixed.memory(start);
  const VectorState a = walk(flow, start, 0.02, 500);
  const VectorState b = fixed.steps(start, 0.01, 500, memory);
  EXPECT_LT(distance(a, b), 1e-12);
  EXPECT_NEAR(a.t, b.t, 1e-13);
}

/// A full mass matrix, and a potential that depends on time: the force acts at the times t of the
/// steps.
TEST(TimeTransformedVerlet, FullMassAndTimeDependence) {
  const SystemPtr system =
      system_of({{"x", "y"}, "x_dot^2 + x_dot*y_dot + y_dot^2 - (1 + sin(3*t))*(x^4 + y^4 + x*y)"});
  const VectorState start = initial(*system, vector({0.8, -0.5}), vector({0.3, 0.9}));
  const TimeTransformedFlow flow(verlet(), system, step_function({"x", "y"}, "1/(1 + x^2 + y^2)"));
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const long steps = 400 << k;
    const VectorState end = walk(flow, start, 4.0 / static_cast<double>(steps), steps);
    error[k] = distance(end, at_time(system, start, end.t, 300));
  }
  EXPECT_NEAR(slope(error[0], error[1], 2), 2.0, 0.1);
}

/// Kepler, e = 0.9: the energy error does not grow from the first periods to the last; the same
/// steps chosen from g alone, without ρ, let it drift.
TEST(TimeTransformedVerlet, EnergyStaysBounded) {
  const auto system = system_of(texts::kepler());
  const VectorState start = start_of(texts::kepler(0.9));
  const TimeTransformedFlow flow(verlet(), system);
  auto memory = flow.memory(start);
  const double h = 0.05;
  const auto worst = [&](VectorState& s, long steps, auto step) {
    double largest = 0.0;
    for (long k = 0; k < steps; ++k) {
      s = step(s);
      largest = std::max(largest, std::abs(energy_of(system, s) + 0.5));
    }
    return largest;
  };
  const auto transformed = [&](const VectorState& s) { return flow.step(s, h, memory); };
  VectorState s = start;
  const double early = worst(s, 2000, transformed);
  s = flow.steps(s, h, 200000, memory);
  EXPECT_GT(s.t, 500 * 6.28);
  const double late = worst(s, 2000, transformed);
  EXPECT_LT(early, 0.02);
  EXPECT_LT(late, 1.5 * early);
  const StageFlow fixed(verlet(), system);
  auto fixed_memory = fixed.memory(start);
  const auto naive = [&](const VectorState& z) {
    return fixed.step(z, h * flow.step_ratio(z), fixed_memory);
  };
  s = start;
  const double first = worst(s, 2000, naive);
  for (int k = 0; k < 20000; ++k) s = naive(s);
  EXPECT_GT(worst(s, 2000, naive), 3 * first);
}

TEST(TimeTransformedVerlet, SavesAndLoadsToTheBit) {
  const auto system = system_of(texts::kepler());
  const VectorState start = start_of(texts::kepler(0.9));
  const TimeTransformedFlow flow(verlet(), system);
  auto memory = flow.memory(start);
  const VectorState middle = flow.steps(start, 0.1, 57, memory);
  const auto saved = memory.save();
  const VectorState end = flow.steps(middle, 0.1, 43, memory);
  auto again = flow.memory(middle);
  again.load(saved);
  VectorState s = middle;
  for (int k = 0; k < 43; ++k) s = flow.step(s, 0.1, again);  // and one by one
  EXPECT_EQ(s.q, end.q);
  EXPECT_EQ(s.p, end.p);
  EXPECT_EQ(s.t, end.t);
  EXPECT_EQ(s.t_rest, end.t_rest);
  EXPECT_EQ(again.save(), memory.save());
  EXPECT_EQ(again.statistics.steps, 100);
  // without the density the run goes on differently
  EXPECT_GT(distance(walk(flow, middle, 0.1, 43), end), 1e-9);
  expect_has(refusal([&] { again.load({1.0, 2.0}); }), "another method");
  expect_has(refusal([&] { again.load({1.0, 2.0, 3.0, -1.0, 0.0}); }), "another method");
}

TEST(TimeTransformedVerlet, WrongRequestsAreRefused) {
  const auto system = system_of(texts::kepler());
  const VectorState start = start_of(texts::kepler(0.6));
  const auto make = [&](const Method& method) { return TimeTransformedFlow(method, system); };
  expect_has(refusal([&] { make(rk4()); }), "not variational");
  expect_has(refusal([&] { make(triple_jump(verlet())); }), "composition");
  auto forced = std::make_shared<KernelSystem>(*system);
  forced->forced = true;
  expect_has(refusal([&] { TimeTransformedFlow(verlet(), forced); }), "a force");
  const TimeTransformedFlow flow = make(verlet());
  expect_has(refusal([&] { flow(start, 0.0); }), "step size");
  auto memory = make(verlet()).memory(start);
  expect_has(refusal([&] { flow.step(start, 0.1, memory); }), "another flow");
  const TimeTransformedFlow sign(verlet(), system, step_function({"x", "y"}, "x - 0.2"));
  expect_has(refusal<DomainError>([&] { walk(sign, start, 0.5, 1000); }), "positive");
  // where g vanishes a step would take no time
  const VectorState still = initial(*system, vector({0.2, 0.3}), vector({0.0, 0.0}));
  expect_has(refusal<DomainError>([&] { sign.step_ratio(still); }), "positive");
  expect_has(refusal<DomainError>([&] { sign.memory(still); }), "positive");
  const TimeTransformedFlow steep(verlet(), system, step_function({"x", "y"}, "exp(9*y)"));
  expect_has(refusal<NoConvergence>([&] { walk(steep, start, 1.0, 1); }), "density");
  VectorState three = start;
  three.q = Eigen::Vector3d(1, 2, 3);
  expect_has(refusal([&] { flow.memory(three); }), "3 coordinates");
}

}  // namespace
}  // namespace varia::time_transformed_test
