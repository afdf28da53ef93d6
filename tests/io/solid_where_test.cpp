// SPDX-License-Identifier: BSD-3-Clause
// Conditions: they hold where the same C++ expression holds, and every mistake has a caret.
#include "varia/io/solid_where.hpp"

#include <random>
#include <thread>

#include "refusal.hpp"

namespace varia::io::solid_where_test {

namespace {

class Where : public testing::Test {
 protected:
  Where() {
    scope_.add("X", graph_.variable(0));
    scope_.add("Y", graph_.variable(1));
    scope_.add("a", graph_.constant(0.5));
  }
  Condition parse(const std::string& text) {
    return parse_condition(graph_, scope_, text, {"X", "Y"});
  }
  bool holds(const std::string& text, double x, double y = 0.0) {
    const std::array<double, 2> at{x, y};
    return parse(text)(at.data());
  }
  /// The message, and what the caret points to.
  std::string refused(const std::string& text, const std::string& pointed) {
    try {
      parse(text);
      ADD_FAILURE() << "accepted: " << text;
      return "";
    } catch (const expr::ParseError& error) {
      const auto newline = error.caret.find('\n');
      const std::string line = error.caret.substr(0, newline);
      const auto column = error.caret.size() - newline - 2;
      EXPECT_EQ(line.substr(column, pointed.size()), pointed) << error.what();
      return error.message;
    }
  }

