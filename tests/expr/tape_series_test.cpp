// SPDX-License-Identifier: BSD-3-Clause
// Coefficients by TapeSeries: against the series of ad/, against closed forms, where there are none.
#include "varia/expr/tape_series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ad/series.hpp"
#include "refusal.hpp"
#include "varia/expr/parse.hpp"
#include "varia/expr/tape_scalar.hpp"

namespace varia::expr::tape_series_test {
namespace {

/// f of x = variable 0 and y = variable 1
Tape tape_of(const std::string& text) {
  Graph g;
  Scope scope;
  scope.add("x", g.variable(0));
  scope.add("y", g.variable(1));
  return Tape(g, {parse(g, scope, text)}, 2);
}

/// The coefficients of f(x(t), y(t)) with the given ones of x and y.
std::vector<double> coefficients(const std::string& text, const std::vector<double>& x,
                                 const std::vector<double>& y) {
  const Tape tape = tape_of(text);
  TapeSeries series(tape, static_cast<int>(x.size()) - 1);
  std::vector<double> result;
  for (int k = 0; k <= series.order(); ++k) {
    const double at[] = {x[std::size_t(k)], y[std::size_t(k)]};
    series.extend(k, at);
    result.push_back(series.coefficient(0, k));
  }
  return result;
}

/// Two ways of computing: coefficient after coefficient, and recursively over a scalar.
TEST(TapeSeries, EveryOperationAgreesWithSeriesAsScalars) {
  constexpr int order = 4;
  const std::vector<double> x{0.4, 0.7, -0.3, 0.2, 0.1};
  const std::vector<double> y{1.3, -0.2, 0.5, 0.3, -0.4};
  using S = Series<double, order>;
  S in[2];
  for (int k = 0; k <= order; ++k) {
    in[0].coefficient(k) = x[std::size_t(k)];
    in[1].coefficient(k) = y[std::size_t(k)];
  }
  for (const char* text : {"-x + 2*y - 3",
                           "x*y/(1 + x)",
                           "1/x^3",
                           "sqrt(x + y)",
                           "exp(x*y)",
                           "log(x)",
                           "sin(x)",
                           "cos(x*y)",
                           "tan(x)",
                           "asin(x)",
                           "acos(x)",
                           "atan(x + y)",
                           "sinh(x)",
                           "cosh(x)",
                           "tanh(x)",
                           "abs(x - y)",
                           "abs(y)*x",
                           "x^0.3",
                           "x^y",
                           "2^x",
                           "x^40",
                           "atan2(x, y)",
                           "atan2(-y, -x)",
                           "hypot(x, y)",
                           "min(x, y)*x",
                           "max(x, y)*x",
                           "sign(x)*y",
                           "erf(x - y)",
                           "floor(3*y)*x",
                           "mod(x, 0.3)*y",
                           "mod(y, x)",
                           "smoothstep(0, 1, x)*y",
                           "smoothstep(-1, 2, x*y)",
                           "smoothstep(1, 2, x)",
                           "if(x < y, x^2, y)",
                           "if(x < y and y > 2, log(x - 9), exp(x))"}) {
    const Tape tape = tape_of(text);
    std::vector<S> work;
    S out;
    tape.evaluate_as(in, &out, work);
    const auto found = coefficients(text, x, y);
    for (int k = 0; k <= order; ++k)
      EXPECT_NEAR(found[std::size_t(k)], out.coefficient(k),
                  2e-14 * std::max(1.0, std::abs(out.coefficient(k))))
          << text << " at " << k;
  }
}

TEST(TapeSeries, HighOrdersOfKnownSeries) {
  constexpr int order = 24;
  std::vector<double> t(order + 1, 0.0);
  t[1] = 1.0;
  const std::vector<double> none(order + 1, 0.0);
  const auto exponential = coefficients("exp(x)", t, none);
  const auto sine = coefficients("sin(x)", t, none);
  const auto geometric = coefficients("1/(1 - x)", t, none);
  const auto arctangent = coefficients("atan(x)", t, none);
  double factorial = 1.0;
  for (int k = 0; k <= order; ++k) {
    const auto at = std::size_t(k);
    if (k > 0) factorial *= k;
    EXPECT_NEAR(exponential[at] * factorial, 1.0, 1e-14);
    const double sign = k % 4 < 2 ? 1.0 : -1.0;
    EXPECT_NEAR(sine[at] * factorial, k % 2 == 1 ? sign : 0.0, 1e-14);
    EXPECT_EQ(geometric[at], 1.0);
    EXPECT_NEAR(arctangent[at], k % 2 == 1 ? sign / k : 0.0, 1e-15);
  }
  // exact cancellation of sin² + cos², which no coefficient may survive
  const auto one = coefficients("sin(x)^2 + cos(x)^2 - 1", t, none);
  for (const double c : one) EXPECT_NEAR(c, 0.0, 1e-15);
}

/// Powers at 0: smooth ones have coefficients, others have none.
TEST(TapeSeries, WhereDerivativesEnd) {
  const std::vector<double> t{0.0, 1.0, 0.0, 0.0};
  const std::vector<double> none(4, 0.0);
  for (const double c : coefficients("x^40", t, none)) EXPECT_EQ(c, 0.0);
  const auto power = coefficients("x^1.7", t, none);
  EXPECT_EQ(power[1], 0.0);
  EXPECT_TRUE(std::isnan(power[2]));
  EXPECT_TRUE(std::isnan(coefficients("abs(x)", t, none)[1]));
  EXPECT_TRUE(std::isnan(coefficients("min(x, y)", t, none)[1]));
  EXPECT_EQ(coefficients("max(x, y)", t, t)[1], 1.0);
  EXPECT_FALSE(std::isfinite(coefficients("sqrt(x)", t, none)[1]));
  const Tape tape = tape_of("x");
  expect_words(refusal([&] { TapeSeries(tape, -1); }), {"order 0", "-1"});
}

}  // namespace
}  // namespace varia::expr::tape_series_test
