// SPDX-License-Identifier: BSD-3-Clause
// (rolling-balance): momenta change by what forces and nonholonomic reactions give, to round-off.
#include "varia/flow/rolling_impulses.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/rolling.hpp"
#include "refusal.hpp"

namespace varia::rolling_impulses_test {
namespace {

using namespace problems;
using rolling::Rolling;
using Field = std::function<Vn(const Vn&)>;

struct Case {
  Rolling problem;
  Field xi;
};

/// Turning the plane about its origin, on (x, y, theta).
Vn turn(const Vn& q) { return vector({-q[1], q[0], 1.0}); }

/// Generators that leave L as it is, along which a reaction acts.
std::vector<Case> cases() {
  Rolling damped = rolling::sleigh();
  damped.texts = damped.texts.with_force({"-0.2*x_dot", "0.1*sin(t)", "0.3"});
  const Rolling skate{
      "skate on SE(2)",
      rolling::with({{{"g", "SE2"}}, "(g_v1^2 + (g_v2 + 0.5*g_w)^2)/2 + g_w^2/2"}, {"g_v2"}),
      vector({0.3, -0.2, 0.4}), vector({-0.5, 0.0, 1.0})};
  const Rolling body{
      "Suslov",
      rolling::with({{{"R", "SO3"}}, "(2*R_w1^2 + 1.5*R_w2^2 + R_w3^2)/2"}, {"R_w3 - 0.3*R_w1"}),
      vector({0.4, -0.2, 0.3}), vector({0.6, -0.8, 0.18})};
  return {{rolling::sleigh(),
           [](const Vn&) {
             return vector({1.0, 0.0, 0.0});
           }},
          {rolling::sleigh(), turn},
          {damped, turn},
          // a turn of the plane about its origin, seen from the body at (x, y, theta)
          {skate,
           [](const Vn& q) {
             const double c = std::cos(q[2]);
             const double s = std::sin(q[2]);
             return vector({-c * q[1] + s * q[0], s * q[1] + c * q[0], 1.0});
           }},
          // about the third axis of space
          {body, [](const Vn& q) { return Vn(q.segment(6, 3)); }},
          {rolling::turntable(), [](const Vn& q) {
             return vector({q[6], q[7], q[8], -q[10], q[9]});
           }}};
}

TEST(RollingImpulses, AreTheChangesOfMomenta) {
  for (const auto& [p, xi] : cases())
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
      for (const int stages : {2, 3, 4}) {
        FlowOptions options;
        options.retraction = tau;
        const auto system = system_of(p.texts, tau);
        const StageFlow flow(nh_lobatto(stages), system, options);
        const VectorState start = start_of(system, p.xi, p.v);
        VectorState end = start;
        const double given = rolling_impulses(flow, end, 0.1, {xi}).front();
        const double change = end.p.dot(xi(end.q)) - start.p.dot(xi(start.q));
        EXPECT_NEAR(change, given, 4e-15) << p.name << ", " << stages;
        EXPECT_GT(std::abs(change), 1e-4) << p.name << ", " << stages;
        EXPECT_LT(distance(end, flow(start, 0.1)), 1e-14) << p.name;
      }
}

TEST(RollingImpulses, AreThoseOfOneMethod) {
  const auto system = system_of(rolling::sleigh().texts);
  VectorState s = start_of(system, rolling::sleigh().xi, rolling::sleigh().v);
  for (const Method& method : {dla(), nh_lobatto_sym(2)})
    expect_words(refusal([&] { rolling_impulses(StageFlow(method, system), s, 0.1, {turn}); }),
                 {"nh_lobatto(s)"});
}

}  // namespace
}  // namespace varia::rolling_impulses_test
