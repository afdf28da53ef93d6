// SPDX-License-Identifier: BSD-3-Clause
// Methods of stages on H̄ = g (H - E), (poincare): orders in τ and t, symplecticity, momenta.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/time_transformed.hpp"
#include "varia/mechanics/time_transform.hpp"
#include "varia/varia.hpp"
#include "varia/verify/check_symplectic.hpp"

namespace varia::time_transformed_gauss_test {
namespace {

using namespace problems;

expr::Kernel bumpy() { return step_function({"a", "b"}, "1/(1 + a^2 + sin(b)^2)"); }

/// dt = g dτ to the last digit where g is a constant: the small parts of the weights count too, or
/// the time would be off by 1e-12 after so many steps.
TEST(TimeTransformedGauss, TimeIsExactForAConstantStepFunction) {
  const SystemPtr system = system_of(texts::double_pendulum());
  for (const int s : {3, 7}) {
    const TimeTransformedFlow flow(gauss(s), system, step_function({"a", "b"}, "0.125 + 0*a"));
    const VectorState end = walk(flow, start_of(texts::double_pendulum()), 0.25, 20000);
    EXPECT_LT(std::abs((end.t - 625.0) + end.t_rest), 1e-13) << s;
  }
}

TEST(TimeTransformedGauss, OrderOfTheMethodInTauAndInTime) {
  const SystemPtr system = system_of(texts::double_pendulum());
  const VectorState start = start_of(texts::double_pendulum());
  const double tau = 3.0;
  const VectorState exact =
      walk(TimeTransformedFlow(gauss(7), system, bumpy()), start, tau / 60, 60);
  // an oracle that knows nothing of τ
  EXPECT_LT(distance(exact, at_time(system, start, exact.t, 200)), 1e-13);
  for (const Method& method :
       {gauss(1), gauss(2), gauss(3), gauss(4), lobatto(3), verlet(), midpoint(0.3)}) {
    const TimeTransformedFlow flow(method, system, bumpy());
    EXPECT_FALSE(flow.is_explicit());
    const int order = method.order();
    const long base = order <= 2 ? 300 : order == 4 ? 60 : order == 6 ? 40 : 26;
    double in_tau[2];
    double in_t[2];
    double of_t[2];
    for (int k = 0; k < 2; ++k) {
      const long steps = k == 0 ? base : base * 3 / 2;
      const VectorState end = walk(flow, start, tau / static_cast<double>(steps), steps);
      in_tau[k] = distance(end, exact);
      of_t[k] = std::abs(end.t - exact.t);
      in_t[k] = distance(end, at_time(system, start, end.t, 200));
    }
    EXPECT_NEAR(slope(in_tau[0], in_tau[1], 1.5), order, 0.1) << method.name();
    EXPECT_NEAR(slope(of_t[0], of_t[1], 1.5), order, 0.1) << method.name();
    EXPECT_NEAR(slope(in_t[0], in_t[1], 1.5), order, 0.1) << method.name();
    std::printf("%-14s tau %.3f, t %.3f, along t %.3f, error %.1e\n", method.name().c_str(),
                slope(in_tau[0], in_tau[1], 1.5), slope(of_t[0], of_t[1], 1.5),
                slope(in_t[0], in_t[1], 1.5), in_t[1]);
  }
}

/// Symplectic at fixed E; not as a map of (q, p) whose E is that of each point.
TEST(TimeTransformedGauss, SymplecticAtFixedEnergy) {
  const SystemPtr system = system_of(texts::double_pendulum());
  const VectorState start = start_of(texts::double_pendulum());
  for (const Method& method : {gauss(1), gauss(3), lobatto(3), verlet()}) {
    const TimeTransformedFlow flow(method, system, bumpy());
    const auto saved = flow.memory(start).save();
    const auto fixed = [&](const VectorState& s, double h) {
      auto memory = flow.memory(s);
      memory.load(saved);
      return flow.step(s, h, memory);
    };
    EXPECT_LT(check_symplectic(fixed, start, 0.2).defect, 1e-12) << method.name();
    const auto own = [&](const VectorState& s, double h) { return flow(s, h); };
    EXPECT_GT(check_symplectic(own, start, 0.2).defect, 1e-3) << method.name();
  }
}

TEST(TimeTransformedGauss, ReversibleWhenTheMethodIsSymmetric) {
  const SystemPtr system = system_of(texts::double_pendulum());
  const VectorState start = start_of(texts::double_pendulum());
  const auto defect = [&](const Method& method) {
    const TimeTransformedFlow flow(method, system, bumpy());
    auto memory = flow.memory(start);
    const VectorState there = flow.steps(start, 0.2, 50, memory);
    const VectorState back = flow.steps(there, -0.2, 50, memory);
    EXPECT_GT(distance(there, start), 0.1);
    return std::max(distance(back, start), std::abs(back.t));
  };
  EXPECT_LT(defect(gauss(2)), 1e-12);
  EXPECT_LT(defect(gauss(5)), 1e-12);
  EXPECT_GT(defect(midpoint(0.3)), 1e-3);
}

/// Kepler: the angular momentum is kept when g is invariant, and only then.
TEST(TimeTransformedGauss, MomentaAreExactForInvariantStepFunctions) {
  const auto system = system_of(texts::kepler());
  const VectorState start = start_of(texts::kepler(0.9));
  const auto drift = [&](const expr::Kernel& g) {
    const TimeTransformedFlow flow(gauss(2), system, g);
    auto memory = flow.memory(start);
    VectorState s = start;
    double largest = 0.0;
    for (int k = 0; k < 300; ++k) {
      s = flow.step(s, 0.1, memory);
      largest = std::max(largest, std::abs(spin(s) - spin(start)));
    }
    return largest;
  };
  EXPECT_LT(drift({}), 1e-13);
  EXPECT_LT(drift(step_function({"x", "y"}, "x^2 + y^2")), 1e-13);
  EXPECT_GT(drift(step_function({"x", "y"}, "(x^2 + 2*y^2 + 0.02*x)^0.75")), 1e-8);
}

/// e = 0.9 over 200 periods; E - E₀ is not larger at the end than at the beginning.
TEST(TimeTransformedGauss, EnergyStaysBounded) {
  const auto system = system_of(texts::kepler());
  const VectorState start = start_of(texts::kepler(0.9));
  const TimeTransformedFlow flow(gauss(2), system);
  auto memory = flow.memory(start);
  VectorState s = start;
  const auto worst = [&](long steps) {
    double largest = 0.0;
    for (long k = 0; k < steps; ++k) {
      s = flow.step(s, 0.2, memory);
      largest = std::max(largest, std::abs(energy_of(system, s) + 0.5));
    }
    return largest;
  };
  const double early = worst(500);
  s = flow.steps(s, 0.2, 10000, memory);
  const double late = worst(500);
  EXPECT_GT(s.t, 100 * 6.28);
  EXPECT_LT(early, 1e-3);
  EXPECT_LT(late, 1.2 * early);
  EXPECT_EQ(memory.energy(), energy_of(system, start));
}

TEST(TimeTransformedGauss, SavesAndLoadsToTheBit) {
  const auto system = system_of(texts::kepler());
  const VectorState start = start_of(texts::kepler(0.9));
  const TimeTransformedFlow flow(gauss(3), system);
  auto memory = flow.memory(start);
  const VectorState middle = flow.steps(start, 0.3, 57, memory);
  const auto saved = memory.save();
  const VectorState end = flow.steps(middle, 0.3, 43, memory);
  auto again = flow.memory(middle);
  EXPECT_NE(again.energy(), memory.energy());
  again.load(saved);
  VectorState s = middle;
  for (int k = 0; k < 43; ++k) s = flow.step(s, 0.3, again);
  EXPECT_EQ(s.q, end.q);
  EXPECT_EQ(s.p, end.p);
  EXPECT_EQ(s.t, end.t);
  EXPECT_EQ(s.q_rest, end.q_rest);
  EXPECT_EQ(s.t_rest, end.t_rest);
  EXPECT_EQ(again.save(), memory.save());
  auto broken = saved;
  broken.pop_back();
  expect_has(refusal([&] { again.load(broken); }), "another method");
  EXPECT_EQ(flow.unknowns(), 6);
  EXPECT_FALSE(flow.banded());
}

/// prepare() sees every transformed system before it is used.
TEST(TimeTransformedGauss, TransformedSystemsCanBePrepared) {
  const auto system = system_of(texts::kepler());
  int count = 0;
  const TimeTransformedFlow flow(gauss(2), system, {}, {}, [&](KernelSystem& f) {
    EXPECT_EQ(f.n, 2);
    ++count;
  });
  const VectorState start = start_of(texts::kepler(0.5));
  auto memory = flow.memory(start);
  memory.load(memory.save());
  EXPECT_EQ(count, 2);
  EXPECT_EQ(flow.with_method(gauss(3)).method().name(), "gauss(3)");
}

TEST(TimeTransformedGauss, WrongRequestsAreRefused) {
  const auto system = system_of(texts::kepler());
  const VectorState start = start_of(texts::kepler(0.9));
  const SystemPtr driven = system_of({{"x"}, "x_dot^2/2 - cos(t)*x^4"});
  expect_has(refusal([&] { TimeTransformedFlow(gauss(2), driven); }), "depends on the time");
  expect_has(refusal([&] { TimeTransformedFlow(gauss(2), system_of(texts::double_pendulum())); }),
             "give a step");
  FlowOptions options;
  options.newton.max_iterations = 0;
  expect_has(refusal([&] { TimeTransformedFlow(gauss(2), system, {}, options); }), "at least 1");
  const TimeTransformedFlow flow(gauss(2), system);
  expect_has(refusal<NoConvergence>([&] { walk(flow, start, 60.0, 3); }), "not solved");
  // the equations of a long step have solutions where g < 0: the time would run back
  const SystemPtr line = system_of({{"x"}, "x_dot^2/2"});
  const TimeTransformedFlow sign(gauss(2), line, step_function({"x"}, "1 - 2*x + 0.1*x^2"));
  const VectorState free = initial(*line, Eigen::VectorXd::Zero(1), Eigen::VectorXd::Ones(1));
  const VectorState near = walk(sign, free, 0.1, 1);
  EXPECT_NEAR(near.q[0], near.t, 1e-14);
  expect_has(refusal<DomainError>([&] { walk(sign, free, 2.0, 1); }), "positive");
  // or end there, though g > 0 at all points of the quadrature
  const TimeTransformedFlow wall(gauss(1), line, step_function({"x"}, "1 - x"));
  expect_has(refusal<DomainError>([&] { walk(wall, free, 1.3, 1); }), "positive");
}

}  // namespace
}  // namespace varia::time_transformed_gauss_test
