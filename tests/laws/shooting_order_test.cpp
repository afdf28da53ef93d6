// SPDX-License-Identifier: BSD-3-Clause
// The order of shooting and Taylor methods at run time is min(p, q), on both sides.
#include <gtest/gtest.h>

#include <cstdio>

#include "flow/shooting_systems.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/verify/certify_flow.hpp"
#include "varia/verify/certify_order.hpp"

namespace varia::shooting_order_test {
namespace {

using namespace shooting_systems;

/// (certify): L_d against the exact one.
void expect_certified(const Sample& f, const ShootingFlow& flow, const VectorState& start,
                      double h) {
  const AnyFlow any =
      make_flow(flow.method(), {.lagrangian = f.system, .acceleration = f.acceleration});
  const CertifiedOrder report = certify_order(any, start, h);
  EXPECT_NEAR(report.measured, flow.method().order(), 0.1) << flow.method().name();
  std::printf("%-26s L_d    order %d, measured %.3f\n", flow.method().name().c_str(),
              flow.method().order(), report.measured);
}

/// The error of the flow after a time.
void expect_order(const Sample& f, const ShootingFlow& flow, const VectorState& start,
                  double duration, int steps) {
  const StageFlow exact(gauss(7), f.system);
  const VectorState end = laws::walk(exact, start, duration / 400, 400);
  const auto error = [&](int n) {
    return laws::distance(laws::walk(flow, start, duration / n, n), end);
  };
  const double order = laws::measured_order(error, steps);
  EXPECT_NEAR(order, flow.method().order(), 0.1) << flow.method().name();
  std::printf("%-26s flow   order %d, measured %.3f, error %.1e\n", flow.method().name().c_str(),
              flow.method().order(), order, error(2 * steps));
}

TEST(ShootingOrder, CertifiedOnThePendulum) {
  const Sample f = pendulum();
  const VectorState s = f.start(vector({1.0}), vector({0.4}));
  for (const auto& [p, rule] :
       {std::pair(1, "lobatto:3"), std::pair(2, "lobatto:3"), std::pair(3, "lobatto:3"),
        std::pair(4, "lobatto:3"), std::pair(4, "gauss:1"), std::pair(4, "radau:2"),
        std::pair(4, "radau_left:2"), std::pair(3, "trapezoid"), std::pair(4, "gauss:3")})
    expect_certified(f, f.shooting(p, rule), s, 0.6);
  for (const auto& [r, rule] : {std::pair(1, "gauss:2"), std::pair(5, "lobatto:3"),
                                std::pair(5, "lobatto:4"), std::pair(6, "lobatto:4")})
    expect_certified(f, f.taylor(r, rule), s, 0.6);
}

TEST(ShootingOrder, CertifiedWithTimeAndVaryingMass) {
  const Sample f = driven();
  for (const auto& [p, rule] : {std::pair(2, "gauss:2"), std::pair(4, "lobatto:3")})
    expect_certified(f, f.shooting(p, rule), driven_start(), 0.2);
  expect_certified(f, f.taylor(3, "lobatto:3"), driven_start(), 0.2);
}

TEST(ShootingOrder, OfTheFlowOnKepler) {
  const Sample f = kepler();
  const VectorState s = f.start(vector({0.4, 0.0}), vector({0.0, 2.0}));
  expect_order(f, f.shooting(2, "lobatto:3"), s, 0.5, 400);
  expect_order(f, f.shooting(4, "lobatto:3"), s, 0.5, 64);
  expect_order(f, f.shooting(4, "gauss:1"), s, 0.5, 64);
  expect_order(f, f.taylor(6, "gauss:4"), s, 1.5, 64);
}

TEST(ShootingOrder, OfTheFlowOnTheDoublePendulum) {
  const Sample f = double_pendulum();
  const VectorState s = double_pendulum_start();
  expect_order(f, f.shooting(1, "gauss:2"), s, 2.0, 400);
  expect_order(f, f.shooting(3, "lobatto:3"), s, 2.0, 80);
  expect_order(f, f.shooting(4, "radau:2"), s, 2.0, 80);
  expect_order(f, f.taylor(5, "gauss:3"), s, 3.0, 128);
  expect_order(f, f.taylor(6, "lobatto:3"), s, 2.0, 40);
}

TEST(ShootingOrder, OfTheFlowWithTime) {
  const Sample f = driven();
  expect_order(f, f.shooting(4, "lobatto:3"), driven_start(), 2.0, 80);
  expect_order(f, f.shooting(2, "gauss:2"), driven_start(), 2.0, 80);
  expect_order(f, f.taylor(4, "gauss:2"), driven_start(), 2.0, 80);
}

}  // namespace
}  // namespace varia::shooting_order_test
