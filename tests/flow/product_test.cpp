// SPDX-License-Identifier: BSD-3-Clause
// Uncoupled systems on a product space move as their parts do.
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/varia.hpp"

namespace varia::product_test {
namespace {

constexpr double round_off = 1e-13;

TEST(Product, IsItsParts) {
  const Vector<double, 3> inertia(1.0, 1.4, 0.6);
  const auto top = [inertia](const auto& R, const auto& w) {
    return 0.5 * w.dot(inertia.cwiseProduct(w)) - 1.3 * R(2, 2);
  };
  const auto swing = problems::pendulum_lagrangian;
  const System both{[top, swing](const auto& x, const auto& v) {
    using S = typename std::decay_t<decltype(v)>::Scalar;
    return top(get<0>(x), Vector<S, 3>(v.template head<3>())) +
           swing(get<1>(x), Vector<S, 1>(v.template tail<1>()));
  }};
  using X = Product<SO3<double>, Vector<double, 1>>;
  const System rotation_only{top};
  const System angle_only{swing};
  const Vector<double, 3> w(0.4, 0.9, 2.0);
  for (const Method& method : {gauss(2), lobatto(3), midpoint()}) {
    const auto z = advance(Flow(method, both),
                           initial(both, X(problems::tilted(), Vector<double, 1>(1.0)),
                                   Vector<double, 4>(0.4, 0.9, 2.0, 0.3)),
                           0.1, 10);
    const auto r = advance(Flow(method, rotation_only),
                           initial(rotation_only, problems::tilted(), w), 0.1, 10);
    const auto a =
        advance(Flow(method, angle_only),
                initial(angle_only, Vector<double, 1>(1.0), Vector<double, 1>(0.3)), 0.1, 10);
    EXPECT_LT((get<0>(z.q).matrix - r.q.matrix).norm(), round_off) << method.name();
    EXPECT_LT(std::abs(get<1>(z.q)[0] - a.q[0]) + std::abs(z.p[3] - a.p[0]), round_off)
        << method.name();
  }
}

}  // namespace
}  // namespace varia::product_test
