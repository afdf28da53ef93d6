// SPDX-License-Identifier: BSD-3-Clause
// With one step for all terms and (AVI-start) the asynchronous integrator is explicit Newmark [West04].
#include "varia/terms/newmark.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "refusal.hpp"
#include "terms/samples.hpp"
#include "varia/terms/energy.hpp"

namespace varia::terms::newmark_test {
namespace {

double distance_after(Sample<2>& s, double step, int count, bool half_kick = true) {
  s.steps.assign(s.steps.size(), step);
  State<2> state = s.begin(half_kick);
  node_clocks(s.system, state)->advance((count + 0.5) * step);
  Newmark<2> newmark(s.system, s.x, s.v, step, s.supports);
  newmark.advance(count);
  const auto a = synchronise(s.system, state, count * step), b = newmark.synchronised();
  EXPECT_DOUBLE_EQ(a.t, b.t);
  return std::max(largest_difference(a.x, b.x), largest_difference(a.v, b.v));
}

TEST(Newmark, IsTheMotionWithEqualSteps) {
  Sample<2> s = mixture(5, 5, 0.02, false);
  EXPECT_LT(distance_after(s, 0.02, 300), 1e-13);
  EXPECT_GT(distance_after(s, 0.02, 300, false), 1e-6);
}

TEST(Newmark, IsItWithSupportsThatMove) {
  Sample<2> s = mixture(4, 4, 0.02, false);
  const int n = s.system.node_count();
  s.supports.add(n, {0, {true, true}, {0.0, 0.0}, {}, {}});
  s.supports.add(n, {3,
                     {true, false},
                     {},
                     [](int, double t) {
                       return Motion{3.0 + 0.2 * std::sin(2.0 * t), 0.4 * std::cos(2.0 * t)};
                     },
                     {}});
  EXPECT_LT(distance_after(s, 0.02, 200), 1e-13);
}

TEST(Newmark, HasOtherMotionThanUnequalSteps) {
  const Sample<2> s = mixture(4, 4, 0.02, false);
  State<2> state = s.begin();
  queue(s.system, state)->advance(4.0);
  Newmark<2> newmark(s.system, s.x, s.v, 0.02);
  newmark.advance(200);
  EXPECT_GT(largest_difference(synchronise(s.system, state, 4.0).x, newmark.state().x), 1e-7);
}

TEST(Newmark, SupportsTakeTheSameImpulse) {
  Sample<2> s = spring_net(3, 3, 0.02);
  s.supports.add(9, {0, {true, true}, {0.0, 0.0}, {}, {}});
  s.steps.assign(s.steps.size(), 0.02);
  State<2> state = s.begin();
  queue(s.system, state)->advance(2.01);
  Newmark<2> newmark(s.system, s.x, s.v, 0.02, s.supports);
  newmark.advance(100);
  // the asynchronous motion has given half a step in advance
  std::array<double, 2> ahead{};
  const auto at = synchronise(s.system, state, 2.01);
  Newmark<2> further(s.system, newmark.state());
  further.advance(1);
  for (int c = 0; c < 2; ++c)
    ahead[c] = further.state().supports.list()[0].impulse[c] -
               newmark.state().supports.list()[0].impulse[c];
  for (int c = 0; c < 2; ++c)
    EXPECT_NEAR(state.supports.list()[0].impulse[c],
                newmark.state().supports.list()[0].impulse[c] + 0.5 * ahead[c],
                0.1 * std::abs(ahead[c]));
  EXPECT_EQ(at.x[0], 0.0);
}

TEST(Newmark, GoesBackTheWayItCame) {
  const Sample<2> s = spring_net(4, 3, 0.02);
  Newmark<2> there(s.system, s.x, s.v, 0.02);
  there.advance(200);
  std::vector<double> v = there.state().v;
  for (double& value : v) value = -value;
  Newmark<2> back(s.system, there.state().x, v, 0.02);
  back.advance(200);
  EXPECT_LT(largest_difference(back.state().x, s.x), 1e-12);
}

TEST(Newmark, IsOfSecondOrder) {
  const Sample<1> s = nonlinear_chain(5, 0.1);
  const auto end = [&](int count) {
    Newmark<1> newmark(s.system, s.x, s.v, 3.0 / count);
    newmark.advance(count);
    return newmark.state().x;
  };
  const auto reference = end(12000);
  const double ratio =
      largest_difference(end(60), reference) / largest_difference(end(120), reference);
  EXPECT_NEAR(ratio, 4.0, 0.1);
}

TEST(Newmark, ASavedStateGoesOnToTheSameBits) {
  const Sample<2> s = mixture(4, 4, 0.02, false);
  Newmark<2> one(s.system, s.x, s.v, 0.02), first(s.system, s.x, s.v, 0.02);
  one.advance(100);
  first.advance(37);
  Newmark<2> second(s.system, first.state());
  second.advance(63);
  EXPECT_EQ(one.state().x, second.state().x);
  EXPECT_EQ(one.state().v, second.state().v);
  EXPECT_EQ(one.state().count, second.state().count);
}

TEST(Newmark, WrongRequestsAreRefused) {
  const Sample<2> s = spring_net(2, 2, 0.1);
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")})
    expect_has(refusal([&] { Newmark<2>(s.system, s.x, s.v, bad); }), "step");
  expect_words(refusal([&] { Newmark<2>(s.system, {0.0}, s.v, 0.1); }), {"1 positions", "8"});
  System<1> wrong;
  wrong.add(std::make_unique<Links<Spring>>(std::vector<std::array<int, 2>>{{0, 5000}},
                                            std::vector<Spring>{{1.0, 1.0}}));
  wrong.set_masses({1.0, 1.0});
  expect_has(refusal([&] { Newmark<1>(wrong, {0.0, 1.0}, {0.0, 0.0}, 0.1); }), "5000");
  expect_has(refusal([&] { Newmark<2>(s.system, s.x, s.v, 0.1, {}, std::nan("")); }), "time");
}

}  // namespace
}  // namespace varia::terms::newmark_test
