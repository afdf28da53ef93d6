// SPDX-License-Identifier: BSD-3-Clause
// The language of expressions: what is read, and how what is wrong is answered.
#include "varia/expr/parse.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "refusal.hpp"
#include "varia/expr/tape.hpp"

namespace varia::expr::parse_test {
namespace {

struct ParseTest : testing::Test {
  Graph g;
  Scope scope;
  Id x = g.variable(0), y = g.variable(1), z = g.variable(2);

  ParseTest() {
    scope.add("x", x);
    scope.add("y", y);
    scope.add("z", z);
    scope.add("mu", g.constant(3.5));
    scope.add("n", g.constant(4));
    scope.add_array("q", 1, {g.variable(3), g.variable(4), g.variable(5), g.variable(6)});
    scope.add_array("m", 0, {g.constant(10), g.constant(20)});
    scope.add_index("k", 2);
  }

  Id operator()(const std::string& text) { return parse(g, scope, text); }

  ParseError error(const std::string& text) {
    try {
      parse(g, scope, text);
    } catch (const ParseError& e) {
      return e;
    } catch (const std::exception& e) {
      ADD_FAILURE() << text << ": another exception: " << e.what();
      return {"", 0, 0, ""};
    }
    ADD_FAILURE() << text << " is accepted";
    return {"", 0, 0, ""};
  }

  /// The position of the error, and words of its message.
  void expect_error(const std::string& text, int line, int column,
                    std::initializer_list<const char*> words) {
    const ParseError e = error(text);
    EXPECT_EQ(e.line, line) << text;
    EXPECT_EQ(e.column, column) << text << "\n" << e.what();
    expect_words(e.message, words);
    EXPECT_EQ(std::string(e.what()), e.message + "\n" + e.caret);
  }

