// SPDX-License-Identifier: BSD-3-Clause
// Feedback along a motion, on its linearisation and on the motion itself.
#include "varia/control/tracking.hpp"

#include <gtest/gtest.h>

#include "problems/controlled.hpp"
#include "problems/optima.hpp"
#include "refusal.hpp"

namespace varia::tracking_test {
namespace {

using namespace problems;
using Eigen::VectorXd;

double square(const VectorXd& x) { return x.squaredNorm(); }

/// On a linear system the cost of the motion with feedback is δx₀ᵀP₀δx₀.
TEST(Tracking, TheCostIsThatOfTheMotion) {
  optima::Known k = optima::known("cart",
                                  {{"x", "y"},
                                   "x_dot^2/2 + y_dot^2 - x*y",
                                   {"u", "-0.2*y_dot"},
                                   {},
                                   vector({0, 0}),
                                   vector({0, 0})},
                                  {{"u"}}, "u^2", {}, {}, vector({1, 1}), 2.0, 0.0);
  k.texts.time.steps = 12;
  const ControlProblem p = optima::problem_of(k, lobatto(3));
  const RollOut along = roll_out(p, p.guess(optima::line_of(k)));
  ASSERT_TRUE(along.solved);
  const TrackingWeights weights{0.7, 0.3, 5.0};
  const Tracking t = track(p, along.point, weights);
  ChainPoint from = along.point;
  VectorXd d(4);
  d << 0.3, -0.2, 0.5, 0.4;
  from.x0 += d;
  const RollOut held = roll_out(p, from, along.point, t);
  ASSERT_TRUE(held.solved);
  double cost = weights.state * square(d);
  for (std::size_t i = 0; i < along.point.y.size(); ++i) {
    cost += weights.input * square(held.point.w[i] - along.point.w[i]);
    const VectorXd x = (held.point.y[i] - along.point.y[i]).tail(4);
    cost += (i + 1 < along.point.y.size() ? weights.state : weights.end) * square(x);
  }
  EXPECT_NEAR(cost, d.dot(t.cost.front() * d), 1e-11 * cost);
}

/// Where the open loop ends far off, the closed one does not.
TEST(Tracking, HoldsWhatTheOpenLoopLoses) {
  const optima::Known k = optima::cart_pole();
  const ControlProblem p = optima::problem_of(k, gauss(2));
  const Optimum o = optimise(p, p.guess(optima::line_of(k)));
  ASSERT_EQ(o.status, OptimumStatus::solved);
  const Tracking t = track(p, o.point, {1.0, 1e-3, 10.0});
  ChainPoint from = o.point;
  from.x0[1] += 1e-3;
  const RollOut open = roll_out(p, from), closed = roll_out(p, from, o.point, t);
  ASSERT_TRUE(open.solved && closed.solved);
  const auto miss = [&](const RollOut& r) { return (r.point.y.back() - o.point.y.back()).norm(); };
  EXPECT_GT(miss(open), 1e-3);
  EXPECT_LT(miss(closed), 0.1 * miss(open));
}

/// The same on rotations: states are displaced along the exponential map.
TEST(Tracking, HoldsABodyThatTurns) {
  const optima::Known k = optima::turn_of_a_body();
  const ControlProblem p = optima::problem_of(k, gauss(2));
  const Optimum o = optimise(p, p.guess(optima::line_of(k)));
  ASSERT_EQ(o.status, OptimumStatus::solved);
  const Tracking t = track(p, o.point, {1.0, 1e-2, 10.0});
  VectorXd d = VectorXd::Zero(p.sizes(0).x);
  d.head(3) << 0.05, -0.03, 0.04;
  ChainPoint from = o.point;
  p.move_start(o.point.x0, d, 1.0, from.x0);
  const VectorXd end = o.point.y.back();
  const auto miss = [&](const RollOut& r) {
    // the state behind the last step is of the kind of that before it
    return p.difference(p.steps() - 1, end, r.point.y.back()).norm();
  };
  const RollOut open = roll_out(p, from), closed = roll_out(p, from, o.point, t);
  ASSERT_TRUE(open.solved && closed.solved);
  EXPECT_GT(miss(open), 0.05);
  EXPECT_LT(miss(closed), 0.2 * miss(open));
}

TEST(Tracking, ADifferenceIsWhatMoves) {
  for (const controlled::Case& c : controlled::cases()) {
    const ControlProblem p = control_problem(c.texts, c.method, c.tau);
    const ChainPoint at = p.guess(guess_at_start(c.texts));
    const ChainDirection d = random_direction(p, 0.3, 3);
    ChainPoint there;
    p.move(at, d, 1.0, there);
    EXPECT_LT((p.difference(0, at.x0, there.x0) - d.x0).norm(), 1e-13) << c.texts.name;
    for (int k = 1; k < p.steps(); ++k) {
      const auto i = static_cast<std::size_t>(k - 1);
      const ChainStepSizes s = p.sizes(k);
      EXPECT_LT((p.difference(k, at.y[i].tail(s.x_entries), there.y[i].tail(s.x_entries)) -
                 d.y[i].tail(s.x))
                    .norm(),
                1e-13)
          << c.texts.name;
    }
  }
}

TEST(Tracking, RefusesWeightsThatAreNone) {
  const optima::Known k = optima::cart_pole();
  const ControlProblem p = optima::problem_of(k, gauss(2));
  const ChainPoint at = p.guess(optima::line_of(k));
  expect_words(refusal([&] { track(p, at, {1.0, 0.0, 1.0}); }), {"positive", "inputs"});
  expect_words(refusal([&] { track(p, at, {-1.0, 1.0, 1.0}); }), {"not negative"});
}

}  // namespace
}  // namespace varia::tracking_test
