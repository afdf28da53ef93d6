// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/kink.hpp"

#include <set>
#include <utility>

#include "cone.hpp"
#include "varia/expr/print.hpp"

namespace varia::expr {
namespace {

bool is_kink(Op op) {
  return op == Op::abs || op == Op::sign || op == Op::min || op == Op::max || op == Op::floor ||
         op == Op::mod || is_comparison(op);
}

/// Of each node of the cone: whether a variable stands in it that is no free parameter.
std::vector<char> that_vary(const Graph& graph, const Cone& cone) {
  std::vector<char> vary(cone.size(), 0);
  for (std::size_t k = 0; k < cone.size(); ++k) {
    const Node& n = graph[cone[k]];
    if (n.op == Op::variable)
      vary[k] = n.index < Graph::first_parameter;
    else if (operands(n.op) > 0)
      vary[k] = vary[cone.at(n.a)] != 0 || vary[cone.at(n.b)] != 0;
  }
  return vary;
}

}  // namespace

std::vector<Kink> kinks(Graph& graph, const std::vector<Id>& f) {
  if (f.empty()) return {};
  const Cone cone(graph, f);
  const std::vector<char> vary = that_vary(graph, cone);
  const Id zero = graph.constant(0.0);
  std::vector<Kink> found;
  std::set<std::pair<Id, Id>> known;
  for (std::size_t k = 0; k < cone.size(); ++k) {
    const Node n = graph[cone[k]];
    if (!is_kink(n.op) || vary[k] == 0) continue;
    const bool periodic = n.op == Op::floor || n.op == Op::mod;
    const Id left = n.op == Op::mod ? graph.div(n.a, n.b) : n.a;
    const Id right = periodic || operands(n.op) == 1 ? zero : n.b;
    if (known.contains({right, left}) || !known.emplace(left, right).second) continue;
    found.push_back({cone[k], left, right, periodic});
  }
  return found;
}

std::string place(const Graph& graph, const Kink& kink, const NameList& names,
                  std::size_t longest) {
  const std::string left = to_text(graph, kink.left, names, longest);
  if (kink.periodic) return left + " is a whole number";
  return left + " = " + to_text(graph, kink.right, names, longest);
}

std::string description(const Graph& graph, const Kink& kink, const NameList& names,
                        std::size_t longest) {
  const Node& n = graph[kink.node];
  const std::string where = " where " + place(graph, kink, names, longest);
  if (!is_comparison(n.op))
    return to_text(graph, kink.node, names, longest) + " is not smooth" + where;
  const char* const sign = n.op == Op::less ? " < " : n.op == Op::equal ? " == " : " <= ";
  return "the condition " + to_text(graph, n.a, names, longest) + sign +
         to_text(graph, n.b, names, longest) + " changes" + where;
}

}  // namespace varia::expr
