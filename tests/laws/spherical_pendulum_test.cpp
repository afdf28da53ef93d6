// SPDX-License-Identifier: BSD-3-Clause
#include "laws/laws.hpp"

namespace varia::spherical_pendulum_test {
namespace {

TEST(SphericalPendulum, OrdersAreAsDeclared) { laws::orders(problems::spherical_pendulum()); }
TEST(SphericalPendulum, StepsAreSymplectic) { laws::symplectic(problems::spherical_pendulum()); }
TEST(SphericalPendulum, SymmetricMethodsReverse) {
  laws::reversible(problems::spherical_pendulum());
}
TEST(SphericalPendulum, MomentaAreSlotDerivatives) { laws::action(problems::spherical_pendulum()); }
TEST(SphericalPendulum, StageTierIsCertificateTier) { laws::tiers(problems::spherical_pendulum()); }

}  // namespace
}  // namespace varia::spherical_pendulum_test
