// SPDX-License-Identifier: BSD-3-Clause
#include "laws/laws.hpp"

namespace varia::heavy_top_test {
namespace {

TEST(HeavyTop, OrdersAreAsDeclared) { laws::orders(problems::heavy_top()); }
TEST(HeavyTop, StepsAreSymplectic) { laws::symplectic(problems::heavy_top()); }
TEST(HeavyTop, SymmetricMethodsReverse) { laws::reversible(problems::heavy_top()); }
TEST(HeavyTop, MomentaAreSlotDerivatives) { laws::action(problems::heavy_top()); }
TEST(HeavyTop, StageTierIsCertificateTier) { laws::tiers(problems::heavy_top()); }

}  // namespace
}  // namespace varia::heavy_top_test
