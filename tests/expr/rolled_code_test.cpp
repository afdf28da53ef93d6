// SPDX-License-Identifier: BSD-3-Clause
// Code with loops computes what the interpreter computes, to the bit, and is no longer for longer chains.
#include "../../src/expr/rolled_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "../../src/expr/c_text.hpp"
#include "native_fixture.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/native_size.hpp"
#include "varia/expr/parse.hpp"

namespace varia::expr::rolled_code_test {
namespace {

using Numbers = std::vector<double>;

class RolledCodeTest : public NativeTest {};

Numbers point(int n) {
  std::mt19937 random(7);
  Numbers x;
  for (int i = 0; i < n; ++i) x.push_back(0.3 + static_cast<double>(random()) / 4294967296.0);
  return x;
}

/// L and its gradient in q, of n coordinates q[i].
Tape gradient_of(const std::string& text, int n, bool with_value = true) {
  Graph g;
  Scope scope;
  std::vector<Id> q;
  std::vector<int> variables;
  for (int i = 0; i < n; ++i) {
    q.push_back(g.variable(i));
    variables.push_back(i);
  }
  scope.add_array("q", 1, q);
  scope.add_index("n", n);
  const Id f = parse(g, scope, text);
  std::vector<Id> out = gradient(g, f, variables);
  if (with_value) out.push_back(f);
  return Tape(g, out, n);
}

/// Of the tape with its loops, whether they are worth it or not.
void expect_same_bits(const std::string& what, const Tape& tape) {
  std::string loops;
  const auto form = [&](std::uint32_t slot) { return form_of(tape.instructions()[slot].op); };
  write_rolled(loops, {"loops", 1, form}, tape, RolledProgram(tape));
  const Tape other =
      gradient_of("q[1]^2*mod(q[1], 2)", 1);  // with the functions of C that loops call
  const auto module = NativeModule::compile({{"f", &other}}, loops);
  const auto f = reinterpret_cast<Compiled>(module->symbol("loops"));
  const Numbers x = point(tape.inputs());
  Numbers work(tape.instructions().size());
  Numbers expected(static_cast<std::size_t>(tape.outputs()), -77.0);
  Numbers found = expected;
  tape.evaluate(x.data(), expected.data(), work.data());
  for (int again = 0; again < 2; ++again) {
    f(x.data(), found.data(), tape.parameters().data());
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_TRUE((std::isnan(expected[i]) && std::isnan(found[i])) ||
                  std::bit_cast<std::uint64_t>(expected[i]) ==
                      std::bit_cast<std::uint64_t>(found[i]))
          << what << ", output " << i << ": " << expected[i] << " and " << found[i];
  }
}

const std::string chain = "sum(i, 1, n - 1, (q[i+1] - q[i])^2/2 + 0.3*(q[i+1] - q[i])^4)";

TEST_F(RolledCodeTest, SumsOverIndices) {
  for (const std::string& text :
       {chain, std::string("sum(i, 1, n, sin(q[i]) + q[i]*cos(q[i]))"),
        std::string("sum(i, 2, n - 1, q[i-1]*q[i]*q[i+1])/q[1]"),
        std::string("sum(i, 1, n - 1, i*cos(q[i] - q[i+1]))"),
        std::string("sum(i, 1, n/3, sum(j, i + 1, n/3, 1/sqrt((q[i]-q[j])^2 + "
                    "(q[n/3+i]-q[n/3+j])^2 + (q[2*n/3+i]-q[2*n/3+j])^2)))")}) {
    const Tape tape = gradient_of(text, 240);
    EXPECT_TRUE(native_size(tape).loops) << text;
    expect_same_bits(text, tape);
  }
}

/// Two turns more are the same code.
TEST_F(RolledCodeTest, CodeOfAChainDoesNotGrow) {
  const NativeSize small = native_size(gradient_of(chain, 200));
  const NativeSize large = native_size(gradient_of(chain, 5000));
  EXPECT_TRUE(large.loops);
  EXPECT_EQ(small.statements, large.statements);
  EXPECT_LT(large.statements, 400U);
}

TEST_F(RolledCodeTest, ShortAndIrregularProgramsAreWrittenOut) {
  EXPECT_FALSE(native_size(gradient_of(chain, 20)).loops);
  const Tape irregular = random_tape(3, exact_ops, 5, 3000, 12);
  EXPECT_FALSE(native_size(irregular).loops);
  EXPECT_EQ(native_size(irregular).statements, static_cast<std::size_t>(irregular.operations()));
}

TEST_F(RolledCodeTest, FreeParametersInLoops) {
  Graph g;
  const Id stiffness = g.parameter(1.5);
  const Id scale = g.parameter(-2.5);
  Id sum = g.constant(0.0);
  std::vector<Id> out;
  for (int i = 0; i < 300; ++i) {
    const Id x = g.variable(i);
    const Id k = i % 2 == 0 ? stiffness : g.constant(0.1 * i);
    sum = g.add(sum, g.mul(g.mul(k, x), g.make(Op::sqrt, x)));
    out.push_back(g.mul(sum, scale));
  }
  out.push_back(g.constant(3.0));
  out.push_back(stiffness);
  out.push_back(g.variable(4));
  const Tape tape(g, out, 300);
  EXPECT_TRUE(native_size(tape).loops);
  expect_same_bits("parameters", tape);
}

/// A body of random operations on results of this turn and of earlier ones, on inputs and constants.
Tape random_loop(unsigned seed) {
  // what is folded in some turns only, such as a condition of constants, leaves no loop
  const Ops ops{Op::neg, Op::abs, Op::sign, Op::sqrt, Op::add, Op::sub,
                Op::mul, Op::div, Op::min,  Op::max,  Op::less};
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return random() % static_cast<unsigned>(n); };
  const std::size_t length = 3 + below(20);
  const std::size_t turns = 60 + below(40);
  constexpr std::size_t inputs = 150;
  struct Reference {
    std::size_t kind;
    std::size_t number, step;
  };
  struct Statement {
    Op op;
    Reference a, b;
  };
  std::vector<Statement> body;
  for (std::size_t l = 0; l < length; ++l) {
    const auto reference = [&]() -> Reference { return {below(6), below(length), below(3)}; };
    body.push_back({ops[below(ops.size())], reference(), reference()});
  }
  Graph g;
  std::vector<std::vector<Id>> results;
  const auto value = [&](const Reference& r, std::size_t l) {
    const std::size_t turn = results.size() - 1;
    const std::size_t back = r.kind == 1 ? 1 : 1 + 9 * r.step;
    if (r.kind == 0 && l > 0) return results[turn][r.number % l];
    if (r.kind <= 2 && turn >= back) return results[turn - back][r.number];
    if (r.kind == 3) return g.constant(0.1 + 0.25 * static_cast<double>(r.number + r.step * turn));
    if (r.kind == 4) return g.variable(static_cast<int>(below(inputs)));
    return g.variable(static_cast<int>((r.number + r.step * turn) % inputs));
  };
  std::vector<Id> out;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    results.emplace_back();
    for (std::size_t l = 0; l < length; ++l) {
      const Statement& s = body[l];
      const Id a = value(s.a, l);
      results[turn].push_back(operands(s.op) == 1 ? g.make(s.op, a)
                                                  : g.make(s.op, a, value(s.b, l)));
      if (l % 3 == 0) out.push_back(results[turn][l]);
    }
  }
  if (seed % 2 == 0) std::shuffle(out.begin(), out.end(), random);
  return Tape(g, out, inputs);
}

TEST_F(RolledCodeTest, RandomLoops) {
  std::size_t rolled = 0;
  std::size_t all = 0;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    const Tape tape = random_loop(seed);
    const RolledProgram program(tape);
    for (const TapeLoop& loop : program.loops())
      if (loop.turns > 1) rolled += loop.length * loop.turns;
    all += static_cast<std::size_t>(tape.operations());
    expect_same_bits("seed " + std::to_string(seed), tape);
  }
  EXPECT_GT(2 * rolled, all);
}

/// Every operation of the tape once, operands first.
TEST_F(RolledCodeTest, LoopsAreTheWholeProgram) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Tape tape = random_loop(seed);
    const RolledProgram program(tape);
    std::uint32_t end = 0;
    std::size_t statements = 0;
    for (const TapeLoop& loop : program.loops()) {
      EXPECT_EQ(loop.first, end);
      end = loop.end();
      statements += loop.length;
    }
    EXPECT_EQ(end, program.order().size());
    EXPECT_EQ(static_cast<int>(end), tape.operations());
    EXPECT_EQ(statements, program.statements());
  }
}

}  // namespace
}  // namespace varia::expr::rolled_code_test
