// SPDX-License-Identifier: BSD-3-Clause
// How a motion begins (AVI-start) and how it is read at one time (AVI-sync).
#include <gtest/gtest.h>

#include <limits>

#include "refusal.hpp"
#include "terms/samples.hpp"
#include "varia/terms/gradient.hpp"

namespace varia::terms::start_test {
namespace {

TEST(Start, HalfAStepOfImpulseInAdvance) {
  const Sample<2> s = mixture(4, 3, 0.05, false);
  const State<2> state = s.begin();
  std::vector<double> v = s.v;
  for_gradients(s.system, s.x, 0.0, [&](int K, int a, const double* g) {
    for (int c = 0; c < 2; ++c) v[2 * a + c] -= 0.5 * s.steps[K] / s.system.masses()[a] * g[c];
  });
  for (std::size_t i = 0; i < v.size(); ++i) {
    EXPECT_NEAR(state.nodes[i / 2].v[i % 2], v[i], 1e-15);
    EXPECT_EQ(state.nodes[i / 2].x[i % 2], s.x[i]);
  }
  for (std::size_t K = 0; K < s.steps.size(); ++K) {
    EXPECT_EQ(state.lead[K], 0.5 * s.steps[K]);
    EXPECT_EQ(state.clocks[K].next, s.steps[K]);
    EXPECT_EQ(state.clocks[K].last, 0.0);
    EXPECT_EQ(state.clocks[K].count, 0);
  }
}

TEST(Start, WithoutItVelocitiesStay) {
  const Sample<2> s = mixture(4, 3, 0.05, false);
  const State<2> state = s.begin(false, 2.5);
  for (std::size_t i = 0; i < s.v.size(); ++i) EXPECT_EQ(state.nodes[i / 2].v[i % 2], s.v[i]);
  for (std::size_t K = 0; K < s.steps.size(); ++K) {
    EXPECT_EQ(state.lead[K], 0.0);
    EXPECT_EQ(state.clocks[K].next, 2.5 + s.steps[K]);
  }
}

TEST(Start, ReadAtItsOwnTimeItIsWhatWasGiven) {
  for (const bool half_kick : {false, true}) {
    const Sample<2> s = mixture(4, 3, 0.05, false);
    const auto at = synchronise(s.system, s.begin(half_kick, 1.25), 1.25);
    EXPECT_LT(largest_difference(at.x, s.x), 1e-15);
    EXPECT_LT(largest_difference(at.v, s.v), 1e-15);
  }
}

/// With V linear in x velocities are straight in time; the impulses each term owes make them exact.
struct Uniform {
  double force;
  template <class X, class T> auto operator()(const X& x, const T&) const { return -force * x[0]; }
};

TEST(Synchronise, IsExactForConstantForces) {
  System<1> system;
  system.add(std::make_unique<Fields<1, 1, Uniform>>(std::vector<std::array<int, 1>>{{0}, {0}},
                                                     std::vector<Uniform>{{2.0}, {-5.0}}));
  system.set_masses({2.0});
  for (const bool half_kick : {false, true})
    for (const double until : {0.05, 0.5, 3.33}) {
      State<1> state = start<1>(system, {1.0}, {0.3}, {0.17, 0.031}, {}, {0.0, half_kick});
      queue(system, state)->advance(until);
      EXPECT_NEAR(synchronise(system, state, until).v[0], 0.3 - 1.5 * until, 1e-13);
      if (until > 3.0 && half_kick) {
        EXPECT_GT(std::abs(state.nodes[0].v[0] - 0.3 + 1.5 * until), 1e-3);
      }
    }
}

TEST(Synchronise, ATimeThatIsOverIsRefused) {
  const Sample<2> s = spring_net(3, 3, 0.1);
  State<2> state = s.begin();
  queue(s.system, state)->advance(1.0);
  expect_words(refusal([&] { synchronise(s.system, state, 0.5); }), {"node", "0.5"});
  EXPECT_NO_THROW(synchronise(s.system, state, 1.0));
}

TEST(Start, WrongRequestsAreRefused) {
  Sample<2> s = spring_net(2, 2, 0.1);
  const auto attempt = [&](auto change) {
    Sample<2> wrong = spring_net(2, 2, 0.1);
    change(wrong);
    return refusal([&] { wrong.begin(); });
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  expect_words(attempt([](auto& w) { w.x.pop_back(); }), {"7", "positions", "8"});
  expect_words(attempt([](auto& w) { w.v.push_back(0.0); }), {"9", "velocities", "8"});
  expect_words(attempt([](auto& w) { w.steps.pop_back(); }), {"4", "steps", "5"});
  expect_words(attempt([](auto& w) { w.x[3] = nan; }), {"positions", "nan"});
  expect_words(attempt([](auto& w) { w.v[3] = infinity; }), {"velocities", "inf"});
  for (const double bad : {0.0, -0.1, nan, infinity})
    expect_words(attempt([&](auto& w) { w.steps[2] = bad; }), {"term 2", "step"});
  expect_words(refusal([&] {
                 start<2>(s.system, s.x, s.v, s.steps, {}, {1e20, true});
               }),
               {"term 0", "step"});
}

TEST(Start, NodesThatDoNotExistAreRefused) {
  for (const int bad : {-1, 2}) {
    System<1> system;
    system.add(std::make_unique<Links<Spring>>(std::vector<std::array<int, 2>>{{0, bad}},
                                               std::vector<Spring>{{1.0, 1.0}}));
    system.set_masses({1.0, 1.0});
    expect_words(refusal([&] {
                   start<1>(system, {0.0, 1.0}, {0.0, 0.0}, {0.1});
                 }),
                 {"node", std::to_string(bad).c_str()});
  }
}

TEST(Start, ANodeTwiceInOneTermIsRefused) {
  System<1> system;
  system.add(std::make_unique<Links<Spring>>(std::vector<std::array<int, 2>>{{1, 1}},
                                             std::vector<Spring>{{1.0, 1.0}}));
  system.set_masses({1.0, 1.0});
  expect_words(refusal([&] {
                 start<1>(system, {0.0, 1.0}, {0.0, 0.0}, {0.1});
               }),
               {"term 0", "node 1"});
}

TEST(Start, SupportsOfAnotherSystemAreRefused) {
  Sample<2> s = spring_net(2, 2, 0.1);
  s.supports.add(5000, {4000, {true, true}, {}, {}, {}});
  expect_words(refusal([&] { s.begin(); }), {"4000", "3"});
}

TEST(Start, TimesAreFinite) {
  const Sample<2> s = spring_net(2, 2, 0.1);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  State<2> state = s.begin();
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    EXPECT_NE(refusal([&] { s.begin(true, bad); }), "");
    EXPECT_NE(refusal([&] { synchronise(s.system, state, bad); }), "");
    EXPECT_NE(refusal([&] { queue(s.system, state)->advance(bad); }), "");
    EXPECT_NE(refusal([&] { node_clocks(s.system, state)->advance(bad); }), "");
    EXPECT_NE(refusal([&] {
                node_clocks<2>(s.system, state, {nullptr, nullptr, 2})->advance(bad);
              }),
              "");
  }
}

TEST(Synchronise, AMotionThatDivergedIsAnError) {
  const Sample<1> s = nonlinear_chain(4, 5.0);
  State<1> state = s.begin();
  node_clocks(s.system, state)->advance(400.0);
  expect_words(refusal<Error>([&] { synchronise(s.system, state, 400.0); }), {"diverged", "node"});
}

TEST(System, NumbersItsTermsFamilyAfterFamily) {
  const Sample<2> s = mixture(3, 3, 0.1, false);
  int total = 0;
  for (std::size_t f = 0; f < s.system.families().size(); ++f) {
    EXPECT_EQ(s.system.first()[f], total);
    for (int k = 0; k < s.system.families()[f]->size(); ++k) {
      const auto place = s.system.place(total++);
      EXPECT_EQ(place.family, s.system.families()[f].get());
      EXPECT_EQ(place.k, k);
    }
  }
  EXPECT_EQ(s.system.term_count(), total);
}

TEST(System, MassesArePositive) {
  System<1> system;
  for (const double bad : {0.0, -1.0, std::nan("")})
    expect_words(refusal([&] { system.set_masses({1.0, bad}); }), {"node 1", "mass"});
  expect_has(refusal([&] { system.add(nullptr); }), "empty");
}

}  // namespace
}  // namespace varia::terms::start_test
