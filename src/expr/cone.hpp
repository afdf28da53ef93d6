// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The nodes some expressions consist of, in the order of their Ids, numbered from 0.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "varia/expr/graph.hpp"

namespace varia::expr {

/// A small expression in a large graph costs its own size: its nodes are gathered one by one. A
/// larger one has one bit per node of the graph up to the last root, and the number of bits before
/// each word.
class Cone {
 public:
  Cone(const Graph& graph, const std::vector<Id>& roots) {
    const Id top = roots.empty() ? 0 : *std::max_element(roots.begin(), roots.end());
    if (gather(graph, roots, top / few)) return;
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
    if (words_.empty())
      return static_cast<std::size_t>(std::lower_bound(ids_.begin(), ids_.end(), id) -
                                      ids_.begin());
    const std::uint64_t below = words_[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1);
    return before_[id / 64] + static_cast<std::size_t>(std::popcount(below));
  }

 private:
  /// A cone is small if it has less than one in so many of the nodes below its top.
  static constexpr Id few = 512;

  /// Calls visit(id) for what the node is made of.
  template <class Visit> static void for_parts(const Graph& graph, Id id, const Visit& visit) {
    const Node& n = graph[id];
    if (operands(n.op) >= 1) visit(n.a);
    if (operands(n.op) == 2) visit(n.b);
    // the base of a power, which may be more than one operation away
    if (const Id base = graph.power_of(id).base; base != id) visit(base);
  }

  /// From the highest node down by a heap; false if there are more than so many nodes.
  bool gather(const Graph& graph, std::vector<Id> open, std::size_t most) {
    if (open.size() > most) return false;
    std::make_heap(open.begin(), open.end());
    while (!open.empty()) {
      std::pop_heap(open.begin(), open.end());
      const Id id = open.back();
      open.pop_back();
      if (!ids_.empty() && ids_.back() == id) continue;
      if (ids_.size() == most) {
        ids_.clear();
        return false;
      }
      ids_.push_back(id);
      for_parts(graph, id, [&](Id part) {
        open.push_back(part);
        std::push_heap(open.begin(), open.end());
      });
    }
    std::reverse(ids_.begin(), ids_.end());
    return true;
  }

  void mark(Id id) { words_[id / 64] |= std::uint64_t{1} << (id % 64); }

  // From the highest node of the word down: an operand may lie in the same word, below.
  void sweep(const Graph& graph, std::size_t w) {
    std::uint64_t done = 0;
    while (const std::uint64_t rest = words_[w] & ~done) {
      const int bit = 63 - std::countl_zero(rest);
      done |= std::uint64_t{1} << bit;
      for_parts(graph, static_cast<Id>(64 * w) + static_cast<Id>(bit),
                [&](Id part) { mark(part); });
    }
  }

  std::vector<std::uint64_t> words_;  ///< none for a small cone
  std::vector<std::uint32_t> before_;
  std::vector<Id> ids_;
};

}  // namespace varia::expr
