// SPDX-License-Identifier: BSD-3-Clause
// Programs: the interpreter against plain C++ and against evaluation in order; failures explained.
#include "varia/expr/tape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>

#include "../../src/expr/sine_pairs.hpp"
#include "random_expression.hpp"
#include "refusal.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/kernel.hpp"
#include "varia/expr/parse.hpp"
#include "varia/expr/tape_scalar.hpp"

namespace varia::expr::tape_test {
namespace {

const std::vector<std::string> names{"x", "y", "mu"};

struct Language {
  Graph g;
  Scope scope;
  Language() {
    for (int k = 0; k < 3; ++k) scope.add(names[static_cast<std::size_t>(k)], g.variable(k));
  }
  Tape operator()(const std::string& text) { return Tape(g, {parse(g, scope, text)}, 3); }
  double at(const std::string& text, const std::vector<double>& x) {
    const Tape tape = (*this)(text);
    std::vector<double> work(tape.instructions().size(), std::nan(""));
    double out = 0;
    tape.evaluate(x.data(), &out, work.data());
    return out;
  }
};

TEST(Tape, EqualsCppToTheLastBit) {
  Language language;
  const double x = 0.7312, y = 1.9174, mu = 0.4551;
  const auto at = [&](const std::string& text) { return language.at(text, {x, y, mu}); };
  EXPECT_EQ(at("x + y*mu - x/y"), x + y * mu - x / y);
  EXPECT_EQ(at("(x + y)*(x - mu)/(y + 3)"), (x + y) * (x - mu) / (y + 3));
  EXPECT_EQ(at("mu/sqrt(x^2 + y^2)"), mu / std::sqrt(x * x + y * y));
  EXPECT_EQ(at("x/3"), x / 3);
  EXPECT_EQ(at("sin(x) + cos(y) + tan(mu)"), std::sin(x) + std::cos(y) + std::tan(mu));
  EXPECT_EQ(at("asin(x) + acos(mu) + atan(y)"), std::asin(x) + std::acos(mu) + std::atan(y));
  EXPECT_EQ(at("sinh(x) + cosh(y) + tanh(mu)"), std::sinh(x) + std::cosh(y) + std::tanh(mu));
  EXPECT_EQ(at("exp(x) - log(y)"), std::exp(x) - std::log(y));
  EXPECT_EQ(at("x^mu"), std::pow(x, mu));
  EXPECT_EQ(at("x^2.3"), std::pow(x, 2.3));
  EXPECT_EQ(at("atan2(x, y) + hypot(x, mu)"), std::atan2(x, y) + std::hypot(x, mu));
  EXPECT_EQ(at("min(x, y) + max(x, y)*10"), x + y * 10);
  EXPECT_EQ(at("max(y, x) + min(y, x)*10"), y + x * 10);
  EXPECT_EQ(at("abs(x - y) + sign(x - y)"), std::abs(x - y) - 1);
  EXPECT_EQ(at("sign(x - x^1)"), 0.0);
  EXPECT_EQ(at("less(x, y) + 10*less(y, x)"), 1.0);
  EXPECT_EQ(at("-x*y"), -x * y);
  EXPECT_EQ(at("0.1 + 0.2"), 0.1 + 0.2);
}

/// The interpreter takes the operations in another order; the numbers are those of the program.
TEST(Tape, InterpreterEqualsEvaluationInOrder) {
  Graph g;
  RandomExpression random(g, 8);
  for (int k = 0; k < 100; ++k) {
    std::vector<Id> f{random(40)};
    for (const Id d : gradient(g, f[0], {0, 1, 2})) f.push_back(d);
    f.push_back(g.variable(1));
    f.push_back(g.constant(2.5));
    const Tape tape(g, f, 3);
    const std::vector<double> x = random.point();
    std::vector<double> work(tape.instructions().size()), out(f.size()), expected(f.size());
    tape.evaluate(x.data(), out.data(), work.data());
    tape.evaluate_as(x.data(), expected.data(), work);
    for (std::size_t i = 0; i < f.size(); ++i) EXPECT_EQ(out[i], expected[i]);
  }
}

// Called through pointers that the compiler does not see through, or it would make one call of both.
double (*volatile separate_sine)(double) = std::sin;
double (*volatile separate_cosine)(double) = std::cos;

/// All sizes of angles: small and large ones, those of few turns, multiples of pi/4 and their neighbours.
std::vector<double> angles() {
  std::vector<double> result{0.0,     -0.0,    4.9e-324, -2.3e-308,
                             1.7e308, 0x1p-27, 0x1p-26,  105414350.0};
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int k = 0; k < 200000; ++k) {
    const double x = unit(random);
    for (const double size : {0.1, 1.0, 3.0, 50.0, 1e9}) result.push_back(size * x);
    result.push_back(std::ldexp(x, static_cast<int>(random() % 2000) - 1000));
  }
  for (int k = -4000; k <= 4000; ++k) {
    const double x = k * std::atan(1.0);
    for (const double y : {x, std::nextafter(x, 1e9), std::nextafter(x, -1e9)}) result.push_back(y);
  }
  return result;
}

/// A chain of n masses: its energy, and the derivatives of that.
Tape chain(Graph& g, int n, const std::string& text) {
  Scope scope;
  std::vector<Id> q;
  std::vector<int> variables;
  for (int k = 0; k < n; ++k) {
    q.push_back(g.variable(k));
    variables.push_back(k);
  }
  scope.add_array("q", 1, q);
  scope.add_index("n", n);
  const Id f = parse(g, scope, text);
  std::vector<Id> outputs = gradient(g, f, variables);
  outputs.push_back(f);
  return {g, outputs, n};
}

void expect_the_bits_of_evaluation_in_order(const Tape& tape) {
  std::vector<double> x, work(tape.instructions().size());
  for (int k = 0; k < tape.inputs(); ++k) x.push_back(std::sin(0.7 * k + 0.1));
  std::vector<double> out(static_cast<std::size_t>(tape.outputs())), expected(out);
  tape.evaluate(x.data(), out.data(), work.data());
  tape.evaluate_as(x.data(), expected.data(), work);
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(out[i]), std::bit_cast<std::uint64_t>(expected[i])) << i;
}

