// SPDX-License-Identifier: BSD-3-Clause
// Duplication of variables on SO(3) [Sato19, lemma 4.3.3, theorem 4.4.1, section 4.5]: with a
// retraction τ the difference of the copies is τ⁻¹(q⁻¹Q), and
//   K = ½⟨f(Q, V), τ⁻¹(Q⁻¹q)⟩ - ½⟨f(q, v), τ⁻¹(q⁻¹Q)⟩
// makes the forced body a free system on SO(3) × SO(3). Only the tangent of τ at the diagonal
// matters, and it is the same for every retraction.
#include <gtest/gtest.h>

#include "varia/flow/flow.hpp"
#include "varia/flow/integrate.hpp"
#include "varia/methods/methods.hpp"
#include "varia/space/product.hpp"
#include "varia/space/so3.hpp"

namespace varia::galley_rotation_test {
namespace {

using V3 = Vector<double, 3>;
using R = SO3<double>;
using Pair = Product<R, R>;
using V6 = Vector<double, 6>;

constexpr auto exponential = Retraction::exponential;

const V3 inertia(0.5, 2.0, 1.0);

/// Weight along e₃ of space and a torque: gyration and drag that are not linear.
template <class Q, class V> auto torque(const Q& g, const V& w) {
  using S = std::decay_t<decltype(w[0])>;
  return Vector<S, 3>(-0.3 * w[0] - 0.1 * w[0] * w[0] * w[0], 0.4 * g(2, 0) - 0.2 * w[1] * w[2],
                      0.5 * g(0, 1) * w[0]);
}
template <class Q, class V> auto lagrangian(const Q& g, const V& w) {
  return 0.5 * (inertia[0] * w[0] * w[0] + inertia[1] * w[1] * w[1] + inertia[2] * w[2] * w[2]) -
         0.7 * g(2, 2) + 0.2 * g(2, 0);
}

auto forced_body() {
  return System{[](const auto& g, const auto& w) { return lagrangian(g, w); },
                Force{[](const auto& g, const auto& w) { return torque(g, w); }}};
}
auto doubled_body(Retraction tau) {
  return System{[tau](const auto& g, const auto& w) {
    using S = std::decay_t<decltype(w[0])>;
    using W = Vector<S, 3>;
    const auto& a = get<0>(g);
    const auto& b = get<1>(g);
    const W u = w.head(3);
    const W v = w.tail(3);
    const W there = Space<SO3<S>>::difference(a, b, tau);
    const W back = Space<SO3<S>>::difference(b, a, tau);
    const S k = 0.5 * torque(b, v).dot(back) - 0.5 * torque(a, u).dot(there);
    return S(lagrangian(b, v) - lagrangian(a, u) - k);
  }};
}

/// Theorem 4.4.1 on the group: the free step of the pair stays on the diagonal and is the forced one,
/// with either retraction for the steps and for K.
TEST(GalleyRotation, RestrictionIsTheForcedIntegrator) {
  const R g(rotation(V3(0.4, 1.1, -0.3), exponential));
  const V3 w(0.9, -0.4, 0.6);
  const auto body = forced_body();
  V6 both;
  both << w, w;
  for (const Retraction of_k : {Retraction::cayley, exponential}) {
    const auto pair = doubled_body(of_k);
    for (const Retraction of_step : {Retraction::cayley, exponential})
      for (const char* name : {"midpoint", "gauss(2)", "lobatto(3)"}) {
        const FlowOptions options{.retraction = of_step};
        const Flow one(parse_method(name), body, options);
        const Flow two(parse_method(name), pair, options);
        const auto a = advance(one, initial(body, g, w), 0.1, 6);
        const auto b = advance(two, initial(pair, Pair{g, g}, both), 0.1, 6);
        EXPECT_LT((get<0>(b.q).matrix - get<1>(b.q).matrix).norm(), 1e-12) << name;
        EXPECT_LT((get<1>(b.q).matrix - a.q.matrix).norm(), 1e-12) << name;
        EXPECT_LT((b.p.tail(3) - a.p).norm() + (b.p.head(3) + a.p).norm(), 1e-12) << name;
      }
  }
}

}  // namespace
}  // namespace varia::galley_rotation_test
