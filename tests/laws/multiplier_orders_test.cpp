// SPDX-License-Identifier: BSD-3-Clause
// Orders of the multipliers of nh_lobatto(s) on groups [Sato19, corollary 5.2.7.1]: s (s even) or s - 1 (s odd) where
// they are propagated, 2s - 2 where they are computed anew; of place and momentum 2s - 2 either way. On Suslov's body,
// SO(3), and on Chaplygin's sleigh as a motion of the plane, SE(2),.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "problems/rolling.hpp"
#include "varia/verify/check_order.hpp"

namespace varia::multiplier_orders_test {
namespace {

using namespace problems;
using rolling::Rolling;

/// Suslov's problem: no rotation about an axis of the body, inertia that is not diagonal.
Rolling free_suslov() {
  return {"Suslov",
          rolling::with({{{"R", "SO3"}},
                         "(2*R_w1^2 + 1.5*R_w2^2 + R_w3^2)/2 + 0.3*R_w1*R_w3 + 0.4*R_w2*R_w3"},
                        {"R_w3"}),
          vector({0.0, 0.0, 0.0}), vector({0.6, -0.8, 0.0})};
}
/// The centre of mass is 0.5 in front of the blade.
Rolling sleigh() {
  return {"sleigh",
          rolling::with({{{"g", "SE2"}}, "(g_v1^2 + (g_v2 + 0.5*g_w)^2)/2 + g_w^2/2"}, {"g_v2"}),
          vector({0.0, 0.0, 0.0}), vector({-0.5, 0.0, 1.0})};
}

FlowOptions options(Retraction tau, Multipliers multipliers) {
  FlowOptions o;
  o.retraction = tau;
  o.multipliers = multipliers;
  return o;
}

/// Errors of place and momentum, and of the multipliers.
struct Errors {
  double state, multiplier;
};
Errors errors(const StageFlow& flow, const VectorState& start, double duration,
              const VectorState& exact, long n) {
  const VectorState end = walk(flow, start, duration / static_cast<double>(n), n);
  return {distance(end, exact),
          (end.lambda - exact.lambda).tail(flow.system().e).cwiseAbs().maxCoeff()};
}

/// An error with so many steps, and the round-off that it should be clear of.
struct Measured {
  double error, round_off;
};

/// The slope of the last halving whose errors are all clear of round-off, of at least three; of an eighth order double
/// precision holds two.
void expect_order(const std::vector<Measured>& e, int order, const std::string& which) {
  std::size_t k = 0;
  while (k < e.size() && e[k].error > 30.0 * e[k].round_off) ++k;
  ASSERT_GE(k, order < 8 ? 4U : 3U) << which;
  EXPECT_NEAR(std::log2(e[k - 2].error / e[k - 1].error), order, 0.1) << which;
}

TEST(MultiplierOrders, OnGroups) {
  const double duration = 5.0;
  for (const Rolling& p : {free_suslov(), sleigh()})
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
      const auto system = system_of(p.texts, tau);
      const VectorState start = start_of(system, p.xi, p.v);
      const VectorState exact = detail::converged_state(
          StageFlow(lobatto(8), system, options(tau, Multipliers::recompute)), start, duration);
      for (const int s : {2, 3, 4, 5})
        for (const Multipliers kind : {Multipliers::propagate, Multipliers::recompute}) {
          const StageFlow flow(nh_lobatto(s), system, options(tau, kind));
          const bool anew = kind == Multipliers::recompute;
          std::vector<Measured> state;
          std::vector<Measured> multiplier;
          for (long n = 4; n <= 512; n *= 2) {
            try {
              const Errors e = errors(flow, start, duration, exact, n);
              const double eps = std::numeric_limits<double>::epsilon();
              const double walk_of_errors = eps * std::sqrt(static_cast<double>(n));
              state.push_back({e.state, walk_of_errors});
              // a propagated multiplier is wrong by a momentum's round-off over h, which does not decay
              const double per_step = anew ? 1.0 : 16.0 * static_cast<double>(n) / duration;
              multiplier.push_back({e.multiplier, per_step * walk_of_errors});
            } catch (const NoConvergence&) {
              continue;  // too long a step
            }
          }
          const int expected = anew ? 2 * s - 2 : s % 2 == 0 ? s : s - 1;
          const std::string which = p.name + ", s = " + std::to_string(s) +
                                    (anew ? ", anew" : ", propagated") +
                                    (tau == Retraction::cayley ? ", cay" : ", exp");
          expect_order(state, 2 * s - 2, which + ", state");
          expect_order(multiplier, expected, which + ", multiplier");
        }
    }
}

/// The motion that the orders are measured against is the right one: Suslov at t = 5, and the sleigh.
TEST(MultiplierOrders, ReferenceValues) {
  FlowOptions anew;
  anew.multipliers = Multipliers::recompute;
  const auto body = system_of(free_suslov().texts);
  const VectorState a = walk(StageFlow(nh_lobatto(6), body, anew),
                             start_of(body, free_suslov().xi, free_suslov().v), 0.05, 100);
  EXPECT_NEAR(a.q[0], 0.30209512595083, 1e-12);
  EXPECT_NEAR(a.q[1], -0.76576784747664, 1e-12);
  EXPECT_NEAR(a.q[4], 0.64280151201048, 1e-12);
  EXPECT_NEAR(a.q[8], 0.49068108068036, 1e-12);
  EXPECT_NEAR(a.lambda[0], -0.10686614542823, 1e-12);
  const auto skate = system_of(sleigh().texts);
  const VectorState b = walk(StageFlow(nh_lobatto(6), skate, anew),
                             start_of(skate, sleigh().xi, sleigh().v), 0.05, 100);
  EXPECT_NEAR(b.q[0], -2.919014806909778, 1e-12);
  EXPECT_NEAR(b.q[1], -0.009539641571663, 1e-12);
  EXPECT_NEAR(b.q[2], 3.860594286709755, 1e-12);
  EXPECT_NEAR(b.lambda[0], 0.271131331203401, 1e-12);
}

}  // namespace
}  // namespace varia::multiplier_orders_test
