// SPDX-License-Identifier: BSD-3-Clause
// Any number of threads gives the bits of one, and what a term throws reaches the caller.
#include <gtest/gtest.h>

#include <atomic>

#include "refusal.hpp"
#include "terms/samples.hpp"

namespace varia::terms::threads_test {
namespace {

State<2> run(const Sample<2>& s, const std::vector<double>& bounds, int threads,
             StepRule* rule = nullptr) {
  State<2> state = s.begin();
  const auto schedule = node_clocks(s.system, state, {rule, nullptr, threads});
  for (const double until : bounds) schedule->advance(until);
  return state;
}

TEST(Threads, GiveTheBitsOfTheQueue) {
  for (const bool ties : {false, true}) {
    const Sample<2> s = mixture(9, 8, 0.05, ties);
    State<2> reference = s.begin();
    queue(s.system, reference)->advance(2.0);
    for (const int threads : {1, 2, 3, 4, 8})
      for (int again = 0; again < 3; ++again)
        EXPECT_EQ(differences(reference, run(s, {2.0}, threads)), 0) << threads;
  }
}

TEST(Threads, SupportsAreUnderstood) {
  Sample<2> s = mixture(6, 6, 0.05, true);
  const int n = s.system.node_count();
  s.supports.add(n, {0, {true, true}, {0.0, 0.0}, {}, {}});
  s.supports.add(n, {7, {false, true}, {0.0, 1.0}, {}, {}});
  const auto shaken = [](int c, double t) {
    return Motion{c == 0 ? 5.0 + 0.1 * std::sin(t) : 0.0, c == 0 ? 0.1 * std::cos(t) : 0.0};
  };
  s.supports.add(n, {5, {true, true}, {}, shaken, {}});
  State<2> reference = s.begin();
  queue(s.system, reference)->advance(2.0);
  EXPECT_NE(reference.supports.list()[2].impulse[0], 0.0);
  for (const int threads : {1, 2, 4})
    EXPECT_EQ(differences(reference, run(s, {0.9, 2.0}, threads)), 0) << threads;
}

TEST(Threads, ManyBoundsAreOneBound) {
  const Sample<2> s = mixture(6, 5, 0.05, true);
  const State<2> reference = run(s, {1.5}, 1);
  std::vector<double> bounds;
  for (int i = 0; i <= 60; ++i) bounds.push_back(0.025 * i);
  for (const int threads : {2, 4}) EXPECT_EQ(differences(reference, run(s, bounds, threads)), 0);
}

TEST(Threads, ASavedStateGoesOnWithAnotherNumberOfThem) {
  const Sample<2> s = mixture(6, 5, 0.05, false);
  const State<2> reference = run(s, {1.5}, 1);
  for (const auto& [first, second] : {std::pair{1, 4}, std::pair{4, 1}, std::pair{2, 3}}) {
    State<2> copy = run(s, {0.7777}, first);
    node_clocks(s.system, copy, {nullptr, nullptr, second})->advance(1.5);
    EXPECT_EQ(differences(reference, copy), 0);
  }
}

TEST(Threads, MoreThreadsThanTermsAreHarmless) {
  const Sample<2> s = spring_net(2, 2, 0.1);
  EXPECT_EQ(differences(run(s, {1.0}, 1), run(s, {1.0}, 16)), 0);
}

TEST(Threads, StepsOverManyScalesGiveTheSameBits) {
  Sample<2> s = spring_net(8, 8, 0.05);
  for (std::size_t K = 0; K < s.steps.size(); ++K)
    s.steps[K] *= std::pow(0.5, static_cast<double>(K % 6));
  EXPECT_EQ(differences(run(s, {1.0}, 1), run(s, {1.0}, 4)), 0);
}

/// One of the terms gives up at a time.
struct Fragile {
  bool breaks;
  template <class X, class T> auto operator()(const X& x, const T& t) const {
    if (breaks && t > 0.5) throw DomainError("the fragile term broke");
    return x[0] * x[0] + x[1] * x[1];
  }
};

Sample<2> fragile_net(const std::vector<int>& broken) {
  Sample<2> s = spring_net(6, 6, 0.05);
  std::vector<std::array<int, 1>> at;
  std::vector<Fragile> energies;
  for (int a = 0; a < s.system.node_count(); ++a) {
    at.push_back({a});
    energies.push_back({std::find(broken.begin(), broken.end(), a) != broken.end()});
  }
  s.system.add(std::make_unique<Fields<2, 1, Fragile>>(at, energies));
  s.steps = incommensurate(s.system.term_count(), 0.05);
  return s;
}

TEST(Threads, WhatATermThrowsReachesTheCaller) {
  for (const auto& broken : {std::vector<int>{3}, std::vector<int>{0, 14, 35}}) {
    const Sample<2> s = fragile_net(broken);
    for (const int threads : {1, 2, 4})
      for (int again = 0; again < 3; ++again)
        expect_has(refusal<DomainError>([&] { run(s, {0.4, 5.0}, threads); }), "fragile");
  }
}

struct Complaint final : Observer<2> {
  std::atomic<int> seen{0};
  void before(int, double, double, const State<2>&) override {
    if (++seen == 200) throw InvalidArgument("the observer has seen enough");
  }
  void after(int, double, double, const State<2>&) override {}
};

TEST(Threads, WhatAnObserverThrowsReachesTheCaller) {
  const Sample<2> s = spring_net(6, 6, 0.05);
  for (const int threads : {1, 2, 4}) {
    Complaint observer;
    State<2> state = s.begin();
    const auto schedule = node_clocks(s.system, state, {nullptr, &observer, threads});
    expect_has(refusal([&] { schedule->advance(10.0); }), "enough");
  }
}

}  // namespace
}  // namespace varia::terms::threads_test