/// What was a loop in the text is a few runs, however long it is.
TEST(Tape, SumsOverAnIndexAreRunsAtConstantStrides) {
  const std::string alpha_chain =
      "sum(i, 1, n - 1, (q[i+1] - q[i])^2/2 + 0.25*(q[i+1] - q[i])^3/3) + q[1]^2/2";
  Graph small, large;
  const std::size_t runs = chain(small, 100, alpha_chain).runs().size();
  const Tape tape = chain(large, 1000, alpha_chain);
  EXPECT_EQ(tape.runs().size(), runs);
  EXPECT_LE(runs, 40u);
  EXPECT_GT(tape.operations(), 9000);
  expect_the_bits_of_evaluation_in_order(tape);
}

TEST(Tape, RunsAtConstantStridesHaveTheirBits) {
  const char* const texts[] = {
      "sum(i, 1, n - 2, sin(q[i+2] - q[i])*exp(-q[i]))",         // functions
      "sum(i, 1, n/2, q[2*i]/(2 + q[2*i - 1]))",                 // every other one
      "sum(i, 1, n, q[i]*q[n + 1 - i])",                         // backwards
      "sum(i, 1, n, 3/(5 - q[i]) - q[1]*q[i])",                  // one operand for all
      "sum(i, 2, n, hypot(q[i], q[i-1])^3 + max(q[i], 0.1)^2)",  // two of a kind
      "sum(i, 1, 9, q[i]^4) - sum(i, 1, 13, q[i]*q[i+1])"};      // odd lengths
  for (const char* text : texts) {
    SCOPED_TRACE(text);
    Graph g;
    const Tape tape = chain(g, 60, text);
    EXPECT_TRUE(std::any_of(tape.runs().begin(), tape.runs().end(),
                            [](const auto& run) { return run.strided; }));
    expect_the_bits_of_evaluation_in_order(tape);
  }
}

TEST(Tape, SineAndCosineInOneCallHaveTheBitsOfTwo) {
  std::size_t different = 0;
  for (const double x : angles()) {
    double sine = 0.0, cosine = 0.0;
    sine_and_cosine(x, &sine, &cosine);
    const auto same = [](double a, double b) {
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    };
    if (!same(sine, separate_sine(x)) || !same(cosine, separate_cosine(x))) ++different;
  }
  EXPECT_EQ(different, 0U);
}

TEST(Tape, PairsOfSineAndCosineAreFoundByTheirOperand) {
  Graph g;
  const Id x = g.variable(0), y = g.variable(1);
  const Id cos_x = g.make(Op::cos, x), sin_y = g.make(Op::sin, y);
  const Id sum = g.add(cos_x, sin_y), sin_x = g.make(Op::sin, x);
  const Id cos_sum = g.make(Op::cos, sum), sin_sum = g.make(Op::sin, sum);
  const Tape tape(g, {cos_sum, sin_x, g.mul(sin_sum, cos_x), sin_y}, 2);
  const auto& program = tape.instructions();
  const auto partner = sine_pairs(program);
  int pairs = 0;
  for (std::uint32_t k = 0; k < program.size(); ++k) {
    EXPECT_EQ(partner[partner[k]], k);
    if (partner[k] == k) continue;
    ++pairs;
    EXPECT_EQ(program[k].a, program[partner[k]].a);
    EXPECT_NE(program[k].op, program[partner[k]].op);
  }
  EXPECT_EQ(pairs, 4);
  const double at[] = {0.7, -2.3};
  double out[4];
  std::vector<double> work(program.size());
  tape.evaluate(at, out, work.data());
  const double c = separate_cosine(at[0]), s = separate_sine(at[1]);
  EXPECT_EQ(out[0], separate_cosine(c + s));
  EXPECT_EQ(out[1], separate_sine(at[0]));
  EXPECT_EQ(out[2], separate_sine(c + s) * c);
  EXPECT_EQ(out[3], s);
}

