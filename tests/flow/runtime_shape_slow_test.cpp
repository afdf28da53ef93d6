// SPDX-License-Identifier: BSD-3-Clause
// Spaces whose factors are listed at run time: the trajectories of the same problems on spaces that
// are types, and the laws.
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "varia/space/mixed.hpp"
#include "varia/varia.hpp"

namespace varia::runtime_shape_slow_test {
namespace {

using V3 = Vector<double, 3>;
using V6 = Vector<double, 6>;
using Vn = Vector<double, Dynamic>;
using Mixed = MixedPoint<double>;

const SO3<double> tilted(rotation(V3(0.3, -0.8, 0.5), Retraction::cayley));

/// The mixed point with the given rotations first, then a vector.
Mixed mixed(const std::vector<SO3<double>>& rotations, const Vn& x = Vn()) {
  std::vector<Factor> factors(rotations.size(), Factor::rotation());
  if (x.size() > 0) factors.push_back(Factor::vector(static_cast<int>(x.size())));
  Vn values(9 * static_cast<int>(rotations.size()) + x.size());
  for (std::size_t k = 0; k < rotations.size(); ++k)
    for (int i = 0; i < 9; ++i) values[9 * static_cast<int>(k) + i] = rotations[k](i / 3, i % 3);
  values.tail(x.size()) = x;
  return {factors, values};
}

constexpr auto top = [](const auto& R, const auto& w) {
  const V3 inertia(1.0, 1.4, 0.6);
  return 0.5 * w.dot(inertia.cwiseProduct(w)) - 1.3 * (R(2, 2) + 0.3 * R(2, 0));
};

TEST(RunTimeShape, HeavyTopIsThatOfSO3) {
  const System typed{[](const auto& R, const auto& w) { return top(R, w); }};
  const System listed{[](const auto& q, const auto& w) { return top(q.rotation(0), w); }};
  const V3 w(0.4, 0.9, 2.0);
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
    for (const Method& method :
         {gauss(3), lobatto(3), verlet(), galerkin(2, parse_quadrature("lobatto:3")),
          adjoint(midpoint(0.3)), compose({{euler_b(), 0.5}, {euler_a(), 0.5}}, 2)}) {
      const FlowOptions options{.retraction = tau};
      const auto a = advance(Flow(method, typed, options), initial(typed, tilted, w), 0.05, 50);
      const auto b =
          advance(Flow(method, listed, options), initial(listed, mixed({tilted}), Vn(w)), 0.05, 50);
      EXPECT_LT((b.q.rotation(0).matrix - a.q.matrix).cwiseAbs().maxCoeff(), 1e-13)
          << method.name();
      EXPECT_LT((b.p - a.p).cwiseAbs().maxCoeff(), 1e-13) << method.name();
    }
  const Flow flow(triple_jump(gauss(1)), listed, {.retraction = Retraction::cayley});
  expect_words(refusal([&] { flow.memory(initial(listed, mixed({tilted}), Vn(w))); }),
               {"not symmetric"});
}

/// A body that turns and moves, with a force that couples both, its tip held in a plane.
template <class R, class X, class W> auto body_lagrangian(const R& r, const X& x, const W& v) {
  using S = typename W::Scalar;
  const Vector<S, 3> w = v.template head<3>();
  return top(r, w) * (1.0 + 0.1 * x[0] * x[0]) + v[3] * v[3] + 0.3 * v[3] * w[1] -
         0.5 * x[0] * x[0] + 0.4 * r(0, 1) * x[0];
}
template <class R, class X, class W> auto body_force(const R& r, const X& x, const W& v) {
  W f = -0.1 * v;
  f[0] += r(1, 2) * x[0];
  f[3] += v[1] * x[0];
  return f;
}
template <class R, class X> auto body_tip(const R& r, const X& x) {
  return x[0] + r(2, 2) + 0.2 * x[0] * r(0, 1) - 1.0;
}

TEST(RunTimeShape, ForcedAndConstrainedBodyIsThatOfTheProduct) {
  const System typed{
      [](const auto& q, const auto& v) { return body_lagrangian(get<0>(q), get<1>(q), v); },
      Force{[](const auto& q, const auto& v) { return body_force(get<0>(q), get<1>(q), v); }},
      Holonomic{[](const auto& q) { return body_tip(get<0>(q), get<1>(q)); }}};
  const System listed{
      [](const auto& q, const auto& v) { return body_lagrangian(q.rotation(0), q.vector(1), v); },
      Force{[](const auto& q, const auto& v) { return body_force(q.rotation(0), q.vector(1), v); }},
      Holonomic{[](const auto& q) {
                  using S = Scalar<std::decay_t<decltype(q)>>;
                  return Vector<S, Dynamic>(
                      Vector<S, Dynamic>::Constant(1, body_tip(q.rotation(0), q.vector(1))));
                },
                1}};
  const Vector<double, 4> v(0.4, 0.9, 1.2, 0.3);
  const Vector<double, 1> x(0.2);
  const auto [q, u] = project(typed, Product<SO3<double>, Vector<double, 1>>(tilted, x), v);
  const auto [mq, mu] = project(listed, mixed({tilted}, x), Vn(v));
  EXPECT_LT((mu - u).norm(), 1e-13);
  for (const Method& method : {lobatto(3), midpoint(), trapezoid(0.3)}) {
    const auto a = advance(Flow(method, typed), initial(typed, q, u), 0.05, 20);
    const auto b = advance(Flow(method, listed), initial(listed, mq, mu), 0.05, 20);
    EXPECT_LT((b.q.rotation(0).matrix - get<0>(a.q).matrix).norm(), 1e-13) << method.name();
    EXPECT_LT((b.q.vector(1) - get<1>(a.q)).norm() + (b.p - a.p).norm(), 1e-13) << method.name();
    EXPECT_NEAR(b.lambda[0], a.lambda[0], 1e-11) << method.name();
    // the position is held to φ itself
    EXPECT_LT(constraint_defect(listed, b).position + constraint_defect(listed, b).velocity, 1e-13);
  }
}

/// Two rotations in one potential: symmetric under turning both about the vertical.
TEST(RunTimeShape, CoupledRotationsObeyTheLaws) {
  const auto couple = [](const auto& q, const auto& w) {
    using S = Scalar<std::decay_t<decltype(q)>>;
    const auto a = q.rotation(0);
    const auto b = q.rotation(1);
    const Vector<S, 3> w0 = w.head(3);
    const Vector<S, 3> w1 = w.tail(3);
    const Vector<S, 3> spring = a.matrix.col(0) - b.matrix.col(1);
    return top(a, w0) + 0.5 * top(b, w1) - 0.7 * spring.dot(spring);
  };
  const auto about_vertical = [](const auto& q) {
    Vn xi(6);
    xi << q.rotation(0).matrix.row(2).transpose(), q.rotation(1).matrix.row(2).transpose();
    return xi;
  };
  const System system{couple, Symmetry{"vertical", about_vertical}};
  V6 w;
  w << 0.4, 0.9, 1.2, -0.3, 0.6, 0.8;
  const auto start = initial(system, mixed({tilted, SO3<double>()}), Vn(w));
  const Flow flow(gauss(2), system);
  EXPECT_NEAR(check_order(flow, start, 2.0).measured, 4.0, 0.1);
  EXPECT_NEAR(check_order(Flow(trapezoid(0.3), system), start, 2.0).measured, 1.0, 0.1);
  EXPECT_LT(check_symplectic(flow, start, 0.1).defect, 1e-12);
  EXPECT_TRUE(check_noether(flow, start, 0.1, 50).passes());
  EXPECT_TRUE(check_reversible(Flow(midpoint(), system), start, 0.1, 10).passes());
  EXPECT_TRUE(check_action(flow, start, 0.1).passes());
  EXPECT_TRUE(check_action(Flow(adjoint(midpoint(0.3)), system), start, 0.1).passes());
  EXPECT_FALSE(check_reversible(Flow(midpoint(0.3), system), start, 0.1, 10).passes());
  auto certified = start;
  auto stepped = start;
  for (int k = 0; k < 3; ++k) {
    certified = Certificate(gauss(2), system)(certified, 0.1);
    stepped = flow(stepped, 0.1);
  }
  EXPECT_LT(detail::distance(certified, stepped), 1e-12);
}

}  // namespace
}  // namespace varia::runtime_shape_slow_test
