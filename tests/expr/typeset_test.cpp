// SPDX-License-Identifier: BSD-3-Clause
// Typeset formulas mean what the graph means: LaTeX is read back and compared by value, MathML is well formed.
#include "varia/expr/typeset.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "random_expression.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/parse.hpp"
#include "varia/expr/tape.hpp"

namespace varia::expr::typeset_test {
namespace {

const std::vector<std::string> names{"x", "y", "z"};

double value(const Graph& g, Id f, const std::vector<double>& x) {
  const Tape tape(g, {f}, 3);
  std::vector<double> work(tape.instructions().size());
  double result = 0.0;
  tape.evaluate(x.data(), &result, work.data());
  return result;
}

/// From our LaTeX to the language of scenarios.
class Reader {
 public:
  explicit Reader(std::string text) : text_(std::move(text)) {}
  std::string all() {
    const std::string result = until("");
    if (at_ != text_.size()) throw std::runtime_error("left over: " + text_.substr(at_));
    return result;
  }

 private:
  bool next(const std::string& mark) {
    std::size_t at = at_;
    while (at < text_.size() && text_[at] == ' ' && mark.front() != ' ') ++at;
    if (text_.compare(at, mark.size(), mark) != 0) return false;
    at_ = at + mark.size();
    return true;
  }
  void require(const std::string& mark) {
    if (!next(mark)) throw std::runtime_error(mark + " expected: " + text_.substr(at_, 30));
  }
  bool ends(const std::string& mark) const {
    return at_ >= text_.size() || (!mark.empty() && text_.compare(at_, mark.size(), mark) == 0);
  }
  std::string until(const std::string& mark) {
    std::string result;
    while (!ends(mark)) result += piece();
    at_ += mark.size();
    return result;
  }
  std::string braced() {
    require("{");
    return "(" + until("}") + ")";
  }
  std::string called(const std::string& name) {
    require("\\left(");
    return name + "(" + until("\\right)") + ")";
  }
  std::string chosen() {
    const std::string first = until(" & "), condition = until(" \\\\ "), other = until(" & ");
    require("\\text{otherwise}");
    require("\\end{cases}");
    return "if(" + condition + ", " + first + ", " + other + ")";
  }
  std::string function_name() {
    for (const auto& [mark, name] : functions)
      if (next(mark)) return name;
    return "";
  }

  std::string piece() {
    if (next("\\frac")) {
      const std::string over = braced();
      return "(" + over + "/" + braced() + ")";
    }
    if (next("\\sqrt")) return "sqrt" + braced();
    if (next("\\left(")) return "(" + until("\\right)") + ")";
    if (next("\\bigl(")) return "(" + until("\\bigr)") + ")";
    if (next("\\left|")) return "abs(" + until("\\right|") + ")";
    if (next("\\left\\lfloor")) return "floor(" + until("\\right\\rfloor") + ")";
    if (next("\\begin{cases}")) return chosen();
    if (next("\\text{ and }")) return " and ";
    if (next("\\text{ or }")) return " or ";
    if (next("\\text{not }\\left(")) return "not (" + until("\\right)") + ")";
    for (const auto& [mark, sign] : signs)
      if (next(mark)) return sign;
    if (const std::string name = function_name(); !name.empty()) return called(name);
    if (next("{")) return raised();
    return std::string(1, text_[at_++]);
  }

  std::string raised() {
    if (const std::string name = function_name(); !name.empty()) {
      require("}^");
      const std::string exponent = braced();
      return "(" + called(name) + ")^" + exponent;
    }
    const std::string base = until("}");
    require("^");
    if (base == "e") return "exp" + braced();
    return "(" + base + ")^" + braced();
  }

