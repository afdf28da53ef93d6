// SPDX-License-Identifier: BSD-3-Clause
// Powers and functions.
//
// sqrt(u), 1/u, u^3, u^(-3/2) are all kept as powers (u, halves/2), each once: whatever the text or
// a derivative asks for is found again. They are computed with at most one square root and one
// division per base, by products.
#include <cmath>
#include <cstdlib>

#include "varia/expr/graph.hpp"

namespace varia::expr {
namespace {

std::uint64_t key(Id base, int halves) {
  return (static_cast<std::uint64_t>(base) << 32) | static_cast<std::uint32_t>(halves);
}

bool is_odd(Op op) {
  return op == Op::sin || op == Op::tan || op == Op::asin || op == Op::atan || op == Op::sinh ||
         op == Op::tanh || op == Op::erf || op == Op::sign;
}

bool is_even(Op op) { return op == Op::cos || op == Op::cosh || op == Op::abs; }

}  // namespace

Id Graph::make_function(Op op, Id a) {
  if (is(Op::neg, a)) {
    if (is_odd(op)) return make(Op::neg, make(op, nodes_[a].a));
    if (is_even(op)) return make(op, nodes_[a].a);
  }
  if (op == Op::abs && (is(Op::abs, a) || is(Op::exp, a) || is(Op::sqrt, a))) return a;
  return intern(op, a, a);
}

Id Graph::make_sqrt(Id a) {
  if (is_constant(a)) return intern(Op::sqrt, a, a);  // of a negative number
  return power(a, 1);
}

Id Graph::make_pow(Id a, Id b) {
  if (is_constant(a, 1.0)) return a;
  if (!is_constant(b)) return intern(Op::pow, a, b);
  const double exponent = nodes_[b].value;
  if (exponent == 0.0) return constant(1.0);
  if (exponent == 1.0) return a;
  if (is_constant(a)) return intern(Op::pow, a, b);  // not a number
  if (2.0 * std::abs(exponent) > max_halves) return intern(Op::pow, a, b);
  if (exponent == std::round(exponent)) return integer_power(a, static_cast<int>(exponent));
  if (2.0 * exponent == std::round(2.0 * exponent))
    return power(a, static_cast<int>(2.0 * exponent));
  return intern(Op::pow, a, b);
}

// a^n, n neither 0 nor 1.
Id Graph::integer_power(Id a, int n) {
  const Node node = nodes_[a];
  if (node.op == Op::neg) {
    const Id positive = make(Op::pow, node.a, constant(n));
    return n % 2 == 0 ? positive : make(Op::neg, positive);
  }
  if (has_factor(a)) {
    const double factor = std::pow(nodes_[node.a].value, n);
    if (!std::isnormal(factor)) return intern(Op::pow, a, constant(n));
    return scale(factor, make(Op::pow, node.b, constant(n)));
  }
  const Power p = powers_[a];
  if (std::abs(p.halves * n) <= max_halves) return power(p.base, p.halves * n);
  return intern(Op::pow, a, constant(n));
}

const Id* Graph::find_power(Id base, int halves) const {
  const auto found = power_table_.find(key(base, halves));
  return found == power_table_.end() ? nullptr : &found->second;
}

// base^(halves/2), base not a constant.
Id Graph::power(Id base, int halves) {
  if (halves == 0) return constant(1.0);
  if (halves == 2) return base;
  if (const Id* known = find_power(base, halves)) return *known;
  const Id result = build_power(base, halves);
  power_table_.emplace(key(base, halves), result);
  return result;
}

Id Graph::build_power(Id base, int halves) {
  const int half = halves / 2;
  if (halves == 1) return intern_power(Op::sqrt, base, base, {base, 1});
  if (halves == -1) return intern_power(Op::div, constant(1.0), power(base, 1), {base, -1});
  if (halves % 2 != 0)
    return power_product(base, halves > 0 ? halves - 1 : halves + 1, halves > 0 ? 1 : -1);
  if (halves > 0 && !is_plain(base)) return integer_power(base, half);
  if (halves == -2) {
    if (find_power(base, -1) != nullptr) return power_product(base, -1, -1);
    if (!is_plain(base)) return constant_over(constant(1.0), base);
    return intern_power(Op::div, constant(1.0), base, {base, -2});
  }
  if (half % 2 == 0) return power_product(base, half, half);
  return power_product(base, halves > 0 ? halves - 2 : halves + 2, halves > 0 ? 2 : -2);
}

Id Graph::power_product(Id base, int first, int second) {
  const Id q = power(base, second);  // first: 1/sqrt(u) makes 1/u a square
  const Id p = power(base, first);
  if (is_power(p, {base, first}) && is_power(q, {base, second}))
    return intern_power(Op::mul, p, q, {base, first + second});
  return make(Op::mul, p, q);
}

Id Graph::intern_power(Op op, Id a, Id b, Power what) {
  const Id id = intern(op, a, b);
  powers_[id] = what;
  return id;
}

bool Graph::is_power(Id id, Power what) const {
  if (id == what.base) return what.halves == 2;
  return powers_[id].base == what.base && powers_[id].halves == what.halves;
}

// a*b^sign if both are powers of one base.
bool Graph::merge_powers(Id a, Id b, int sign, Id& result) {
  const Power p = powers_[a];
  const Power q = powers_[b];
  Id base = p.base;
  int halves = 0;
  if (p.base == q.base) {
    halves = p.halves + sign * q.halves;
  } else if (p.base == b) {
    halves = p.halves + sign * 2;
  } else if (q.base == a) {
    base = a;
    halves = 2 + sign * q.halves;
  } else {
    return false;
  }
  if (std::abs(halves) > max_halves || is_constant(base)) return false;
  if (halves > 2 && halves % 2 == 0 && !is_plain(base)) return false;
  result = power(base, halves);
  return true;
}

}  // namespace varia::expr
