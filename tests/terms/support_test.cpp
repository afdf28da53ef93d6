// SPDX-License-Identifier: BSD-3-Clause
// Prescribed components are where they are prescribed to be, and supports know what they carry.
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "terms/loads.hpp"

namespace varia::terms::support_test {
namespace {

Motion swing(int c, double t) {
  return c == 0 ? Motion{0.3 * std::sin(t), 0.3 * std::cos(t)} : Motion{-0.2 * t * t, -0.4 * t};
}

/// At every update the prescribed components of the nodes of the term are right.
struct Placed final : Observer<2> {
  int seen = 0;
  void before(int, double t, double, const State<2>& state) override {
    const Node<2>& fixed = state.nodes[3];
    EXPECT_EQ(fixed.x[1], 0.25);
    EXPECT_EQ(fixed.v[1], fixed.t > 0.0 ? 0.0 : fixed.v[1]);
    const Node<2>& moved = state.nodes[0];
    if (moved.t != t) return;
    ++seen;
    for (int c = 0; c < 2; ++c) {
      EXPECT_EQ(moved.x[c], swing(c, t).position);
      EXPECT_EQ(moved.v[c], swing(c, t).velocity);
    }
  }
  void after(int term, double t, double weight, const State<2>& state) override {
    before(term, t, weight, state);
  }
};

Sample<2> supported() {
  Sample<2> s = spring_net(4, 3, 0.05);
  s.supports.add(12, {0, {true, true}, {}, swing, {}});
  s.supports.add(12, {3, {false, true}, {0.0, 0.25}, {}, {}});
  return s;
}

TEST(Support, HoldsItsComponentsAtEveryTime) {
  const Sample<2> s = supported();
  State<2> state = s.begin();
  Placed placed;
  queue(s.system, state, {nullptr, &placed, 1})->advance(3.0);
  EXPECT_GT(placed.seen, 100);
  const auto at = synchronise(s.system, state, 3.01);
  for (int c = 0; c < 2; ++c) {
    EXPECT_EQ(at.x[c], swing(c, 3.01).position);
    EXPECT_EQ(at.v[c], swing(c, 3.01).velocity);
  }
  EXPECT_EQ(at.x[7], 0.25);
  EXPECT_EQ(at.v[7], 0.0);
  EXPECT_NE(at.x[6], s.x[6]);  // the other component is free
}

TEST(Support, ObserversChangeNothing) {
  const Sample<2> s = supported();
  State<2> a = s.begin(), b = s.begin();
  Placed placed;
  queue(s.system, a, {nullptr, &placed, 1})->advance(2.0);
  queue(s.system, b)->advance(2.0);
  EXPECT_EQ(differences(a, b), 0);
}

/// A mass at rest on a spring under a constant load: the support carries the load.
class Weight final : public Load<1> {
 public:
  void add(int, double, double* f) const override { f[1] += -9.81; }
  void add_rate(int, double, double*) const override {}
};

TEST(Support, CarriesTheWeightOfWhatHangsOnIt) {
  System<1> system;
  auto family = std::make_unique<Links<Spring>>(std::vector<std::array<int, 2>>{{0, 1}},
                                                std::vector<Spring>{{100.0, -1.0}});
  family->set_load(std::make_shared<Weight>());
  system.add(std::move(family));
  system.set_masses({1.0, 1.0});
  Supports<1> supports;
  supports.add(2, {0, {true}, {0.0}, {}, {}});
  State<1> state = start<1>(system, {0.0, -1.0981}, {0.0, 0.0}, {0.01}, supports);
  queue(system, state)->advance(2.0);
  EXPECT_NEAR(state.nodes[1].x[0], -1.0981, 1e-12);
  // half a step was given in advance
  EXPECT_NEAR(state.supports.list()[0].impulse[0], 9.81 * (state.clocks[0].last + 0.005), 1e-10);
}

TEST(Support, OnlyAFreeComponentFeelsTheMass) {
  const Sample<2> s = supported();
  const State<2> state = s.begin();
  EXPECT_LT(state.nodes[0].inverse_mass, 0.0);
  EXPECT_LT(state.nodes[3].inverse_mass, 0.0);
  EXPECT_GT(state.nodes[1].inverse_mass, 0.0);
  EXPECT_DOUBLE_EQ(state.nodes[3].inverse_mass, -1.0 / s.system.masses()[3]);
}

/// A node whose support holds nothing moves like a free one.
TEST(Support, ThatHoldsNothingIsNone) {
  Sample<2> s = spring_net(3, 3, 0.05);
  State<2> free = s.begin();
  s.supports.add(9, {4, {false, false}, {}, {}, {}});
  State<2> held = s.begin();
  queue(s.system, free)->advance(3.0);
  queue(s.system, held)->advance(3.0);
  for (std::size_t a = 0; a < free.nodes.size(); ++a)
    for (int c = 0; c < 2; ++c) EXPECT_NEAR(free.nodes[a].x[c], held.nodes[a].x[c], 1e-13);
  EXPECT_EQ(held.supports.list()[0].impulse[0], 0.0);
}

TEST(Support, WrongRequestsAreRefused) {
  Supports<2> supports;
  supports.add(4, {2, {true, true}, {}, {}, {}});
  for (const int bad : {-1, 4})
    expect_words(refusal([&] {
                   supports.add(4, {bad, {true, true}, {}, {}, {}});
                 }),
                 {"node", std::to_string(bad).c_str(), "3"});
  expect_words(refusal([&] { supports.add(4, {2, {true, true}, {}, {}, {}}); }), {"node 2"});
}

}  // namespace
}  // namespace varia::terms::support_test
