// SPDX-License-Identifier: BSD-3-Clause
// Steps that solve the local balance of energy: the oscillator of [LMOW03, (60)-(67)] in closed form,
// its failure, and chains and nets where every solved balance holds to round-off.
#include "varia/terms/stationary.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "refusal.hpp"
#include "terms/loads.hpp"
#include "varia/terms/energy.hpp"
#include "varia/terms/momentum.hpp"

namespace varia::terms::stationary_test {
namespace {

struct Oscillator {
  double stiffness;
  template <class X, class T> auto operator()(const X& x, const T&) const {
    return 0.5 * stiffness * x[0] * x[0];
  }
};

System<1> oscillator(double m, double k) {
  System<1> system;
  system.add(std::make_unique<Fields<1, 1, Oscillator>>(std::vector<std::array<int, 1>>{{0}},
                                                        std::vector<Oscillator>{{k}}));
  system.set_masses({m});
  return system;
}

constexpr StationaryOptions wide{1e-7, 1e7, 16};

/// In the units of the reference: p̂ = p/√(2mH), q̂ = q √(κ/2H), ĥ = h √(κ/m).
struct Circle {
  double p, q, h;
};

/// The next step by (63)-(67): p⁺ = p - hq, p⁺² + q₁² = 1, h⁺ = (q₁ - q)/p⁺, the least that is positive.
double closed_form(const Circle& c) {
  const double p = c.p - c.h * c.q, square = 1.0 - p * p;
  if (square < 0.0) return std::nan("");
  double least = std::numeric_limits<double>::infinity();
  for (const double q : {std::sqrt(square), -std::sqrt(square)}) {
    const double h = (q - c.q) / p;
    if (h > 0.0) least = std::min(least, h);
  }
  return least;
}

TEST(Stationary, OscillatorStepsAreTheClosedForm) {
  const double m = 1.7, k = 0.6, energy = 2.3;
  const System<1> system = oscillator(m, k);
  int solved = 0, failed = 0;
  for (int i = 0; i < 400; ++i)
    for (const double h : {0.02, 0.1, 0.4, 0.9}) {
      const double angle = 0.0157 * (i + 0.37);
      const Circle c{std::sin(angle), std::cos(angle), h};
      const double p = c.p * std::sqrt(2.0 * m * energy), q = c.q * std::sqrt(2.0 * energy / k);
      const double step = h * std::sqrt(m / k);
      State<1> state = start<1>(system, {q - step * p / m}, {p / m}, {step}, {}, {0.0, false});
      Stationary<1> motion(system, state, wide);
      motion.advance(step);
      ASSERT_EQ(state.clocks[0].count, 1);
      const double expected = closed_form(c) * std::sqrt(m / k);
      EXPECT_EQ(motion.solved(0), std::abs(c.p - c.h * c.q) <= 1.0) << angle << " " << h;
      if (motion.solved(0)) {
        ++solved;
        EXPECT_NEAR(state.clocks[0].step, expected, 1e-9 * (1.0 + expected)) << angle << " " << h;
      } else {
        ++failed;
        EXPECT_EQ(state.clocks[0].step, step);
      }
    }
  EXPECT_GT(solved, 1000);
  EXPECT_GT(failed, 50);
}

TEST(Stationary, OscillatorKeepsItsEnergyWhileItCan) {
  const double m = 1.3, k = 2.1;
  const System<1> system = oscillator(m, k);
  State<1> state = start<1>(system, {1.0}, {-0.2}, {0.01}, {}, {0.0, false});
  Stationary<1> motion(system, state, wide);
  motion.advance(state.clocks[0].next);
  // H of the segment just before the first update
  const double x = 1.0 - 0.002;
  const double energy = 0.5 * m * 0.04 + 0.5 * k * x * x;
  int updates = 0;
  while (motion.solved(0)) {
    const Node<1>& node = state.nodes[0];
    const double v = node.v[0], next = node.x[0] + v * state.clocks[0].step;
    EXPECT_NEAR(0.5 * m * v * v + 0.5 * k * next * next, energy, 1e-14);
    motion.advance(state.clocks[0].next);
    ASSERT_LT(++updates, 100000);
  }
  EXPECT_GT(updates, 20);
  EXPECT_EQ(motion.statistics().solved, updates);
  EXPECT_EQ(motion.statistics().failed, 0);
  // |p̂ - ĥq̂| > 1: the kinetic energy alone is more than all there was
  const double p = m * state.nodes[0].v[0];
  EXPECT_GT(p * p / (2.0 * m), energy);
  motion.advance(state.clocks[0].next);
  EXPECT_EQ(motion.statistics().failed, 1);
}

/// After a failure it goes on, at another energy; steps stay within bounds.
TEST(Stationary, OscillatorGoesOnAfterFailures) {
  const System<1> system = oscillator(1.0, 1.0);
  State<1> state = start<1>(system, {1.0}, {0.0}, {0.05}, {}, {0.0, true});
  Stationary<1> motion(system, state);
  motion.advance(200.0);
  const StationaryStatistics& s = motion.statistics();
  EXPECT_GT(s.solved, 500);
  EXPECT_GT(s.failed, 10);
  EXPECT_EQ(s.first, 1);
  EXPECT_GE(s.smallest_step, 0.1 * 0.05 * (1.0 - 1e-12));
  EXPECT_LE(s.largest_step, 4.0 * 0.05 * (1.0 + 1e-12));
  const auto at = synchronise(system, state, state.nodes[0].t);
  EXPECT_TRUE(std::isfinite(energy(system, at)));
}

/// The residual of every update at a root, and the largest of the others.
template <int D> struct Residuals final : Observer<D> {
  const System<D>& system;
  const Stationary<D>* motion = nullptr;
  LocalEnergy<D> local;
  double at_roots = 0.0, elsewhere = 0.0;
  int roots = 0, others = 0;
  bool forward = true;
  explicit Residuals(const System<D>& s) : system(s), local(s, {}) {}
  void before(int term, double t, double weight, const State<D>& state) override {
    forward = forward && weight > 0.0 && std::isfinite(weight);
    local.before(term, t, weight, state);
    const auto& balance = local.balance(term);
    if (balance.balances == 0) return;
    const double residual = std::abs(balance.residual);
    (motion->solved(term) ? at_roots : elsewhere) =
        std::max(motion->solved(term) ? at_roots : elsewhere, residual);
    ++(motion->solved(term) ? roots : others);
  }
  void after(int term, double t, double weight, const State<D>& state) override {
    local.after(term, t, weight, state);
  }
};

template <int D> void expect_balanced(const Sample<D>& s, double until, double bound) {
  State<D> state = s.begin();
  Residuals<D> watch(s.system);
  Stationary<D> motion(s.system, state, {}, &watch);
  watch.motion = &motion;
  motion.advance(until);
  EXPECT_LT(watch.at_roots, bound);
  EXPECT_TRUE(watch.forward);
  EXPECT_EQ(motion.statistics().solved, watch.roots);
  EXPECT_EQ(motion.statistics().failed, watch.others);
  EXPECT_EQ(motion.statistics().first, s.system.term_count());
  EXPECT_GT(watch.roots, watch.others);
  EXPECT_GT(watch.elsewhere, 1e-8);
}

TEST(Stationary, EverySolvedBalanceHolds) {
  expect_balanced(nonlinear_chain(6, 0.05), 10.0, 1e-14);
  expect_balanced(spring_net(3, 3, 0.03), 2.0, 1e-13);
  expect_balanced(loaded_net(3, 3, 0.03), 1.5, 1e-12);
}

TEST(Stationary, MomentaStayExact) {
  const Sample<2> s = spring_net(4, 4, 0.04);
  State<2> state = s.begin();
  const auto first = momentum(s.system, state);
  Stationary<2> motion(s.system, state);
  motion.advance(3.0);
  const auto last = momentum(s.system, state);
  for (int c = 0; c < 2; ++c) EXPECT_NEAR(last.linear[c], first.linear[c], 1e-12);
  EXPECT_NEAR(last.angular[2], first.angular[2], 1e-11);
  EXPECT_GT(motion.statistics().solved, 1000);
}

TEST(Stationary, ManyBoundsAreOneBound) {
  const Sample<2> s = spring_net(3, 3, 0.04);
  State<2> a = s.begin(), b = s.begin();
  Stationary<2> one(s.system, a), many(s.system, b);
  one.advance(1.5);
  for (int i = 0; i <= 30; ++i) many.advance(0.05 * i);
  many.advance(1.5);
  EXPECT_EQ(differences(a, b), 0);
}

/// What it leaves behind goes on under fixed steps, forwards.
TEST(Stationary, ItsStateGoesOnUnderTheQueue) {
  const Sample<1> s = nonlinear_chain(5, 0.05);
  State<1> state = s.begin();
  Stationary<1>(s.system, state).advance(2.0);
  const std::vector<Clock> old = state.clocks;
  queue(s.system, state)->advance(4.0);
  for (std::size_t K = 0; K < old.size(); ++K)
    EXPECT_NEAR(state.clocks[K].next - state.clocks[K].last, old[K].step, 1e-12);
}

TEST(Stationary, SupportsHold) {
  Sample<2> s = spring_net(3, 3, 0.04);
  s.supports.add(9, {0,
                     {true, true},
                     {},
                     [](int c, double t) {
                       return c == 0 ? Motion{0.1 * std::sin(t), 0.1 * std::cos(t)} : Motion{};
                     },
                     {}});
  expect_balanced(s, 2.0, 1e-12);
}

/// A body in uniform motion: every time solves the balance, the nominal steps are taken.
TEST(Stationary, WhereNothingHappensStepsAreNominal) {
  System<2> system;
  system.add(std::make_unique<Pairs<2, Spring>>(std::vector<std::array<int, 2>>{{0, 1}, {1, 2}},
                                                std::vector<Spring>{{1.0, 1.0}, {1.0, 1.0}}));
  system.set_masses({1.0, 1.0, 1.0});
  State<2> state = start<2>(system, {0.0, 0.0, 1.0, 0.0, 2.0, 0.0},
                            {0.5, 0.25, 0.5, 0.25, 0.5, 0.25}, {0.1, 0.07});
  Stationary<2> motion(system, state);
  motion.advance(10.0);
  EXPECT_EQ(motion.statistics().failed, 0);
  EXPECT_NEAR(motion.statistics().smallest_step, 0.07, 1e-9);
  EXPECT_NEAR(motion.statistics().largest_step, 0.1, 1e-9);
}

/// Paths that lead to a collision within the allowed steps: the search ends there, nothing is thrown.
TEST(Stationary, LookingAheadThroughACollisionIsHarmless) {
  System<1> system;
  system.add(std::make_unique<Pairs<1, LennardJones>>(std::vector<std::array<int, 2>>{{0, 1}},
                                                      std::vector<LennardJones>{{1.0, 1.0}}));
  system.set_masses({1.0, 1.0});
  State<1> state = start<1>(system, {0.0, 2.0}, {1.0, -1.0}, {0.01});
  Stationary<1> motion(system, state, {0.01, 300.0, 16});
  motion.advance(5.0);
  EXPECT_GT(motion.statistics().solved, 50);
  for (const Node<1>& node : state.nodes) EXPECT_TRUE(std::isfinite(node.x[0]));
}

TEST(Stationary, WrongRequestsAreRefused) {
  const Sample<1> s = nonlinear_chain(4, 0.1);
  State<1> state = s.begin();
  const double nan = std::nan("");
  for (const StationaryOptions& bad :
       {StationaryOptions{0.0, 2.0, 16}, StationaryOptions{-1.0, 2.0, 16},
        StationaryOptions{2.0, 3.0, 16}, StationaryOptions{0.5, 0.9, 16},
        StationaryOptions{nan, 2.0, 16}, StationaryOptions{0.5, nan, 16},
        StationaryOptions{0.5, std::numeric_limits<double>::infinity(), 16}})
    expect_words(refusal([&] { Stationary<1>(s.system, state, bad); }), {"steps", "nominal"});
  expect_has(refusal([&] { Stationary<1>(s.system, state, {0.5, 2.0, 0}); }), "stretches");
  expect_has(refusal([&] { Stationary<1>(s.system, state).advance(nan); }), "nan");
  queue(s.system, state)->advance(1.0);
  expect_words(refusal([&] { Stationary<1>(s.system, state); }), {"term 0", "acted"});
}

}  // namespace
}  // namespace varia::terms::stationary_test
