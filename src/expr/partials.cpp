// SPDX-License-Identifier: BSD-3-Clause
#include "partials.hpp"

#include <numbers>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/expr/table.hpp"

namespace varia::expr {
namespace {

Id square(Graph& g, Id a) { return g.mul(a, a); }

/// f'(a) of a function of one operand, given the node f(a).
Id slope(Graph& g, Op op, Id a, Id f) {
  const Id one = g.constant(1.0);
  switch (op) {
    case Op::neg:
      return g.constant(-1.0);
    case Op::abs:
      return g.make(Op::sign, a);
    case Op::smoothstep: {  // 30 r^2 (1 - r)^2, r = u from 0 to 1 and constant outside
      const Id r = g.make(Op::min, g.make(Op::max, a, g.constant(0.0)), one);
      return g.mul(g.constant(30.0), square(g, g.mul(r, g.sub(one, r))));
    }
    case Op::sqrt:
      return g.div(g.constant(0.5), f);
    case Op::exp:
      return f;
    case Op::log:
      return g.reciprocal(a);
    case Op::erf:
      return g.mul(g.constant(2.0 * std::numbers::inv_sqrtpi),
                   g.make(Op::exp, g.neg(square(g, a))));
    case Op::sin:
      return g.make(Op::cos, a);
    case Op::cos:
      return g.neg(g.make(Op::sin, a));
    case Op::tan:
      return g.add(square(g, f), one);
    case Op::asin:
    case Op::acos: {
      const Id s = g.make(Op::sqrt, g.mul(g.sub(one, a), g.add(a, one)));
      return op == Op::asin ? g.reciprocal(s) : g.neg(g.reciprocal(s));
    }
    case Op::atan:
      return g.reciprocal(g.add(square(g, a), one));
    case Op::sinh:
      return g.make(Op::cosh, a);
    case Op::cosh:
      return g.make(Op::sinh, a);
    case Op::tanh:
      return g.sub(one, square(g, f));
    default:
      return g.constant(0.0);  // sign, floor: a step
  }
}

void quotient(Graph& g, const Node& n, bool first, bool second, Partials& result) {
  const Id inverse = g.reciprocal(n.b);
  if (first) result.add(n.a, g.constant(1.0), inverse);
  if (second) result.add(n.b, g.neg(n.a), square(g, inverse));
}

/// Whether u, or a factor of it, is a min or max with 0: u stays 0 on one side of an edge.
bool has_edge(const Graph& g, Id u) {
  constexpr int most = 64;  // factors of factors may be shared and many
  std::vector<Id> factors{u};
  for (int seen = 0; !factors.empty() && seen < most; ++seen) {
    const Node n = g[factors.back()];
    factors.pop_back();
    if ((n.op == Op::min || n.op == Op::max) &&
        (g.is_constant(n.a, 0.0) || g.is_constant(n.b, 0.0)))
      return true;
    if (n.op == Op::neg || n.op == Op::div || n.op == Op::mul) factors.push_back(n.a);
    if (n.op == Op::mul) factors.push_back(n.b);
  }
  return false;
}

/// f(u) where u > 0, and 0 where u = 0. The derivatives of max(0, x)^(3/2) are 0 at the edge and below,
/// and there products like 0 · u^(-1/2) would not be numbers; above, nothing is changed by + 0 and · 1.
template <class F> Id inside(Graph& g, Id u, const F& f) {
  if (!has_edge(g, u)) return f(u);
  const Id positive = g.make(Op::less, g.constant(0.0), u);
  return g.mul(positive, f(g.add(u, g.sub(g.constant(1.0), positive))));
}

void general_power(Graph& g, Id f, const Node& n, bool first, bool second, Partials& result) {
  const Id lower = g.sub(n.b, g.constant(1.0));
  const auto power = [&](Id u) { return g.make(Op::pow, u, lower); };
  const bool stays_finite = g.is_constant(lower) && g[lower].value > 0.0;
  const bool was_infinite = g.is_constant(n.b) && g[n.b].value < 0.0;
  if (first)
    result.add(n.a, n.b, stays_finite || was_infinite ? power(n.a) : inside(g, n.a, power));
  if (second) result.add(n.b, f, inside(g, n.a, [&](Id u) { return g.make(Op::log, u); }));
}

/// Polar coordinates: atan2(a, b) and hypot(a, b).
void polar(Graph& g, Id f, const Node& n, bool first, bool second, Partials& result) {
  if (n.op == Op::hypot) {
    const Id inverse = g.reciprocal(f);
    if (first) result.add(n.a, inverse, n.a);
    if (second) result.add(n.b, inverse, n.b);
  } else {
    const Id inverse = g.reciprocal(g.add(square(g, n.a), square(g, n.b)));
    if (first) result.add(n.a, inverse, n.b);
    if (second) result.add(n.b, inverse, g.neg(n.a));
  }
}

/// min and max: 1 for the operand that is taken.
void choice(Graph& g, const Node& n, bool first, bool second, Partials& result) {
  const Id one = g.constant(1.0);
  const Id less = g.make(Op::less, n.a, n.b);
  const Id not_less = g.sub(one, less);
  if (first) result.add(n.a, one, n.op == Op::min ? less : not_less);
  if (second) result.add(n.b, one, n.op == Op::min ? not_less : less);
}

/// A derivative of a table is the next one.
Id table_slope(Graph& g, const Node& n) {
  const double code = g[n.b].value;
  int order = 0;
  find_table(code, order);
  if (order + 1 >= smooth_table_orders) return g.constant(0.0);
  return g.make(Op::table, n.a, g.constant(code + 1.0));
}

}  // namespace

Inner inner_nodes(const Graph& graph, Id id) {
  const Power p = graph.power_of(id);
  if (p.base != id) return {{p.base, 0}, 1};
  const Node& n = graph[id];
  return {{n.a, n.b}, static_cast<std::size_t>(operands(n.op))};
}

Partials partials(Graph& graph, Id id, bool first, bool second) {
  Partials result;
  const Power p = graph.power_of(id);
  const Node n = graph[id];
  const Id one = graph.constant(1.0);
  if (p.base != id) {
    const Id exponent = graph.constant(0.5 * p.halves);
    const auto power = [&](Id u) { return graph.power(u, p.halves - 2); };
    if (first)
      result.add(p.base, exponent, p.halves == 1 ? inside(graph, p.base, power) : power(p.base));
    return result;
  }
  switch (n.op) {
    case Op::constant:
    case Op::variable:
    case Op::less:
    case Op::less_equal:
    case Op::equal:
      break;
    case Op::
        when:  // those who differentiate a branch select its derivatives: 0 times infinity is none
      throw InvalidArgument("a branch has no derivative in its condition");
    case Op::mod:
      if (first) result.add(n.a, one, one);
      if (second) result.add(n.b, one, graph.neg(graph.make(Op::floor, graph.div(n.a, n.b))));
      break;
    case Op::table:
      if (first) result.add(n.a, one, table_slope(graph, n));
      break;
    case Op::add:
    case Op::sub:
      if (first) result.add(n.a, one, one);
      if (second) result.add(n.b, one, n.op == Op::add ? one : graph.constant(-1.0));
      break;
    case Op::mul:
      if (first) result.add(n.a, one, n.b);
      if (second) result.add(n.b, one, n.a);
      break;
    case Op::div:
      quotient(graph, n, first, second, result);
      break;
    case Op::pow:
      general_power(graph, id, n, first, second, result);
      break;
    case Op::atan2:
    case Op::hypot:
      polar(graph, id, n, first, second, result);
      break;
    case Op::min:
    case Op::max:
      choice(graph, n, first, second, result);
      break;
    default:
      if (first) result.add(n.a, one, slope(graph, n.op, n.a, id));
  }
  return result;
}

}  // namespace varia::expr
