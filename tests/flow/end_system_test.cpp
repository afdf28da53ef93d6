// SPDX-License-Identifier: BSD-3-Clause
// The end of a step with constraints where the mass depends on the velocity: a fast relativistic
// particle on a sphere. Factors of the first guess do not lead to the tangent velocity there.
#include <gtest/gtest.h>

#include <cmath>

#include "problems.hpp"
#include "varia/flow/make_flow.hpp"

namespace varia::end_system_test {
namespace {

using namespace problems;

const Texts relativistic{
    {"x", "y", "z"}, "-sqrt(1 - x_dot^2 - y_dot^2 - z_dot^2) - z/2", {}, {"x^2 + y^2 + z^2 - 1"}};

Vn velocity(const AnyFlow& flow, const VectorState& s) {
  Vn v = Vn::Zero(s.p.size());
  flow.velocity(s, v.data(), flow.memory(s));
  return v;
}

TEST(EndSystem, TangentWhereTheMassDependsOnTheVelocity) {
  const auto system = system_of(relativistic);
  for (const Method& method : {verlet(), lobatto(3)}) {
    const AnyFlow flow = make_flow(method, {.lagrangian = system});
    VectorState s = initial(*system, vector({0.6, 0.0, -0.8}), vector({0.0, 0.95, 0.0}));
    for (int k = 0; k < 50; ++k) {
      s = flow(s, 0.2);
      const Vn v = velocity(flow, s);
      EXPECT_NEAR(s.q.norm(), 1.0, 1e-14) << method.name();
      EXPECT_NEAR(s.q.dot(v), 0.0, 1e-14) << method.name();
      // its momentum is that of the velocity
      EXPECT_LT((s.p - v / std::sqrt(1.0 - v.squaredNorm())).norm(), 1e-13 * s.p.norm());
    }
    EXPECT_GT(velocity(flow, s).norm(), 0.8);
  }
}

}  // namespace
}  // namespace varia::end_system_test
