// SPDX-License-Identifier: BSD-3-Clause
// L^{sym,α} = ½L^α + ½L^{1-α}: what it is for special α, and that it is this L_d. Order, symmetry and
// the other laws are tested with all methods of the list.
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/varia.hpp"

namespace varia::symmetrised_test {
namespace {

template <class P>
double apart(const P& p, const Method& a, const Method& b, FlowOptions options = {}) {
  return detail::distance(advance(Flow(a, p.system, options), p.start, p.h, 20),
                          advance(Flow(b, p.system, options), p.start, p.h, 20));
}

template <class P> void expect_special_cases(const P& p) {
  EXPECT_LT(apart(p, symmetrised(0.0), verlet()), 1e-13);
  EXPECT_LT(apart(p, symmetrised(1.0), verlet()), 1e-13);
  EXPECT_LT(apart(p, symmetrised(0.5), midpoint()), 1e-13);
  EXPECT_LT(apart(p, symmetrised(0.2), symmetrised(0.8)), 1e-13);
  EXPECT_LT(apart(p, symmetrised(0.2), adjoint(symmetrised(0.2))), 1e-13);
  EXPECT_GT(apart(p, symmetrised(0.2), symmetrised(0.3)), 1e-6);
  EXPECT_GT(apart(p, symmetrised(0.2), verlet()), 1e-6);
}

TEST(Symmetrised, IsVerletAtTheEndsAndMidpointInTheMiddle) {
  expect_special_cases(problems::separable_kepler());
  expect_special_cases(problems::double_pendulum());
  expect_special_cases(problems::van_der_pol());
}

TEST(Symmetrised, IsExplicitWhereVerletIs) {
  const auto p = problems::separable_kepler();
  using Q = std::decay_t<decltype(p.start.q)>;
  EXPECT_TRUE(Flow(symmetrised(0.0), p.system).is_explicit<Q>());
  EXPECT_TRUE(Flow(symmetrised(1.0), p.system).is_explicit<Q>());
  EXPECT_FALSE(Flow(symmetrised(0.2), p.system).is_explicit<Q>());
  EXPECT_FALSE(Flow(symmetrised(0.5), p.system).is_explicit<Q>());
}

/// The flow of ½L^α + ½L^{1-α} written down.
TEST(Symmetrised, IsTheMeanOfTwoDiscreteLagrangians) {
  const auto p = problems::double_pendulum();
  for (const double alpha : {0.0, 0.2, 0.5, 0.7}) {
    const auto ld = [&](const auto& q0, const auto& q1, double h) {
      using S = std::decay_t<decltype(q0[0])>;
      const Vector<S, 2> v = (q1 - q0) / S(h);
      const auto at = [&](double c) {
        const Vector<S, 2> q = q0 * S(1.0 - c) + q1 * S(c);
        return p.system.lagrangian()(0.0, q, v);
      };
      return S(0.5 * h * (at(alpha) + at(1.0 - alpha)));
    };
    const DiscreteFlow mean(ld);
    const Flow flow(symmetrised(alpha), p.system);
    auto a = p.start;
    auto b = p.start;
    for (int k = 0; k < 10; ++k) {
      a = mean(a, p.h);
      b = flow(b, p.h);
    }
    EXPECT_LT(detail::distance(a, b), 1e-13) << alpha;
  }
}

TEST(Symmetrised, DiscreteLagrangianHasOrderTwoAndItsHalvesOrderOne) {
  const auto p = problems::pendulum();
  const auto order = [&](const Method& method) {
    return check_action_order(Flow(method, p.system), p.start, 0.8).measured;
  };
  EXPECT_NEAR(order(symmetrised(0.2)), 2.0, 0.1);
  EXPECT_NEAR(order(midpoint(0.2)), 1.0, 0.1);
  EXPECT_NEAR(order(midpoint(0.8)), 1.0, 0.1);
}

/// L⁰, L¹ and L^{sym,0} differ by a null Lagrangian on separable systems: from the same q₀, q₁ they
/// give the same positions. L^{sym,0.2} does not.
TEST(Symmetrised, PositionsOfVerletComeFromThreeLagrangians) {
  const auto p = problems::separable_kepler();
  const auto q1 = Flow(verlet(), p.system)(p.start, p.h).q;
  const auto last = [&](const Method& method) {
    auto s = p.start;
    s.p = -Certificate(method, p.system).at(p.start.q, q1, 0.0, p.h).d1;
    return advance(Flow(method, p.system), s, p.h, 20).q;
  };
  const auto q = last(verlet());
  for (const Method& method : {euler_a(), euler_b(), symmetrised(0.0), trapezoid(0.3)})
    EXPECT_LT((last(method) - q).cwiseAbs().maxCoeff(), 1e-12) << method.name();
  EXPECT_GT((last(symmetrised(0.2)) - q).cwiseAbs().maxCoeff(), 1e-5);
}

}  // namespace
}  // namespace varia::symmetrised_test
