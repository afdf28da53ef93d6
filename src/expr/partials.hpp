// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivatives of one operation with respect to its operands: the table behind all others.
#include <array>
#include <cstddef>

#include "varia/expr/graph.hpp"

namespace varia::expr {

/// d node / d operand = common * factor. What is multiplied with `common` first is shared between
/// the operands of a node.
struct Partial {
  Id operand, common, factor;
};

struct Partials {
  std::array<Partial, 2> list{};
  std::size_t count = 0;

  void add(Id operand, Id common, Id factor) { list[count++] = {operand, common, factor}; }
  const Partial* begin() const { return list.data(); }
  const Partial* end() const { return list.data() + count; }
};

/// What a node is differentiated with respect to: the base of a power, else its operands.
struct Inner {
  std::array<Id, 2> list{};
  std::size_t count = 0;

  const Id* begin() const { return list.data(); }
  const Id* end() const { return list.data() + count; }
};
Inner inner_nodes(const Graph& graph, Id id);

/// The partial derivatives with respect to those inner nodes for which `first`, `second` hold.
Partials partials(Graph& graph, Id id, bool first, bool second);

}  // namespace varia::expr
