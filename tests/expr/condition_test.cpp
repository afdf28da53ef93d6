// SPDX-License-Identifier: BSD-3-Clause
// Conditions and branches: what is read, what it is worth, and that the branch that is not taken does not
// count, in values, derivatives, jets, series and native code.
#include <gtest/gtest.h>

#include <cmath>

#include "native_fixture.hpp"
#include "text_fixture.hpp"
#include "varia/ad/jet2.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/parse.hpp"
#include "varia/expr/print.hpp"
#include "varia/expr/tape_scalar.hpp"
#include "varia/expr/tape_series.hpp"

namespace varia::expr::condition_test {
namespace {

const std::vector<std::string> variable_names{"x", "y"};

struct ConditionTest : Sandbox, Texts {
  Id x = g.variable(0), y = g.variable(1);

  ConditionTest() {
    scope.add("x", x);
    scope.add("y", y);
    scope.add("mu", g.constant(3.5));
    scope.add_array("q", 1, {x, y});
  }
  double value(Id f, double at_x, double at_y = 0.0) const {
    const Tape tape(g, {f}, 2);
    std::vector<double> work(tape.instructions().size());
    const double at[] = {at_x, at_y};
    double result = 0.0;
    tape.evaluate(at, &result, work.data());
    return result;
  }
  double value(const std::string& text, double at_x, double at_y = 0.0) {
    return value((*this)(text), at_x, at_y);
  }
};

TEST_F(ConditionTest, Comparisons) {
  const std::vector<std::pair<std::string, std::vector<double>>> table{
      {"x < y", {1, 0, 0}},  {"x <= y", {1, 1, 0}}, {"x > y", {0, 0, 1}},
      {"x >= y", {0, 1, 1}}, {"x == y", {0, 1, 0}}, {"x != y", {1, 0, 1}}};
  for (const auto& [text, expected] : table) {
    const Id f = (*this)("if(" + text + ", 1, 0)");
    const Id opposite = (*this)("if(not " + text + ", 1, 0)");
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(value(f, k, 1.0), expected[static_cast<std::size_t>(k)]) << text << " at " << k;
      EXPECT_EQ(value(opposite, k, 1.0), 1.0 - expected[static_cast<std::size_t>(k)]) << text;
    }
    EXPECT_TRUE(std::isnan(value(f, std::nan(""), 1.0)))
        << text << ": what is no number has no order";
  }
}

TEST_F(ConditionTest, AndOrNot) {
  for (const double a : {-1.0, 1.0})
    for (const double b : {-1.0, 1.0}) {
      const bool p = a > 0, q = b > 0;
      EXPECT_EQ(value("if(x > 0 and y > 0, 1, 0)", a, b), p && q);
      EXPECT_EQ(value("if(x > 0 or y > 0, 1, 0)", a, b), p || q);
      EXPECT_EQ(value("if(not (x > 0 or y > 0), 1, 0)", a, b), !(p || q));
      EXPECT_EQ(value("if(not x > 0 or y > 0, 1, 0)", a, b), !p || q);
      EXPECT_EQ(value("if(x > 0 or y > 0 and x < 0, 1, 0)", a, b), p || (q && !p)) << "and first";
      EXPECT_EQ(value("if((x > 0 or y > 0) and x < 0, 1, 0)", a, b), (p || q) && !p);
      EXPECT_EQ(value("if((x + 1)*2 > 2 and (y > 0), 1, 0)", a, b), p && q);
    }
  // the second condition does not count where the first decides
  EXPECT_EQ(value("if(x > 0 and log(x) > 1, 1, 2)", -1.0), 2.0);
  EXPECT_EQ(value("if(x <= 0 or log(x) < 1, 1, 2)", -1.0), 1.0);
}

TEST_F(ConditionTest, OfNumbersAreFolded) {
  EXPECT_EQ((*this)("if(1 < 2, x, y)"), x);
  EXPECT_EQ((*this)("if(mu > 4, x, y)"), y);
  EXPECT_EQ((*this)("if(mu > 3 and not (mu == 4), x, 1/0)"), x);
  EXPECT_EQ((*this)("if(x <= x, x, y)"), x);
  EXPECT_EQ((*this)("if(x < 1, y, y)"), y);
  EXPECT_EQ((*this)("if(x < 1, 0, 0)"), g.constant(0));
  EXPECT_EQ((*this)("if(x < 1, 2, 3)"), (*this)("if(not (x < 1), 3, 2)"));
}

TEST_F(ConditionTest, DefinitionsMayBeConditions) {
  let("inside", "x > 0 and x < 1");
  let("above(s)", "s > y");
  let("both", "inside and above(x)");
  EXPECT_EQ((*this)("if(inside, x, y)"), (*this)("if(x > 0 and x < 1, x, y)"));
  EXPECT_EQ((*this)("if(not above(2*x) or both, x, y)"),
            (*this)("if(not 2*x > y or ((x > 0 and x < 1) and x > y), x, y)"));
  EXPECT_NO_THROW(check_definitions(g, scope));
  expect_words(error("1 + inside").what(), {"inside", "true or false", "if("});
  EXPECT_EQ((*this)("sum(i, 1, 0, if(inside, i, 1))"), g.constant(0));
}

TEST_F(ConditionTest, AConditionIsNoNumber) {
  const auto at = [&](const std::string& text, int column,
                      std::initializer_list<const char*> words) {
    const ParseError e = error(text);
    EXPECT_EQ(e.column, column) << text << "\n" << e.what();
    expect_words(e.message, words);
  };
  const auto no_number = {"a condition is true or false, not a number", "if(c, a, b)"};
  at("x < y", 3, no_number);
  at("2*(x < y)", 6, no_number);
  at("-(x < y)", 5, no_number);
  at("(x < y)^2", 4, no_number);
  at("sin(x == y)", 7, no_number);
  at("if(x < y, x < 1, 2)", 13, no_number);
  at("q[x < y]", 5, no_number);
  at("x < (y < 1)", 8, no_number);
  at("x < y < 2", 7, {"a < b and b < c"});
  at("if(x, y, 1)", 4, {"condition", "x < 0", "expected"});
  at("if(x < 0 and y, 1, 2)", 14, {"condition"});
  at("if(x or y < 0, 1, 2)", 4, {"condition"});
  at("if(not x, 1, 2)", 8, {"condition"});
  at("if(x < 0, 1)", 12, {"if(condition, value, other value)"});
  at("if(x < 0, 1, 2, 3)", 15, {"3 arguments"});
  at("if(x = 0, 1, 2)", 6, {"equality", "=="});
  at("if(x < 0 && y < 0, 1, 2)", 10, {"write and"});
  at("if(x < 0 || y < 0, 1, 2)", 10, {"write or"});
  at("if(!x, 1, 2)", 4, {"write not"});
  at("and", 1, {"joins conditions"});
  at("x and y", 1, {"condition"});
  at("if", 1, {"function"});
  expect_words(refusal([&] { scope.add("and", x); }), {"'and'", "language"});
}

/// The other branch has no value, or an infinite derivative: it is as if it were not there.
TEST_F(ConditionTest, TheBranchNotTakenDoesNotCount) {
  const struct {
    const char *text, *there;  ///< and what it is at x = -2
  } rows[] = {{"if(x > 0, sqrt(x), 0)", "0"},
              {"if(x > 0, sqrt(x), x^3)", "x^3"},
              {"if(x <= 0, x^2*y, log(x)*y)", "x^2*y"},
              {"if(x > 0, 1/(x + 2), y*x^2)", "y*x^2"},
              {"if(x < 0, x^4, 0)*if(x > 0, sqrt(x), y)", "x^4*y"},
              {"sin(if(x > 0, x^1.5, if(x > -1, log(x), x*y^2)))", "sin(x*y^2)"},
              {"if(x > 0, sqrt(x), 0) + if(x > 1, 2*sqrt(x), x*y)", "x*y"},
              {"exp(if(x > 0, acos(3 + x), y))", "exp(y)"},
              {"if(x > 0 and sqrt(x) < 2, x, x^5)", "x^5"}};
  const std::vector<int> both{0, 1};
  for (const auto& row : rows) {
    const Id f = (*this)(row.text), there = (*this)(row.there);
    const auto expect_same = [&](Id a, Id b, const std::string& what) {
      const double expected = value(b, -2.0, 0.7);
      EXPECT_NEAR(value(a, -2.0, 0.7), expected, 4e-16 * (1 + std::abs(expected)))
          << what << " of " << row.text;
    };
    expect_same(f, there, "value");
    const auto first = gradient(g, f, both), first_there = gradient(g, there, both);
    const auto second = hessian(g, first, both);
    for (const int i : {0, 1}) {
      const auto at = static_cast<std::size_t>(i);
      expect_same(first[at], first_there[at], "slope");
      for (const int j : {0, 1}) {
        const Id twice = derivative(g, first_there[at], j);
        expect_same(derivative(g, first[at], j), twice, "second derivative");
        for (const Entry& e : second)
          if (e.row == i && e.column == j) expect_same(e.value, twice, "entry");
        for (const int k : {0, 1})
          expect_same(derivative(g, derivative(g, first[at], j), k), derivative(g, twice, k),
                      "third derivative");
      }
    }
    const auto forward = jacobian(g, {f}, both);
    for (const Entry& e : forward)
      expect_same(e.value, first_there[static_cast<std::size_t>(e.column)], "forward slope");
    // jets refuse sqrt(-2); the branch is not asked for
    const Tape tape(g, {f}, 2), plain(g, {there}, 2);
    const Jet2<2> in[] = {Jet2<2>::variable(-2.0, 0), Jet2<2>::variable(0.7, 1)};
    std::vector<Jet2<2>> work;
    Jet2<2> jet, expected;
    tape.evaluate_as(in, &jet, work);
    plain.evaluate_as(in, &expected, work);
    EXPECT_NEAR(jet.v, expected.v, 1e-15 * (1 + std::abs(expected.v))) << row.text;
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(jet.g[i], expected.g[i], 1e-14 * (1 + std::abs(expected.g[i]))) << row.text;
      for (int j = 0; j <= i; ++j)
        EXPECT_NEAR(jet.hess(i, j), expected.hess(i, j),
                    1e-14 * (1 + std::abs(expected.hess(i, j))))
            << row.text;
    }
    TapeSeries a(tape, 6), b(plain, 6);
    for (int k = 0; k <= 6; ++k) {
      const double at[] = {k == 0 ? -2.0 : 0.3 / k, k == 0 ? 0.7 : -0.2 / k};
      a.extend(k, at);
      b.extend(k, at);
      EXPECT_NEAR(a.coefficient(0, k), b.coefficient(0, k),
                  1e-14 * (1 + std::abs(b.coefficient(0, k))))
          << row.text;
    }
    const double at[] = {-2.0, 0.7};
    EXPECT_EQ(tape.non_finite(at, variable_names), "") << row.text;
  }
}

