// SPDX-License-Identifier: BSD-3-Clause
// The graph: one node per expression, and simplification that does not change values.
#include "varia/expr/graph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "random_expression.hpp"
#include "refusal.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/tape.hpp"
#include "varia/expr/tape_scalar.hpp"

namespace varia::expr::graph_test {
namespace {

struct GraphTest : testing::Test {
  Graph g;
  Id x = g.variable(0), y = g.variable(1), z = g.variable(2);
  Id zero = g.constant(0.0), one = g.constant(1.0), two = g.constant(2.0), three = g.constant(3.0);

  double value(Id f, std::vector<double> at) {
    const Tape tape(g, {f}, 3);
    std::vector<double> work(tape.instructions().size());
    double result = 0;
    tape.evaluate(at.data(), &result, work.data());
    return result;
  }
};

TEST_F(GraphTest, EqualExpressionsAreOneNode) {
  EXPECT_EQ(g.variable(0), x);
  EXPECT_EQ(g.constant(2.0), two);
  EXPECT_EQ(g.add(x, y), g.add(y, x));
  EXPECT_EQ(g.mul(x, y), g.mul(y, x));
  EXPECT_EQ(g.make(Op::sin, g.add(x, y)), g.make(Op::sin, g.add(y, x)));
  EXPECT_NE(g.make(Op::atan2, x, y), g.make(Op::atan2, y, x));
  EXPECT_NE(g.div(x, y), g.div(y, x));
  EXPECT_NE(g.make(Op::sin, x), g.make(Op::cos, x));
  EXPECT_EQ(g.constant(-0.0), g.constant(0.0));
  for (int k = 0; k < 5000; ++k) g.add(g.variable(k), g.constant(k + 0.5));  // the table grows
  const std::size_t size = g.size();
  for (int k = 0; k < 5000; ++k) g.add(g.variable(k), g.constant(k + 0.5));
  EXPECT_EQ(g.size(), size);
}

TEST_F(GraphTest, NeutralAndOppositeElements) {
  EXPECT_EQ(g.add(x, zero), x);
  EXPECT_EQ(g.sub(x, zero), x);
  EXPECT_EQ(g.sub(zero, x), g.neg(x));
  EXPECT_EQ(g.sub(x, x), zero);
  EXPECT_EQ(g.add(x, g.neg(x)), zero);
  EXPECT_EQ(g.mul(x, one), x);
  EXPECT_EQ(g.mul(zero, x), zero);
  EXPECT_EQ(g.div(x, one), x);
  EXPECT_EQ(g.div(x, x), one);
  EXPECT_EQ(g.div(zero, x), zero);
  EXPECT_EQ(g.neg(g.neg(x)), x);
  EXPECT_EQ(g.mul(g.neg(x), g.neg(y)), g.mul(x, y));
  EXPECT_EQ(g.mul(g.neg(x), y), g.neg(g.mul(x, y)));
  EXPECT_EQ(g.sub(x, g.neg(y)), g.add(x, y));
  EXPECT_EQ(g.add(g.neg(x), y), g.sub(y, x));
  EXPECT_EQ(g.make(Op::cos, g.neg(x)), g.make(Op::cos, x));
  EXPECT_EQ(g.make(Op::sin, g.neg(x)), g.neg(g.make(Op::sin, x)));
}

TEST_F(GraphTest, ConstantsAreCollected) {
  EXPECT_EQ(g.mul(two, g.mul(three, x)), g.mul(g.constant(6.0), x));
  EXPECT_EQ(g.add(g.add(x, two), three), g.add(x, g.constant(5.0)));
  EXPECT_EQ(g.add(x, x), g.mul(two, x));
  EXPECT_EQ(g.sub(g.mul(three, x), g.mul(two, x)), x);
  EXPECT_EQ(g.mul(g.mul(two, x), g.mul(three, x)), g.mul(g.constant(6.0), g.mul(x, x)));
  EXPECT_EQ(g.div(g.mul(two, x), g.constant(4.0)), g.mul(g.constant(0.5), x));
  EXPECT_EQ(g.mul(two, g.div(three, x)), g.div(g.constant(6.0), x));
  EXPECT_EQ(g.sub(one, g.sub(two, x)), g.sub(x, one));
}

TEST_F(GraphTest, PowersOfOneBaseMerge) {
  const auto pow = [&](Id a, double c) { return g.make(Op::pow, a, g.constant(c)); };
  const Id root = g.make(Op::sqrt, x);
  EXPECT_EQ(pow(x, 2), g.mul(x, x));
  EXPECT_EQ(pow(x, 0), one);
  EXPECT_EQ(pow(x, 1), x);
  EXPECT_EQ(g.mul(pow(x, 2), pow(x, 3)), pow(x, 5));
  EXPECT_EQ(g.div(pow(x, 5), pow(x, 3)), pow(x, 2));
  EXPECT_EQ(pow(x, 0.5), root);
  EXPECT_EQ(g.mul(root, root), x);
  EXPECT_EQ(g.mul(root, x), pow(x, 1.5));
  EXPECT_EQ(g.div(one, g.mul(x, root)), pow(x, -1.5));
  EXPECT_EQ(g.mul(g.mul(y, x), x), g.mul(y, g.mul(x, x)));
  EXPECT_NE(g.make(Op::sqrt, g.mul(x, x)), x) << "the root of a square is no identity";
  EXPECT_EQ(pow(g.mul(two, x), 3), g.mul(g.constant(8.0), pow(x, 3)));
  EXPECT_EQ(pow(g.neg(x), 3), g.neg(pow(x, 3)));
  EXPECT_EQ(g[pow(x, 33)].op, Op::pow);
  EXPECT_NEAR(value(pow(x, -3.5), {1.7, 0, 0}), std::pow(1.7, -3.5), 1e-15);
  EXPECT_NEAR(value(pow(x, 32), {1.1, 0, 0}), std::pow(1.1, 32), 1e-13);
}

TEST_F(GraphTest, PowersOfScaledBasesKeepTheirValue) {
  for (const Id base :
       {g.mul(two, x), g.neg(g.sub(x, g.constant(9.0))), g.mul(x, x), g.add(x, y)}) {
    for (int first = -5; first <= 5; ++first) {
      for (int second = -5; second <= 5; ++second) {
        if (first == 0 || second == 0) continue;
        const Id p = g.make(Op::pow, base, g.constant(0.5 * first));
        const Id q = g.make(Op::pow, base, g.constant(0.5 * second));
        const double u = value(base, {1.3, 0.4, 0});
        EXPECT_NEAR(value(g.mul(p, q), {1.3, 0.4, 0}) / std::pow(u, 0.5 * (first + second)), 1.0,
                    1e-13);
        EXPECT_NEAR(value(g.div(p, q), {1.3, 0.4, 0}) / std::pow(u, 0.5 * (first - second)), 1.0,
                    1e-13);
      }
    }
  }
}

TEST_F(GraphTest, WhatIsNoNumberIsNotFolded) {
  for (const Id f : {g.div(one, zero), g.make(Op::sqrt, g.constant(-1.0)), g.make(Op::log, zero),
                     g.make(Op::pow, zero, g.constant(-1.0)), g.make(Op::exp, g.constant(1000.0)),
                     g.mul(g.constant(1e200), g.constant(1e200)),
                     g.sub(g.constant(1e308), g.constant(-1e308)), g.div(x, zero)}) {
    EXPECT_FALSE(g.is_constant(f));
    EXPECT_FALSE(std::isfinite(value(f, {1, 1, 1})));
  }
  // no intermediate overflow or underflow that the text does not have
  const Id tiny = g.constant(1e-200);
  EXPECT_DOUBLE_EQ(value(g.mul(tiny, g.mul(tiny, g.mul(x, x))), {1e150, 0, 0}), 1e-100);
  refusal([&] { g.constant(std::numeric_limits<double>::quiet_NaN()); });
  refusal([&] { g.constant(std::numeric_limits<double>::infinity()); });
  refusal([&] { g.variable(-1); });
}

/// Every node is its own simplest form.
TEST_F(GraphTest, NodesAreFixedPointsOfTheRules) {
  RandomExpression random(g, 11);
  for (int k = 0; k < 200; ++k) {
    const Id f = random(25);
    hessian(g, gradient(g, f, {0, 1, 2}), {0, 1, 2});
  }
  for (Id id = 0; id < g.size(); ++id) {
    const Node n = g[id];
    if (operands(n.op) == 0) continue;
    ASSERT_LT(n.a, id);
    ASSERT_LT(n.b, id);
    EXPECT_EQ(operands(n.op) == 1 ? g.make(n.op, n.a) : g.make(n.op, n.a, n.b), id) << id;
  }
}

/// Simplified or not, the value is the same: each random operation against its definition.
TEST_F(GraphTest, SimplificationKeepsValues) {
  std::mt19937 random(5);
  const std::vector<double> at{0.7, 1.3, 0.4};
  std::vector<Id> pool{x, y, z, one, two, g.constant(-3.0), g.constant(0.5)};
  std::vector<double> values{at[0], at[1], at[2], 1.0, 2.0, -3.0, 0.5};
  const std::vector<Op> ops{Op::add, Op::sub,  Op::mul, Op::div,
                            Op::neg, Op::sqrt, Op::mul, Op::div};
  while (pool.size() < 20000) {
    const std::size_t a = random() % pool.size();
    const std::size_t b = random() % pool.size();
    const Op op = ops[random() % ops.size()];
    const double v = operands(op) == 1 ? detail::apply_unary(op, values[a])
                                       : detail::apply_binary(op, values[a], values[b]);
    if (!std::isfinite(v) || std::abs(v) > 1e6 || std::abs(v) < 1e-3) continue;
    pool.push_back(operands(op) == 1 ? g.make(op, pool[a]) : g.make(op, pool[a], pool[b]));
    values.push_back(v);
  }
  const Tape tape(g, pool, 3);
  std::vector<double> work(tape.instructions().size()), out(pool.size());
  tape.evaluate(at.data(), out.data(), work.data());
  int close = 0;
  for (std::size_t k = 0; k < pool.size(); ++k)
    if (std::abs(out[k] - values[k]) <= 1e-9 * std::abs(values[k])) ++close;
  EXPECT_GE(close, static_cast<int>(pool.size()) - 20) << "cancellation explains a few, not more";
}

TEST_F(GraphTest, GrowthIsLimited) {
  const std::string text = refusal([&] {
    for (int k = 0; k < 5'000'000; ++k) g.variable(k);
  });
  expect_words(text, {"4000000", "operations"});
}

}  // namespace
}  // namespace varia::expr::graph_test