  const std::vector<std::pair<std::string, std::string>> signs{{"\\,", "*"},     {"\\cdot", "*"},
                                                               {"\\times", "*"}, {"\\le", "<="},
                                                               {"\\ne", "!="},   {"\\pi", "pi"}};
  const std::vector<std::pair<std::string, std::string>> functions{
      {"\\sinh", "sinh"},
      {"\\cosh", "cosh"},
      {"\\tanh", "tanh"},
      {"\\sin", "sin"},
      {"\\cos", "cos"},
      {"\\tan", "tan"},
      {"\\arcsin", "asin"},
      {"\\arccos", "acos"},
      {"\\arctan", "atan"},
      {"\\ln", "log"},
      {"\\min", "min"},
      {"\\max", "max"},
      {"\\operatorname{atan2}", "atan2"},
      {"\\operatorname{erf}", "erf"},
      {"\\operatorname{sign}", "sign"},
      {"\\operatorname{mod}", "mod"},
      {"\\operatorname{smoothstep}", "smoothstep"}};
  std::string text_;
  std::size_t at_ = 0;
};

/// Names of elements that are open at the end; throws where one closes that is not open.
std::vector<std::string> open_elements(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find('>', at);
    const bool closes = text[at + 1] == '/';
    const std::string tag = text.substr(at + (closes ? 2 : 1), end - at - (closes ? 2 : 1));
    const std::string name = tag.substr(0, tag.find(' '));
    if (!closes) {
      open.push_back(name);
    } else {
      if (open.empty() || open.back() != name) throw std::runtime_error("</" + name + ">: " + text);
      open.pop_back();
    }
  }
  return open;
}

struct TypesetTest : testing::Test {
  Graph g;
  Scope scope;
  TypesetTest() {
    for (int k = 0; k < 3; ++k) scope.add(names[static_cast<std::size_t>(k)], g.variable(k));
  }
  std::string latex(const std::string& text) {
    return typeset(g, parse(g, scope, text), names, Markup::latex);
  }
  /// Whether the LaTeX of f has the value of f.
  void expect_same(Id f, const std::vector<double>& x) {
    const std::string text = typeset(g, f, names, Markup::latex, 100000);
    std::string plain;
    ASSERT_NO_THROW(plain = Reader(text).all()) << text;
    const double expected = value(g, f, x);
    if (!std::isfinite(expected)) return;
    Id again = 0;
    ASSERT_NO_THROW(again = parse(g, scope, plain)) << text << "\n" << plain;
    EXPECT_NEAR(value(g, again, x), expected, 1e-9 * (1.0 + std::abs(expected))) << text << "\n"
                                                                                 << plain;
  }
};

TEST_F(TypesetTest, LatexHasTheValueOfTheFormula) {
  RandomExpression random(g, 31);
  for (int k = 0; k < 400; ++k) expect_same(random(8), random.point());
}

TEST_F(TypesetTest, AndOfItsDerivatives) {
  RandomExpression random(g, 32);
  for (int k = 0; k < 150; ++k)
    for (const Id f : gradient(g, random(5), {0, 1})) {
      const std::string text = typeset(g, f, names, Markup::latex, 100000);
      if (text.size() < 20000 && text.find("\\left[") == std::string::npos)
        expect_same(f, random.point());
    }
}

TEST_F(TypesetTest, MathmlIsWellFormed) {
  RandomExpression random(g, 33);
  for (int k = 0; k < 400; ++k) {
    const Id f = random(10);
    for (const int most : {5, 60, 2000}) {
      std::vector<std::string> open;
      ASSERT_NO_THROW(open = open_elements(typeset(g, f, names, Markup::mathml, most)));
      EXPECT_TRUE(open.empty());
    }
  }
  EXPECT_EQ(open_elements("<mrow><mi>x</mi>").size(), 1u);
  EXPECT_THROW(open_elements("<mi>x</mrow>"), std::runtime_error);
}

TEST_F(TypesetTest, Formulas) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"x*y/2", "\\frac{1}{2}\\,x\\,y"},
      {"x/12*y*(1/2)", "\\frac{x\\,y}{24}"},
      {"x/(2*y)", "\\frac{x}{2\\,y}"},
      {"1/sqrt(x + y)^3", "\\frac{1}{{\\left(x + y\\right)}^{3/2}}"},
      {"-x*y", "-x\\,y"},
      {"x - (-2)*y", "x + 2\\,y"},
      {"(x + y)/(x - y)", "\\frac{x + y}{x - y}"},
      {"x*(y - z)", "x\\,\\left(y - z\\right)"},
      {"-(x - y)", "-\\left(x - y\\right)"},
      {"sin(x)^2", "{\\sin}^{2}\\left(x\\right)"},
      {"exp(-x)", "{e}^{-x}"},
      {"hypot(x, y)", "\\sqrt{{x}^{2} + {y}^{2}}"},
      {"1e-7*x", "10^{-7}\\,x"},
      {"6.2e23*x", "6.2\\times 10^{23}\\,x"},
      {"0.1*x", "0.1\\,x"},
      {"2*pi*x", "2\\,\\pi\\,x"},
      {"if(x < y, 1, z)", "\\begin{cases} 1 & x < y \\\\ z & \\text{otherwise} \\end{cases}"}};
  for (const auto& [text, expected] : table) EXPECT_EQ(latex(text), expected) << text;
}

