// SPDX-License-Identifier: BSD-3-Clause
// Every function of the language, by name: its value, its parity, its derivative in each operand, the
// second derivative; rules of simplification by their values; edges where a function stays 0.
#include "../../src/expr/functions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "varia/expr/derivative.hpp"
#include "varia/expr/parse.hpp"
#include "varia/expr/tape.hpp"

namespace varia::expr::functions_test {
namespace {

using Point = std::vector<double>;
using Exact = std::function<long double(long double, long double)>;

struct Row {
  Exact f;                    ///< in long double
  std::vector<Point> points;  ///< (x, y) inside the domain, away from steps
  bool two = false;           ///< operands
  bool step = false;          ///< the derivative is 0
};

/// The points of functions of all numbers, and of those with a smaller domain.
const std::vector<Point> line{{-2.3, 0}, {-0.7, 0}, {0.4, 0}, {1.9, 0}};
const std::vector<Point> interval{{-0.8, 0}, {-0.3, 0}, {0.2, 0}, {0.9, 0}};
const std::vector<Point> half{{0.2, 0}, {0.9, 0}, {3.1, 0}};
const std::vector<Point> plane{{-1.2, 0.7}, {0.6, -1.1}, {-0.3, -0.9}, {0.8, 0.5}, {1.4, 2.2}};

/// smoothstep(-1, y, x), by the integral of 30 u^2 (1 - u)^2.
long double step_to_y(long double x, long double y) {
  const long double u = (x + 1) / (y + 1);
  if (u <= 0) return 0;
  if (u >= 1) return 1;
  return 10 * u * u * u - 15 * u * u * u * u + 6 * u * u * u * u * u;
}
const std::vector<Point> steps{{-1.2, 0.7}, {0.6, 1.1}, {-0.3, 2.5}, {0.8, 0.5}, {-0.9, 0.3}};

const std::map<std::string, Row, std::less<>>& rows() {
  using L = long double;
  static const std::map<std::string, Row, std::less<>> table{
      {"sin", {[](L x, L) { return std::sin(x); }, line}},
      {"cos", {[](L x, L) { return std::cos(x); }, line}},
      {"tan", {[](L x, L) { return std::tan(x); }, interval}},
      {"asin", {[](L x, L) { return std::asin(x); }, interval}},
      {"acos", {[](L x, L) { return std::acos(x); }, interval}},
      {"atan", {[](L x, L) { return std::atan(x); }, line}},
      {"atan2", {[](L x, L y) { return std::atan2(x, y); }, plane, true}},
      {"sinh", {[](L x, L) { return std::sinh(x); }, line}},
      {"cosh", {[](L x, L) { return std::cosh(x); }, line}},
      {"tanh", {[](L x, L) { return std::tanh(x); }, line}},
      {"exp", {[](L x, L) { return std::exp(x); }, line}},
      {"log", {[](L x, L) { return std::log(x); }, half}},
      {"sqrt", {[](L x, L) { return std::sqrt(x); }, half}},
      {"abs", {[](L x, L) { return std::abs(x); }, line}},
      {"min", {[](L x, L y) { return std::min(x, y); }, plane, true}},
      {"max", {[](L x, L y) { return std::max(x, y); }, plane, true}},
      {"sign", {[](L x, L) { return x > 0 ? 1.0L : -1.0L; }, line, false, true}},
      {"hypot", {[](L x, L y) { return std::hypot(x, y); }, plane, true}},
      {"pow",
       {[](L x, L y) { return std::pow(x, y); }, {{0.7, 1.3}, {2.1, -0.6}, {1.2, 2.4}}, true}},
      {"ln", {[](L x, L) { return std::log(x); }, half}},
      {"erf", {[](L x, L) { return std::erf(x); }, line}},
      {"floor", {[](L x, L) { return std::floor(x); }, line, false, true}},
      {"ceil", {[](L x, L) { return std::ceil(x); }, line, false, true}},
      {"mod", {[](L x, L y) { return x - y * std::floor(x / y); }, plane, true}},
      {"smoothstep", {step_to_y, steps, true}},
      {"less", {[](L x, L y) { return x < y ? 1.0L : 0.0L; }, plane, true, true}}};
  return table;
}

struct Formulas {
  Graph g;
  Id x = g.variable(0), y = g.variable(1);

