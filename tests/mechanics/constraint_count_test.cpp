// SPDX-License-Identifier: BSD-3-Clause
// Constraints whose number is known at run time: what they are, do and refuse before any step.
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "varia/flow/flow.hpp"
#include "varia/space/euclidean.hpp"
#include "varia/space/so3.hpp"

namespace varia::constraint_count_test {
namespace {

using V2 = Vector<double, 2>;
using V4 = Vector<double, 4>;
/// The first `count` of: |q₁| = 1, |q₂ - q₁| = 1, for two bodies in the plane.
struct Rods {
  int count;
  template <class Q> auto operator()(const Q& q) const {
    using S = typename Q::Scalar;
    Vector<S, Dynamic> phi(count);
    if (count > 0) phi[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
    const S x = q[2] - q[0];
    const S y = q[3] - q[1];
    if (count > 1) phi[1] = x * x + y * y - 1.0;
    for (int i = 2; i < count; ++i) phi[i] = S(0.0);
    return phi;
  }
};
constexpr auto two_rods = [](const auto& q) {
  using S = typename std::decay_t<decltype(q)>::Scalar;
  return Vector<S, 2>(Rods{2}(q));
};

auto system_with(Holonomic<Rods> rods) {
  return System{
      Separable{V4(1.0, 1.0, 3.0, 3.0), [](const auto& q) { return 9.81 * (q[1] + 3.0 * q[3]); }},
      rods};
}
auto dynamic_mass(const Holonomic<Rods>& rods) {
  return System{Separable{Vn(V4(1.0, 1.0, 3.0, 3.0)),
                          [](const auto& q) { return 9.81 * (q[1] + 3.0 * q[3]); }},
                rods};
}
const System fixed{
    Separable{V4(1.0, 1.0, 3.0, 3.0), [](const auto& q) { return 9.81 * (q[1] + 3.0 * q[3]); }},
    Holonomic{two_rods}};

const V4 on(0.6, -0.8, 1.2, 0.0);
const V4 along(0.8, 0.6, 0.8 - 0.8 * 0.5, 0.6 + 0.6 * 0.5);

TEST(RunTimeCount, IsDynamicInTypeAndANumberAtAPoint) {
  const auto system = system_with(Holonomic{Rods{2}});
  using S = std::decay_t<decltype(system)>;
  static_assert(S::constraints<V4>() == Dynamic && S::constraints<Vn>() == Dynamic);
  static_assert(may_constrain<Dynamic> && may_constrain<1> && !may_constrain<0>);
  EXPECT_EQ(constraint_count(system, on), 2);
  EXPECT_EQ(constraint_count(system, Vn(on)), 2);
  EXPECT_EQ(constraint_count(fixed, on), 2);
  EXPECT_FALSE(declared_constraint_count(system).has_value());
  EXPECT_EQ(declared_constraint_count(system_with(Holonomic{Rods{1}, 1})), 1);
}

/// φ, G and the Hessian of ⟨λ, φ⟩, for points of static and of dynamic size.
template <class Q> void expect_derivatives_of_static_count() {
  const Holonomic run_time{Rods{2}};
  const Holonomic compile_time{two_rods};
  const Vn lambda = V2(0.3, -1.1);
  constexpr int n = dof<Q>;
  Vn phi;
  Matrix<double, Dynamic, n> g;
  TangentMap<Q> h(4, 4);
  run_time.hessian(0.0, Q(on + along), lambda, phi, g, h);
  V2 phi_static;
  Matrix<double, 2, 4> g_static;
  Matrix<double, 4> h_static;
  compile_time.hessian(0.0, V4(on + along), V2(lambda), phi_static, g_static, h_static);
  EXPECT_EQ(phi, phi_static);
  EXPECT_EQ(g, g_static);
  EXPECT_EQ(h, h_static);
  EXPECT_GT(phi.norm() * h.norm(), 0.1);
  run_time.jacobian(0.0, Q(on), phi, g);
  compile_time.jacobian(0.0, on, phi_static, g_static);
  EXPECT_EQ(phi, phi_static);
  EXPECT_EQ(g, g_static);
}
TEST(RunTimeCount, HasTheDerivativesOfTheStaticCount) {
  expect_derivatives_of_static_count<V4>();
  expect_derivatives_of_static_count<Vn>();
}

TEST(RunTimeCount, StartsAsTheStaticCount) {
  const auto [q, v] = project(fixed, V4(on * 1.1), V4(along + on * 0.2));
  const auto s = initial(fixed, q, v, 0.5);
  const auto system = system_with(Holonomic{Rods{2}});
  const auto [rq, rv] = project(system, V4(on * 1.1), V4(along + on * 0.2));
  const auto r = initial(system, rq, rv, 0.5);
  EXPECT_EQ(rq, q);
  EXPECT_EQ(rv, v);
  EXPECT_EQ(r.lambda.size(), 2);
  EXPECT_EQ(r.lambda, s.lambda);
  EXPECT_GT(s.lambda.cwiseAbs().minCoeff(), 0.1);
  const auto heavy = dynamic_mass(Holonomic{Rods{2}});
  const auto d = initial(heavy, Vn(q), Vn(v), 0.5);
  EXPECT_LE((d.lambda - s.lambda).norm(), 1e-13);
  EXPECT_EQ(acceleration(heavy, 0.5, Vn(q), Vn(v)).lambda, d.lambda);
  EXPECT_LE(constraint_defect(system, r).position + constraint_defect(system, r).velocity, 1e-14);
}

TEST(RunTimeCount, ZeroIsNoConstraint) {
  const auto free = System{
      Separable{V4(1.0, 1.0, 3.0, 3.0), [](const auto& q) { return 9.81 * (q[1] + 3.0 * q[3]); }}};
  for (const auto& rods : {Holonomic{Rods{0}}, Holonomic{Rods{0}, 0}}) {
    const auto system = system_with(rods);
    const V4 q = on * 1.3;  // nowhere near the rods
    const auto [pq, pv] = project(system, q, along);
    EXPECT_EQ(pq, q);
    EXPECT_EQ(pv, along);
    const auto s = initial(system, q, along);
    EXPECT_EQ(s.lambda.size(), 0);
    EXPECT_EQ(s.p, initial(free, q, along).p);
    EXPECT_EQ(acceleration(system, 0.0, q, along).a, acceleration(free, 0.0, q, along).a);
    EXPECT_EQ(constraint_defect(system, s).position, 0.0);
    EXPECT_EQ(initial(dynamic_mass(rods), Vn(q), Vn(along)).lambda.size(), 0);
  }
}

TEST(RunTimeCount, WrongCountsAreRefused) {
  expect_words(refusal([] { Holonomic(Rods{1}, -1); }), {"negative", "-1"});
  expect_words(refusal([] {
                 initial(system_with(Holonomic{Rods{1}, 2}), on, along);
               }),
               {"returns 1", "2 constraints were declared"});
  expect_words(refusal([] {
                 initial(System{Separable{1.0, [](const auto& q) { return q[0]; }},
                                Holonomic{[](const auto& q) { return q[0]; }, 3}},
                         V2(0.0, 1.0), V2(0.0, 1.0));
               }),
               {"returns 1", "3 constraints were declared"});
  // a start may satisfy more constraints than can be independent; a flow leaves them out when asked
  const auto five = system_with(Holonomic{Rods{5}});
  const auto start = initial(five, on, along);
  expect_words(refusal([&] { Flow(lobatto(2), five).memory(start); }),
               {"5 constraints", "4 degrees"});
  // the start of a run-time count is held to the manifold as that of a static one
  const auto system = system_with(Holonomic{Rods{2}});
  expect_words(refusal([&] { initial(system, V4(on * 1.1), along); }), {"off the constraint"});
  expect_words(refusal([&] { initial(system, on, on); }), {"velocity leaves"});
}

TEST(RunTimeCount, MustNotChangeAlongAMotion) {
  const Holonomic changing{[](const auto& q) {
    using S = typename std::decay_t<decltype(q)>::Scalar;
    return Vector<S, Dynamic>(Vector<S, Dynamic>::Constant(value_of(q[0]) > 0.5 ? 2 : 1, q[0]));
  }};
  Vn phi;
  Matrix<double, Dynamic, 2> g;
  Matrix<double, 2> h;
  changing.hessian(0.0, V2(0.0, 0.0), Vn(Vn::Ones(1)), phi, g, h);
  expect_words(refusal([&] { changing.hessian(0.0, V2(1.0, 0.0), Vn(Vn::Ones(1)), phi, g, h); }),
               {"2 values", "1 are expected", "must not change"});
  expect_words(
      refusal([&] { detail::constraint_jacobian(changing, 0.0, V2(1.0, 0.0), 1, phi, g); }),
      {"2 values", "1 are expected"});
}

}  // namespace
}  // namespace varia::constraint_count_test
