// SPDX-License-Identifier: BSD-3-Clause
// Formulas: they read back to the same expression, with few parentheses.
#include "varia/expr/print.hpp"

#include <gtest/gtest.h>

#include "random_expression.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/parse.hpp"

namespace varia::expr::print_test {
namespace {

const std::vector<std::string> names{"x", "y", "z"};

struct PrintTest : testing::Test {
  Graph g;
  Scope scope;
  PrintTest() {
    for (int k = 0; k < 3; ++k) scope.add(names[static_cast<std::size_t>(k)], g.variable(k));
  }
  std::string again(const std::string& text) { return to_text(g, parse(g, scope, text), names); }
};

TEST_F(PrintTest, ReadsBackToTheSameNode) {
  RandomExpression random(g, 21);
  for (int k = 0; k < 500; ++k) {
    const Id f = random(12);
    const std::string text = to_text(g, f, names);
    if (text.size() > 100000) continue;
    EXPECT_EQ(parse(g, scope, text), f) << text;
  }
}

TEST_F(PrintTest, DerivativesReadBackToo) {
  RandomExpression random(g, 22);
  int checked = 0;
  for (int k = 0; k < 300; ++k) {
    const std::vector<Id> df = gradient(g, random(6), {0, 1, 2});
    std::vector<Id> all = df;
    for (const Entry& e : hessian(g, df, {0, 1, 2})) all.push_back(e.value);
    for (const Id f : all) {
      const std::string text = to_text(g, f, names);
      if (text.size() > 20000) continue;
      ++checked;
      EXPECT_EQ(parse(g, scope, text), f) << text;
    }
  }
  EXPECT_GT(checked, 500);
}

/// Every node whatever the rules made of it, products of powers of scaled bases among them.
TEST_F(PrintTest, EveryNodeOfARandomGraphReadsBack) {
  std::mt19937 random(6);
  std::vector<Id> pool{g.variable(0), g.variable(1), g.constant(2), g.constant(-3),
                       g.constant(0.5)};
  const std::vector<Op> ops{Op::add, Op::sub,  Op::mul, Op::div,
                            Op::neg, Op::sqrt, Op::pow, Op::mul};
  for (int k = 0; k < 3000; ++k) {
    const Op op = ops[random() % ops.size()];
    const Id a = pool[random() % pool.size()];
    const Id b = pool[random() % (op == Op::pow ? 5 : pool.size())];
    const Id f = operands(op) == 1 ? g.make(op, a) : g.make(op, a, b);
    if (to_text(g, f, names).size() < 300) pool.push_back(f);
  }
  for (const Id f : pool) {
    const std::string text = to_text(g, f, names);
    EXPECT_EQ(parse(g, scope, text), f) << text;
  }
}

TEST_F(PrintTest, ParenthesesOnlyWhereNeeded) {
  const std::vector<std::pair<std::string, std::string>> table{{"((x)) + ((y*(z)))", "x + y*z"},
                                                               {"(x + y)*z", "(x + y)*z"},
                                                               {"(x - y) - z", "x - y - z"},
                                                               {"x - (y + z)", "x - (y + z)"},
                                                               {"x^(y^z)", "x^(y^z)"},
                                                               {"(x + y)^2", "(x + y)^2"},
                                                               {"-(x^2)", "-x^2"},
                                                               {"x*x*x", "x^3"},
                                                               {"x^(-2)", "1/x^2"},
                                                               {"(x + z)^(-1/2)", "1/sqrt(x + z)"},
                                                               {"z^1.5", "sqrt(z)^3"},
                                                               {"x + (-3)", "x - 3"},
                                                               {"-(y*z)", "-y*z"},
                                                               {"2*y/z", "2*y/z"},
                                                               {"x^-1.7", "x^(-1.7)"},
                                                               {"sin((x))", "sin(x)"}};
  for (const auto& [text, expected] : table) EXPECT_EQ(again(text), expected) << text;
}

TEST_F(PrintTest, LongTextsAreShortened) {
  Id f = g.variable(0);
  for (int k = 0; k < 60; ++k) f = g.add(g.make(Op::sin, f), g.make(Op::cos, f));  // 2^60 leaves
  const std::string text = to_text(g, f, names, 80);
  EXPECT_EQ(text.size(), 80u);
  EXPECT_EQ(text.substr(77), "...");
  EXPECT_EQ(to_text(g, g.variable(9), names), "x9");
}

TEST_F(PrintTest, NumbersKeepTheirBits) {
  for (const double c : {0.1, 1.0 / 3.0, 1e-300, 6.02214076e23, -2.5, 1e300}) {
    const Id f = g.mul(g.constant(c), g.variable(0));
    EXPECT_EQ(parse(g, scope, to_text(g, f, names)), f);
  }
}

}  // namespace
}  // namespace varia::expr::print_test