TEST_F(ConditionTest, WhatCountsIsNamedWhereItHasNoValue) {
  const auto why = [&](const std::string& text, double at_x) {
    const double at[] = {at_x, 0.0};
    return Tape(g, {(*this)(text)}, 2).non_finite(at, variable_names);
  };
  EXPECT_EQ(why("if(x > 0, log(x), sqrt(x - 1))", -3.0), "square root of -4 in sqrt(x - 1)");
  EXPECT_EQ(why("if(log(x) < 1, 1, 2)", -3.0), "logarithm of -3 in log(x)");
  EXPECT_EQ(why("mod(1, x)", 0.0), "mod by zero in mod(1, x)");
}

/// Both sides of a kink, derivatives against those of the pieces.
TEST_F(ConditionTest, DerivativesAreThoseOfThePieces) {
  const Id f = (*this)("if(x < 1, x^2*sin(y), exp(x)*y)");
  const Id pieces[] = {(*this)("x^2*sin(y)"), (*this)("exp(x)*y")};
  for (const double at : {0.3, 0.999, 1.0, 1.7}) {
    const Id piece = pieces[at < 1 ? 0 : 1];
    for (const int i : {0, 1})
      for (const int j : {0, 1})
        EXPECT_EQ(value(derivative(g, derivative(g, f, i), j), at, 0.4),
                  value(derivative(g, derivative(g, piece, i), j), at, 0.4));
  }
}