/// The terms of a long sum in parentheses are terms for themselves: a line can end between them.
TEST_F(TypesetTest, LinesMayEndInParentheses) {
  const Id f = parse(g, scope, "x - 3*y*(sin(x) + sin(y) - sin(z) + x*y*z)");
  const auto terms = typeset_terms(g, f, names, Markup::latex);
  ASSERT_EQ(terms.size(), 5u);
  EXPECT_TRUE(terms[1].negative);
  EXPECT_EQ(terms[1].text, "3\\,y\\,\\bigl(\\sin\\left(x\\right)");
  EXPECT_TRUE(terms[3].negative);
  EXPECT_EQ(terms[4].text, "x\\,y\\,z\\bigr)");
  EXPECT_EQ(typeset_terms(g, parse(g, scope, "x*(sin(y) + sin(z))"), names, Markup::latex).size(),
            1u);
}

TEST_F(TypesetTest, ParametersComeFirst) {
  const Id m = g.parameter(2.0, "mass");
  EXPECT_EQ(typeset(g, g.mul(g.variable(0), m), names, Markup::latex), "\\mathrm{mass}\\,x");
}

TEST(TypesetNames, AreSymbols) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"x", "x"},
      {"x_dot", "\\dot{x}"},
      {"theta_dot", "\\dot{\\theta}"},
      {"θ_dot", "\\dot{\\theta}"},
      {"x_p", "p_{x}"},
      {"q[3]", "q_{3}"},
      {"q_dot[3]", "\\dot{q}_{3}"},
      {"q_p[3]", "p_{q,3}"},
      {"d[2,4]", "d_{2,4}"},
      {"r[4].x", "r_{4,x}"},
      {"R33[2]", "R_{33,2}"},
      {"ω₁", "\\omega_{1}"},
      {"kappa_max", "\\kappa_{\\mathrm{max}}"},
      {"A_tip_x", "A_{\\mathrm{tip},x}"},
      {"lambda[1]", "\\lambda_{1}"},
      {"_", "\\_"},
      {"Länge", "\\mathrm{L\\text{ä}nge}"},
      {"ж", "\\mathrm{U{+}0436}"}};
  for (const auto& [name, expected] : table) EXPECT_EQ(typeset_name(name, Markup::latex), expected);
  EXPECT_EQ(typeset_name("x_dot", Markup::mathml),
            "<mover><mi>x</mi><mo lspace=\"0\" rspace=\"0\">˙</mo></mover>");
}

TEST(TypesetWords, AreEscaped) {
  EXPECT_EQ(typeset_words("a_b & 50 % of $x^2", Markup::latex),
            "\\text{a\\_b \\& 50 \\% of \\$x\\textasciicircum{}2}");
  EXPECT_EQ(typeset_words("ω₁ < \\alpha", Markup::latex),
            "\\text{$\\omega $$_{1}$ \\textless{} \\textbackslash{}alpha}");
  EXPECT_EQ(typeset_words("<b> & c", Markup::mathml), "<mtext>&lt;b&gt; &amp; c</mtext>");
}

TEST_F(TypesetTest, LongSumsEndWithDots) {
  Id f = g.variable(0);
  for (int k = 0; k < 60; ++k) f = g.add(g.make(Op::sin, f), g.make(Op::cos, f));  // 2^60 leaves
  const auto terms = typeset_terms(g, f, names, Markup::latex, 80);
  EXPECT_EQ(terms.back().text, "\\cdots ");
  Id sum = g.constant(0.0);
  for (int k = 0; k < 40; ++k)
    sum = g.add(sum, g.mul(g.variable(k % 3), g.make(Op::sin, g.variable(3 + k))));
  const auto shown = typeset_terms(g, sum, names, Markup::latex, 60);
  EXPECT_GT(shown.size(), 4u);
  EXPECT_LT(shown.size(), 12u);
  EXPECT_EQ(shown.back().text, "\\cdots ");
  EXPECT_NE(joined(shown, Markup::latex).find(" + \\cdots"), std::string::npos);
}

}  // namespace
}  // namespace varia::expr::typeset_test
