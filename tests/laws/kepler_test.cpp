// SPDX-License-Identifier: BSD-3-Clause
#include "laws/laws.hpp"

namespace varia::kepler_test {
namespace {

TEST(Kepler, OrdersAreAsDeclared) { laws::orders(problems::kepler()); }
TEST(Kepler, StepsAreSymplectic) { laws::symplectic(problems::kepler()); }
TEST(Kepler, SymmetricMethodsReverse) { laws::reversible(problems::kepler()); }
TEST(Kepler, MomentaAreSlotDerivatives) { laws::action(problems::kepler()); }
TEST(Kepler, StageTierIsCertificateTier) { laws::tiers(problems::kepler()); }

}  // namespace
}  // namespace varia::kepler_test
