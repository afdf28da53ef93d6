// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Expressions as one shared graph: a node is an operation applied to earlier nodes.
//
// Equal expressions are one node (hash-consing), and whatever is built is simplified at once, so
// that a derivative that vanishes is the constant 0 and a quadratic form has constant second
// derivatives. An operand always has a smaller Id than the node that uses it: every pass over an
// expression is a sweep in the order of the Ids, and no depth is too large.
//
// A stored node is its own simplest form: make(n.op, n.a, n.b) gives the node back.
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "varia/expr/op.hpp"

namespace varia::expr {

using Id = std::uint32_t;  ///< a node of a graph

struct Node {
  Op op;
  Id a = 0, b = 0;   ///< operands; b == a for operations of one operand
  double value = 0;  ///< of a constant
  int index = 0;     ///< of a variable
};

/// base^(halves/2): what a node is as a power. Most nodes are themselves to the power 2/2.
struct Power {
  Id base;
  int halves;
};

class Graph {
 public:
  static constexpr std::size_t max_nodes = 4'000'000;
  static constexpr int max_halves = 64;  ///< powers up to x^32 are products

  Graph();
  /// Room for so many nodes, where the number is known: what grows by doubling has up to four times as much.
  void reserve(std::size_t nodes);

  /// A finite number; -0 is 0. Throws InvalidArgument for infinity and NaN.
  Id constant(double value);
  /// The variable x_index, index >= 0.
  Id variable(int index);
  /// A parameter that stays free: an input of every program beside its variables, which has this
  /// value. Programs differ in it by data alone, so that native code is made once.
  Id parameter(double value, std::string name = {});
  /// Derivatives in a parameter are those in the variable of this index.
  static constexpr int first_parameter = 1 << 24;
  const std::vector<double>& parameters() const { return parameters_; }
  const std::vector<std::string>& parameter_names() const { return parameter_names_; }

  /// The operation, simplified: constants folded where the result is finite, neutral and absorbing
  /// elements, opposite terms, constants collected, signs pulled out of products, powers of one
  /// base merged. Throws InvalidArgument beyond max_nodes nodes.
  Id make(Op op, Id a);
  Id make(Op op, Id a, Id b);

  Id add(Id a, Id b) { return make(Op::add, a, b); }
  Id sub(Id a, Id b) { return make(Op::sub, a, b); }
  Id mul(Id a, Id b) { return make(Op::mul, a, b); }
  Id div(Id a, Id b) { return make(Op::div, a, b); }
  Id neg(Id a) { return make(Op::neg, a); }
  /// Added from left to right; 0 if there is none.
  Id sum(const std::vector<Id>& terms);
  /// 1 - condition
  Id negation(Id condition) { return make(Op::sub, constant(1.0), condition); }
  /// a where the condition is 1, b where it is 0. The other one may have no value there.
  Id choice(Id condition, Id a, Id b) {
    if (a == b) return a;
    return add(make(Op::when, condition, a), make(Op::when, negation(condition), b));
  }
  /// 1/a, such that all negative powers of one base share one division.
  Id reciprocal(Id a) { return make(Op::div, constant(1.0), a); }

  /// base^(halves/2) by products, one root and one division; |halves| <= max_halves, base no constant.
  Id power(Id base, int halves);

  const Node& operator[](Id id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }
  bool is_constant(Id id) const { return nodes_[id].op == Op::constant; }
  bool is_constant(Id id, double value) const {
    return is_constant(id) && nodes_[id].value == value;
  }
  Power power_of(Id id) const { return powers_[id]; }

 private:
  struct Scaled {
    double factor;
    Id rest;
  };

  // Storage (graph.cpp).
  Id intern(const Node& node);
  Id intern(Op op, Id a, Id b) { return intern(Node{op, a, b, 0.0, 0}); }
  std::size_t find(const Node& node) const;  // its place in the table, or the free place for it
  void resize_table(std::size_t size);
  bool fold(Op op, Id a, Id b, Id& result);

  // What a node looks like.
  bool is(Op op, Id id) const { return nodes_[id].op == op; }
  bool has_factor(Id id) const { return is(Op::mul, id) && is_constant(nodes_[id].a); }
  Scaled scaled(Id id) const;     // c*x as (c, x), all else as (1, x)
  bool is_negative(Id id) const;  // -x, -2*x, -2/x: the opposite is as simple
  bool is_plain(Id id) const;     // neither -x nor 2*x nor a power: squares of it are products

  // Sums and products (simplify.cpp).
  Id make_when(Id condition, Id a);
  Id make_neg(Id a);
  Id make_add(Id a, Id b);
  Id make_sub(Id a, Id b);
  Id make_mul(Id a, Id b);
  Id make_div(Id a, Id b);
  Id scale(double factor, Id a);
  Id add_constant(Id a, Id c);
  Id divide_by_constant(Id a, Id c);
  Id constant_over(Id c, Id b);
  bool like_terms(Id a, Id b, int sign, Id& result);
  bool merge_factors(double factor, Id a, Id b, Id& result);

  // Functions and powers (power.cpp).
  Id make_function(Op op, Id a);
  Id make_sqrt(Id a);
  Id make_pow(Id a, Id b);
  Id integer_power(Id a, int n);
  Id build_power(Id base, int halves);
  Id power_product(Id base, int first, int second);
  Id intern_power(Op op, Id a, Id b, Power what);
  bool is_power(Id id, Power what) const;
  bool merge_powers(Id a, Id b, int sign, Id& result);
  const Id* find_power(Id base, int halves) const;

  std::vector<double> parameters_;
  std::vector<std::string> parameter_names_;  ///< for texts; may be empty
  std::vector<Node> nodes_;
  std::vector<Power> powers_;
  std::vector<Id> table_;  ///< open addressing; Id + 1, 0 is empty
  std::unordered_map<std::uint64_t, Id> power_table_;
};

}  // namespace varia::expr
