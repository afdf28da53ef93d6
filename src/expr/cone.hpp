// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The nodes some expressions consist of, in the order of their Ids, numbered from 0.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "varia/expr/graph.hpp"

namespace varia::expr {

/// One bit per node of the graph up to the last root, and the number of bits before each word: a
/// small expression in a large graph costs little more than its own size.
class Cone {
 public:
  Cone(const Graph& graph, const std::vector<Id>& roots) {
    Id top = 0;
    for (const Id root : roots) top = root > top ? root : top;
    words_.assign(top / 64 + 1, 0);
    for (const Id root : roots) mark(root);
    for (std::size_t w = words_.size(); w-- > 0;) sweep(graph, w);
    before_.reserve(words_.size());
    for (std::size_t w = 0; w < words_.size(); ++w) {
      before_.push_back(static_cast<std::uint32_t>(ids_.size()));
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        ids_.push_back(static_cast<Id>(64 * w) + static_cast<Id>(std::countr_zero(rest)));
    }
  }

  std::size_t size() const { return ids_.size(); }
  Id operator[](std::size_t k) const { return ids_[k]; }
  /// The number of a node of the cone.
  std::size_t at(Id id) const {
    const std::uint64_t below = words_[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1);
    return before_[id / 64] + static_cast<std::size_t>(std::popcount(below));
  }

 private:
  void mark(Id id) { words_[id / 64] |= std::uint64_t{1} << (id % 64); }

  // From the highest node of the word down: an operand may lie in the same word, below.
  void sweep(const Graph& graph, std::size_t w) {
    std::uint64_t done = 0;
    while (const std::uint64_t rest = words_[w] & ~done) {
      const int bit = 63 - std::countl_zero(rest);
      done |= std::uint64_t{1} << bit;
      const Node& n = graph[static_cast<Id>(64 * w) + static_cast<Id>(bit)];
      if (operands(n.op) >= 1) mark(n.a);
      if (operands(n.op) == 2) mark(n.b);
      // the base of a power, which may be more than one operation away
      const Power p = graph.power_of(static_cast<Id>(64 * w) + static_cast<Id>(bit));
      mark(p.base);
    }
  }

  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;
  std::vector<Id> ids_;
};

}  // namespace varia::expr