  double value(Id f, const Point& at) const {
    const Tape tape(g, {f}, 2);
    std::vector<double> work(tape.instructions().size());
    double result = 0.0;
    tape.evaluate(at.data(), &result, work.data());
    return result;
  }
  /// The function of (a, b), or of a.
  Id apply(const Function& f, Id a, Id b) {
    const Id between[] = {g.constant(-1.0), b, a};
    const Id plain[] = {a, b};
    return f.make(g, f.count == 3 ? between : plain);
  }
  Id operator()(const std::string& text) {
    Scope scope;
    scope.add("x", x);
    scope.add("y", y);
    return parse(g, scope, text);
  }
};

/// ∂f/∂(operand) by differences of order 4 in long double.
long double slope(const Exact& f, const Point& at, int operand) {
  const auto moved = [&](long double h) {
    const long double x = at[0], y = at[1];
    return operand == 0 ? f(x + h, y) : f(x, y + h);
  };
  const auto central = [&](long double h) { return (moved(h) - moved(-h)) / (2 * h); };
  const long double h = 1e-4L;
  return (4 * central(h / 2) - central(h)) / 3;
}

TEST(Functions, TheTableHasAllOfThem) {
  std::set<std::string, std::less<>> listed;
  for (const Function& f : functions) {
    EXPECT_TRUE(listed.emplace(f.name).second) << f.name;
    EXPECT_FALSE(f.meaning.empty()) << f.name;
    EXPECT_TRUE(f.count > 0 || f.make == nullptr) << f.name;
    if (f.make == nullptr)
      continue;  // read by the parser: condition_test, table_test, vectors_test
    ASSERT_TRUE(rows().contains(f.name)) << f.name;
    EXPECT_EQ(f.count >= 2, rows().find(f.name)->second.two) << f.name;
    EXPECT_EQ(std::count(f.arguments.begin(), f.arguments.end(), ','), f.count - 1) << f.name;
  }
  EXPECT_EQ(listed.size(), rows().size() + 7);
}

TEST(Functions, Values) {
  Formulas k;
  for (const Function& f : functions) {
    if (f.make == nullptr) continue;
    const Row& row = rows().find(f.name)->second;
    for (const Point& at : row.points) {
      const auto expected = static_cast<double>(row.f(at[0], at[1]));
      const double size = 4e-16 * (1 + std::abs(expected));
      EXPECT_NEAR(k.value(k.apply(f, k.x, k.y), at), expected, size) << f.name;
      const Id folded = k.apply(f, k.g.constant(at[0]), k.g.constant(at[1]));
      EXPECT_NEAR(k.value(folded, at), expected, size) << f.name << " of constants";
    }
  }
}

/// f(-x), f(-x, y), f(x, -y), f(-x, -y): whatever rule is used, the value is that of f there.
TEST(Functions, OfOppositeOperands) {
  Formulas k;
  for (const Function& f : functions) {
    if (f.make == nullptr) continue;
    const Row& row = rows().find(f.name)->second;
    for (const Point& at : row.points)
      for (const auto& [sx, sy] : {std::pair(-1, 1), std::pair(1, -1), std::pair(-1, -1)}) {
        const auto of = [&](int sign, Id a) { return sign < 0 ? k.g.neg(a) : a; };
        const Id formula = k.apply(f, of(sx, k.x), of(sy, k.y));
        const auto expected = static_cast<double>(row.f(sx * at[0], sy * at[1]));
        const double found = k.value(formula, at);
        EXPECT_EQ(std::isnan(found), std::isnan(expected)) << f.name;
        if (!std::isnan(expected)) {
          EXPECT_NEAR(found, expected, 4e-16 * (1 + std::abs(expected)))
              << f.name << " at " << at[0];
        }
      }
  }
}

TEST(Functions, DerivativesInEachOperand) {
  Formulas k;
  for (const Function& f : functions) {
    if (f.make == nullptr) continue;
    const Row& row = rows().find(f.name)->second;
    const Id formula = k.apply(f, k.x, k.y);
    for (int operand = 0; operand < (row.two ? 2 : 1); ++operand) {
      const Id d = derivative(k.g, formula, operand);
      if (row.step) {
        EXPECT_TRUE(k.g.is_constant(d, 0.0)) << f.name;
      }
      for (const Point& at : row.points) {
        const auto expected = static_cast<double>(slope(row.f, at, operand));
        EXPECT_NEAR(k.value(d, at), expected, 1e-12 * (1 + std::abs(expected)))
            << f.name << ", operand " << operand << " at " << at[0] << ", " << at[1];
      }
    }
  }
}

/// All of them, mixed ones too, as slopes of the first derivatives at points nearby.
TEST(Functions, SecondDerivatives) {
  Formulas k;
  for (const Function& f : functions) {
    if (f.make == nullptr) continue;
    const Row& row = rows().find(f.name)->second;
    const Id formula = k.apply(f, k.x, k.y);
    const int count = row.two ? 2 : 1;
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) {
        const Id second = derivative(k.g, derivative(k.g, formula, i), j);
        const auto first = [&](long double x, long double y) {
          return slope(row.f, {static_cast<double>(x), static_cast<double>(y)}, i);
        };
        for (const Point& at : row.points) {
          const auto moved = [&](double h) {
            Point to = at;
            to[static_cast<std::size_t>(j)] += h;
            return first(to[0], to[1]);
          };
          const double h = 0x1p-10;
          const auto central = [&](double by) { return (moved(by) - moved(-by)) / (2 * by); };
          const auto expected = static_cast<double>((4 * central(h / 2) - central(h)) / 3);
          EXPECT_NEAR(k.value(second, at), expected, 1e-8 * (1 + std::abs(expected)))
              << f.name << ", " << i << ", " << j << " at " << at[0] << ", " << at[1];
        }
      }
  }
}

/// Rules by their values: the text, and the same by hand.
TEST(Functions, SimplificationKeepsValues) {
  Formulas k;
  using Plain = double (*)(double, double);
  const std::vector<std::pair<std::string, Plain>> rules{
      {"3/x - 2/x", [](double x, double) { return 1 / x; }},
      {"2/x - 3/x", [](double x, double) { return -1 / x; }},
      {"3/x + 2/x", [](double x, double) { return 5 / x; }},
      {"3/x - 3/x", [](double, double) { return 0.0; }},
      {"-3/x - 2/x", [](double x, double) { return -5 / x; }},
      {"3/x^2 - 7/x^2", [](double x, double) { return -4 / (x * x); }},
      {"3*x - 2*x", [](double x, double) { return x; }},
      {"2*x - 3*x", [](double x, double) { return -x; }},
      {"-x - x", [](double x, double) { return -2 * x; }},
      {"-x + 3*x", [](double x, double) { return 2 * x; }},
      {"(x + 3) - 5", [](double x, double) { return x - 2; }},
      {"5 - (x + 3)", [](double x, double) { return 2 - x; }},
      {"5 - (3 - x)", [](double x, double) { return 2 + x; }},
      {"(3 - x) - 5", [](double x, double) { return -2 - x; }},
      {"(x - y) + (y - x)", [](double, double) { return 0.0; }},
      {"(x - y) - (y - x)", [](double x, double y) { return 2 * (x - y); }},
      {"(-x)*y", [](double x, double y) { return -(x * y); }},
      {"(-x)*(-y)", [](double x, double y) { return x * y; }},
      {"(2*x)*(3*y)", [](double x, double y) { return 6 * x * y; }},
      {"(-x)/y", [](double x, double y) { return -x / y; }},
      {"x/(-y)", [](double x, double y) { return -x / y; }},
      {"(x/y)/x", [](double, double y) { return 1 / y; }},
      {"x/(x/y)", [](double, double y) { return y; }},
      {"6/(3*x)", [](double x, double) { return 2 / x; }},
      {"6/(3/x)", [](double x, double) { return 2 * x; }},
      {"(6/x)/3", [](double x, double) { return 2 / x; }},
      {"(x/6)/3", [](double x, double) { return x / 18; }},
      {"(6*x)/3", [](double x, double) { return 2 * x; }},
      {"x/(-3)", [](double x, double) { return -x / 3; }},
      {"(-x)^3", [](double x, double) { return -x * x * x; }},
      {"(-x)^2", [](double x, double) { return x * x; }},
      {"(2*x)^3", [](double x, double) { return 8 * x * x * x; }},
      {"(x^2)^3/x^4", [](double x, double) { return x * x; }},
      {"sqrt(x^2 + 1)*sqrt(x^2 + 1)", [](double x, double) { return x * x + 1; }},
      {"1/sqrt(x^2 + 1)^2", [](double x, double) { return 1 / (x * x + 1); }},
      {"abs(-abs(x))", [](double x, double) { return std::abs(x); }},
  };
  for (const auto& [text, plain] : rules)
    for (const Point& at : plane) {
      const double expected = plain(at[0], at[1]);
      EXPECT_NEAR(k.value(k(text), at), expected, 1e-15 * (1 + std::abs(expected))) << text;
    }
}

/// Below the edge and at it everything is 0; above, as if there were no edge, to the bit.
TEST(Functions, PowersStayFiniteAtAnEdge) {
  for (const char* u :
       {"max(0, x)", "max(x, 0)", "max(0, 2*x)", "3*max(0, x)", "max(0, x)/7", "y*max(0, x)"})
    for (const char* exponent : {"^1.5", "^2.5", "^0.5", "^1.3", "^0.4", "^(1 + y)"}) {
      Formulas k;
      const std::string text = "(" + std::string(u) + ")" + exponent;
      const Id f = k(text);
      for (const double x : {-2.0, -1e-300, 0.0})
        for (const int i : {0, 1})
          for (const int j : {0, 1}) {
            const Id first = derivative(k.g, f, i);
            const Id second = derivative(k.g, first, j);
            EXPECT_EQ(k.value(first, {x, 0.7}), 0.0) << text << " at " << x;
            EXPECT_EQ(k.value(second, {x, 0.7}), 0.0) << text << " at " << x;
            EXPECT_EQ(k.value(derivative(k.g, second, 0), {x, 0.7}), 0.0) << text << " at " << x;
          }
    }
}

TEST(Functions, PowersAboveAnEdgeAreThoseWithoutOne) {
  for (const char* exponent : {"^1.5", "^2.5", "^0.5", "^1.3", "^0.4", "^(1 + y)"}) {
    Formulas with, without;
    Id f = with("max(0, x)" + std::string(exponent));
    Id g = without("x" + std::string(exponent));
    for (int order = 0; order < 4; ++order) {
      for (const double x : {1e-8, 0.3, 2.7})
        EXPECT_EQ(with.value(f, {x, 0.7}), without.value(g, {x, 0.7})) << exponent << ", " << order;
      f = derivative(with.g, f, 0);
      g = derivative(without.g, g, 0);
    }
  }
}

/// Ends of the smooth step: value, slope and curvature are continuous, the third derivative jumps by 60.
TEST(Functions, TheSmoothStepHasTwoContinuousDerivatives) {
  Formulas k;
  Id f = k("smoothstep(1, 3, x)");
  for (const double end : {1.0, 3.0}) EXPECT_EQ(k.value(f, {end, 0}), end == 3.0);
  for (int order = 1; order <= 3; ++order) {
    f = derivative(k.g, f, 0);
    for (const double end : {1.0, 3.0}) {
      const double jump = std::abs(k.value(f, {end + 1e-9, 0}) - k.value(f, {end - 1e-9, 0}));
      EXPECT_NEAR(jump, order < 3 ? 0.0 : 60.0 / 8.0, 1e-7) << order << " at " << end;
    }
  }
  EXPECT_DOUBLE_EQ(k.value(k("smoothstep(1, 3, x)"), {2.0, 0}), 0.5);
  EXPECT_EQ(k.value(k("smoothstep(3, 1, x)"), {0.0, 0}), 1.0) << "a falling one";
}

/// exp(-x^2) is the slope of sqrt(pi)/2 erf; the alternating series of erf, which is another formula.
TEST(Functions, TheErrorFunctionIsItsSeries) {
  Formulas k;
  for (const double x : {-1.7, -0.4, 0.2, 1.1}) {
    long double term = x, sum = x;
    for (int n = 1; n < 60; ++n) {
      term *= -static_cast<long double>(x) * x / n;
      sum += term / (2 * n + 1);
    }
    const auto expected = static_cast<double>(2 / std::sqrt(std::acos(-1.0L)) * sum);
    EXPECT_NEAR(k.value(k("erf(x)"), {x, 0}), expected, 3e-16);
  }
}

/// The sign of the divisor, exact rests, and whole multiples.
TEST(Functions, RestsAreExact) {
  Formulas k;
  const Id f = k("mod(x, y)");
  EXPECT_EQ(k.value(f, {7.5, 2}), 1.5);
  EXPECT_EQ(k.value(f, {-7.5, 2}), 0.5);
  EXPECT_EQ(k.value(f, {7.5, -2}), -0.5);
  EXPECT_EQ(k.value(f, {-7.5, -2}), -1.5);
  EXPECT_EQ(k.value(f, {6, 3}), 0.0);
  EXPECT_EQ(k.value(f, {0.3, 0.1}), std::fmod(0.3, 0.1)) << "0.3 is a little less than 3 times 0.1";
  EXPECT_EQ(k.value(f, {1e17 + 16, 10}), 6.0) << "no digit is lost in the quotient";
}

TEST(Functions, AbsoluteValuesAndMinimaAtZero) {
  Formulas k;
  for (const char* text : {"abs(x)^1.5", "abs(x)^2.5", "(-min(x, 0))^1.5", "(-min(0, x))^2.5"}) {
    EXPECT_EQ(k.value(derivative(k.g, k(text), 0), {0.0, 0.0}), 0.0) << text;
  }
  const Id second = derivative(k.g, derivative(k.g, k("(-min(x, 0))^1.5"), 0), 0);
  EXPECT_EQ(k.value(second, {0.0, 0.0}), 0.0);
  EXPECT_EQ(k.value(second, {1.3, 0.0}), 0.0);
  EXPECT_DOUBLE_EQ(k.value(second, {-0.25, 0.0}), 1.5);
}

}  // namespace
}  // namespace varia::expr::functions_test
