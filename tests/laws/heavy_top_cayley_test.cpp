// SPDX-License-Identifier: BSD-3-Clause
#include "laws/laws.hpp"

namespace varia::heavy_top_cayley_test {
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

// The midpoint of the Cayley chart is not the midpoint of the motion: midpoint is of order 2 but not
// symmetric, so that a triple jump could not have order 4 and is refused.
TEST(HeavyTopCayley, MidpointIsNotSymmetricAndTripleJumpIsRefused) {
  const auto p = problems::heavy_top();
  const FlowOptions cayley{.retraction = Retraction::cayley};
  EXPECT_GT(check_reversible(Flow(midpoint(), p.system, cayley), p.start, p.h, 10).defect, 1e-6);
  EXPECT_THROW(Flow(triple_jump(midpoint()), p.system, cayley)(p.start, p.h), InvalidArgument);
  EXPECT_THROW(Flow(triple_jump(gauss(2)), p.system)(p.start, p.h), InvalidArgument);
  EXPECT_NO_THROW(Flow(triple_jump(midpoint()), p.system)(p.start, p.h));
  // stated as a composition of unknown order it runs, and the check finds order 3
  const double gamma = triple_jump(midpoint()).substeps()[0].second;
  const Method jump =
      compose({{midpoint(), gamma}, {midpoint(), 1 - 2 * gamma}, {midpoint(), gamma}}, 3);
  EXPECT_NEAR(check_order(Flow(jump, p.system, cayley), p.start, 3.0).measured, 3.0, 0.1);
}

// On groups only methods with one stage are symmetric, whatever the retraction.
TEST(HeavyTopCayley, Gauss2IsNotSymmetricOnGroups) {
  const auto p = problems::heavy_top();
  EXPECT_GT(check_reversible(Flow(gauss(2), p.system), p.start, p.h, 10).defect, 1e-10);
}

}  // namespace
}  // namespace varia::heavy_top_cayley_test
