// SPDX-License-Identifier: BSD-3-Clause
// Energy-momentum steps, (ext-DEL): what they keep, and where they do not exist.
#include "varia/flow/energy_momentum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "problems.hpp"
#include "refusal.hpp"

namespace varia::energy_momentum_test {
namespace {

using namespace problems;

SystemPtr quartic() { return system_of({{"x"}, "x_dot^2/2 - x^4/4"}); }
VectorState on_line(const SystemPtr& system, double q, double v) {
  return initial(*system, vector({q}), vector({v}));
}

/// ½|v|² + V at the midpoint, from two states alone.
double midpoint_energy(const VectorState& a, const VectorState& b) {
  const double h = (b.t - a.t) + (b.t_rest - a.t_rest);
  const double r2 = (0.5 * (a.q + b.q)).squaredNorm();
  return 0.5 * ((b.q - a.q) / h).squaredNorm() + r2 * (r2 - 1) * (r2 - 1);
}

struct Stop {
  long steps = 0;
  VectorState state;
  double energy_change = 0.0, spin_change = 0.0;
  std::string text;
};

Stop run_to_the_end(const EnergyMomentumFlow& flow, double h0) {
  Stop stop;
  stop.state = start_of(texts::ring());
  auto memory = flow.memory(stop.state);
  try {
    for (; stop.steps < 1000; ++stop.steps) {
      const VectorState next = flow.step(stop.state, h0, memory);
      EXPECT_GT(next.t, stop.state.t);
      stop.energy_change = std::max(stop.energy_change,
                                    std::abs(midpoint_energy(stop.state, next) - memory.energy()));
      stop.spin_change = std::max(stop.spin_change, std::abs(spin(next) - 0.7));
      stop.state = next;
    }
  } catch (const NoConvergence& error) {
    stop.text = error.what();
    EXPECT_EQ(error.t, stop.state.t);
  }
  return stop;
}

/// The failing case of the specification: at these steps no root is left.
TEST(EnergyMomentum, StopsWhereNoStepKeepsTheEnergy) {
  struct Case {
    double h0, t;
    long steps;
  };
  for (const Case& c : {Case{0.05, 1.21, 32}, Case{0.02, 1.26, 84}, Case{0.1, 1.17, 15}}) {
    const Stop stop =
        run_to_the_end(EnergyMomentumFlow(midpoint(0.5), system_of(texts::ring())), c.h0);
    EXPECT_EQ(stop.steps, c.steps);
    EXPECT_NEAR(stop.state.t, c.t, 0.005);
    EXPECT_LT(stop.energy_change, 1e-12);
    EXPECT_LT(stop.spin_change, 1e-13);
    expect_words(stop.text, {"no length between", "discrete energy", "minimise", "fixed step"});
    // no turning point: the kinetic energy is far from zero
    EXPECT_NEAR(0.5 * stop.state.p.squaredNorm(), 0.285, 0.005);
  }
  // wider bounds, up to h = 0.6, show no root either: those further off are of another branch
  EnergyMomentumOptions wide;
  wide.growth = 8.0;
  wide.longest = 12.0;
  EXPECT_EQ(
      run_to_the_end(EnergyMomentumFlow(midpoint(0.5), system_of(texts::ring()), wide), 0.05).steps,
      32);
}

/// V = q⁴/4 runs through its turning point with shorter and shorter steps.
TEST(EnergyMomentum, PassesATurningPoint) {
  const SystemPtr system = quartic();
  const EnergyMomentumFlow flow(midpoint(0.5), system);
  VectorState s = on_line(system, 0.0, 1.0);
  auto memory = flow.memory(s);
  double shortest = 1.0;
  double farthest = 0.0;
  for (int k = 0; k < 400; ++k) {
    s = flow.step(s, 0.05, memory);
    shortest = std::min(shortest, memory.step());
    farthest = std::max(farthest, s.q[0]);
    EXPECT_LT(std::abs(memory.defect()), 1e-14);
  }
  EXPECT_NEAR(s.t, 2.3, 0.05);
  EXPECT_NEAR(shortest, 0.0047, 0.00005);
  EXPECT_LT(s.p[0], 0.0);
  EXPECT_NEAR(farthest, std::pow(2.0, 0.25), 1e-2);  // q⁴/4 = 1/2
}

/// The points of a run are near the exact motion, to second order in the first step.
TEST(EnergyMomentum, OrderTwoAlongTheMotion) {
  const SystemPtr system = system_of(texts::ring());
  const VectorState start = start_of(texts::ring());
  const EnergyMomentumFlow flow(midpoint(0.5), system);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    auto memory = flow.memory(start);
    VectorState s = start;
    while (s.t < 0.8) s = flow.step(s, 0.004 / (1 + k), memory);
    error[k] = distance(s, at_time(system, start, s.t, 100));
  }
  EXPECT_NEAR(slope(error[0], error[1], 2), 2.0, 0.1);
}

/// Where no root is left, the smallest |E⁻ - E|: the run goes on, momenta stay exact, and the
/// energy comes back.
TEST(EnergyMomentum, MinimisesOnRequest) {
  EnergyMomentumOptions options;
  options.no_solution = NoEnergyStep::minimise;
  const SystemPtr system = system_of(texts::ring());
  const EnergyMomentumFlow flow(midpoint(0.5), system, options);
  const EnergyMomentumFlow strict(midpoint(0.5), system);
  const VectorState start = start_of(texts::ring());
  auto memory = flow.memory(start);
  auto strict_memory = strict.memory(start);
  VectorState s = flow.steps(start, 0.05, 32, memory);
  EXPECT_EQ(s.q, strict.steps(start, 0.05, 32, strict_memory).q);
  EXPECT_EQ(memory.minimised(), 0);
  const double e = memory.energy();
  double defect = 0.0;
  double h_error = 0.0;
  long kept = 0;
  for (int k = 32; k < 1500; ++k) {
    const long before = memory.minimised();
    const VectorState next = flow.step(s, 0.05, memory);
    const double change = std::abs(midpoint_energy(s, next) - e);
    if (memory.minimised() == before) {
      EXPECT_LT(change, 1e-12);
      ++kept;
    }
    defect = std::max(defect, change);
    h_error = std::max(h_error, std::abs(energy_of(system, next) - 0.29));
    EXPECT_NEAR(spin(next), 0.7, 1e-13);
    s = next;
  }
  std::printf("minimised %ld, kept %ld, t = %.3f, |E - E0| <= %.1e, |H - H0| <= %.1e\n",
              memory.minimised(), kept, s.t, defect, h_error);
  EXPECT_EQ(memory.energy(), e);
  EXPECT_GT(memory.minimised(), 0);
  EXPECT_GT(kept, 700);
  EXPECT_GT(s.t, 15.0);
  EXPECT_LT(defect, 2e-4);
  EXPECT_LT(h_error, 1e-3);
  // the first step without solution is a minimum of |E⁻ - E|
  auto again = flow.memory(start);
  s = flow.steps(start, 0.05, 32, again);
  const VectorState probe = s;
  flow.step(s, 0.05, again);
  const double best = std::abs(again.defect());
  for (const double h : {0.025, 0.04, 0.06, 0.08, 0.1}) {
    const auto step = flow.extended_step(probe, h, again);
    ASSERT_TRUE(step);
    EXPECT_GE(std::abs(step->energy_start - e), best * (1 - 1e-9)) << h;
  }
}

/// E₀ = H(q₀, p₀) with α = 1 asks for V(q₁) = V(q₀): no step does it. From its own step it runs.
TEST(EnergyMomentum, TheEnergyItselfIsNoStart) {
  const SystemPtr system = system_of({{"x"}, "x_dot^2/2 - x^2/2 - x^3/9"});
  const VectorState start = on_line(system, 0.5, 1.0);
  const EnergyMomentumFlow flow(midpoint(1.0), system);
  auto memory = flow.memory(start, energy_of(system, start), 0.05);
  expect_has(refusal<NoConvergence>([&] { flow.step(start, 0.05, memory); }), "no length");
  // the residual is V(q₁) - V(q₀), q₁ = q₀ + h p₀
  const auto step = flow.extended_step(start, 0.3, memory);
  ASSERT_TRUE(step);
  EXPECT_NEAR(step->end.q[0], 0.8, 1e-15);
  const auto potential = [](double x) { return x * x / 2 + x * x * x / 9; };
  EXPECT_NEAR(step->energy_start - energy_of(system, start), potential(0.8) - potential(0.5),
              1e-15);
  auto good = flow.memory(start);
  EXPECT_NEAR(flow.steps(start, 0.05, 1, good).t, 0.05, 1e-12);
  // where V comes back to V(q₀) there is a root, and it is found: h = 1 for the oscillator
  const SystemPtr linear = system_of({{"x"}, "x_dot^2/2 - x^2/2"});
  const EnergyMomentumFlow oscillator(midpoint(1.0), linear);
  const VectorState inside = on_line(linear, -0.5, 1.0);
  auto known = oscillator.memory(inside, energy_of(linear, inside), 0.8);
  EXPECT_NEAR(oscillator.step(inside, 0.8, known).t, 1.0, 1e-14);
}

TEST(EnergyMomentum, SavesAndLoadsToTheBit) {
  EnergyMomentumOptions options;
  options.no_solution = NoEnergyStep::minimise;
  const EnergyMomentumFlow flow(gauss(1), system_of(texts::ring()), options);
  const VectorState start = start_of(texts::ring());
  auto memory = flow.memory(start);
  EXPECT_FALSE(memory.started());
  const VectorState middle = flow.steps(start, 0.05, 40, memory);
  const auto saved = memory.save();
  const VectorState end = flow.steps(middle, 0.05, 43, memory);
  auto again = flow.memory(middle);
  EXPECT_NE(again.save(), saved);
  again.load(saved);
  EXPECT_EQ(again.save(), saved);
  VectorState s = middle;
  for (int k = 0; k < 43; ++k) s = flow.step(s, 0.05, again);
  EXPECT_EQ(s.q, end.q);
  EXPECT_EQ(s.p, end.p);
  EXPECT_EQ(s.t, end.t);
  EXPECT_EQ(again.save(), memory.save());
  EXPECT_EQ(again.statistics.steps, 83);
  expect_has(refusal([&] { again.load({1.0, 2.0}); }), "another method");
}

/// A step does not depend on where its iteration begins. From a guess that leads nowhere it begins
/// anew, and from a good one it does not.
TEST(EnergyMomentum, AStepDoesNotDependOnItsGuess) {
  const EnergyMomentumFlow flow(gauss(2), system_of(texts::ring()));
  const VectorState start = start_of(texts::ring());
  auto memory = flow.memory(start);
  const auto expected = flow.extended_step(start, 0.05, memory);
  ASSERT_TRUE(expected);
  EXPECT_LE(memory.statistics.iterations, 3);
  auto numbers = memory.save();
  std::fill(numbers.begin() + 10, numbers.end(), 1e200);  // V overflows there
  auto astray = flow.memory(start);
  astray.load(numbers);
  const auto step = flow.extended_step(start, 0.05, astray);
  ASSERT_TRUE(step);
  EXPECT_LT(distance(step->end, expected->end), 1e-15);
  EXPECT_NEAR(step->energy_start, expected->energy_start, 1e-14);
}

/// Remainders are kept on request, and then they are not for show: without them the motion is another
/// one by rounding, and nothing more.
TEST(EnergyMomentum, RemaindersAreKeptOnRequest) {
  FlowOptions options;
  options.compensated = false;
  const auto run = [](const EnergyMomentumFlow& flow) {
    auto memory = flow.memory(start_of(texts::ring()));
    return flow.steps(start_of(texts::ring()), 0.05, 30, memory);
  };
  const VectorState with = run(EnergyMomentumFlow(gauss(1), system_of(texts::ring())));
  const VectorState without =
      run(EnergyMomentumFlow(gauss(1), system_of(texts::ring()), {}, options));
  EXPECT_NE(with.t_rest, 0.0);
  EXPECT_NE(with.q_rest.norm() + with.p_rest.norm(), 0.0);
  EXPECT_EQ(without.t_rest, 0.0);
  EXPECT_EQ(without.q_rest.norm() + without.p_rest.norm(), 0.0);
  EXPECT_LT(distance(with, without), 1e-12);
}

TEST(EnergyMomentum, AFailedStepLeavesTheMemory) {
  const EnergyMomentumFlow flow(midpoint(0.5), system_of(texts::ring()));
  VectorState s = start_of(texts::ring());
  auto memory = flow.memory(s);
  s = flow.steps(s, 0.05, 32, memory);
  auto before = memory.save();
  EXPECT_THROW(flow.step(s, 0.05, memory), NoConvergence);
  auto after = memory.save();
  before[1] = after[1] = before[2] = after[2] = 0.0;  // iterations are counted
  EXPECT_EQ(before, after);
}

TEST(EnergyMomentum, WrongRequestsAreRefused) {
  const SystemPtr system = system_of(texts::ring());
  const VectorState start = start_of(texts::ring());
  const auto make = [&](const Method& m) { return EnergyMomentumFlow(m, system); };
  expect_has(refusal([&] { make(rk4()); }), "not variational");
  expect_has(refusal([&] { make(triple_jump(verlet())); }), "composition");
  auto other = std::make_shared<KernelSystem>(*system);
  other->forced = true;
  expect_has(refusal([&] { EnergyMomentumFlow(gauss(1), other); }), "a force");
  other->forced = false;
  other->d = 1;
  expect_has(refusal([&] { EnergyMomentumFlow(gauss(1), other); }), "constraints");
  other->d = 0;
  other->space = ProductSpace({rotations()});
  expect_has(refusal([&] { EnergyMomentumFlow(gauss(1), other); }), "rotations");
  EnergyMomentumOptions options;
  options.shortest = 2.0;
  expect_has(refusal([&] { EnergyMomentumFlow(gauss(1), system, options); }), "shortest");
  options = {};
  options.growth = 1.0;
  expect_has(refusal([&] { EnergyMomentumFlow(gauss(1), system, options); }), "ratio");
  const EnergyMomentumFlow flow = make(gauss(1));
  expect_has(refusal([&] { flow(start, 0.0); }), "step size");
  expect_has(refusal([&] { flow.memory(start, std::nan(""), 0.1); }), "finite");
  EnergyMomentumFlow::Memory empty;
  expect_has(refusal([&] { flow.step(start, 0.1, empty); }), "empty");
  auto foreign = make(gauss(2)).memory(start);
  expect_has(refusal([&] { flow.step(start, 0.1, foreign); }), "another flow");
  // a nearly exact L_d: the energy says nothing about the step
  expect_has(refusal<NoConvergence>([&] { make(gauss(8))(start, 0.05); }), "too accurate");
  VectorState three = start;
  three.q = Eigen::Vector3d(1, 2, 3);
  expect_has(refusal([&] { flow.memory(three); }), "3 coordinates");
}

}  // namespace
}  // namespace varia::energy_momentum_test
