// SPDX-License-Identifier: BSD-3-Clause
// The rules for sums, products and quotients.
//
// A node is stored only when no rule applies to it any more. Each rule makes the expression
// smaller, takes a constant or a sign towards the root, or merges powers of one base; none undoes
// another.
#include <cmath>
#include <utility>

#include "varia/expr/graph.hpp"

namespace varia::expr {
namespace {

/// Collecting constants may not change what x can be: no overflow, no underflow on the way.
bool usable(double factor) { return std::isnormal(factor); }

bool has_exact_reciprocal(double c) {
  int exponent = 0;
  return std::abs(std::frexp(c, &exponent)) == 0.5 && usable(1.0 / c);
}

}  // namespace

Id Graph::make_neg(Id a) {
  const Node n = nodes_[a];
  if (n.op == Op::neg) return n.a;
  if (has_factor(a)) return scale(-nodes_[n.a].value, n.b);
  if (n.op == Op::div && is_constant(n.a) && !is_constant(n.b) && powers_[a].base == a)
    return constant_over(constant(-nodes_[n.a].value), n.b);
  return intern(Op::neg, a, a);
}

// c1*x + sign c2*x, and c1/x + sign c2/x.
bool Graph::like_terms(Id a, Id b, int sign, Id& result) {
  const Scaled x = scaled(a);
  const Scaled y = scaled(b);
  if (x.rest == y.rest && !is_constant(x.rest)) {
    const double factor = x.factor + sign * y.factor;
    if (factor != 0.0 && !usable(factor)) return false;
    result = scale(factor, x.rest);
    return true;
  }
  const Node m = nodes_[a];
  const Node n = nodes_[b];
  if (m.op != Op::div || n.op != Op::div || m.b != n.b) return false;
  if (!is_constant(m.a) || !is_constant(n.a)) return false;
  const double dividend = nodes_[m.a].value + sign * nodes_[n.a].value;
  if (dividend != 0.0 && !usable(dividend)) return false;
  result = constant_over(constant(dividend), m.b);
  return true;
}

// a + c; constants stand on the right of a sum: x + 1, and on the left of a difference: 1 - x.
Id Graph::add_constant(Id a, Id c) {
  if (is_constant(c, 0.0)) return a;
  const Node n = nodes_[a];
  Id folded = 0;
  if (n.op == Op::add && fold(Op::add, n.b, c, folded)) return make(Op::add, n.a, folded);
  if (n.op == Op::sub && fold(Op::add, n.a, c, folded)) return make(Op::sub, folded, n.b);
  if (is_negative(a)) return make(Op::sub, c, make_neg(a));
  return intern(Op::add, a, c);
}

Id Graph::make_add(Id a, Id b) {
  if (is_constant(a) && is_constant(b)) return intern(Op::add, a, b);  // overflows
  if (is_constant(b)) return add_constant(a, b);
  if (is_constant(a)) return add_constant(b, a);
  Id result = 0;
  if (like_terms(a, b, 1, result)) return result;
  if (is_negative(b)) return make(Op::sub, a, make_neg(b));
  if (is_negative(a)) return make(Op::sub, b, make_neg(a));
  return intern(Op::add, a, b);
}

Id Graph::make_sub(Id a, Id b) {
  if (is_constant(a) && is_constant(b)) return intern(Op::sub, a, b);  // overflows
  if (is_constant(b)) return add_constant(a, constant(-nodes_[b].value));
  if (is_constant(a, 0.0)) return make(Op::neg, b);
  if (is_constant(a)) {
    const Node n = nodes_[b];
    Id folded = 0;
    if (is_negative(b)) return add_constant(make_neg(b), a);
    if (n.op == Op::add && fold(Op::sub, a, n.b, folded)) return make(Op::sub, folded, n.a);
    if (n.op == Op::sub && fold(Op::sub, a, n.a, folded)) return make(Op::add, n.b, folded);
    return intern(Op::sub, a, b);
  }
  Id result = 0;
  if (like_terms(a, b, -1, result)) return result;
  if (is_negative(b)) return make(Op::add, a, make_neg(b));
  if (is(Op::neg, a)) return make(Op::neg, make(Op::add, nodes_[a].a, b));
  // Of a - b and b - a only one is computed.
  const Id opposite = table_[find(Node{Op::sub, b, a, 0.0, 0})];
  if (opposite != 0) return make(Op::neg, opposite - 1);
  return intern(Op::sub, a, b);
}

Id Graph::scale(double factor, Id a) {
  if (factor == 0.0) return constant(0.0);
  if (factor == 1.0) return a;
  if (factor == -1.0) return make(Op::neg, a);
  const Id c = constant(factor);
  Id folded = 0;
  if (fold(Op::mul, c, a, folded)) return folded;
  const Node n = nodes_[a];
  if (n.op == Op::neg) return scale(-factor, n.a);
  if (operands(n.op) == 2 && is_constant(n.a)) {
    const double collected = factor * nodes_[n.a].value;
    if (n.op == Op::mul && usable(collected)) return scale(collected, n.b);
    // 1/x stays as it is, to be shared
    if (n.op == Op::div && powers_[a].base == a && usable(collected))
      return constant_over(constant(collected), n.b);
  }
  if (n.op == Op::mul && has_factor(n.a) && usable(factor * nodes_[nodes_[n.a].a].value))
    return make(Op::mul, scale(factor, n.a), n.b);
  if (n.op == Op::mul && has_factor(n.b) && usable(factor * nodes_[nodes_[n.b].a].value))
    return make(Op::mul, n.a, scale(factor, n.b));
  if (n.op == Op::div && is_constant(n.b)) {
    const double collected = factor / nodes_[n.b].value;
    if (usable(collected)) return scale(collected, n.a);
  }
  return intern(Op::mul, c, a);
}

// factor*(a*b) where a, or a factor of a, is a power of the same base as b, or the reverse.
bool Graph::merge_factors(double factor, Id a, Id b, Id& result) {
  Id merged = 0;
  if (merge_powers(a, b, 1, merged)) {
    result = scale(factor, merged);
    return true;
  }
  for (const auto& [product, other] : {std::pair(a, b), std::pair(b, a)}) {
    const Node n = nodes_[product];
    if (n.op != Op::mul || powers_[product].base != product || is_constant(n.a)) continue;
    for (const auto& [joined, kept] : {std::pair(n.b, n.a), std::pair(n.a, n.b)}) {
      if (!merge_powers(joined, other, 1, merged)) continue;
      result = scale(factor, make(Op::mul, kept, merged));
      return true;
    }
  }
  return false;
}

Id Graph::make_mul(Id a, Id b) {
  if (is_constant(a)) return scale(nodes_[a].value, b);
  if (is_constant(b)) return scale(nodes_[b].value, a);
  Id result = 0;
  if (merge_powers(a, b, 1, result)) return result;
  if (is(Op::neg, a)) return make(Op::neg, make(Op::mul, nodes_[a].a, b));
  if (is(Op::neg, b)) return make(Op::neg, make(Op::mul, a, nodes_[b].a));
  const Scaled x = scaled(a);
  const Scaled y = scaled(b);
  const double factor = x.factor * y.factor;
  if (usable(factor)) {
    if (merge_factors(factor, x.rest, y.rest, result)) return result;
    // One constant is enough. It stays with the later factor: w*x, w*y, w*z share w = c*r.
    if (x.factor != 1.0 && y.factor != 1.0) {
      const Id early = x.rest < y.rest ? x.rest : y.rest;
      const Id late = x.rest < y.rest ? y.rest : x.rest;
      return make(Op::mul, scale(factor, late), early);
    }
  }
  return intern(Op::mul, a, b);
}

Id Graph::divide_by_constant(Id a, Id c) {
  const double divisor = nodes_[c].value;
  if (divisor == 1.0) return a;
  if (divisor == -1.0) return make(Op::neg, a);
  if (divisor == 0.0) return intern(Op::div, a, c);
  if (has_exact_reciprocal(divisor)) return scale(1.0 / divisor, a);
  if (divisor < 0.0) return make(Op::neg, make(Op::div, a, constant(-divisor)));
  const Node n = nodes_[a];
  if (n.op == Op::neg) return make(Op::neg, make(Op::div, n.a, c));
  if (has_factor(a)) {
    const double collected = nodes_[n.a].value / divisor;
    if (usable(collected)) return scale(collected, n.b);
  }
  if (n.op == Op::div && is_constant(n.a)) {
    const double collected = nodes_[n.a].value / divisor;
    if (usable(collected)) return constant_over(constant(collected), n.b);
  }
  if (n.op == Op::div && is_constant(n.b)) {
    const double collected = nodes_[n.b].value * divisor;
    if (usable(collected)) return make(Op::div, n.a, constant(collected));
  }
  return intern(Op::div, a, c);
}

// c/b, b not a constant. A negative power is made of the one reciprocal of its base.
Id Graph::constant_over(Id c, Id b) {
  const double dividend = nodes_[c].value;
  if (dividend == 0.0) return c;
  if (dividend == -1.0) return make(Op::neg, constant_over(constant(1.0), b));
  const Node n = nodes_[b];
  if (n.op == Op::neg) return constant_over(constant(-dividend), n.a);
  if (has_factor(b)) {
    const double collected = dividend / nodes_[n.a].value;
    if (usable(collected) && dividend == 1.0)
      return scale(collected, constant_over(c, n.b));  // shares 1/x
    if (usable(collected)) return constant_over(constant(collected), n.b);
  }
  if (n.op == Op::div && (!is_constant(n.a) || usable(dividend / nodes_[n.a].value)))
    return make(Op::div, scale(dividend, n.b), n.a);
  const Power p = powers_[b];
  if (p.halves < 0) return scale(dividend, power(p.base, -p.halves));
  if (dividend == 1.0 && !is_constant(p.base)) return power(p.base, -p.halves);
  return intern(Op::div, c, b);
}

Id Graph::make_div(Id a, Id b) {
  if (is_constant(b)) return divide_by_constant(a, b);
  if (is_constant(a)) return constant_over(a, b);
  Id result = 0;
  if (merge_powers(a, b, -1, result)) return result;
  if (is(Op::neg, a)) return make(Op::neg, make(Op::div, nodes_[a].a, b));
  if (is(Op::neg, b)) return make(Op::neg, make(Op::div, a, nodes_[b].a));
  const Power p = powers_[b];
  if (p.halves < 0) return make(Op::mul, a, power(p.base, -p.halves));
  const Node m = nodes_[a];
  const Node n = nodes_[b];
  // One division instead of two.
  if (n.op == Op::div) return make(Op::div, make(Op::mul, a, n.b), n.a);
  if (m.op == Op::div) return make(Op::div, m.a, make(Op::mul, m.b, b));
  return intern(Op::div, a, b);
}

}  // namespace varia::expr
