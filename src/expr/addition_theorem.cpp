// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/addition_theorem.hpp"

#include <optional>
#include <set>

#include "cone.hpp"
#include "varia/expr/derivative.hpp"

namespace varia::expr {
namespace {

bool is_sine(const Node& n) { return n.op == Op::sin || n.op == Op::cos; }

/// Whether the node is x + y or x - y of two terms that are not numbers.
bool has_two_terms(const Graph& graph, Id id) {
  const Node& n = graph[id];
  return (n.op == Op::add || n.op == Op::sub) && !graph.is_constant(n.a) && !graph.is_constant(n.b);
}

bool worthwhile(const Graph& graph, const std::vector<Id>& f) {
  std::set<Id> angles;
  std::set<Id> terms;
  const Cone cone(graph, f);
  for (std::size_t k = 0; k < cone.size(); ++k) {
    const Node& n = graph[cone[k]];
    if (!is_sine(n) || !has_two_terms(graph, n.a)) continue;
    angles.insert(n.a);
    terms.insert({graph[n.a].a, graph[n.a].b});
  }
  return !angles.empty() && angles.size() >= 2 * terms.size();
}

/// sin(x ± y) or cos(x ± y)
Id expanded(Graph& graph, Op function, const Node& angle) {
  const Id sin_x = graph.make(Op::sin, angle.a);
  const Id cos_x = graph.make(Op::cos, angle.a);
  const Id sin_y = graph.make(Op::sin, angle.b);
  const Id cos_y = graph.make(Op::cos, angle.b);
  const bool sum = angle.op == Op::add;
  if (function == Op::sin)
    return graph.make(sum ? Op::add : Op::sub, graph.mul(sin_x, cos_y), graph.mul(cos_x, sin_y));
  return graph.make(sum ? Op::sub : Op::add, graph.mul(cos_x, cos_y), graph.mul(sin_x, sin_y));
}

}  // namespace

std::vector<Id> share_sines(Graph& graph, const std::vector<Id>& f) {
  if (!worthwhile(graph, f)) return f;
  return substitute(graph, f, [&](Id id) -> std::optional<Id> {
    const Node n = graph[id];
    if (!is_sine(n) || !has_two_terms(graph, n.a)) return std::nullopt;
    return expanded(graph, n.op, Node(graph[n.a]));
  });
}

}  // namespace varia::expr
