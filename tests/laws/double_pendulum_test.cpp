// SPDX-License-Identifier: BSD-3-Clause
#include "laws/laws.hpp"

namespace varia::double_pendulum_test {
namespace {

TEST(DoublePendulum, OrdersAreAsDeclared) { laws::orders(problems::double_pendulum()); }
TEST(DoublePendulum, StepsAreSymplectic) { laws::symplectic(problems::double_pendulum()); }
TEST(DoublePendulum, SymmetricMethodsReverse) { laws::reversible(problems::double_pendulum()); }
TEST(DoublePendulum, MomentaAreSlotDerivatives) { laws::action(problems::double_pendulum()); }
TEST(DoublePendulum, StageTierIsCertificateTier) { laws::tiers(problems::double_pendulum()); }

TEST(DoublePendulum, DiscreteLagrangianApproximatesTheExactOne) {
  const auto p = problems::double_pendulum();
  for (const char* name :
       {"euler_b", "midpoint", "trapezoid", "gauss(2)", "lobatto(3)", "galerkin(2, lobatto:3)"}) {
    const Flow flow(parse_method(name), p.system);
    EXPECT_NEAR(check_action_order(flow, p.start, 0.4).measured, flow.method().order(), 0.1)
        << name;
  }
}

}  // namespace
}  // namespace varia::double_pendulum_test
