// SPDX-License-Identifier: BSD-3-Clause
// The order of shooting and Taylor methods at run time is min(p, q), on both sides.
#include <gtest/gtest.h>

#include <cstdio>

#include "problems.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/verify/certify_flow.hpp"
#include "varia/verify/certify_order.hpp"

namespace varia::shooting_order_test {
namespace {

using namespace problems;

/// (certify): L_d against the exact one.
void expect_certified(const Shooting& f, const ShootingFlow& flow, const VectorState& start,
                      double h) {
  const AnyFlow any =
      make_flow(flow.method(), {.lagrangian = f.system, .acceleration = f.acceleration});
  const CertifiedOrder report = certify_order(any, start, h);
  EXPECT_NEAR(report.measured, flow.method().order(), 0.1) << flow.method().name();
  std::printf("%-26s L_d    order %d, measured %.3f\n", flow.method().name().c_str(),
              flow.method().order(), report.measured);
}

/// The error of the flow after a time.
void expect_order(const Shooting& f, const ShootingFlow& flow, const VectorState& start,
                  double duration, int steps) {
  const StageFlow exact(gauss(7), f.system);
  const VectorState end = walk(exact, start, duration / 400, 400);
  const auto error = [&](int n) { return distance(walk(flow, start, duration / n, n), end); };
  const double order = measured_order(error, steps);
  EXPECT_NEAR(order, flow.method().order(), 0.1) << flow.method().name();
  std::printf("%-26s flow   order %d, measured %.3f, error %.1e\n", flow.method().name().c_str(),
              flow.method().order(), order, error(2 * steps));
}

TEST(ShootingOrder, CertifiedOnThePendulum) {
  const Shooting f(texts::pendulum());
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
  const Shooting f(texts::driven());
  for (const auto& [p, rule] : {std::pair(2, "gauss:2"), std::pair(4, "lobatto:3")})
    expect_certified(f, f.shooting(p, rule), start_of(texts::driven()), 0.2);
  expect_certified(f, f.taylor(3, "lobatto:3"), start_of(texts::driven()), 0.2);
}

TEST(ShootingOrder, OfTheFlowOnKepler) {
  const Shooting f(texts::kepler());
  const VectorState s = f.start(vector({0.4, 0.0}), vector({0.0, 2.0}));
  expect_order(f, f.shooting(2, "lobatto:3"), s, 0.5, 400);
  expect_order(f, f.shooting(4, "lobatto:3"), s, 0.5, 64);
  expect_order(f, f.shooting(4, "gauss:1"), s, 0.5, 64);
  expect_order(f, f.taylor(6, "gauss:4"), s, 1.5, 64);
}

TEST(ShootingOrder, OfTheFlowOnTheDoublePendulum) {
  const Shooting f(texts::double_pendulum());
  const VectorState s = start_of(texts::double_pendulum());
  expect_order(f, f.shooting(1, "gauss:2"), s, 2.0, 400);
  expect_order(f, f.shooting(3, "lobatto:3"), s, 2.0, 80);
  expect_order(f, f.shooting(4, "radau:2"), s, 2.0, 80);
  expect_order(f, f.taylor(5, "gauss:3"), s, 3.0, 128);
  expect_order(f, f.taylor(6, "lobatto:3"), s, 2.0, 40);
}

TEST(ShootingOrder, OfTheFlowWithTime) {
  const Shooting f(texts::driven());
  expect_order(f, f.shooting(4, "lobatto:3"), start_of(texts::driven()), 2.0, 80);
  expect_order(f, f.shooting(2, "gauss:2"), start_of(texts::driven()), 2.0, 80);
  expect_order(f, f.taylor(4, "gauss:2"), start_of(texts::driven()), 2.0, 80);
}

}  // namespace
}  // namespace varia::shooting_order_test
