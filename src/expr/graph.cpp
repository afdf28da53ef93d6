// SPDX-License-Identifier: BSD-3-Clause
// The store of nodes: each expression once.
#include "varia/expr/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "varia/core/error.hpp"
#include "varia/expr/tape_scalar.hpp"

namespace varia::expr {
namespace {

constexpr std::size_t first_table_size = 1024;  // a power of two, as all later ones

bool commutes(Op op) { return op == Op::add || op == Op::mul; }

std::uint64_t mix(std::uint64_t x) {  // every bit of x moves about half of the bits of the result
  x ^= x >> 32;
  x *= 0x9E3779B97F4A7C15ULL;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9ULL;
  return x ^ (x >> 32);
}

std::uint64_t hash(const Node& n) {
  if (n.op == Op::constant) return mix(std::bit_cast<std::uint64_t>(n.value));
  if (n.op == Op::variable) return mix(0x5851F42D4C957F2DULL + static_cast<unsigned>(n.index));
  Id low = n.a;
  Id high = n.b;
  if (commutes(n.op) && high < low) std::swap(low, high);
  const std::uint64_t pair = (static_cast<std::uint64_t>(low) << 32) | high;
  return mix(pair + 0xD6E8FEB86659FD93ULL * static_cast<std::uint64_t>(n.op));
}

bool same(const Node& x, const Node& y) {
  if (x.op != y.op) return false;
  if (x.op == Op::constant) return x.value == y.value;
  if (x.op == Op::variable) return x.index == y.index;
  if (x.a == y.a && x.b == y.b) return true;
  return commutes(x.op) && x.a == y.b && x.b == y.a;
}

}  // namespace

Graph::Graph() : table_(first_table_size, 0) {}

std::size_t Graph::find(const Node& node) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash(node) & mask;
  while (table_[slot] != 0 && !same(nodes_[table_[slot] - 1], node)) slot = (slot + 1) & mask;
  return slot;
}

Id Graph::intern(const Node& node) {
  const std::size_t slot = find(node);
  if (table_[slot] != 0) return table_[slot] - 1;
  if (nodes_.size() >= max_nodes) {
    throw InvalidArgument("the expressions grow beyond " + std::to_string(max_nodes) +
                          " operations; split the problem or use fewer terms");
  }
  const Id id = static_cast<Id>(nodes_.size());
  nodes_.push_back(node);
  powers_.push_back({id, 2});
  table_[slot] = id + 1;
  if (2 * nodes_.size() > table_.size()) resize_table(4 * table_.size());
  return id;
}

void Graph::reserve(std::size_t nodes) {
  nodes_.reserve(nodes);
  powers_.reserve(nodes);
  if (2 * nodes > table_.size()) resize_table(std::bit_ceil(2 * nodes));
}

void Graph::resize_table(std::size_t size) {
  std::vector<Id> larger(size, 0);
  const std::size_t mask = larger.size() - 1;
  for (std::size_t id = 0; id < nodes_.size(); ++id) {
    std::size_t slot = hash(nodes_[id]) & mask;
    while (larger[slot] != 0) slot = (slot + 1) & mask;
    larger[slot] = static_cast<Id>(id) + 1;
  }
  table_ = std::move(larger);
}

Id Graph::constant(double value) {
  if (!std::isfinite(value)) {
    throw InvalidArgument("a constant of an expression must be a finite number, not " +
                          varia::to_text(value));
  }
  return intern(Node{Op::constant, 0, 0, value == 0.0 ? 0.0 : value, 0});
}

Id Graph::variable(int index) {
  if (index < 0) {
    throw InvalidArgument("the index of a variable must not be negative, found " +
                          std::to_string(index));
  }
  return intern(Node{Op::variable, 0, 0, 0.0, index});
}

Id Graph::parameter(double value, std::string name) {
  if (!std::isfinite(value))
    throw InvalidArgument("a parameter of an expression must be a finite number, not " +
                          varia::to_text(value));
  parameters_.push_back(value);
  parameter_names_.push_back(std::move(name));
  return variable(first_parameter + static_cast<int>(parameters_.size()) - 1);
}

// Constants are computed at once if the result is a number: a division by zero stays in the
// expression, and whoever evaluates it is told.
bool Graph::fold(Op op, Id a, Id b, Id& result) {
  if (!is_constant(a) || !is_constant(b)) return false;
  const double x = nodes_[a].value;
  const double y = nodes_[b].value;
  const double value =
      operands(op) == 1 ? detail::apply_unary(op, x) : detail::apply_binary(op, x, y);
  if (!std::isfinite(value)) return false;
  result = constant(value);
  return true;
}

Id Graph::make(Op op, Id a) {
  Id folded = 0;
  if (fold(op, a, a, folded)) return folded;
  if (op == Op::neg) return make_neg(a);
  if (op == Op::sqrt) return make_sqrt(a);
  return make_function(op, a);
}

Id Graph::make(Op op, Id a, Id b) {
  Id folded = 0;
  if (fold(op, a, b, folded)) return folded;
  switch (op) {
    case Op::add:
      return make_add(a, b);
    case Op::sub:
      return make_sub(a, b);
    case Op::mul:
      return make_mul(a, b);
    case Op::div:
      return make_div(a, b);
    case Op::pow:
      return make_pow(a, b);
    case Op::min:
    case Op::max:
      return a == b ? a : intern(op, a, b);
    case Op::less:
      return a == b ? constant(0.0) : intern(op, a, b);
    case Op::less_equal:
    case Op::equal:
      return a == b ? constant(1.0) : intern(op, a, b);
    case Op::when:
      return make_when(a, b);
    default:
      return intern(op, a, b);
  }
}

Id Graph::make_when(Id condition, Id a) {
  if (is_constant(condition, 1.0) || condition == a) return a;
  if (is_constant(condition, 0.0) || is_constant(a, 0.0)) return constant(0.0);
  return intern(Op::when, condition, a);
}

Id Graph::sum(const std::vector<Id>& terms) {
  Id total = constant(0.0);
  for (const Id term : terms) total = add(total, term);
  return total;
}

Graph::Scaled Graph::scaled(Id id) const {
  if (has_factor(id)) return {nodes_[nodes_[id].a].value, nodes_[id].b};
  return {1.0, id};
}

bool Graph::is_negative(Id id) const {
  const Node& n = nodes_[id];
  if (n.op == Op::neg) return true;
  if (n.op != Op::mul && n.op != Op::div) return false;
  // two constants that were not folded (1/0) have no opposite that is simpler
  return is_constant(n.a) && !is_constant(n.b) && nodes_[n.a].value < 0.0;
}

bool Graph::is_plain(Id id) const {
  return !is(Op::neg, id) && !has_factor(id) && powers_[id].base == id;
}

}  // namespace varia::expr
