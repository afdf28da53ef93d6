// SPDX-License-Identifier: BSD-3-Clause
// Lagrangians linear in the velocities: sizes known at run time, and what is refused.
#include "problems.hpp"
#include "varia/flow/integrate.hpp"

namespace varia::degenerate_refusals_test {
namespace {

using namespace problems;
using enum OneFormProjection;
using V2 = Vector<double, 2>;

TEST(Degenerate, SizesKnownAtRunTime) {
  const auto theta = [](const auto& q) {
    using S = ScalarOf<decltype(q)>;
    Vector<S, Dynamic> form(4);
    form << log(q[1]) / q[0] + q[1], q[0], log(q[3]) / q[2] + q[3], q[2];
    return form;
  };
  const auto energy = [](const auto& q) {
    return q[0] + q[1] - 1.0 * log(q[0]) - 2.0 * log(q[1]) + q[2] + q[3] - 1.0 * log(q[2]) -
           2.0 * log(q[3]);
  };
  const OneFormFlow two(gauss(2), one_form_of<Dynamic>(theta, energy, 4));
  const auto one = one_form_flow(2, population_form, population_energy, symmetric);
  Vn q(4);
  q << 1.0, 1.0, 1.3, 0.8;
  const auto both = advance(two, two.start(q), 0.1, 20);
  EXPECT_LT((both.q.head(2) - advance(one, one.start(V2(1, 1)), 0.1, 20).q).norm(), 1e-13);
  EXPECT_LT((both.q.tail(2) - advance(one, one.start(V2(1.3, 0.8)), 0.1, 20).q).norm(), 1e-13);
}

TEST(Degenerate, Refusals) {
  for (const Method& method : {lobatto(3), verlet(), euler_a(), midpoint(0.3), rk4(),
                               triple_jump(midpoint()), galerkin(2, lobatto_quadrature(3))})
    EXPECT_THROW(OneFormFlow(method, one_form_of(guiding_form, guiding_energy)), InvalidArgument)
        << method.name();
  EXPECT_NO_THROW(OneFormFlow(midpoint(), one_form_of(guiding_form, guiding_energy)));
  const auto flow = one_form_flow(1, guiding_form, guiding_energy, symmetric);
  EXPECT_THROW(flow(flow.start(V2(1.0, 0.3)), 0.0), InvalidArgument);
  const auto exact_form = [](const auto& q) {  // θ = d(q₁q₂): dθ = 0, no motion is determined
    using S = ScalarOf<decltype(q)>;
    return Vector<S, 2>(q[1], q[0]);
  };
  for (const auto projection : {none, symmetric}) {
    const auto none_at_all = one_form_flow(1, exact_form, guiding_energy, projection);
    EXPECT_THROW(none_at_all(none_at_all.start(V2(1.0, 0.3)), 0.1), DomainError);
  }
  const auto odd = [](const auto& q) { return q; };
  const auto no_energy = [](const auto& q) { return q[0]; };
  EXPECT_THROW(OneFormFlow(gauss(1), one_form_of<1>(odd, no_energy, 1)), InvalidArgument);
}

}  // namespace
}  // namespace varia::degenerate_refusals_test
