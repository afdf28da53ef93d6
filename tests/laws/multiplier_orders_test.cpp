// SPDX-License-Identifier: BSD-3-Clause
// The orders of multiplier_orders.hpp on Suslov's body, SO(3), and on Chaplygin's sleigh as a motion of the plane, SE(2);
// on all systems in multiplier_orders_long_test.cpp.
#include "laws/multiplier_orders.hpp"

namespace varia::multiplier_orders_test {
namespace {

using namespace multiplier_orders;

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

TEST(MultiplierOrders, OnGroups) {
  for (const Rolling& p : {free_suslov(), sleigh()})
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
      expect_orders(p, tau, 5.0);
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