  void expect_equal(const std::string& text, const std::string& same) {
    EXPECT_EQ((*this)(text), (*this)(same)) << text << " is not " << same;
  }
};

TEST_F(ParseTest, Numbers) {
  const std::vector<std::pair<std::string, double>> table{
      {"1", 1},         {"1.5", 1.5},       {".5", 0.5},
      {"1e-3", 1e-3},   {"1E+3", 1e3},      {"2.e2", 200},
      {"0.1", 0.1},     {"1e308", 1e308},   {"pi", std::numbers::pi},
      {"2^10", 1024},   {"2^-3", 0.125},    {"-2^2", -4},
      {"(-2)^2", 4},    {"2^3^2", 512},     {"7 - 3 - 2", 2},
      {"8/4/2", 1},     {"2*3 + 4*5", 26},  {"-3 - -4", 1},
      {"--3", 3},       {"+3", 3},          {"2 - 3*4", -10},
      {"6/3*2", 4},     {"-2^-2", -0.25},   {"2^-1^2", 0.5},
      {"4^.5", 2},      {"sqrt(16)", 4},    {"max(2, 3)", 3},
      {"min(2, 3)", 2}, {"hypot(3, 4)", 5}, {"pow(2, 3)", 8},
      {"abs(-2)", 2},   {"sign(-2)", -1},   {"mu", 3.5},
      {"k", 2},         {"k^2/8", 0.5}};
  for (const auto& [text, value] : table) EXPECT_EQ((*this)(text), g.constant(value)) << text;
}

TEST_F(ParseTest, PrecedenceAndAssociativity) {
  expect_equal("x + y*z", "x + (y*z)");
  expect_equal("x*y + z", "(x*y) + z");
  expect_equal("x - y - z", "(x - y) - z");
  expect_equal("x - y + z", "(x - y) + z");
  expect_equal("x/y/z", "(x/y)/z");
  expect_equal("x/y*z", "(x/y)*z");
  expect_equal("x*y^z", "x*(y^z)");
  expect_equal("x^y^z", "x^(y^z)");
  expect_equal("-x^y", "-(x^y)");
  expect_equal("x^-y", "x^(-y)");
  expect_equal("x^-y^z", "x^(-(y^z))");
  expect_equal("x*-y", "-(x*y)");
  expect_equal("x - -y", "x + y");
  expect_equal("-x*y", "-(x*y)");
  EXPECT_NE((*this)("x - (y - z)"), (*this)("x - y - z"));
  EXPECT_NE((*this)("(x^y)^z"), (*this)("x^y^z"));
  EXPECT_NE((*this)("(-x)^y"), (*this)("-x^y"));
}

TEST_F(ParseTest, EqualTextsAreEqualNodes) {
  expect_equal("sin(x + y)", " sin ( y+x )\n");
  expect_equal("x^2", "x*x");
  expect_equal("mu*x", "x*3.5");
  EXPECT_EQ((*this)("q[2]"), g.variable(4));
  EXPECT_EQ((*this)("q[k + 1]"), g.variable(5));
  EXPECT_EQ((*this)("q[n]"), g.variable(6));
  EXPECT_EQ((*this)("m[0] + m[1]"), g.constant(30));
  EXPECT_EQ((*this)("q[6*0.5]"), g.variable(5));
}

TEST_F(ParseTest, SumsAreUnrolled) {
  expect_equal("sum(i, 1, 3, (q[i+1] - q[i])^2)",
               "(q[2] - q[1])^2 + (q[3] - q[2])^2 + (q[4] - q[3])^2");
  expect_equal("sum(i, 1, n, i*q[i])", "q[1] + 2*q[2] + 3*q[3] + 4*q[4]");
  expect_equal("sum(i, 1, 2, sum(j, i + 1, 3, q[i]*q[j]))", "(q[1]*q[2] + q[1]*q[3]) + q[2]*q[3]");
  expect_equal("sum(i, 1, 0, q[i + 7]) + x", "x");
  expect_equal("sum(i, 3, 1, sum(j, 1, 1000000000, x))", "0");
  expect_equal("sum(i, 2, 2, i)", "2");
  EXPECT_EQ((*this)("sum(i, -3, 3, i^2)"), g.constant(28));
  EXPECT_EQ((*this)("sum(i, 1, 1000, i)"), g.constant(500500));
}

TEST_F(ParseTest, MistakesHavePositions) {
  expect_error("", 1, 1, {"empty"});
  expect_error("  \n ", 2, 2, {"empty"});
  expect_error("x +", 1, 4, {"ends too early"});
  expect_error("x + * y", 1, 5, {"unexpected '*'"});
  expect_error("(x + y", 1, 7, {"ends too early", "')'", "'('", "column 1"});
  expect_error("x + y)", 1, 6, {"closes nothing"});
  expect_error("sin(x", 1, 6, {"')'", "column 4"});
  expect_error("2 x", 1, 3, {"operator", "*"});
  expect_error("2(x + y)", 1, 2, {"operator", "*"});
  expect_error("(x)(y)", 1, 4, {"operator", "*"});
  expect_error("x y", 1, 3, {"operator"});
  expect_error("x(y)", 1, 1, {"not a function", "x*(...)"});
  expect_error("x = 2", 1, 3, {"'='"});
  expect_error("x ** 2", 1, 4, {"^"});
  expect_error("x,y", 1, 2, {"','"});
  expect_error("x +\n  foo*2", 2, 3, {"foo"});
  expect_error("x + \"a\"", 1, 5, {"quotes", "table"});
  expect_error("1.2.3", 1, 4, {"operator"});
  expect_error("1e999", 1, 1, {"range"});
  expect_error("2e", 1, 2, {"operator"});
  expect_error(".", 1, 1, {"'.'"});
  expect_error("x[1]", 1, 1, {"not an array"});
  expect_error("q", 1, 1, {"q[1..4]", "index", "q[1]"});
  expect_error("q + x", 1, 1, {"q[1..4]"});
  expect_error("q[5]", 1, 3, {"index 5", "q[1..4]"});
  expect_error("q[0]", 1, 3, {"index 0", "q[1..4]"});
  expect_error("q[1.5]", 1, 3, {"integer", "1.5"});
  expect_error("q[x]", 1, 3, {"must be a number"});
  expect_error("q[1", 1, 4, {"']'"});
  expect_error("q[1)", 1, 4, {"']'"});
  expect_error("q[]", 1, 3, {"']'"});
  expect_error("q[1e30]", 1, 3, {"integer"});
  expect_error("sum(i, 1, 4, q[i+1] - q[i])", 1, 16, {"index 5", "with i = 4"});
}

TEST_F(ParseTest, FunctionsHaveTheirArguments) {
  expect_error("sin()", 1, 1, {"sin takes 1 argument", "found 0"});
  expect_error("sin(x, y)", 1, 1, {"sin takes 1 argument", "found 2"});
  expect_error("x + atan2(x)", 1, 5, {"atan2 takes 2 arguments", "found 1"});
  expect_error("max(x, y, z)", 1, 1, {"max takes 2 arguments", "found 3"});
  expect_error("sin", 1, 1, {"sin", "function", "parentheses"});
  expect_error("sin*2", 1, 1, {"function"});
  expect_error("sum", 1, 1, {"function"});
  expect_error("sum(1, 2, 3, x)", 1, 5, {"new name"});
  expect_error("sum(x, 1, 3, x)", 1, 5, {"'x'", "meaning already"});
  expect_error("sum(i, 1, 3)", 1, 12, {"4 arguments"});
  expect_error("sum(i, 1, 3, i, i)", 1, 15, {"4 arguments"});
  expect_error("sum(i, x, 3, i)", 1, 8, {"first index", "number"});
  expect_error("sum(i, 1, 2.5, i)", 1, 11, {"last index", "integer", "2.5"});
  expect_error("sum(i, 1, 0, foo)", 1, 14, {"unknown name 'foo'"});
  expect_error("sum(i, 1, 0, sin(i)", 1, 20, {"')'"});
  expect_error("sum(i, 1, 2, sum(i, 1, 2, i))", 1, 18, {"meaning already"});
  expect_error("sum(i, 1, 2, x) + i", 1, 19, {"unknown name 'i'"});
}

TEST_F(ParseTest, UnknownNamesAreAnsweredWithKnownOnes) {
  expect_error("nu*x", 1, 1,
               {"unknown name 'nu'", "did you mean 'mu'", "Known: k, m, mu, n, q, x"});
  expect_error("X", 1, 1, {"unknown name 'X'", "did you mean 'x'"});
  expect_error("sinus(x)", 1, 1, {"unknown function 'sinus'", "did you mean 'sin'"});
  expect_error("sqr(x)", 1, 1, {"did you mean 'sqrt'"});
  expect_error("p[1]", 1, 1, {"unknown array 'p'"});
  expect_error("frequency", 1, 1, {"unknown name 'frequency'; known: "});
  expect_error(std::string(5000, 'a'), 1, 1, {"unknown name 'aaa", "..."});
}

TEST_F(ParseTest, TheCaretStandsBelowTheMistake) {
  EXPECT_EQ(error("x + foo").caret, "  x + foo\n      ^");
  EXPECT_EQ(error("x +\n\tfoo + y\nz").caret, "   foo + y\n   ^");
  const ParseError e = error(std::string(3000, '+') + "?" + std::string(3000, '+'));
  EXPECT_EQ(e.column, 3001);
  const std::size_t split = e.caret.find('\n');
  EXPECT_LT(split, 130u);
  EXPECT_EQ(e.caret[e.caret.size() - 1 - split - 1], '?');
}

TEST_F(ParseTest, OtherBytesAreRefused) {
  expect_error("x + \xC2", 1, 5, {"0xC2"});
  expect_error("x\xFF", 1, 2, {"0xFF"});
  expect_error(std::string("x\0y", 3), 1, 2, {"0x00"});
  expect_error("x; y", 1, 2, {"';'"});
  for (const char c : error("x + \xC2").caret) EXPECT_GT(c, 0);
}

TEST_F(ParseTest, Limits) {
  const auto nested = [](int depth) {
    return std::string(depth, '(') + "x" + std::string(depth, ')');
  };
  EXPECT_EQ((*this)(nested(390)), x);
  expect_error(nested(100000), 1, 401, {"nested", "400"});
  std::string powers = "x";
  for (int i = 0; i < 10000; ++i) powers += "^x";
  EXPECT_NE(error(powers).message.find("nested"), std::string::npos);
  EXPECT_EQ((*this)(std::string(100001, '-') + "x"), g.neg(x));
  std::string brackets;
  for (int i = 0; i < 10000; ++i) brackets += "q[";
  EXPECT_NE(error(brackets).message.find("nested"), std::string::npos);

  EXPECT_NE(error(std::string(1'000'001, ' ')).message.find("1000001"), std::string::npos);
  expect_error("sum(i, 1, 1000001, x)", 1, 1, {"1000000", "terms"});
  expect_error("sum(i, 1, 2000, sum(j, 1, 2000, x))", 1, 17, {"1000000", "terms"});
  expect_error("sum(i, 1, 1e12, x)", 1, 11, {"integer"});
  EXPECT_EQ((*this)("sum(i, 1, 100000, x)"), g.mul(g.constant(1e5), x));
}

TEST_F(ParseTest, LimitOfOperations) {
  EXPECT_NE(error("sum(i, 1, 999999, sin(i*x) + cos(i*x))").message.find("2000000 operations"),
            std::string::npos);
}

TEST_F(ParseTest, LimitOfRepetition) {
  std::string body = "x";
  for (int i = 0; i < 100000; ++i) body += "+0";
  EXPECT_NE(error("sum(i, 1, 1000000, " + body + ")").message.find("parts"), std::string::npos);
}

TEST_F(ParseTest, LongSumsAreRead) {
  std::string text = "0";
  for (int i = 1; i <= 100000; ++i) text += " + x^" + std::to_string(i % 7 + 2) + "/7";
  const Id f = (*this)(text.substr(0, 999'999).substr(0, text.rfind(" + ", 999'990)));
  const Tape tape(g, {f}, 7);
  std::vector<double> at(7, 1.0), work(tape.instructions().size());
  double out = 0;
  tape.evaluate(at.data(), &out, work.data());
  EXPECT_GT(out, 10000.0);
  std::string products = "x";
  for (int i = 0; i < 100000; ++i) products += "*y/z";
  EXPECT_NO_THROW((*this)(products));
}

TEST_F(ParseTest, ScopeRefusesBadNames) {
  expect_words(refusal([&] { scope.add("x", x); }), {"'x'", "twice"});
  expect_words(refusal([&] { scope.add_array("x", 1, {x}); }), {"'x'", "twice"});
  expect_words(refusal([&] { scope.add("sin", x); }), {"'sin'", "language"});
  expect_words(refusal([&] { scope.add_index("pi", 1); }), {"'pi'", "language"});
  expect_words(refusal([&] { scope.add("2x", x); }), {"'2x'", "letter"});
  expect_words(refusal([&] { scope.add("", x); }), {"letter"});
  expect_words(refusal([&] { scope.add("a b", x); }), {"letter"});
  EXPECT_TRUE(is_name("x_dot") && is_name("_1") && !is_name("1a") && !is_name("x-y"));
  EXPECT_EQ(scope.names(), (std::vector<std::string>{"k", "m", "mu", "n", "q", "x", "y", "z"}));
}

/// Whatever the bytes: an expression, or an error that says so.
TEST_F(ParseTest, MutatedTextsAreReadOrRefused) {
  const std::vector<std::string> seeds{
      "(x^2 + y^2)/2 + mu/sqrt(x^2 + y^2)", "sum(i, 1, 3, (q[i+1] - q[i])^2)",
      "-sin(x)*cos(y)^-2 + atan2(y, x)", "sum(i, 1, n, sum(j, 1, i, m[0]*q[j]/i))",
      "max(1e-3, .5*x)/(1 - pow(y, 2.5))"};
  const std::string alphabet = "+-*/^()[],.0123456789eExyzqnik \n\tsum\xFF\x80=_#";
  std::mt19937 random(99);
  int accepted = 0;
  int refused = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string text = seeds[random() % seeds.size()];
    for (unsigned edits = random() % 4 + 1; edits > 0; --edits) {
      const std::size_t at = random() % (text.size() + 1);
      const char c = alphabet[random() % alphabet.size()];
      switch (random() % 4) {
        case 0:
          text.insert(at, 1, c);
          break;
        case 1:
          text.erase(at, 1 + random() % 3);
          break;
        case 2:
          text.insert(at, text.substr(random() % (text.size() + 1), random() % 9));
          break;
        default:
          if (at < text.size()) text[at] = c;
      }
    }
    try {
      const Id f = parse(g, scope, text);
      EXPECT_LT(f, g.size());
      ++accepted;
    } catch (const ParseError& e) {
      EXPECT_GE(e.line, 1);
      EXPECT_GE(e.column, 1);
      ++refused;
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace varia::expr::parse_test