  expr::Graph graph_;
  expr::Scope scope_;
};

TEST_F(Where, HoldsWhereTheSameExpressionHolds) {
  struct Case {
    const char* text;
    bool (*same)(double, double);
  };
  const Case cases[] = {
      {"X < 0.5", [](double x, double) { return x < 0.5; }},
      {"X > 0.5", [](double x, double) { return x > 0.5; }},
      {"X <= a", [](double x, double) { return x <= 0.5; }},
      {"X >= a", [](double x, double) { return x >= 0.5; }},
      {"X == a", [](double x, double) { return x == 0.5; }},
      {"2*X + 1 < 3*(Y + a)", [](double x, double y) { return 2 * x + 1 < 3 * (y + 0.5); }},
      {"X < a or Y < a and X > Y",
       [](double x, double y) { return x < 0.5 || (y < 0.5 && x > y); }},
      {"(X < a or Y < a) and X > Y",
       [](double x, double y) { return (x < 0.5 || y < 0.5) && x > y; }},
      {"not X < a and Y < a", [](double x, double y) { return !(x < 0.5) && y < 0.5; }},
      {"not (X < a and Y < a)", [](double x, double y) { return !(x < 0.5 && y < 0.5); }},
      {"not not X < a", [](double x, double) { return x < 0.5; }},
      {"0.25 < X <= 0.75", [](double x, double) { return 0.25 < x && x <= 0.75; }},
      {"((X) < ((a)))", [](double x, double) { return x < 0.5; }},
      {"(X + 1)*(Y + 1) > 1.5", [](double x, double y) { return (x + 1) * (y + 1) > 1.5; }},
      {"max(X, Y) < a\n  or\tmin(X,Y)>=.75",
       [](double x, double y) { return std::max(x, y) < 0.5 || std::min(x, y) >= 0.75; }},
      {"X<a or(Y<a)and(X>Y)", [](double x, double y) { return x < 0.5 || (y < 0.5 && x > y); }},
  };
  for (const Case& c : cases) {
    const Condition condition = parse(c.text);
    int inside = 0;
    for (int i = 0; i <= 16; ++i)
      for (int j = 0; j <= 16; ++j) {
        const std::array<double, 2> at{i / 16.0, j / 16.0};
        EXPECT_EQ(condition(at.data()), c.same(at[0], at[1])) << c.text << " " << i << " " << j;
        inside += condition(at.data()) ? 1 : 0;
      }
    EXPECT_GT(inside, 0) << c.text;
    EXPECT_LT(inside, 17 * 17) << c.text;
  }
}

TEST_F(Where, WordsInsideNamesAreNoOperators) {
  scope_.add("sand", graph_.constant(0.5));
  scope_.add("or_1", graph_.constant(0.5));
  scope_.add("nothing", graph_.constant(0.5));
  EXPECT_TRUE(holds("X < sand and X < or_1 and X < nothing", 0.25));
  EXPECT_FALSE(holds("X < sand and X < or_1 and X < nothing", 0.75));
}

TEST_F(Where, MistakesHaveACaret) {
  expect_has(refused("X < b", "b"), "unknown name 'b'");
  expect_has(refused("Y > 0 and X < b + 1", "b + 1"), "unknown name 'b'");
  expect_has(refused("Y > 0 and\nX < 2*c", "c"), "unknown name 'c'");
  expect_has(refused("X", "X"), "a condition compares");
  expect_has(refused("X < 1 and (Y + 1)", "Y + 1"), "a condition compares");
  expect_has(refused("X = 1", "= 1"), "equality is written ==");
  expect_has(refused("X != 1", "!="), "and, or, not");
  expect_has(refused("X < 1 && Y < 1", "&&"), "and, or, not");
  expect_has(refused("X < 1 || Y < 1", "||"), "and, or, not");
  expect_has(refused("X < ", ""), "an expression is missing");
  expect_has(refused("< 1", "< 1"), "an expression is missing");
  expect_has(refused("X < 1 and", ""), "a condition is missing");
  expect_has(refused("or X < 1", "or"), "a condition is missing");
  expect_has(refused("not", ""), "a condition is missing");
  expect_has(refused("(X < 1", "(X"), "not closed");
  expect_has(refused("X < 1)", ")"), "not opened");
  expect_has(refused("(X < 1]", "]"), "closed by ']'");
  expect_has(refused("X < not Y", "not"), "stands inside an expression");
  expect_has(refused("(X < 1) < 2", "< 1"), "stands inside an expression");
  expect_has(refused("sin(X < 1) > 0", "< 1"), "stands inside an expression");
  expect_has(refused("X < 1 2", "2"), "");
  expect_has(refused("", ""), "a condition is missing");
  refused(std::string(100000, '('), "(");
  std::string far(300, ' ');
  far.append("X < b").append(300, ' ');
  EXPECT_LT(refused(far, "").size(), 200U);
}

TEST_F(Where, ASideWithoutValueIsAnError) {
  expect_words(refusal<DomainError>([&] { holds("sqrt(X - 0.5) < 1", 0.25); }),
               {"X = 0.25, Y = 0", "sqrt"});
  expect_words(refusal<DomainError>([&] { holds("1/X > 5", 0.0); }), {"division by zero"});
  EXPECT_FALSE(holds("X >= 0.5 and sqrt(X - 0.5) < 1", 0.25)) << "asked from left to right";
  EXPECT_TRUE(holds("X < 0.5 or sqrt(X - 0.5) < 1", 0.25));
  EXPECT_TRUE(holds("X >= 0.5 and sqrt(X - 0.5) < 1", 0.75));
}

TEST_F(Where, ThreadsMayAskAtOnce) {
  const Condition condition = parse("sin(3*X)^2 + Y^2 < a*exp(X) and X + Y > 0.1");
  std::vector<char> expected, found(4 * 1000);
  for (int i = 0; i < 1000; ++i) {
    const std::array<double, 2> at{i * 1e-3, 1 - i * 1e-3};
    expected.push_back(condition(at.data()) ? 1 : 0);
  }
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      for (std::size_t i = 0; i < 1000; ++i) {
        const double x = static_cast<double>(i) * 1e-3;
        const std::array<double, 2> at{x, 1 - x};
        found[k * 1000 + i] = condition(at.data()) ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(),
                           found.begin() + static_cast<std::ptrdiff_t>(1000 * k)));
}

TEST_F(Where, AnyTextIsReadOrRefused) {
  std::mt19937 random(11);
  const std::vector<std::string> words{"X",   "Y", "a", "<", ">", "<=",   "==",  "and", "or",
                                       "not", "(", ")", "+", "*", "0.5",  "sin", " ",   "\n",
                                       "=",   "!", "[", "]", ",", "\xc3", "1e"};
  int accepted = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    const std::size_t count = random() % 9;
    for (std::size_t k = 0; k < count; ++k) text += words[random() % words.size()] + " ";
    try {
      const Condition condition = parse(text);
      const std::array<double, 2> at{0.25, 0.75};
      condition(at.data());
      ++accepted;
    } catch (const expr::ParseError& error) {
      EXPECT_FALSE(error.message.empty());
      EXPECT_GE(error.column, 1);
    } catch (const DomainError&) {
      ++accepted;
    }
  }
  EXPECT_GT(accepted, 20);
}

}  // namespace
}  // namespace varia::io::solid_where_test
