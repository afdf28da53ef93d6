// SPDX-License-Identifier: BSD-3-Clause
// Constraints whose number is known at run time: the flows of static counts, the laws, and none at
// all when the number is 0. The checks take any type of flow.
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "varia/varia.hpp"

namespace varia::runtime_count_test {
namespace {

using V3 = Vector<double, 3>;
/// |q| = 1, or nothing.
struct Sphere {
  int count;
  template <class Q> auto operator()(const Q& q) const {
    using S = typename Q::Scalar;
    return Vector<S, Dynamic>(Vector<S, Dynamic>::Constant(count, q.dot(q) - 1.0));
  }
};
constexpr auto weight = [](const auto& q) { return q[2] + 0.3 * q[2] * q[2]; };
constexpr auto turn = [](const auto& q) {
  using S = std::decay_t<decltype(q[0])>;
  return Vector<S, 3>(-q[1], q[0], S(0.0));
};
auto pendulum(int count) {
  return System{Separable{1.0, weight}, Holonomic{Sphere{count}, count},
                Symmetry{"vertical", turn}};
}

const System fixed_pendulum{Separable{1.0, weight},
                            Holonomic{[](const auto& q) { return q.dot(q) - 1.0; }}};
const V3 q0(0.6, 0.0, -0.8);
const V3 v0(0.4, 0.7, 0.3);
constexpr double step = 0.1;

/// A flow that is not a Flow<S>: what the checks ask for, and nothing else.
template <class S> struct Foreign {
  Flow<S> flow;
  double damping = 0.0;
  const Method& method() const { return flow.method(); }
  const S& system() const { return flow.system(); }
  const FlowOptions& options() const { return flow.options(); }
  Foreign with_method(const Method& method) const { return {flow.with_method(method), damping}; }
  auto operator()(const auto& s, double h) const {
    auto next = flow(s, h);
    next.p *= 1.0 - damping;
    return next;
  }
  auto memory(const auto& s) const { return flow.memory(s); }
  auto step(const auto& s, double h, auto& memory) const { return flow.step(s, h, memory); }
};

TEST(RunTimeCount, StepsAsTheStaticCount) {
  const auto system = pendulum(1);
  for (const Method& method : {lobatto(3), verlet(), midpoint()}) {
    const auto fixed =
        advance(Flow(method, fixed_pendulum), initial(fixed_pendulum, q0, v0), step, 20);
    const auto counted = advance(Flow(method, system), initial(system, q0, v0), step, 20);
    const auto sized = advance(Flow(method, system), initial(system, Vn(q0), Vn(v0)), step, 20);
    EXPECT_LT((counted.q - fixed.q).norm() + (counted.p - fixed.p).norm(), 1e-14) << method.name();
    EXPECT_LT((sized.q - fixed.q).norm() + (sized.p - fixed.p).norm(), 1e-14) << method.name();
    ASSERT_EQ(counted.lambda.size(), 1);
    EXPECT_NEAR(counted.lambda[0], fixed.lambda[0], 1e-13) << method.name();
    EXPECT_NEAR(sized.lambda[0], fixed.lambda[0], 1e-13) << method.name();
  }
}

TEST(RunTimeCount, ChecksTakeAnyFlow) {
  const auto system = pendulum(1);
  const auto start = initial(system, Vn(q0), Vn(v0));
  using F = Foreign<std::decay_t<decltype(system)>>;
  const F flow{Flow(lobatto(3), system)};
  const OrderReport order = check_order(flow, start, 5.0);
  EXPECT_EQ(order.declared, 4);
  EXPECT_NEAR(order.measured, 4.0, 0.1);
  EXPECT_LT(check_symplectic(flow, start, step).defect, 1e-12);
  EXPECT_TRUE(check_noether(flow, start, step, 50).passes());
  EXPECT_TRUE(check_reversible(flow, start, step, 10).passes());
  EXPECT_TRUE(check_constraints(flow, start, step, 50).passes(1e-13));
  EXPECT_TRUE(check_action(flow, start, step).passes());
  EXPECT_TRUE(check_action(F{Flow(triple_jump(verlet()), system)}, start, step).passes());
  EXPECT_NEAR(check_action_order(flow, start, 0.6).measured, 4.0, 0.15);
  // and see what is wrong
  const F skew{Flow(trapezoid(0.3), system)};
  EXPECT_FALSE(check_reversible(skew, start, step, 10).passes());
  EXPECT_NEAR(check_order(skew, start, 5.0).measured, 1.0, 0.1);
  EXPECT_GT(check_symplectic(F{Flow(lobatto(3), system), 1e-9}, start, step).defect, 1e-11);
}

TEST(RunTimeCount, ZeroIsUnconstrainedToTheBit) {
  const System free{Separable{1.0, weight}};
  const auto none = pendulum(0);
  const Vn q = V3(0.3, 0.4, 0.5);  // not on the sphere
  const Vn v = V3(0.1, -0.2, 0.7);
  for (const Method& method : {gauss(2), verlet(), lobatto(3), triple_jump(verlet())}) {
    const Flow a(method, free);
    const Flow b(method, none);
    EXPECT_EQ(b.is_explicit<Vn>(), a.is_explicit<Vn>()) << method.name();
    const auto x = advance(a, initial(free, q, v), 0.1, 20);
    const auto y = advance(b, initial(none, q, v), 0.1, 20);
    EXPECT_EQ(x.q, y.q) << method.name();
    EXPECT_EQ(x.p, y.p) << method.name();
    EXPECT_EQ(x.q_rest, y.q_rest) << method.name();
    EXPECT_EQ(y.lambda.size(), 0);
  }
  const auto start = initial(none, q, v);
  const Flow flow(gauss(2), none);
  EXPECT_LT(check_symplectic(flow, start, 0.1).defect, 1e-12);
  EXPECT_TRUE(check_action(flow, start, 0.1).passes());
  EXPECT_EQ(reference_state(none, start, 1.0).q, reference_state(flow, start, 1.0).q);
  expect_words(refusal([&] { check_constraints(flow, start, 0.1, 1); }), {"no constraints"});
}

TEST(RunTimeCount, UnsuitedMethodsAndStatesAreRefused) {
  const auto system = pendulum(1);
  expect_words(refusal([&] { Flow(gauss(2), system); }),
               {"gauss(2)", "order drops from 4 to 2", "lobatto"});
  expect_words(refusal([&] { Flow(parse_method("rk4"), system); }), {"rk4", "not variational"});
  // a count that nobody declared might be any
  const System undeclared{Separable{1.0, weight}, Holonomic{Sphere{0}}};
  EXPECT_THROW(Flow(gauss(2), undeclared), InvalidArgument);
  const Vn q = V3(1.0, 0.0, 0.0);
  const Vn p = V3(0.0, 1.0, 0.0);
  const Flow flow(lobatto(2), system);
  expect_words(refusal([&] { flow(make_state<Dynamic>(q, p), 0.1); }),
               {"0 multipliers", "1 constraints", "initial"});
  expect_words(refusal([&] { flow(make_state<Dynamic>(q, p, 0.0, 2), 0.1); }), {"2 multipliers"});
  EXPECT_NO_THROW(flow(make_state<Dynamic>(q, p, 0.0, 1), 0.1));
  EXPECT_NO_THROW(advance(Flow(lobatto(2), undeclared), make_state<Dynamic>(q, p), 0.1, 2));
  expect_words(refusal([&] { make_state<1>(q, p, 0.0, 2); }), {"2 multipliers"});
  const Vn off = 1.01 * q;
  expect_words(refusal([&] { flow(make_state<Dynamic>(off, p, 0.0, 1), 0.1); }), {"off the const"});
}

/// SHAKE from a discrete Lagrangian of one's own.
TEST(RunTimeCount, DiscreteLagrangiansTakeIt) {
  const auto ld = [](const auto& a, const auto& b, double h) {
    const auto v = ((b - a) / h).eval();
    return h * (0.5 * v.dot(v) - 0.5 * (a[2] + b[2]));
  };
  const DiscreteFlow fixed(ld, Holonomic{[](const auto& q) { return q.dot(q) - 1.0; }});
  const DiscreteFlow counted(ld, Holonomic{Sphere{1}});
  const V3 q(0.6, 0.0, -0.8);
  const V3 p(0.4, 0.5, 0.3);
  const auto a = advance(fixed, make_state<1>(q, p), 0.05, 20);
  const auto b = advance(counted, make_state<Dynamic>(q, p, 0.0, 1), 0.05, 20);
  EXPECT_LT((a.q - b.q).norm() + (a.p - b.p).norm(), 1e-13);
  EXPECT_NEAR(a.lambda[0], b.lambda[0], 1e-12);
  EXPECT_THROW(advance(counted, make_state<Dynamic>(q, p), 0.05, 1), InvalidArgument);
  const auto free = advance(DiscreteFlow(ld), make_state(q, p), 0.05, 20);
  const DiscreteFlow none(ld, Holonomic{Sphere{0}});
  EXPECT_LT((advance(none, make_state<Dynamic>(q, p), 0.05, 20).q - free.q).norm(), 1e-14);
}

}  // namespace
}  // namespace varia::runtime_count_test
