// SPDX-License-Identifier: BSD-3-Clause
// Certified orders with a mass that varies and with a force.
#include <gtest/gtest.h>

#include <cstdio>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/verify/certify_order.hpp"

namespace varia::certify_forces_test {
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

TEST(CertifyOrder, VaryingMass) {
  expect_orders(problems::double_pendulum(),
                {"euler_b", "midpoint", "gauss(2)", "triple_jump(midpoint)"}, 0.5);
}

/// With a force the steps are measured: r + 1 powers of h in one step.
TEST(CertifyOrder, Forces) {
  const auto p = problems::van_der_pol();
  expect_orders(p, {"euler_a", "midpoint", "gauss(2)", "triple_jump(midpoint)"}, 0.2);
  EXPECT_TRUE(certify_order(Flow(midpoint(), p.system), p.start, 0.2).by_steps);
  const auto ld = [](const auto& a, const auto& b, double h) { return (b - a).dot(b - a) / h; };
  expect_words(refusal([&] { certify_order(p.system, ld, p.start, 0.2, 1); }),
               {"forces", "check_order"});
}

}  // namespace
}  // namespace varia::certify_forces_test
