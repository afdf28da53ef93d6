// SPDX-License-Identifier: BSD-3-Clause
// Splines: cubic polynomials exactly, smoothness, the edges; tables in expressions, all evaluations.
#include "varia/expr/table.hpp"

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

namespace varia::expr::table_test {
namespace {

double cubic(double x, int order) {
  switch (order) {
    case 0:
      return 2.0 - x * (1.5 - x * (0.75 + 0.5 * x));
    case 1:
      return -1.5 + x * (1.5 + 1.5 * x);
    case 2:
      return 1.5 + 3.0 * x;
    default:
      return order == 3 ? 3.0 : 0.0;
  }
}

const std::vector<double> uneven{-2.0, -1.25, -1.0, 0.125, 0.5, 2.0, 2.25, 4.0};

template <class F> Spline through(const std::vector<double>& x, const F& f) {
  std::vector<double> y;
  for (const double at : x) y.push_back(f(at));
  return {"table(\"points.csv\")", x, y};
}

TEST(Spline, IsTheCubicPolynomialOfItsPoints) {
  for (const auto& x :
       {uneven, std::vector<double>{0, 1, 2, 3}, std::vector<double>{0, 3, 4, 9, 9.5}}) {
    const Spline s = through(x, [](double at) { return cubic(at, 0); });
    const double width = x.back() - x.front();
    for (int k = 0; k <= 100; ++k) {
      const double at = x.front() + width * k / 100.0;
      for (int order = 0; order < 5; ++order)
        EXPECT_NEAR(s(at, order), cubic(at, order), 3e-13 * (1 + std::abs(cubic(width, 0))))
            << order << " at " << at;
    }
  }
}

TEST(Spline, HasTwoContinuousDerivativesAndGoesThroughItsPoints) {
  const Spline s = through(uneven, [](double x) { return std::sin(2 * x); });
  for (std::size_t k = 0; k < uneven.size(); ++k) {
    EXPECT_NEAR(s(uneven[k], 0), std::sin(2 * uneven[k]), 1e-15);
    if (k == 0 || k + 1 == uneven.size()) continue;
    for (int order = 0; order < 3; ++order)
      EXPECT_NEAR(s(std::nextafter(uneven[k], -9), order), s(uneven[k], order), 2e-14) << order;
  }
  // no knot at the second point
  EXPECT_NEAR(s(-1.5, 3), s(-1.1, 3), 1e-12);
  EXPECT_NEAR(s(2.1, 3), s(3.0, 3), 1e-12);
  EXPECT_GT(std::abs(s(0.0, 3) - s(0.3, 3)), 0.1);
}

/// The error of the spline of a smooth function falls like the fourth power of the distance, of its
/// derivatives like the third and the second.
TEST(Spline, ConvergesWithItsOrders) {
  double before[3] = {};
  for (int n : {20, 40}) {
    std::vector<double> x;
    for (int k = 0; k <= n; ++k) x.push_back(3.0 * k / n);
    const Spline s = through(x, [](double at) { return std::exp(at); });
    for (int order = 0; order < 3; ++order) {
      double worst = 0.0;
      for (int k = 0; k <= 1000; ++k)
        worst = std::max(worst, std::abs(s(0.003 * k, order) - std::exp(0.003 * k)));
      if (n == 40) {
        EXPECT_NEAR(std::log2(before[order] / worst), 4 - order, 0.4) << order;
      }
      before[order] = worst;
    }
  }
}

TEST(Spline, HasNoValueOutside) {
  const Spline s = through(uneven, [](double x) { return x; });
  EXPECT_TRUE(std::isnan(s(std::nextafter(-2.0, -3), 0)) && std::isnan(s(4.0000001, 1)));
  EXPECT_TRUE(std::isnan(s(std::nan(""), 0)));
  EXPECT_NEAR(s(-2.0, 0), -2.0, 1e-15);
  EXPECT_NEAR(s(4.0, 0), 4.0, 1e-15);
}

TEST(Spline, RefusesBadPoints) {
  expect_words(refusal([] { Spline("t", {0, 1, 2}, {0, 0, 0}); }), {"t", "at least 4", "found 3"});
  expect_words(refusal([] { Spline("t", {0, 1, 1, 2}, {0, 0, 0, 0}); }), {"increase", "1"});
  expect_words(refusal([] { Spline("t", {0, 2, 1, 3}, {0, 0, 0, 0}); }), {"2 before 1"});
  expect_words(refusal([] { Spline("t", {0, 1, 2, 3}, {0, 1e308, -1e308, 0}); }), {"finite"});
}

struct TableTest : Sandbox, Texts {
  Id x = g.variable(0), y = g.variable(1);
  Spline spline = through(uneven, [](double at) { return std::cos(at) + at * at; });

