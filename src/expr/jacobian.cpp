// SPDX-License-Identifier: BSD-3-Clause
// Sparse first derivatives of many expressions, forward.
//
// Each node depends on the variables through its core: the last node through which all of them
// pass. A node with several independent operands is its own core; sin(u), c*u, u^(-3/2)*g(u) have
// the core of u. A node carries its slope, the derivative with respect to the core; only cores carry
// a sparse row of derivatives with respect to the variables. Sums are not cores of partial sums:
// the row of a long sum is collected from its terms at once.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include "cone.hpp"
#include "partials.hpp"
#include "varia/core/error.hpp"
#include "varia/expr/derivative.hpp"

namespace varia::expr {
namespace {

constexpr std::uint32_t inert = std::numeric_limits<std::uint32_t>::max();

struct Element {
  int column;
  Id value;
};

class Forward {
 public:
  Forward(Graph& graph, const std::vector<Id>& roots, const std::vector<int>& variables)
      : graph_(graph),
        cone_(graph, roots),
        core_(cone_.size(), inert),
        needed_(cone_.size(), 0),
        slope_(cone_.size(), 0),
        rows_(cone_.size()),
        sum_(variables.size(), 0),
        present_(variables.size(), 0) {
    one_ = graph.constant(1.0);
    for (std::size_t k = 0; k < variables.size(); ++k) {
      if (!column_.emplace(variables[k], static_cast<int>(k)).second) {
        throw InvalidArgument("variable " + std::to_string(variables[k]) +
                              " is given twice to a derivative");
      }
    }
    find_cores();
    for (const Id root : roots) need_terms(at(root));
    for (std::size_t k = cone_.size(); k-- > 0;)
      if (needed_[k]) need_terms(static_cast<std::uint32_t>(k));
    for (std::size_t k = 0; k < cone_.size(); ++k)
      if (needed_[k]) differentiate(static_cast<std::uint32_t>(k));
  }

  /// The derivatives of a root with respect to the variables up to column `last`.
  std::vector<Element> row(Id root, int last) {
    const std::uint32_t k = at(root);
    if (core_[k] == inert) return {};
    if (core_[k] == k && !needed_[k]) {
      collect(k, last);
    } else {
      add_multiple(slope_[k], one_, rows_[core_[k]], last);
    }
    return take();
  }

 private:
  std::uint32_t at(Id id) const { return static_cast<std::uint32_t>(cone_.at(id)); }
  bool is_sum(std::uint32_t k) const {
    const Op op = graph_[cone_[k]].op;
    return core_[k] == k && (op == Op::add || op == Op::sub);
  }

  void find_cores() {
    for (std::uint32_t k = 0; k < cone_.size(); ++k) {
      const Node& n = graph_[cone_[k]];
      if (n.op == Op::variable) {
        if (column_.count(n.index) != 0) core_[k] = k;
        continue;
      }
      if (is_step(n.op)) continue;
      for (const Id inner : inner_nodes(graph_, cone_[k])) {
        const std::uint32_t core = core_[at(inner)];
        if (core == inert) continue;
        core_[k] = core_[k] == inert || core_[k] == core ? core : k;
        if (core_[k] == k) break;
      }
      if (n.op == Op::when && core_[k] != inert) core_[k] = k;  // its row is made of selections
    }
  }

  // Calls visit(term, sign) for the terms of a sum, down to what is not a sum or is known.
  template <class Visit> void for_terms(std::uint32_t sum, const Visit& visit) {
    std::vector<std::pair<std::uint32_t, int>> open{{sum, 1}};
    while (!open.empty()) {
      const auto [k, sign] = open.back();
      open.pop_back();
      if (core_[k] == inert) continue;
      if (!is_sum(k) || (k != sum && needed_[k])) {
        visit(k, sign);
        continue;
      }
      const Node& n = graph_[cone_[k]];
      open.emplace_back(at(n.b), n.op == Op::sub ? -sign : sign);
      open.emplace_back(at(n.a), sign);
    }
  }

  void need_terms(std::uint32_t k) {
    if (core_[k] == inert) return;
    if (is_sum(k)) {
      for_terms(k, [&](std::uint32_t term, int) { needed_[term] = 1; });
      return;
    }
    if (graph_[cone_[k]].op == Op::variable || (core_[k] != k && !needed_[k])) needed_[k] = 1;
    for (const Id inner : inner_nodes(graph_, cone_[k]))
      if (core_[at(inner)] != inert) needed_[at(inner)] = 1;
  }

  Partials active_partials(std::uint32_t k) {
    bool active[2] = {false, false};
    const Inner inner = inner_nodes(graph_, cone_[k]);
    for (std::size_t i = 0; i < inner.count; ++i) active[i] = core_[at(inner.list[i])] != inert;
    return partials(graph_, cone_[k], active[0], active[1]);
  }

