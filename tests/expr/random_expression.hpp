// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Random expressions in three variables that are smooth and finite for variables between 0.3 and 1.5,
// from a generator with a fixed seed.
#include <random>
#include <vector>

#include "varia/expr/graph.hpp"

namespace varia::expr {

class RandomExpression {
 public:
  RandomExpression(Graph& graph, unsigned seed) : graph_(graph), random_(seed) {}

  /// Of about `count` operations.
  Id operator()(int count) {
    std::vector<Id> pool;
    for (int k = 0; k < 3; ++k) pool.push_back(graph_.variable(k));
    for (const double c : {0.5, 2.0, -1.0, 1.7}) pool.push_back(graph_.constant(c));
    for (int k = 0; k < count; ++k) pool.push_back(step(pool));
    return graph_.add(pool[pool.size() - 1], pool[pool.size() - 2]);
  }

  std::vector<double> point() {
    std::uniform_real_distribution<double> uniform(0.3, 1.5);
    return {uniform(random_), uniform(random_), uniform(random_)};
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Id pick(const std::vector<Id>& pool) {
    return pool[pool.size() - 1 - static_cast<std::size_t>(below(static_cast<int>(pool.size())))];
  }
  /// A value in (1, 3): what roots, logarithms and divisors are taken of.
  Id tame(Id a) { return graph_.add(graph_.make(Op::sin, a), graph_.constant(2.0)); }
  Id bounded(Id a) { return graph_.mul(graph_.constant(0.9), graph_.make(Op::sin, a)); }

  Id step(const std::vector<Id>& pool) {
    const Id a = pick(pool);
    const Id b = pick(pool);
    switch (below(26)) {
      case 0:
        return graph_.add(a, b);
      case 1:
        return graph_.sub(a, b);
      case 2:
        return graph_.mul(bounded(a), b);
      case 3:
        return graph_.div(bounded(a), tame(b));
      case 4:
        return graph_.neg(a);
      case 5:
        return graph_.make(Op::sqrt, tame(a));
      case 6:
        return graph_.make(Op::exp, bounded(a));
      case 7:
        return graph_.make(Op::log, tame(a));
      case 8:
        return graph_.make(below(2) == 0 ? Op::sin : Op::cos, a);
      case 9:
        return graph_.make(Op::tan, bounded(a));
      case 10:
        return graph_.make(below(2) == 0 ? Op::asin : Op::acos, bounded(a));
      case 11:
        return graph_.make(Op::atan, a);
      case 12:
        return graph_.make(below(2) == 0 ? Op::sinh : Op::cosh, bounded(a));
      case 13:
        return graph_.make(Op::tanh, a);
      case 14:
        return graph_.make(Op::pow, tame(a), bounded(b));
      case 15:
        return graph_.make(Op::pow, tame(a), graph_.constant(0.5 * (below(13) - 6)));
      case 16:
        return graph_.make(Op::atan2, tame(a), tame(b));
      case 17:
        return graph_.make(Op::hypot, tame(a), tame(b));
      case 18:
        return graph_.make(Op::abs, tame(a));
      case 19:
        return graph_.make(below(2) == 0 ? Op::min : Op::max, tame(a), graph_.constant(5.0));
      case 20:
        return graph_.mul(graph_.constant(0.25 * (below(9) - 4)), a);
      case 21:
        return graph_.make(Op::erf, a);
      case 22:
        return graph_.make(Op::smoothstep, bounded(a));
      case 23:
        return graph_.choice(graph_.make(Op::less, a, b), tame(a), bounded(b));
      case 24:
        return graph_.choice(graph_.make(Op::less_equal, a, b), graph_.make(Op::mod, a, tame(b)),
                             graph_.make(Op::sqrt, graph_.sub(a, b)));
      default:
        return graph_.make(Op::pow, bounded(a), graph_.constant(2 + below(3)));
    }
  }

  Graph& graph_;
  std::mt19937 random_;
};

}  // namespace varia::expr