  TableTest() {
    scope.add("x", x);
    scope.add("y", y);
    scope.set_tables([this](const std::string& file, const std::string& column) {
      if (file != "points.csv") throw InvalidArgument("there is no " + file);
      if (!column.empty() && column != "a") throw InvalidArgument("there is no column " + column);
      return table_code(spline);
    });
  }
};

TEST_F(TableTest, IsAFunctionWithItsDerivatives) {
  const Id f = (*this)("table(\"points.csv\", x)");
  EXPECT_EQ((*this)("table('points.csv', \"a\", x)"), f);
  std::vector<Id> orders{f};
  for (int k = 0; k < 4; ++k) orders.push_back(derivative(g, orders.back(), 0));
  EXPECT_TRUE(g.is_constant(orders[4], 0.0));
  const Tape tape(g, orders, 2);
  std::vector<double> out(5), work(tape.instructions().size());
  for (const double at : {-2.0, -1.1, 0.125, 0.3, 3.9, 4.0}) {
    const double in[] = {at, 0.0};
    tape.evaluate(in, out.data(), work.data());
    for (int k = 0; k < 4; ++k) EXPECT_EQ(out[static_cast<std::size_t>(k)], spline(at, k));
  }
  EXPECT_EQ((*this)("table(\"points.csv\", 0.3)"), g.constant(spline(0.3, 0)));
}

TEST_F(TableTest, AllEvaluationsAgree) {
  const Id f = (*this)("x*table(\"points.csv\", x*y)^2 + table(\"points.csv\", y)");
  const auto first = gradient(g, f, {0, 1});
  const auto second = hessian(g, first, {0, 1});
  std::vector<Id> all{f, first[0], first[1]};
  for (const Entry& e : second) all.push_back(e.value);
  const Tape tape(g, all, 2);
  const auto module = NativeModule::compile({{"f", &tape}});
  std::vector<double> out(all.size()), native(all.size()), work(tape.instructions().size());
  for (const double at : {-1.1, -0.4, 0.5, 1.3, 5.5}) {
    const double in[] = {at, 0.8};
    tape.evaluate(in, out.data(), work.data());
    module->function("f")(in, native.data(), nullptr);
    for (std::size_t k = 0; k < all.size(); ++k)
      EXPECT_TRUE(out[k] == native[k] || (std::isnan(out[k]) && std::isnan(native[k]))) << k;
    EXPECT_EQ(std::isnan(out[0]), at == 5.5);
    if (at == 5.5) continue;
    const Jet2<2> jets[] = {Jet2<2>::variable(at, 0), Jet2<2>::variable(0.8, 1)};
    std::vector<Jet2<2>> jet_work;
    Jet2<2> jet;
    Tape(g, {f}, 2).evaluate_as(jets, &jet, jet_work);
    EXPECT_NEAR(jet.v, out[0], 1e-14 * std::abs(out[0]));
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(jet.g[i], out[std::size_t(1 + i)], 1e-13 * (1 + std::abs(jet.g[i])));
    for (std::size_t k = 0; k < second.size(); ++k) {
      const double expected = jet.hess(second[k].row, second[k].column);
      EXPECT_NEAR(out[3 + k], expected, 1e-12 * (1 + std::abs(expected)));
    }
  }
}

/// x(t) = a + b t + c t^2 into the polynomial of an interval, coefficient by coefficient.
TEST_F(TableTest, SeriesAreThoseOfThePolynomial) {
  const Tape tape(g, {(*this)("table(\"points.csv\", x)")}, 2);
  TapeSeries series(tape, 8);
  const double in[] = {0.7, 0.3, -0.2};
  for (int k = 0; k <= 8; ++k) {
    const double at[] = {k < 3 ? in[k] : 0.0, 0.0};
    series.extend(k, at);
  }
  for (const double t : {-0.5, 0.1, 0.4}) {
    double sum = 0.0;
    for (int k = 8; k >= 0; --k) sum = sum * t + series.coefficient(0, k);
    EXPECT_NEAR(sum, spline(0.7 + 0.3 * t - 0.2 * t * t, 0), 2e-15 * 10);
  }
}

TEST_F(TableTest, OutsideItSaysSo) {
  const Tape tape(g, {(*this)("2*table(\"points.csv\", \"a\", x - 1)")}, 2);
  const double in[] = {5.5, 0.0};
  EXPECT_EQ(
      tape.non_finite(in, {"x", "y"}),
      "table(\"points.csv\") at 4.5, outside of its range -2 to 4 in table(\"points.csv\", x - 1)");
}

TEST_F(TableTest, MistakesHaveTheirPlace) {
  const auto at = [&](const std::string& text, int column,
                      std::initializer_list<const char*> words) {
    try {
      parse(g, scope, text);
      ADD_FAILURE() << text << " is accepted";
    } catch (const ParseError& e) {
      EXPECT_EQ(e.column, column) << text << "\n" << e.what();
      expect_words(e.message, words);
    }
  };
  at("1 + table(\"other.csv\", x)", 11, {"there is no other.csv"});
  at("table(\"points.csv\", 'b', x)", 7, {"no column b"});
  at("table(x, y)", 7, {"name of a file", "quotes"});
  at("table(\"points.csv\")", 19, {"table takes 2 or 3 arguments"});
  at("table(\"points.csv\", x", 22, {"')'"});
  at("table(\"points.csv, x)", 7, {"quote", "missing"});
  at("\"points.csv\"", 1, {"table"});
  at("table", 1, {"function"});
  Scope without;
  EXPECT_THROW(parse(g, without, "table(\"a\", 1)"), ParseError);
}

TEST_F(TableTest, EqualTablesAreOne) {
  const double code = table_code(spline);
  EXPECT_EQ(table_code(through(uneven, [](double at) { return std::cos(at) + at * at; })), code);
  EXPECT_NE(table_code(through(uneven, [](double at) { return at; })), code);
  int order = 0;
  EXPECT_EQ(find_table(-1.0, order), nullptr);
  EXPECT_EQ(find_table(code + 0.5, order), nullptr);
  EXPECT_EQ(find_table(1e12, order), nullptr);
  EXPECT_EQ(find_table(std::nan(""), order), nullptr);
  ASSERT_NE(find_table(code + 2.0, order), nullptr);
  EXPECT_EQ(order, 2);
}

}  // namespace
}  // namespace varia::expr::table_test
