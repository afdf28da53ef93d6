// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Programs for native code, and modules of it in a sandbox, which must leave no file behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "native_sandbox.hpp"
#include "refusal.hpp"
#include "varia/expr/native.hpp"

namespace varia::expr {

using Ops = std::vector<Op>;

inline const Ops exact_ops = {Op::neg,   Op::abs,        Op::sign,  Op::sqrt, Op::add,
                              Op::sub,   Op::mul,        Op::div,   Op::min,  Op::max,
                              Op::less,  Op::less_equal, Op::equal, Op::when, Op::smoothstep,
                              Op::floor, Op::mod};

/// Each step is an operation of the list applied to two of the latest results.
inline Tape random_tape(unsigned seed, const Ops& ops, int inputs, int steps, int reach) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return random() % static_cast<unsigned>(n); };
  Graph graph;
  std::vector<Id> nodes;
  for (int i = 0; i < inputs; ++i) nodes.push_back(graph.variable(i));
  for (const double c : {0.1, -3.0, 1e300, 4.9e-324}) nodes.push_back(graph.constant(c));
  const auto pick = [&] {
    return nodes[nodes.size() - 1 - below(std::min(nodes.size(), static_cast<std::size_t>(reach)))];
  };
  for (int i = 0; i < steps; ++i) {
    const Op op = ops[below(ops.size())];
    const Id a = pick(), b = pick();
    nodes.push_back(operands(op) == 1 ? graph.make(op, a) : graph.make(op, a, b));
  }
  return Tape(graph, nodes, inputs);
}

class NativeTest : public Sandbox {
 protected:
  ~NativeTest() override { EXPECT_EQ(names(root() / "tmp"), std::vector<std::string>{}); }

  /// c x0, a function that is easy to tell from another.
  static Tape multiple(double c) {
    Graph graph;
    return Tape(graph, {graph.mul(graph.constant(c), graph.variable(0))}, 1);
  }
  static double value(const NativeModule& module, const std::string& name, double x) {
    double out = -77.0;
    module.function(name)(&x, &out, nullptr);
    return out;
  }
  std::string error_of(const Tape& tape) const {
    return refusal<NativeError>([&] { NativeModule::compile({{"f", &tape}}); });
  }
};

}  // namespace varia::expr
