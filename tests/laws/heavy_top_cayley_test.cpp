// SPDX-License-Identifier: BSD-3-Clause
#include "laws/laws.hpp"

namespace varia {
namespace {

TEST(HeavyTopCayley, OrdersAreAsDeclared) {
  laws::orders(problems::heavy_top(3.0), {.retraction = Retraction::cayley});
}
TEST(HeavyTopCayley, StepsAreSymplectic) {
  laws::symplectic(problems::heavy_top(3.0), {.retraction = Retraction::cayley});
}
TEST(HeavyTopCayley, MomentaAreSlotDerivatives) {
  laws::action(problems::heavy_top(3.0), {.retraction = Retraction::cayley});
}
TEST(HeavyTopCayley, StageTierIsCertificateTier) {
  laws::tiers(problems::heavy_top(3.0), {.retraction = Retraction::cayley});
}

}  // namespace
}  // namespace varia