TEST_F(ConditionTest, FormulasReadBack) {
  for (const char* text :
       {"if(x < 1, y, 2)", "if(x <= 1, y, 0)", "if(x == y, 0, x)", "if(x != y, x, 3*y) + 1",
        "2*if(x > 1 and y < 2, x + y, -x)", "-if(x > 1, x, y)", "x - if(x > 1, x, y)^2",
        "if(x > 1 or y > 2 or x == 0, x, y)", "if(not (x > 1 and y < 2), x, y)",
        "if((x > 1 or y > 1) and not x > 3, x, y)", "if(if(x > 0, x, y) < 1, x, if(y > 0, 1, 2))",
        "floor(x) - mod(x, 2*y)", "erf(x - 1)^2", "smoothstep(0, 1, x)*smoothstep(1, 3, y)",
        "if(x < 1, y, 2)/if(y < 1, x, 3)"}) {
    const Id f = (*this)(text);
    EXPECT_EQ((*this)(to_text(g, f, variable_names)), f)
        << text << " is written " << to_text(g, f, variable_names);
    for (const int i : {0, 1}) {
      const Id d = derivative(g, f, i);
      EXPECT_EQ((*this)(to_text(g, d, variable_names)), d) << to_text(g, d, variable_names);
    }
  }
  EXPECT_EQ(to_text(g, (*this)("if(x > 0 and not (y == 1), x^2, y)"), variable_names),
            "if(0 < x and y != 1, x^2, y)");
}

