// SPDX-License-Identifier: BSD-3-Clause
// The addition theorem: when it is applied, and that it changes no more than the rounding of angles.
#include "varia/expr/addition_theorem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "varia/expr/tape.hpp"

namespace varia::expr::addition_theorem_test {
namespace {

using Pair = Id (*)(Graph&, Id, Id);

Id cosine_of_difference(Graph& g, Id x, Id y) { return g.make(Op::cos, g.sub(x, y)); }
Id sine_of_difference(Graph& g, Id x, Id y) { return g.make(Op::sin, g.sub(x, y)); }
Id cosine_of_sum(Graph& g, Id x, Id y) { return g.make(Op::cos, g.add(x, y)); }
Id sine_of_sum(Graph& g, Id x, Id y) { return g.make(Op::sin, g.add(x, y)); }

/// A function of every pair of n angles.
std::vector<Id> of_pairs(Graph& g, int n, Pair f) {
  std::vector<Id> result;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) result.push_back(f(g, g.variable(i), g.variable(j)));
  return result;
}

std::vector<double> values(const Tape& tape, const std::vector<double>& x) {
  std::vector<double> work(tape.instructions().size());
  std::vector<double> out(static_cast<std::size_t>(tape.outputs()));
  tape.evaluate(x.data(), out.data(), work.data());
  return out;
}

long calls(const Tape& tape) {
  return std::count_if(tape.instructions().begin(), tape.instructions().end(),
                       [](const Instruction& i) { return i.op == Op::sin || i.op == Op::cos; });
}

TEST(AdditionTheorem, IsAppliedFromFiveAnglesOn) {
  for (const int n : {2, 3, 4, 5, 6, 20}) {
    Graph g;
    const std::vector<Id> f = of_pairs(g, n, cosine_of_difference);
    const std::vector<Id> shared = share_sines(g, f);
    const int pairs = n * (n - 1) / 2;
    EXPECT_EQ(calls(Tape(g, shared, n)), n < 5 ? pairs : 2 * n) << n;
    EXPECT_EQ(shared == f, n < 5) << n;
  }
}

TEST(AdditionTheorem, NeighboursOfAChainStay) {
  Graph g;
  std::vector<Id> f;
  for (int i = 0; i < 50; ++i)
    f.push_back(cosine_of_difference(g, g.variable(i + 1), g.variable(i)));
  EXPECT_EQ(share_sines(g, f), f);
}

TEST(AdditionTheorem, AnglesPlusNumbersStay) {
  Graph g;
  std::vector<Id> f;
  for (int i = 1; i < 50; ++i)
    f.push_back(g.make(Op::sin, g.add(g.variable(0), g.constant(0.1 * i))));
  EXPECT_EQ(share_sines(g, f), f);
}

/// The error is that of angles rounded in their last digits, for close angles and distant ones.
TEST(AdditionTheorem, GivesTheSameToRoundOff) {
  constexpr int n = 8;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  for (const Pair function :
       {cosine_of_difference, sine_of_difference, cosine_of_sum, sine_of_sum}) {
    Graph g;
    const std::vector<Id> f = of_pairs(g, n, function);
    const Tape direct(g, f, n);
    const Tape shared(g, share_sines(g, f), n);
    ASSERT_LT(calls(shared), calls(direct));
    std::mt19937 random(4);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (const double size : {1e-9, 1e-3, 1.0, 30.0}) {
      std::vector<double> x(n);
      for (double& angle : x) angle = size * uniform(random);
      const auto expected = values(direct, x);
      const auto got = values(shared, x);
      for (std::size_t e = 0; e < expected.size(); ++e) {
        const double scale = std::abs(expected[e]) + std::min(1.0, size);
        EXPECT_NEAR(got[e], expected[e], 2 * eps * scale + 8 * eps * (size > 1.0 ? size : 0.0));
      }
    }
  }
}

TEST(AdditionTheorem, EqualAnglesHaveNoSine) {
  constexpr int n = 6;
  Graph g;
  const Tape shared(g, share_sines(g, of_pairs(g, n, sine_of_difference)), n);
  ASSERT_EQ(calls(shared), 2 * n);
  for (const double sine : values(shared, std::vector<double>(n, 0.7321))) EXPECT_EQ(sine, 0.0);
}

}  // namespace
}  // namespace varia::expr::addition_theorem_test
