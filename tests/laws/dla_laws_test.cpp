// SPDX-License-Identifier: BSD-3-Clause
// Orders of dla on every kind of nonholonomic system: 2 of (q, p) and of the multipliers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "problems/rolling.hpp"
#include "varia/methods/composition.hpp"
#include "varia/verify/check_order.hpp"

namespace varia::dla_laws_test {
namespace {

using namespace problems;
using rolling::Rolling;

TEST(DlaLaws, OrderOfPlaceAndMomentum) {
  for (const Rolling& p : rolling::all())
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
      const auto system = system_of(p.texts, tau);
      if (tau == Retraction::cayley && system->on_vector_space()) continue;
      const VectorState start = start_of(system, p.xi, p.v);
      FlowOptions options;
      options.retraction = tau;
      // the limit is that of nh_lobatto
      const VectorState exact =
          detail::converged_state(StageFlow(nh_lobatto(8), system, options), start, 1.0);
      const OrderReport order =
          check_order(StageFlow(dla(), system, options), start, 1.0, exact, 2);
      EXPECT_TRUE(order.passes(0.1)) << p.name << ": " << order.measured;
    }
}

/// Of both kinds, propagated and computed anew.
TEST(DlaLaws, OrderOfTheMultipliers) {
  for (const Rolling& p : rolling::all())
    for (const Multipliers multipliers : {Multipliers::propagate, Multipliers::recompute}) {
      const auto system = system_of(p.texts);
      const VectorState start = start_of(system, p.xi, p.v);
      FlowOptions options;
      options.multipliers = Multipliers::recompute;
      const Vn exact = walk(StageFlow(nh_lobatto(8), system, options), start, 0.05, 20).lambda;
      options.multipliers = multipliers;
      const StageFlow flow(dla(), system, options);
      const auto error = [&](int n) {
        const Vn found = walk(flow, start, 1.0 / n, n).lambda;
        const int count = multipliers == Multipliers::propagate ? system->d + system->e : system->e;
        return (found - exact).tail(count).cwiseAbs().maxCoeff();
      };
      EXPECT_NEAR(measured_order(error, 128), 2.0, 0.1) << p.name;
    }
}

/// A composition of symmetric steps has order 4, on groups too.
TEST(DlaLaws, OrderOfATripleJump) {
  for (const Rolling& p : {rolling::sleigh(), rolling::nonlinear(), rolling::suslov(),
                           rolling::unicycle(), rolling::geared()}) {
    const auto system = system_of(p.texts);
    const VectorState start = start_of(system, p.xi, p.v);
    const VectorState exact = detail::converged_state(StageFlow(nh_lobatto(8), system), start, 1.0);
    const OrderReport order =
        check_order(StageFlow(triple_jump(dla()), system), start, 1.0, exact, 4);
    EXPECT_TRUE(order.passes(0.1)) << p.name << ": " << order.measured;
  }
}

/// The values of a motion at t = 5, by a Runge-Kutta method of order 8: places, velocities, the
/// multiplier.
struct Known {
  std::string name;
  Texts texts;
  Vn q, v;
  std::vector<std::pair<int, double>> place, velocity;
  double multiplier;
};

std::vector<Known> known() {
  const double incline = 9.81 * std::sin(std::acos(-1.0) / 6.0);
  return {{"sleigh",
           rolling::sleigh().texts,
           vector({0, 0, 0}),
           vector({-0.5, 0, 1}),
           {{0, -2.919014806909778}, {1, -0.009539641571663}, {2, 3.860594286709755}},
           {{2, 0.286717360516191}},
           0.271131331203401},
          {"knife edge",
           rolling::with(
               {{"x", "y", "f"}, "(x_dot^2 + y_dot^2 + f_dot^2)/2 + " + to_text(incline) + "*x"},
               {"x_dot*sin(f) - y_dot*cos(f)"}),
           vector({0, 0, 0}),
           vector({0, 0, 2}),
           {{0, 0.181459842925332}, {1, 5.851375221573812}},
           {},
           5.336847097824718},
          {"Suslov",
           rolling::with({{{"R", "SO3"}},
                          "(2*R_w1^2 + 1.5*R_w2^2 + R_w3^2)/2 + 0.3*R_w1*R_w3 + 0.4*R_w2*R_w3"},
                         {"R_w3"}),
           vector({1, 0, 0, 0, 1, 0, 0, 0, 1}),
           vector({0.6, -0.8, 0}),
           {{0, 0.30209512595083}, {4, 0.64280151201048}, {8, 0.49068108068036}},
           {{0, -0.08863292288960}, {1, -1.05334021409992}},
           -0.10686614542823}};
}

TEST(DlaLaws, OrdersAgainstKnownMotions) {
  for (const Known& k : known()) {
    const auto system = system_of(k.texts);
    const VectorState start = initial(*system, k.q, k.v);
    const StageFlow flow(dla(), system);
    const auto measure = [&](const auto& error) {
      return measured_order([&](int n) { return error(walk(flow, start, 5.0 / n, n)); }, 400);
    };
    const auto place = [&](const VectorState& s) {
      double worst = 0.0;
      for (const auto& [i, value] : k.place) worst = std::max(worst, std::abs(s.q[i] - value));
      return worst;
    };
    const auto velocity = [&](const VectorState& s) {
      Vn v = Vn::Zero(3);
      LegendreTransform(*system).velocity(s, v.data());
      double worst = 0.0;
      for (const auto& [i, value] : k.velocity) worst = std::max(worst, std::abs(v[i] - value));
      return worst;
    };
    const auto multiplier = [&](const VectorState& s) {
      return std::abs(s.lambda[0] - k.multiplier);
    };
    EXPECT_NEAR(measure(place), 2.0, 0.1) << k.name;
    if (!k.velocity.empty()) {
      EXPECT_NEAR(measure(velocity), 2.0, 0.1) << k.name;
    }
    EXPECT_NEAR(measure(multiplier), 2.0, 0.1) << k.name;
  }
}

/// Multipliers are found in each step and not handed to the next one: nothing grows where phase space
/// contracts, as it does with nh_lobatto.
TEST(DlaLaws, AWrongFirstMultiplierDoesNotTouchTheMotion) {
  const auto system = system_of(rolling::sleigh().texts);
  const VectorState start = initial(*system, vector({0, 0, 0}), vector({-0.5, 0, 1}));
  VectorState other = start;
  other.lambda[0] += 0.1;
  const StageFlow flow(dla(), system);
  const VectorState a = walk(flow, start, 0.05, 400);
  const VectorState b = walk(flow, other, 0.05, 400);
  EXPECT_LT(distance(a, b), 1e-13);
  EXPECT_NEAR(std::abs(a.lambda[0] - b.lambda[0]), 0.1, 1e-12);
}

/// A step is symmetric: on the particle of [Sato19] the energy swings about a level, over 10000 steps.
TEST(DlaLaws, TheEnergyOfTheParticleIsLevel) {
  const auto system = system_of(rolling::particle().texts);
  const VectorState start = start_of(system, rolling::particle().xi, rolling::particle().v);
  const StageFlow flow(dla(), system);
  const double before = energy_of(system, start);
  auto memory = flow.memory(start);
  VectorState s = start;
  std::vector<double> worst(2, 0.0);
  for (int k = 0; k < 10000; ++k) {
    flow.move(s, 0.1, 1, memory);
    double& part = worst[k < 5000 ? 0 : 1];
    part = std::max(part, std::abs(energy_of(system, s) - before));
  }
  EXPECT_LT(worst[1], 1.2 * worst[0]);
}

}  // namespace
}  // namespace varia::dla_laws_test