TEST_F(ConditionTest, NativeCodeGivesTheSameBits) {
  const std::vector<std::string> texts{"if(x > 0, sqrt(x), 0)",
                                       "if(x <= y and not x == 0.5, x*y, x - y)",
                                       "floor(3*x)",
                                       "mod(x, 0.7)",
                                       "mod(x, y)",
                                       "smoothstep(-1, 1, x)",
                                       "if(x > 0 or y > 0, x, if(x < y, y, 2))",
                                       "ceil(x) + ceil(-x)"};
  std::vector<Id> f;
  for (const std::string& text : texts) {
    f.push_back((*this)(text));
    for (const int i : {0, 1}) f.push_back(derivative(g, (*this)(text), i));
  }
  f.push_back((*this)("erf(x)"));
  const Tape tape(g, f, 2);
  const auto module = NativeModule::compile({{"f", &tape}});
  std::vector<double> expected(f.size()), found(f.size()), work(tape.instructions().size());
  const std::vector<double> values{-2.0, -0.7, -0.0, 0.0, 0.35, 0.5, 0.7, 1.0, 1.4, std::nan("")};
  for (const double a : values)
    for (const double b : values) {
      const double at[] = {a, b};
      tape.evaluate(at, expected.data(), work.data());
      module->function("f")(at, found.data(), nullptr);
      for (std::size_t k = 0; k < f.size(); ++k)
        EXPECT_TRUE((std::isnan(expected[k]) && std::isnan(found[k])) || expected[k] == found[k])
            << to_text(g, f[k], variable_names) << " at " << a << ", " << b << ": " << expected[k]
            << ", " << found[k];
    }
}

/// Many branches on few variables each: neighbours in a chain.
TEST_F(ConditionTest, AChainOfBranchesHasAFewEntriesEach) {
  Graph graph;
  Scope chain;
  std::vector<Id> q;
  std::vector<int> all;
  constexpr int n = 60;
  for (int k = 0; k < n; ++k) {
    q.push_back(graph.variable(k));
    all.push_back(k);
  }
  chain.add_array("q", 1, q);
  const Id f = parse(graph, chain,
                     "sum(i, 1, 59, if(q[i+1] > q[i], (q[i+1] - q[i])^2, 3*(q[i+1] - q[i])^2)/2)");
  const auto slope = gradient(graph, f, all);
  const auto second = hessian(graph, slope, all);
  EXPECT_EQ(second.size(), static_cast<std::size_t>(2 * n - 1));
  std::vector<double> at(n), value(1);
  for (int k = 0; k < n; ++k) at[static_cast<std::size_t>(k)] = k % 3;
  for (const Entry& e : second) {
    const Tape tape(graph, {e.value}, n);
    std::vector<double> work(tape.instructions().size());
    tape.evaluate(at.data(), value.data(), work.data());
    const auto stiffness = [&](int k) { return k < 0 || k > n - 2 ? 0.0 : k % 3 < 2 ? 1.0 : 3.0; };
    const double expected =
        e.row == e.column ? stiffness(e.row) + stiffness(e.row - 1) : -stiffness(e.column);
    EXPECT_EQ(value[0], expected) << e.row << ", " << e.column;
  }
}

}  // namespace
}  // namespace varia::expr::condition_test
