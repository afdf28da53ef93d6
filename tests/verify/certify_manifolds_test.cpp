// SPDX-License-Identifier: BSD-3-Clause
// Certified orders on the rotation group and on a constraint manifold.
#include <gtest/gtest.h>

#include <cstdio>

#include "problems.hpp"
#include "varia/verify/certify_order.hpp"

namespace varia::certify_manifolds_test {
namespace {

template <class P>
void expect_orders(const P& p, std::initializer_list<const char*> names, double h) {
  for (const char* name : names) {
    const Flow flow(parse_method(name), p.system);
    const auto report = certify_order(flow, p.start, h);
    EXPECT_TRUE(report.passes()) << name << ": " << report.measured;
    std::printf("%-20s %d %.3f  %zu steps, error %.1e to %.1e\n", name, report.declared,
                report.measured, report.steps.size(), report.errors.front(), report.errors.back());
  }
}

TEST(CertifyOrder, Rotations) {
  expect_orders(problems::heavy_top(), {"euler_a", "midpoint", "gauss(2)"}, 0.5);
}

TEST(CertifyOrder, Constraints) {
  expect_orders(problems::spherical_pendulum(),
                {"verlet", "midpoint", "lobatto(3)", "triple_jump(verlet)"}, 0.6);
}

}  // namespace
}  // namespace varia::certify_manifolds_test