  void differentiate(std::uint32_t k) {
    if (core_[k] == k) {
      slope_[k] = one_;
      if (graph_[cone_[k]].op == Op::variable) {
        rows_[k] = {{column_.at(graph_[cone_[k]].index), one_}};
      } else {
        collect(k, std::numeric_limits<int>::max());
        rows_[k] = take();
      }
      return;
    }
    slope_[k] = graph_.constant(0.0);
    for (const Partial& p : active_partials(k)) {
      const Id inner = graph_.mul(slope_[at(p.operand)], p.common);
      slope_[k] = graph_.add(slope_[k], graph_.mul(inner, p.factor));
    }
  }

  // The row of a core, into sum_.
  void collect(std::uint32_t k, int last) {
    if (is_sum(k)) {
      for_terms(k, [&](std::uint32_t term, int sign) {
        const Id slope = sign > 0 ? slope_[term] : graph_.neg(slope_[term]);
        add_multiple(slope, one_, rows_[core_[term]], last);
      });
      return;
    }
    if (const Node branch = graph_[cone_[k]]; branch.op == Op::when) {
      const std::uint32_t inside = at(branch.b);
      add_multiple(slope_[inside], one_, rows_[core_[inside]], last);
      for (const int column : touched_) {
        Id& value = sum_[static_cast<std::size_t>(column)];
        value = graph_.make(Op::when, branch.a, value);
      }
      return;
    }
    for (const Partial& p : active_partials(k)) {
      const std::uint32_t operand = at(p.operand);
      add_multiple(graph_.mul(slope_[operand], p.common), p.factor, rows_[core_[operand]], last);
    }
  }

  void add_multiple(Id first, Id second, const std::vector<Element>& row, int last) {
    for (const Element& e : row) {
      if (e.column > last) break;
      const Id value = product(first, second, e.value);
      const auto c = static_cast<std::size_t>(e.column);
      sum_[c] = present_[c] ? graph_.add(sum_[c], value) : value;
      if (!present_[c]) touched_.push_back(e.column);
      present_[c] = 1;
    }
  }

  // s*f*e such that the symmetric entry s*e*f is the same node: sign in front, constants with s.
  Id product(Id s, Id f, Id e) {
    double factor = 1.0;
    const Id x = without_factor(f, factor);
    const Id y = without_factor(e, factor);
    if (graph_.is_constant(x) || graph_.is_constant(y)) return graph_.mul(graph_.mul(s, f), e);
    const Id scaled = graph_.mul(graph_.constant(std::abs(factor)), s);
    const Id value = graph_.mul(graph_.mul(scaled, std::min(x, y)), std::max(x, y));
    return factor < 0.0 ? graph_.neg(value) : value;
  }

  Id without_factor(Id id, double& factor) const {
    const Node& n = graph_[id];
    if (n.op == Op::neg) {
      factor = -factor;
      return n.a;
    }
    if (n.op == Op::mul && graph_.is_constant(n.a) && std::isnormal(factor * graph_[n.a].value)) {
      factor *= graph_[n.a].value;
      return n.b;
    }
    return id;
  }

  std::vector<Element> take() {
    std::sort(touched_.begin(), touched_.end());
    std::vector<Element> row;
    row.reserve(touched_.size());
    for (const int column : touched_) {
      const auto c = static_cast<std::size_t>(column);
      present_[c] = 0;
      if (!graph_.is_constant(sum_[c], 0.0)) row.push_back({column, sum_[c]});
    }
    touched_.clear();
    return row;
  }

  Graph& graph_;
  Cone cone_;
  Id one_ = 0;
  std::unordered_map<int, int> column_;
  std::vector<std::uint32_t> core_;  // inert: depends on no variable
  std::vector<char> needed_;
  std::vector<Id> slope_;
  std::vector<std::vector<Element>> rows_;
  std::vector<Id> sum_;
  std::vector<char> present_;
  std::vector<int> touched_;
};

std::vector<Entry> entries(Graph& graph, const std::vector<Id>& f,
                           const std::vector<int>& variables, bool lower) {
  Forward forward(graph, f, variables);
  std::vector<Entry> result;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const int row = static_cast<int>(i);
    const int last = lower ? row : std::numeric_limits<int>::max();
    for (const Element& e : forward.row(f[i], last)) result.push_back({row, e.column, e.value});
  }
  return result;
}

}  // namespace

std::vector<Entry> jacobian(Graph& graph, const std::vector<Id>& f,
                            const std::vector<int>& variables) {
  return entries(graph, f, variables, false);
}

std::vector<Entry> hessian(Graph& graph, const std::vector<Id>& gradient,
                           const std::vector<int>& variables) {
  if (gradient.size() != variables.size()) {
    throw InvalidArgument("hessian: a gradient of " + std::to_string(gradient.size()) +
                          " components for " + std::to_string(variables.size()) + " variables");
  }
  return entries(graph, gradient, variables, true);
}

}  // namespace varia::expr
