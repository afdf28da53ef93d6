// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A node of a graph as a scalar, so that functions that are generic in the scalar make formulas.
//
// A number is a formula of no graph; it enters one when it meets a node of it.
#include <cmath>

#include "varia/ad/eigen.hpp"
#include "varia/expr/graph.hpp"

namespace varia::expr {

class Formula {
 public:
  Formula(double value = 0.0) : value_(value) {}  // NOLINT(google-explicit-constructor)
  Formula(Graph& graph, Id id) : graph_(&graph), id_(id) {}

  /// The node of the graph.
  Id in(Graph& graph) const { return graph_ != nullptr ? id_ : graph.constant(value_); }

  friend Formula operator+(const Formula& a, const Formula& b) {
    return apply(Op::add, a, b, a.value_ + b.value_);
  }
  friend Formula operator-(const Formula& a, const Formula& b) {
    return apply(Op::sub, a, b, a.value_ - b.value_);
  }
  friend Formula operator*(const Formula& a, const Formula& b) {
    return apply(Op::mul, a, b, a.value_ * b.value_);
  }
  friend Formula operator/(const Formula& a, const Formula& b) {
    return apply(Op::div, a, b, a.value_ / b.value_);
  }
  Formula operator-() const {
    return graph_ != nullptr ? Formula(*graph_, graph_->neg(id_)) : Formula(-value_);
  }
  friend Formula sqrt(const Formula& a) { return a.function(Op::sqrt, std::sqrt(a.value_)); }
  friend Formula exp(const Formula& a) { return a.function(Op::exp, std::exp(a.value_)); }
  friend Formula log(const Formula& a) { return a.function(Op::log, std::log(a.value_)); }
  friend Formula sin(const Formula& a) { return a.function(Op::sin, std::sin(a.value_)); }
  friend Formula cos(const Formula& a) { return a.function(Op::cos, std::cos(a.value_)); }
  friend Formula tan(const Formula& a) { return a.function(Op::tan, std::tan(a.value_)); }
  friend Formula asin(const Formula& a) { return a.function(Op::asin, std::asin(a.value_)); }
  friend Formula acos(const Formula& a) { return a.function(Op::acos, std::acos(a.value_)); }
  friend Formula atan(const Formula& a) { return a.function(Op::atan, std::atan(a.value_)); }
  friend Formula sinh(const Formula& a) { return a.function(Op::sinh, std::sinh(a.value_)); }
  friend Formula cosh(const Formula& a) { return a.function(Op::cosh, std::cosh(a.value_)); }
  friend Formula tanh(const Formula& a) { return a.function(Op::tanh, std::tanh(a.value_)); }
  friend Formula abs(const Formula& a) { return a.function(Op::abs, std::abs(a.value_)); }
  friend Formula pow(const Formula& a, const Formula& b) {
    return apply(Op::pow, a, b, std::pow(a.value_, b.value_));
  }
  friend Formula atan2(const Formula& a, const Formula& b) {
    return apply(Op::atan2, a, b, std::atan2(a.value_, b.value_));
  }
  Formula& operator+=(const Formula& b) { return *this = *this + b; }
  Formula& operator-=(const Formula& b) { return *this = *this - b; }
  Formula& operator*=(const Formula& b) { return *this = *this * b; }
  Formula& operator/=(const Formula& b) { return *this = *this / b; }

 private:
  Formula function(Op op, double of_number) const {
    return graph_ != nullptr ? Formula(*graph_, graph_->make(op, id_)) : Formula(of_number);
  }
  static Formula apply(Op op, const Formula& a, const Formula& b, double of_numbers) {
    Graph* const graph = a.graph_ != nullptr ? a.graph_ : b.graph_;
    if (graph == nullptr) return Formula(of_numbers);
    return {*graph, graph->make(op, a.in(*graph), b.in(*graph))};
  }

  Graph* graph_ = nullptr;
  Id id_ = 0;
  double value_ = 0.0;
};

/// A formula has no value. Functions of a small ρ that branch at one take the series with all of its terms, as for
/// this number: it is right to round-off for ρ ≤ π².
inline double value_of(const Formula&) { return 0.01; }

}  // namespace varia::expr

namespace Eigen {

template <>
struct NumTraits<varia::expr::Formula> : varia::detail::JetTraits<varia::expr::Formula, 3> {};
template <class Op> struct ScalarBinaryOpTraits<varia::expr::Formula, double, Op> {
  using ReturnType = varia::expr::Formula;
};
template <class Op> struct ScalarBinaryOpTraits<double, varia::expr::Formula, Op> {
  using ReturnType = varia::expr::Formula;
};

}  // namespace Eigen
