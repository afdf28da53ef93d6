// SPDX-License-Identifier: BSD-3-Clause
// Systems declared separable: explicit methods take their explicit form here, and the sets for
// quadratic kinetic energy apply.
#include "laws/laws.hpp"

namespace varia::separable_test {
namespace {

TEST(HenonHeiles, OrdersAreAsDeclared) { laws::orders(problems::henon_heiles()); }
TEST(HenonHeiles, StepsAreSymplectic) { laws::symplectic(problems::henon_heiles()); }
TEST(HenonHeiles, SymmetricMethodsReverse) { laws::reversible(problems::henon_heiles()); }
TEST(HenonHeiles, MomentaAreSlotDerivatives) { laws::action(problems::henon_heiles()); }

TEST(SeparableKepler, StepsAreSymplectic) { laws::symplectic(problems::separable_kepler()); }
TEST(SeparableKepler, SymmetricMethodsReverse) { laws::reversible(problems::separable_kepler()); }
TEST(SeparableKepler, MomentaAreSlotDerivatives) { laws::action(problems::separable_kepler()); }

/// The list has methods that apply to separable systems only.
TEST(SeparableKepler, SetsForQuadraticKineticEnergyAreAmongTheMethods) {
  using S = std::decay_t<decltype(problems::separable_kepler().system)>;
  int nystrom = 0;
  for (const Method& method : problems::methods_for<S>()) nystrom += method.needs_separable();
  EXPECT_EQ(nystrom, 4);
}

/// Momenta of linear symmetries are kept exactly, whatever the kicks and drifts.
TEST(SeparableKepler, AngularMomentumIsKept) {
  const auto p = problems::separable_kepler();
  using S = std::decay_t<decltype(p.system)>;
  for (const Method& method : problems::methods_for<S>()) {
    const auto report = check_noether(Flow(method, p.system), p.start, p.h, 1000);
    EXPECT_LT(report.momenta.at(0).drift, 1e-13) << method.name();
  }
}

}  // namespace
}  // namespace varia::separable_test
