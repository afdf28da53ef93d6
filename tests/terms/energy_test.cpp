// SPDX-License-Identifier: BSD-3-Clause
// Energies: no drift over long times, the local balance (AVI-energy) in closed form, the discrete energy.
#include "varia/terms/energy.hpp"

#include <gtest/gtest.h>

#include "refusal.hpp"
#include "terms/loads.hpp"

namespace varia::terms::energy_test {
namespace {

TEST(Energy, DoesNotDriftOverLongTimes) {
  const Sample<1> s = nonlinear_chain(6, 0.1);
  State<1> state = s.begin();
  const double first = energy(s.system, synchronise(s.system, state, 0.0));
  const auto schedule = node_clocks(s.system, state);
  double worst = 0.0, raw = 0.0, halves[2] = {0.0, 0.0};
  const int samples = 2000;
  for (int i = 1; i <= samples; ++i) {
    const double t = 5.0 * i;
    schedule->advance(t);
    auto at = synchronise(s.system, state, t);
    const double now = energy(s.system, at);
    worst = std::max(worst, std::abs(now / first - 1.0));
    halves[i > samples / 2] += (now / first - 1.0) / (samples / 2);
    for (std::size_t a = 0; a < at.v.size(); ++a) at.v[a] = state.nodes[a].v[0];
    raw = std::max(raw, std::abs(energy(s.system, at) / first - 1.0));
  }
  EXPECT_LT(worst, 0.02);
  EXPECT_LT(std::abs(halves[1] - halves[0]), 1e-3);
  EXPECT_GT(raw, 2.0 * worst);  // velocities that were not synchronised scatter more
}

struct Oscillator {
  double stiffness;
  template <class X, class T> auto operator()(const X& x, const T&) const {
    return 0.5 * stiffness * x[0] * x[0];
  }
};

/// One node and one term: the residual is h²ω² (V - T⁺), by (AVI-drift) and (AVI-kick).
TEST(LocalEnergy, OfAnOscillatorIsWhatTheEquationsGive) {
  const double m = 1.7, k = 2.3, h = 0.1;
  System<1> system;
  system.add(std::make_unique<Fields<1, 1, Oscillator>>(std::vector<std::array<int, 1>>{{0}},
                                                        std::vector<Oscillator>{{k}}));
  system.set_masses({m});
  State<1> state = start<1>(system, {0.8}, {0.3}, {h}, {}, {0.0, false});
  LocalEnergy<1> watch(system, {});
  const auto schedule = queue(system, state, {nullptr, &watch, 1});
  double x = 0.8, v = 0.3, sum = 0.0, worst = 0.0;
  for (int j = 1; j <= 50; ++j) {
    schedule->advance((j + 0.5) * h);
    if (j > 1) {
      const double residual = h * h * k / m * (0.5 * k * x * x - 0.5 * m * v * v);
      EXPECT_NEAR(watch.balance(0).residual, residual, 1e-15);
      sum += residual;
      worst = std::max(worst, std::abs(sum));
      EXPECT_NEAR(watch.balance(0).accumulated, sum, 1e-14);
      EXPECT_NEAR(watch.balance(0).worst, worst, 1e-14);
      EXPECT_EQ(watch.balance(0).balances, j - 1);
    }
    x += h * v;
    v -= h * k * x / m;
  }
  EXPECT_GT(worst, 1e-4);
}

/// The residuals of all terms once more, by the definition.
struct Plain final : Observer<2> {
  const System<2>& system;
  std::vector<double> left, after_kick, residual, total;
  std::vector<int> balances;
  explicit Plain(const System<2>& s)
      : system(s),
        left(s.term_count()),
        after_kick(left),
        residual(left),
        total(left),
        balances(s.term_count(), -1) {}
  double kinetic(int term, const State<2>& state) const {
    const auto [family, k] = system.place(term);
    double sum = 0.0;
    for (int a = 0; a < family->nodes_per_term(); ++a) {
      const int n = family->nodes(k)[a];
      sum +=
          0.5 * system.masses()[n] *
          (state.nodes[n].v[0] * state.nodes[n].v[0] + state.nodes[n].v[1] * state.nodes[n].v[1]);
    }
    return sum;
  }
  void before(int term, double t, double weight, const State<2>& state) override {
    const auto [family, k] = system.place(term);
    std::vector<double> x;
    for (int a = 0; a < family->nodes_per_term(); ++a)
      for (int c = 0; c < 2; ++c) x.push_back(state.nodes[family->nodes(k)[a]].x[c]);
    const double potential = family->energy(k, x.data(), t), e = 1e-5;
    const double rate =
        (family->energy(k, x.data(), t + e) - family->energy(k, x.data(), t - e)) / (2.0 * e);
    if (++balances[term] > 0) {
      residual[term] = left[term] - after_kick[term] - potential;
      total[term] += residual[term];
    }
    left[term] = kinetic(term, state) + potential + weight * rate;
  }
  void after(int term, double, double, const State<2>& state) override {
    after_kick[term] = kinetic(term, state);
  }
};

TEST(LocalEnergy, FollowsItsDefinitionUnderMovingLoads) {
  const Sample<2> s = loaded_net(4, 3, 0.03);
  State<2> a = s.begin(), b = s.begin();
  LocalEnergy<2> watch(s.system, {});
  Plain plain(s.system);
  queue(s.system, a, {nullptr, &watch, 1})->advance(2.0);
  queue(s.system, b, {nullptr, &plain, 1})->advance(2.0);
  for (int K = 0; K < s.system.term_count(); ++K) {
    EXPECT_NEAR(watch.balance(K).residual, plain.residual[K], 1e-9);
    EXPECT_NEAR(watch.balance(K).accumulated, plain.total[K], 1e-8);
    EXPECT_EQ(watch.balance(K).balances, plain.balances[K]);
  }
}

TEST(LocalEnergy, StaysSmallAndShrinksWithTheSteps) {
  const auto worst = [](double size) {
    const Sample<1> s = nonlinear_chain(6, size);
    State<1> state = s.begin();
    LocalEnergy<1> watch(s.system, {});
    queue(s.system, state, {nullptr, &watch, 1})->advance(50.0);
    double largest = 0.0;
    for (int K = 0; K < s.system.term_count(); ++K)
      largest = std::max(largest, watch.balance(K).largest);
    return largest;
  };
  const double coarse = worst(0.1), fine = worst(0.02);
  EXPECT_GT(fine, 1e-8);
  EXPECT_LT(fine, 0.3 * coarse);
}

TEST(LocalEnergy, IsTheSameForAnyThreads) {
  const Sample<2> s = mixture(5, 4, 0.05, true);
  LocalEnergy<2> one(s.system, {}), four(s.system, {});
  State<2> a = s.begin(), b = s.begin();
  queue(s.system, a, {nullptr, &one, 1})->advance(2.0);
  node_clocks(s.system, b, {nullptr, &four, 4})->advance(2.0);
  EXPECT_EQ(one.save(), four.save());
}

TEST(LocalEnergy, GoesOnAfterItWasSaved) {
  const Sample<2> s = mixture(4, 4, 0.05, false);
  LocalEnergy<2> whole(s.system, {1, 5, 1}), first(s.system, {1, 5}), second(s.system, {1, 5});
  State<2> a = s.begin(), b = s.begin();
  queue(s.system, a, {nullptr, &whole, 1})->advance(2.0);
  queue(s.system, b, {nullptr, &first, 1})->advance(1.1);
  second.load(first.save());
  queue(s.system, b, {nullptr, &second, 1})->advance(2.0);
  EXPECT_EQ(whole.save(), second.save());
  EXPECT_GT(whole.worst_relative(), 0.0);
  expect_words(refusal([&] { second.load({1.0}); }), {"1 numbers", "18"});
}

TEST(LocalEnergy, TermsThatAreNotWatchedOrNotThere) {
  const Sample<2> s = spring_net(3, 3, 0.05);
  State<2> state = s.begin();
  LocalEnergy<2> watch(s.system, {1});
  queue(s.system, state, {nullptr, &watch, 1})->advance(1.0);
  EXPECT_EQ(watch.balance(0).balances, 0);
  EXPECT_EQ(watch.balance(0).residual, 0.0);
  EXPECT_GT(watch.balance(1).balances, 0);
  for (const int bad : {-1, s.system.term_count()})
    expect_has(refusal([&] { LocalEnergy<2>(s.system, {bad}); }), "term");
}

TEST(DiscreteEnergy, CountsEveryTermAtItsOwnTime) {
  const Sample<2> s = spring_net(4, 4, 0.02);
  std::vector<int> terms_of(16, 0);
  for (const auto& edge : grid_edges(4, 4)) ++terms_of[edge[0]], ++terms_of[edge[1]];
  std::vector<double> masses;
  for (const auto& edge : grid_edges(4, 4))
    for (const int a : edge) masses.push_back(s.system.masses()[a] / terms_of[a]);
  State<2> state = s.begin(false);
  DiscreteEnergy<2> discrete(s.system, state, masses);
  const double first = energy(s.system, synchronise(s.system, state, 0.0));
  EXPECT_NEAR(discrete.value(), first, 1e-13);
  const auto schedule = queue(s.system, state, {nullptr, &discrete, 1});
  for (int i = 1; i <= 50; ++i) {
    schedule->advance(0.2 * i);
    EXPECT_NEAR(discrete.value(), first, 0.05 * first);
  }
  EXPECT_NE(discrete.value(), first);
  expect_words(refusal([&] { DiscreteEnergy<2>(s.system, state, {1.0}); }), {"1 masses", "66"});
}

}  // namespace
}  // namespace varia::terms::energy_test
