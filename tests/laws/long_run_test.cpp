// SPDX-License-Identifier: BSD-3-Clause
// What must hold over 10⁵ steps: momenta, constraints, and energy without drift.
#include <gtest/gtest.h>

#include <cstdio>

#include "problems.hpp"
#include "varia/varia.hpp"

namespace varia::long_run_test {
namespace {

constexpr long many = 100000;

template <class P> void momenta_are_kept(const P& p, const std::vector<const char*>& names) {
  for (const char* name : names) {
    const auto report = check_noether(Flow(parse_method(name), p.system), p.start, p.h, many);
    for (const auto& m : report.momenta) {
      std::printf("%-12s %-10s drift %.1e of %.3f over %ld steps\n", name, m.name.c_str(), m.drift,
                  m.initial, many);
      EXPECT_LT(m.drift, 1e-12) << name;
    }
  }
}

TEST(LongRun, AngularMomentumOfKepler) {
  momenta_are_kept(problems::kepler(), {"euler_b", "midpoint", "verlet", "gauss(2)", "lobatto(3)",
                                        "galerkin(2, radau:2)"});
  momenta_are_kept(problems::separable_kepler(), {"verlet", "gauss(3)"});
}

TEST(LongRun, VerticalMomentumOfTheHeavyTop) {
  momenta_are_kept(problems::heavy_top(),
                   {"euler_a", "midpoint", "verlet", "gauss(2)", "lobatto(3)"});
}

TEST(LongRun, VerticalMomentumOfTheSphericalPendulum) {
  momenta_are_kept(problems::spherical_pendulum(),
                   {"euler_a", "midpoint", "verlet", "lobatto(3)", "lobatto(4)"});
}

TEST(LongRun, ConstraintsHold) {
  const auto p = problems::spherical_pendulum();
  for (const char* name : {"verlet", "midpoint", "lobatto(2)", "lobatto(3)", "lobatto(4)"}) {
    const auto report = check_constraints(Flow(parse_method(name), p.system), p.start, p.h, many);
    std::printf("%-12s |phi| %.1e  |G v| %.1e over %ld steps\n", name, report.position,
                report.velocity, many);
    EXPECT_LT(report.position, 1e-13) << name;
    EXPECT_LT(report.velocity, 1e-13) << name;
  }
}

/// The largest energy error of the second half of the run is that of the first: no drift.
template <class P> void energy_stays(const P& p, const Method& method) {
  const Flow flow(method, p.system);
  const double e0 = energy(p.system, p.start);
  double worst[2] = {0.0, 0.0};
  long k = 0;
  advance(flow, p.start, p.h, many, [&](const auto& s) {
    double& w = worst[2 * k++ / (many + 1)];
    w = std::max(w, std::abs(energy(p.system, s) - e0));
  });
  EXPECT_GT(worst[0], 1e-9) << method.name();  // there is an error to look at
  EXPECT_NEAR(worst[1] / worst[0], 1.0, 0.02) << method.name();
}

TEST(LongRun, EnergyErrorIsBounded) {
  energy_stays(problems::kepler(), verlet());
  energy_stays(problems::kepler(), gauss(2));
  energy_stays(problems::heavy_top(), gauss(1));
  energy_stays(problems::spherical_pendulum(), verlet());
}

TEST(LongRun, RotationsStayOrthogonal) {
  const auto p = problems::heavy_top();
  const auto end = advance(Flow(gauss(2), p.system), p.start, p.h, many);
  EXPECT_LT((end.q.matrix.transpose() * end.q.matrix - Matrix<double, 3>::Identity()).norm(),
            1e-15 * 4);
}

TEST(LongRun, CompensatedTimeIsExact) {
  const auto p = problems::pendulum();
  EXPECT_EQ(advance(Flow(verlet(), p.system), p.start, 0.1, many).t, 10000.0);
}

}  // namespace
}  // namespace varia::long_run_test
