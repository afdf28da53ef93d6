// SPDX-License-Identifier: BSD-3-Clause
// The gradient, in reverse, and what else is one sweep over an expression.
#include "varia/expr/derivative.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>

#include "cone.hpp"
#include "partials.hpp"
#include "varia/core/error.hpp"
#include "varia/core/index.hpp"

namespace varia::expr {
namespace {

constexpr Id none = std::numeric_limits<Id>::max();

/// Which nodes of the cone depend on one of the variables.
std::vector<char> dependent(const Graph& graph, const Cone& cone,
                            const std::vector<int>& variables) {
  std::vector<int> sorted = variables;
  std::sort(sorted.begin(), sorted.end());
  std::vector<char> depends(cone.size(), 0);
  for (std::size_t k = 0; k < cone.size(); ++k) {
    const Node& n = graph[cone[k]];
    if (n.op == Op::variable) {
      depends[k] = std::binary_search(sorted.begin(), sorted.end(), n.index) ? 1 : 0;
    } else {
      for (const Id inner : inner_nodes(graph, cone[k]))
        if (depends[cone.at(inner)]) depends[k] = 1;
    }
  }
  return depends;
}

}  // namespace

namespace {

/// Derivatives that are not zero, by variable node.
using Slopes = std::vector<std::pair<Id, Id>>;

/// One sweep over f. A branch is no node of the sweep: its own derivatives are known, and selected. Those of
/// inner branches come before those around them.
Slopes reverse(Graph& graph, Id f, const std::vector<int>& variables,
               std::unordered_map<Id, Slopes>& of_branch) {
  const Cone cone(graph, {f});
  const std::vector<char> depends = dependent(graph, cone, variables);
  for (std::size_t k = 0; k < cone.size(); ++k) {
    const Node n = graph[cone[k]];
    if (n.op != Op::when || depends[k] == 0 || of_branch.contains(cone[k])) continue;
    Slopes slopes = reverse(graph, n.b, variables, of_branch);
    for (auto& [variable, slope] : slopes) slope = graph.make(Op::when, n.a, slope);
    of_branch.emplace(cone[k], std::move(slopes));
  }
  std::vector<Id> adjoint(cone.size(), none);
  adjoint[cone.at(f)] = graph.constant(1.0);
  Slopes result;
  for (std::size_t k = cone.size(); k-- > 0;) {
    const Id adj = adjoint[k];
    if (adj == none || !depends[k] || graph.is_constant(adj, 0.0)) continue;
    const auto add = [&](Id inner, Id share) {
      Id& sum = adjoint[cone.at(inner)];
      sum = sum == none ? share : graph.add(sum, share);
    };
    if (graph[cone[k]].op == Op::variable) result.emplace_back(cone[k], adj);
    if (graph[cone[k]].op == Op::when) {
      for (const auto& [variable, slope] : of_branch.at(cone[k]))
        add(variable, graph.mul(adj, slope));
      continue;
    }
    bool needed[2] = {false, false};
    const Inner inner = inner_nodes(graph, cone[k]);
    for (std::size_t i = 0; i < inner.count; ++i) needed[i] = depends[cone.at(inner.list[i])] != 0;
    for (const Partial& p : partials(graph, cone[k], needed[0], needed[1]))
      add(p.operand, graph.mul(graph.mul(adj, p.common), p.factor));
  }
  return result;
}

}  // namespace

std::vector<Id> gradient(Graph& graph, Id f, const std::vector<int>& variables) {
  std::unordered_map<Id, Slopes> of_branch;
  std::unordered_map<int, Id> result;
  for (const auto& [variable, slope] : reverse(graph, f, variables, of_branch))
    result.emplace(graph[variable].index, slope);
  std::vector<Id> values;
  values.reserve(variables.size());
  for (const int variable : variables) {
    const auto found = result.find(variable);
    values.push_back(found == result.end() ? graph.constant(0.0) : found->second);
  }
  return values;
}

Id derivative(Graph& graph, Id f, int variable) { return gradient(graph, f, {variable}).front(); }

std::vector<Id> substitute(Graph& graph, const std::vector<Id>& f,
                           const std::vector<std::pair<int, Id>>& replacements) {
  std::unordered_map<int, Id> by_index;
  for (const auto& [index, value] : replacements) {
    if (!by_index.emplace(index, value).second) {
      throw InvalidArgument("substitute: variable " + std::to_string(index) + " is replaced twice");
    }
  }
  return substitute(graph, f, [&](Id id) -> std::optional<Id> {
    if (graph[id].op != Op::variable) return std::nullopt;
    const auto found = by_index.find(graph[id].index);
    return found == by_index.end() ? std::nullopt : std::optional(found->second);
  });
}

std::vector<Id> substitute(Graph& graph, const std::vector<Id>& f,
                           const std::function<std::optional<Id>(Id)>& replace) {
  const Cone cone(graph, f);
  std::vector<Id> image(cone.size());
  for (std::size_t k = 0; k < cone.size(); ++k) {
    const Id id = cone[k];
    const Node n = graph[id];
    image[k] = id;
    if (const std::optional<Id> other = replace(id)) {
      image[k] = *other;
    } else if (operands(n.op) == 1) {
      const Id a = image[cone.at(n.a)];
      if (a != n.a) image[k] = graph.make(n.op, a);
    } else if (operands(n.op) == 2) {
      const Id a = image[cone.at(n.a)];
      const Id b = image[cone.at(n.b)];
      if (a != n.a || b != n.b) image[k] = graph.make(n.op, a, b);
    }
  }
  std::vector<Id> result;
  result.reserve(f.size());
  for (const Id id : f) result.push_back(image[cone.at(id)]);
  return result;
}

Id substitute(Graph& graph, Id f, const std::vector<std::pair<int, Id>>& replacements) {
  return substitute(graph, std::vector<Id>{f}, replacements).front();
}

std::vector<Id> variables(Graph& graph, int first, int count) {
  std::vector<Id> ids;
  for (const int i : varia::detail::range(first, count)) ids.push_back(graph.variable(i));
  return ids;
}

std::vector<std::pair<int, Id>> zeros(Graph& graph, int first, int count) {
  std::vector<std::pair<int, Id>> places;
  places.reserve(static_cast<std::size_t>(count));
  for (const int i : varia::detail::range(first, count))
    places.emplace_back(i, graph.constant(0.0));
  return places;
}

std::vector<std::pair<int, Id>> renamed(Graph& graph, int first, int to, int count) {
  std::vector<std::pair<int, Id>> places;
  places.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) places.emplace_back(first + i, graph.variable(to + i));
  return places;
}

std::vector<int> variables_of(const Graph& graph, const std::vector<Id>& f) {
  const Cone cone(graph, f);
  std::vector<int> result;
  for (std::size_t k = 0; k < cone.size(); ++k)
    if (const Node& n = graph[cone[k]]; n.op == Op::variable && n.index < Graph::first_parameter)
      result.push_back(n.index);
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<int> variables_of(const Graph& graph, Id f) {
  return variables_of(graph, std::vector<Id>{f});
}

}  // namespace varia::expr
