// SPDX-License-Identifier: BSD-3-Clause
// The estimates by which `auto` chooses: how they grow, and what follows from them.
#include "../../src/io/run/evaluation_cost.hpp"

#include <gtest/gtest.h>

#include "../../bench/evaluation_cases.hpp"
#include "../../src/expr/compiler.hpp"
#include "expr/native_sandbox.hpp"
#include "models.hpp"
#include "varia/expr/parse.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::evaluation_cost_test {
namespace {

/// sum of the terms of x[1], …, x[n] as a program.
expr::Tape sum_of(int n, const std::string& term) {
  expr::Graph graph;
  std::vector<expr::Id> x;
  for (int i = 0; i < n; ++i) x.push_back(graph.variable(i));
  expr::Scope scope;
  scope.add_array("x", 1, x);
  const expr::Id f =
      expr::parse(graph, scope, "sum(i, 1, " + std::to_string(n) + ", " + term + ")");
  return {graph, {f}, n};
}

double seconds(const std::vector<Work>& parts) {
  const std::vector<bool> chosen = worth_compiling(parts);
  double sum = 0.0;
  double code = 0.0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    sum += chosen[i] ? parts[i].native : parts[i].interpreter;
    code += chosen[i] ? parts[i].code : 0.0;
  }
  return sum + (code > 0.0 ? compile_seconds(code) : 0.0);
}

TEST(EvaluationCost, MoreOperationsCostMore) {
  for (const char* term : {"x[i]^2", "sin(x[i])"}) {
    double interpreter = 0.0, native = 0.0;
    for (const int n : {2, 20, 200, 2000, 20000}) {
      const expr::Tape tape = sum_of(n, term);
      EXPECT_GT(interpreter_seconds(tape), interpreter);
      EXPECT_GT(native_seconds(tape), native);
      interpreter = interpreter_seconds(tape);
      native = native_seconds(tape);
      EXPECT_LT(native, interpreter);
    }
  }
  EXPECT_GT(interpreter_seconds(sum_of(50, "sin(x[i])")),
            2.0 * interpreter_seconds(sum_of(50, "x[i]*x[i]")));
}

TEST(EvaluationCost, MoreCodeCompilesLonger) {
  const auto largest = static_cast<double>(expr::largest_optimized);
  EXPECT_GT(compile_seconds(0.0), 0.0);
  for (const double begin : {0.0, largest + 1.0})
    for (const double more : {1.0, 50.0, largest - 1.0})
      EXPECT_GT(compile_seconds(begin + more), compile_seconds(begin));
  EXPECT_GT(compile_seconds(100 * largest), 10.0 * compile_seconds(largest));
}

TEST(EvaluationCost, ShortRunsAreInterpretedLongOnesCompiled) {
  for (const int n : {1, 10, 1000, 30000}) {
    const expr::Tape tape = sum_of(n, "x[i]^2 + 3*x[i]");
    bool before = false;
    for (double calls = 1.0; calls < 1e12; calls *= 2.0) {
      const bool now = worth_compiling({kernel_work(tape, calls)})[0];
      EXPECT_TRUE(now || !before) << "not monotone for " << n << " terms at " << calls;
      before = now;
    }
    EXPECT_TRUE(before);
    EXPECT_FALSE(worth_compiling({kernel_work(tape, 10.0)})[0]);
  }
}

TEST(EvaluationCost, WhatIsCalledSeldomIsLeftOut) {
  const expr::Tape small = sum_of(20, "x[i]^2"), large = sum_of(20000, "x[i]^2");
  const Work often = kernel_work(small, 1e9), seldom = kernel_work(large, 100.0);
  EXPECT_EQ(worth_compiling({often, seldom}), (std::vector<bool>{true, false}));
  EXPECT_EQ(worth_compiling({seldom}), (std::vector<bool>{false}));
  const Work loop = loop_work(2, 1e8);
  EXPECT_EQ(worth_compiling({loop, often}), (std::vector<bool>{true, true}));
}

/// Two parts that do not pay for the start of the compiler alone may do so together.
TEST(EvaluationCost, PartsShareTheStartOfTheCompiler) {
  const double start = compile_seconds(0.0);
  const Work half{0.7 * start, 0.0, 0.0};
  EXPECT_EQ(worth_compiling({half}), (std::vector<bool>{false}));
  EXPECT_EQ(worth_compiling({half, half}), (std::vector<bool>{true, true}));
}

TEST(EvaluationCost, TheChoiceIsNeverSlowerThanTheInterpreter) {
  const expr::Tape small = sum_of(20, "x[i]^2"), large = sum_of(5000, "exp(x[i])");
  for (double calls = 1.0; calls < 1e10; calls *= 10.0)
    for (double others = 1.0; others < 1e8; others *= 10.0) {
      const std::vector<Work> parts{kernel_work(small, calls), kernel_work(large, others)};
      EXPECT_LE(seconds(parts), parts[0].interpreter + parts[1].interpreter);
    }
}

/// The twelve runs of bench/evaluation choose what was measured to be better. Without a compiler the
/// text tells what the choice was.
class EvaluationCases : public expr::Sandbox {};

TEST_F(EvaluationCases, ChooseTheBetterWay) {
  set("VARIA_CC", "/nonexistent/compiler");
  for (const auto& example : bench::evaluation_cases()) {
    Model model = models::model_of(example.text);
    EXPECT_EQ(prepare_evaluation(model).text,
              example.native ? "interpreter (no native code)" : "interpreter (a short run)")
        << example.name;
  }
}

}  // namespace
}  // namespace varia::io::evaluation_cost_test
