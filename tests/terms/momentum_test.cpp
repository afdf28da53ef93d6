// SPDX-License-Identifier: BSD-3-Clause
// Momenta after every percussion: those of a free system stay, to round-off, for any steps; otherwise
// their change is the impulse of supports and loads, and its moment [LMOW03].
#include "varia/terms/momentum.hpp"

#include <gtest/gtest.h>

#include "terms/loads.hpp"

namespace varia::terms::momentum_test {
namespace {

/// The largest change of the momenta after any update, relative to their sizes.
template <int D> struct Watch final : Observer<D> {
  const System<D>& system;
  Momentum<D> first;
  double linear = 0.0, angular = 0.0;
  int count = 0;
  Watch(const System<D>& s, const State<D>& start) : system(s), first(momentum(s, start)) {}
  void before(int, double, double, const State<D>&) override {}
  void after(int, double, double, const State<D>& state) override {
    ++count;
    const Momentum<D> now = momentum(system, state);
    for (int c = 0; c < D; ++c)
      linear = std::max(linear, std::abs(now.linear[c] - first.linear[c]) / now.linear_scale);
    for (int c = 0; c < 3; ++c)
      angular = std::max(angular, std::abs(now.angular[c] - first.angular[c]) / now.angular_scale);
  }
};

struct Wandering final : StepRule {
  double step(int term, double, const double* x, const Clock&) override {
    return 0.03 * (1.2 + std::sin(30.0 * x[0] + term));
  }
};

TEST(Momentum, OfAFreeNetStays) {
  const Sample<2> s = spring_net(4, 4, 0.05);
  for (const bool changing : {false, true})
    for (const bool half_kick : {false, true}) {
      Wandering rule;
      State<2> state = s.begin(half_kick);
      Watch<2> watch(s.system, state);
      queue(s.system, state, {changing ? &rule : nullptr, &watch, 1})->advance(20.0);
      EXPECT_LT(watch.linear, 1e-13);
      EXPECT_LT(watch.angular, 1e-13);
      EXPECT_GT(watch.count, 10000);
      EXPECT_GT(std::abs(watch.first.angular[2]), 0.1);  // there is something to keep
    }
}

/// Particles in space: near pairs with Lennard-Jones forces, far ones with gravity.
Sample<3> cluster() {
  Sample<3> s;
  std::vector<std::array<int, 2>> near, far;
  std::vector<double> masses;
  for (int a = 0; a < 8; ++a) {
    masses.push_back(1.0 + 0.2 * a);
    for (int c = 0; c < 3; ++c) {
      s.x.push_back(1.15 * ((a >> c) & 1) + 0.02 * std::sin(5.0 * a + c));
      s.v.push_back(0.1 * std::cos(3.0 * a + 2.0 * c));
    }
    for (int b = 0; b < a; ++b) {
      const int bits = a ^ b;
      (bits == 1 || bits == 2 || bits == 4 ? near : far).push_back({a, b});
    }
  }
  s.system.add(std::make_unique<Pairs<3, LennardJones>>(
      near, std::vector<LennardJones>(near.size(), LennardJones{1.0, 1.0})));
  s.system.add(
      std::make_unique<Pairs<3, Gravity>>(far, std::vector<Gravity>(far.size(), Gravity{0.3})));
  s.system.set_masses(masses);
  s.steps = incommensurate(s.system.term_count(), 0.01);
  return s;
}

TEST(Momentum, OfParticlesInSpaceStays) {
  const Sample<3> s = cluster();
  State<3> state = s.begin();
  Watch<3> watch(s.system, state);
  queue(s.system, state, {nullptr, &watch, 1})->advance(5.0);
  EXPECT_LT(watch.linear, 1e-13);
  EXPECT_LT(watch.angular, 1e-13);
  for (int c = 0; c < 3; ++c) EXPECT_GT(std::abs(watch.first.angular[c]), 1e-3);
}

TEST(Momentum, OfTheSynchronisedStateIsTheSame) {
  const Sample<2> s = spring_net(4, 4, 0.05);
  State<2> state = s.begin();
  const auto first = momentum(s.system, s.x, s.v);
  node_clocks(s.system, state)->advance(5.0);
  const auto at = synchronise(s.system, state, 5.03);
  const auto last = momentum(s.system, at.x, at.v);
  for (int c = 0; c < 2; ++c) EXPECT_NEAR(last.linear[c], first.linear[c], 1e-13);
  EXPECT_NEAR(last.angular[2], first.angular[2], 1e-12);
}

TEST(Momentum, AWellTakesItAway) {
  const Sample<2> s = mixture(4, 4, 0.05, false);
  State<2> state = s.begin();
  Watch<2> watch(s.system, state);
  queue(s.system, state, {nullptr, &watch, 1})->advance(2.0);
  EXPECT_GT(watch.linear, 1e-3);
  EXPECT_GT(watch.angular, 1e-3);
}

/// Impulses of the loads and their moments about the origin, by the weights of the updates.
struct Given final : Observer<2> {
  const System<2>& system;
  std::array<double, 2> linear{};
  double angular = 0.0;
  explicit Given(const System<2>& s) : system(s) {}
  void add(int term, double t, double weight, const double* x) {
    const auto [family, k] = system.place(term);
    std::array<double, 4> f{};
    family->load()->add(k, t, f.data());
    linear[0] += weight * (f[0] + f[2]);
    linear[1] += weight * (f[1] + f[3]);
    angular += weight * (x[0] * f[1] - x[1] * f[0]);
  }
  void before(int term, double t, double weight, const State<2>& state) override {
    const auto [family, k] = system.place(term);
    add(term, t, weight, state.nodes[family->nodes(k)[0]].x.data());
  }
  void after(int, double, double, const State<2>&) override {}
};

TEST(Momentum, ChangesByTheImpulsesOfSupportsAndLoads) {
  Sample<2> s = loaded_net(4, 4, 0.05);
  s.supports.add(16, {0, {true, true}, {0.1, -0.1}, {}, {}});
  s.supports.add(16, {6, {true, true}, {2.1, 1.0}, {}, {}});
  // the velocities of supports are none of the system's momentum
  for (const int a : {0, 6}) s.v[2 * a] = s.v[2 * a + 1] = 0.0;
  Given given(s.system);
  std::vector<double> x0 = s.x;
  x0[0] = 0.1, x0[1] = -0.1, x0[12] = 2.1, x0[13] = 1.0;
  const auto first = momentum(s.system, x0, s.v);
  State<2> state = s.begin();
  for (int K = 0; K < s.system.term_count(); ++K) {
    const auto [family, k] = s.system.place(K);
    given.add(K, 0.0, 0.5 * s.steps[K], x0.data() + 2 * family->nodes(k)[0]);
  }
  const auto schedule = queue(s.system, state, {nullptr, &given, 1});
  for (const double until : {0.3, 2.0, 10.0}) {
    schedule->advance(until);
    const auto now = momentum(s.system, state);
    double moment = given.angular;
    for (int c = 0; c < 2; ++c) {
      double impulse = given.linear[c];
      for (const auto& support : state.supports.list()) impulse += support.impulse[c];
      EXPECT_NEAR(now.linear[c] - first.linear[c], impulse, 1e-12);
      EXPECT_GT(std::abs(state.supports.list()[0].impulse[c]), 1e-3);
    }
    for (const auto& support : state.supports.list())
      moment += support.position[0] * support.impulse[1] - support.position[1] * support.impulse[0];
    EXPECT_NEAR(now.angular[2] - first.angular[2], moment, 1e-12);
  }
}

}  // namespace
}  // namespace varia::terms::momentum_test
