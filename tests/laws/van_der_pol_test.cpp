// SPDX-License-Identifier: BSD-3-Clause
#include "laws/laws.hpp"

namespace varia::van_der_pol_test {
namespace {

TEST(VanDerPol, OrdersAreAsDeclared) { laws::orders(problems::van_der_pol()); }
TEST(VanDerPol, StepsAreSymplectic) { laws::symplectic(problems::van_der_pol()); }
TEST(VanDerPol, SymmetricMethodsReverse) { laws::reversible(problems::van_der_pol()); }
TEST(VanDerPol, MomentaAreSlotDerivatives) { laws::action(problems::van_der_pol()); }
TEST(VanDerPol, StageTierIsCertificateTier) { laws::tiers(problems::van_der_pol()); }

// The problem and parameters of [Sato19], section 4.4.2; the state at t = 1 to 18 digits and the errors
// of lobatto(2..5) with 16 steps are independent computations in extended precision.
TEST(VanDerPol, ReproducesReferenceNumbers) {
  const auto p = problems::van_der_pol();
  auto exact = p.start;
  exact.q = {0.814329951600411697, 1.838494782730984521};
  exact.p = {2.772401429355631975, -0.572729318227756067};
  EXPECT_NEAR(energy(p.system, p.start), 8.206875, 1e-14);
  EXPECT_NEAR(energy(p.system, exact), 6.901643958547742, 1e-14);
  EXPECT_LT(detail::distance(reference_state(p.system, p.start, 1.0), exact), 1e-14);
  const double published[] = {7.80e-3, 3.14e-6, 2.34e-9, 1.58e-12};
  for (int s = 2; s <= 5; ++s) {
    const auto end = advance(Flow(lobatto(s), p.system), p.start, 1.0 / 16, 16);
    const double error =
        std::max((end.q - exact.q).cwiseAbs().maxCoeff(), (end.p - exact.p).cwiseAbs().maxCoeff());
    EXPECT_NEAR(error / published[s - 2], 1.0, 0.005) << s;
  }
}

}  // namespace
}  // namespace varia::van_der_pol_test
