// SPDX-License-Identifier: BSD-3-Clause
// Sizes known at run time give what sizes known at compile time give.
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/varia.hpp"

namespace varia::dynamic_size_test {
namespace {

using namespace problems;

constexpr double round_off = 1e-13;

TEST(DynamicSize, AgreesWithStaticSize) {
  const auto l = double_pendulum_lagrangian;
  const auto f = [](const auto& q, const auto& v) { return (-0.1 * v - 0.01 * q).eval(); };
  const auto phi = [](const auto& q) { return q[0] + 0.3 * q[1] * q[1] - 0.1; };
  const auto compare = [](const auto& system, const Method& method) {
    const auto [q, v] = project(system, Vector<double, 2>(0.5, 0.2), Vector<double, 2>(0.1, 0.4));
    const auto fixed = advance(Flow(method, system), initial(system, q, v), 0.1, 10);
    const auto [dq, dv] = project(system, Vector<double, Dynamic>(Vector<double, 2>(0.5, 0.2)),
                                  Vector<double, Dynamic>(Vector<double, 2>(0.1, 0.4)));
    const auto free = advance(Flow(method, system), initial(system, dq, dv), 0.1, 10);
    EXPECT_LT((fixed.q - free.q).norm() + (fixed.p - free.p).norm(), round_off) << method.name();
  };
  for (const Method& method :
       {gauss(2), lobatto(3), verlet(), galerkin(2, parse_quadrature("lobatto:3"))}) {
    compare(System{l}, method);
    compare(System{l, Force{f}}, method);
  }
  for (const Method& method : {lobatto(3), verlet()})
    compare(System{l, Force{f}, Holonomic{phi}}, method);
}

}  // namespace
}  // namespace varia::dynamic_size_test
