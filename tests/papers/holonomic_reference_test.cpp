// SPDX-License-Identifier: BSD-3-Clause
// The pendulum as a point of the plane on the unit circle, against errors that were computed
// independently in extended precision.
#include <gtest/gtest.h>

#include <cstdio>

#include "problems.hpp"
#include "varia/varia.hpp"

namespace varia::holonomic_reference_test {
namespace {

TEST(HolonomicReference, PendulumOnACircle) {
  const System circle{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[1]; },
                      Holonomic{[](const auto& q) { return 0.5 * (q.dot(q) - 1.0); }}};
  const System angle{problems::pendulum_lagrangian};
  const double theta = 1.2;
  const double omega = 0.3;
  const auto start = initial(circle, Vector<double, 2>(std::sin(theta), -std::cos(theta)),
                             Vector<double, 2>(omega * std::cos(theta), omega * std::sin(theta)));
  // the exact state from the unconstrained problem in the angle: independent of all constraints
  const auto exact = reference_state(
      angle, initial(angle, Vector<double, 1>(theta), Vector<double, 1>(omega)), 1.0);
  const Vector<double, 2> q(std::sin(exact.q[0]), -std::cos(exact.q[0]));
  const auto error = [&](int s, int n) {
    return (advance(Flow(lobatto(s), circle), start, 1.0 / n, n).q - q).cwiseAbs().maxCoeff();
  };
  const double published[] = {1.55e-5, 2.37e-8, 5.93e-13};
  for (int s = 2; s <= 4; ++s) {
    const double found = error(s, 16);
    std::printf("lobatto(%d), 16 steps: error %.3e, published %.2e, order %.3f\n", s, found,
                published[s - 2], std::log2(error(s, 4) / error(s, 8)));
    EXPECT_NEAR(found / published[s - 2], 1.0, 0.005) << s;
    EXPECT_NEAR(std::log2(error(s, 4) / error(s, 8)), 2 * s - 2, 0.1) << s;
  }
}

}  // namespace
}  // namespace varia::holonomic_reference_test
