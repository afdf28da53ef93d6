// SPDX-License-Identifier: BSD-3-Clause
#include "laws/laws.hpp"

namespace varia::pendulum_test {
namespace {

TEST(Pendulum, OrdersAreAsDeclared) { laws::orders(problems::pendulum()); }
TEST(Pendulum, StepsAreSymplectic) { laws::symplectic(problems::pendulum()); }
TEST(Pendulum, SymmetricMethodsReverse) { laws::reversible(problems::pendulum()); }
TEST(Pendulum, MomentaAreSlotDerivatives) { laws::action(problems::pendulum()); }
TEST(Pendulum, StageTierIsCertificateTier) { laws::tiers(problems::pendulum()); }

TEST(Pendulum, DiscreteLagrangianApproximatesTheExactOne) {
  const auto p = problems::pendulum();
  for (const char* name :
       {"euler_a", "midpoint", "verlet", "gauss(2)", "lobatto(3)", "galerkin(2, radau:2)"}) {
    const Flow flow(parse_method(name), p.system);
    EXPECT_NEAR(check_action_order(flow, p.start, 0.8).measured, flow.method().order(), 0.1)
        << name;
  }
}

}  // namespace
}  // namespace varia::pendulum_test