TEST(Tape, HoldsWhatIsNeededInOrder) {
  Graph g;
  const Id x = g.variable(0), y = g.variable(5);
  const Id f = g.mul(g.add(x, y), g.make(Op::sin, x));
  g.make(Op::cos, f);  // not asked for
  const Tape tape(g, {f, x, f}, 6);
  EXPECT_EQ(tape.instructions().size(), 5u);
  EXPECT_EQ(tape.operations(), 3);
  EXPECT_EQ(tape.inputs(), 6);
  EXPECT_EQ(tape.outputs(), 3);
  EXPECT_EQ(tape.output_slots()[0], tape.output_slots()[2]);
  for (std::size_t k = 0; k < tape.instructions().size(); ++k) {
    const Instruction& i = tape.instructions()[k];
    EXPECT_NE(i.op, Op::cos);
    if (operands(i.op) > 0) {
      EXPECT_LT(i.a, k);
      EXPECT_LT(i.b, k);
    }
  }
  EXPECT_EQ(Tape(g, {}, 6).outputs(), 0);
  expect_words(refusal([&] { Tape(g, {f}, 5); }), {"variable 5", "5 inputs"});
}

TEST(Tape, FailuresAreExplained) {
  Language language;
  const auto failure = [&](const std::string& text, const std::vector<double>& x) {
    return language(text).non_finite(x.data(), names);
  };
  EXPECT_EQ(failure("mu/sqrt(x^2 + y^2)", {0, 0, 1}), "division by zero in mu/sqrt(x^2 + y^2)");
  EXPECT_EQ(failure("1 + sqrt(x - 2)", {1, 0, 0}), "square root of -1 in sqrt(x - 2)");
  EXPECT_EQ(failure("log(x)*y", {0, 1, 0}), "logarithm of 0 in log(x)");
  EXPECT_EQ(failure("asin(2*x)", {1, 1, 0}), "asin of 2 in asin(2*x)");
  EXPECT_EQ(failure("x^y", {-2, 0.5, 0}), "power 0.5 of -2 in x^y");
  EXPECT_EQ(failure("x^y", {0, -1, 0}), "division by zero in x^y");
  EXPECT_EQ(failure("exp(x*y)", {100, 100, 0}), "overflow in exp(x*y)");
  EXPECT_EQ(failure("x + y", {1, std::nan(""), 0}), "y is nan");
  EXPECT_EQ(failure("1/0*x", {1, 1, 1}), "division by zero in 1/0");
  EXPECT_EQ(failure("mu/sqrt(x^2 + y^2)", {1, 0, 1}), "");
  const std::string text = failure("log(sum(i, 1, 100, (x - i)*(y - i)) - 1e9)", {0, 0, 0});
  EXPECT_LE(text.size(), 200u);
  expect_words(text, {"logarithm of -", "..."});
}

/// Also Kernel::with_parameters.
TEST(Tape, WithOtherParameters) {
  Graph graph;
  const Id a = graph.parameter(2.0, "a"), b = graph.parameter(3.0, "b");
  const Id f = graph.add(graph.mul(a, graph.variable(0)), graph.mul(b, graph.constant(10.0)));
  const auto tape = std::make_shared<const Tape>(graph, std::vector<Id>{f}, 1);
  const Kernel kernel(tape);
  const auto value = [](const Kernel& k) {
    const double x = 5.0;
    double out = 0.0;
    k(&x, &out);
    return out;
  };
  EXPECT_EQ(value(kernel), 40.0);
  EXPECT_EQ(value(kernel.with_parameters({4.0, 7.0})), 90.0);
  EXPECT_EQ(value(kernel.with_parameters({4.0})), 50.0) << "those that are not given stay";
  EXPECT_EQ(value(kernel), 40.0);
  EXPECT_EQ(tape->with_parameters({4.0, 7.0}).parameters(), (std::vector<double>{4.0, 7.0}));
}

}  // namespace
}  // namespace varia::expr::tape_test
