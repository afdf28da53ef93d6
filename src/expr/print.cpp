// SPDX-License-Identifier: BSD-3-Clause
// Formulas as text that reads back.
#include "varia/expr/print.hpp"

#include <cmath>

#include "functions.hpp"
#include "varia/core/error.hpp"
#include "writer.hpp"

namespace varia::expr {
namespace {

class Printer final : public FormulaWriter {
 public:
  Printer(const Graph& graph, const NameList& names, std::size_t longest)
      : FormulaWriter(graph, names), longest_(longest) {}

  std::string write(Id f) {
    put(f, sum_level);
    write_pieces();
    if (is_full()) {
      out_.resize(longest_ > 3 ? longest_ - 3 : 0);
      out_ += "...";
    }
    return out_;
  }

 private:
  bool is_full() const override { return out_.size() > longest_; }
  const char* parenthesis(bool opens) const override { return opens ? "(" : ")"; }
  const Words& words() const override {
    static constexpr Words text{" < ", " <= ", " == ", " != ", " and ", " or ", "not (", " == 1"};
    return text;
  }

  Level level_of(Id id) const override {
    const Node& n = graph_[id];
    if (is_written_as_power(id)) {
      const int halves = graph_.power_of(id).halves;
      return halves < 0 ? product_level : halves == 1 ? atom_level : power_level;
    }
    switch (n.op) {
      case Op::constant:
        return std::signbit(n.value) ? sign_level : atom_level;
      case Op::neg:
        return opens_with_name(n.a) ? product_level : sign_level;
      case Op::add:
        return is_choice(id) ? atom_level : sum_level;
      case Op::sub:
        return sum_level;
      case Op::mul:
      case Op::div:
        return product_level;
      case Op::pow:
        return power_level;
      default:
        return atom_level;
    }
  }

  // u^3, sqrt(u)^3, 1/u^3
  void power(Power p) override {
    const bool root = p.halves % 2 != 0;
    const int exponent = std::abs(root ? p.halves : p.halves / 2);
    if (exponent != 1) put("^" + std::to_string(exponent));
    if (root) {
      put(")");
      put(p.base, sum_level);
      put("sqrt(");
    } else {
      put(p.base, exponent != 1 ? atom_level : power_level);
    }
    if (p.halves < 0) put("1/");
  }

  Id first_factor(Id id) const {
    while ((graph_[id].op == Op::mul || graph_[id].op == Op::div) && !is_written_as_power(id))
      id = graph_[id].a;
    return id;
  }

  // A sum whose second term would begin with a sign.
  Level term_level(Id id) const {
    return level_of(first_factor(id)) == sign_level ? power_level : product_level;
  }

  // -x*y is read as (-x)*y, which is -(x*y); -2*x*y and -(x - y)*z are something else.
  bool opens_with_name(Id product) const {
    const Id first = first_factor(product);
    if (first == product) return false;
    const Op op = graph_[first].op;
    if (op == Op::constant || op == Op::add || op == Op::sub || op == Op::neg) return false;
    return !is_written_as_power(first) || graph_.power_of(first).halves > 0;
  }

  void number(double value) override { put(varia::to_text(value)); }
  void name(const std::string& text) override { put(text); }

  void negative(Id id) override {
    const Id a = graph_[id].a;
    put(a, opens_with_name(a) ? product_level : power_level);
    put("-");
  }

  void sum(Id id) override {
    const Node& n = graph_[id];
    const bool adds = n.op == Op::add;
    if (adds && graph_.is_constant(n.b) && graph_[n.b].value < 0.0) {
      put(varia::to_text(-graph_[n.b].value));
      put(" - ");
      put(n.a, sum_level);
    } else {
      infix(n, adds ? " + " : " - ", sum_level, term_level(n.b));
    }
  }

  void product(Id id) override {
    const Node& n = graph_[id];
    infix(n, n.op == Op::mul ? "*" : "/", product_level, power_level);
  }

  void general_power(const Node& n) override { infix(n, "^", atom_level, atom_level); }

  void infix(const Node& n, const char* sign, Level left, Level right) {
    put(n.b, right);
    put(sign);
    put(n.a, left);
  }

  void choice(Id condition, Id value, std::optional<Id> other) override {
    put(")");
    if (other)
      put(*other, sum_level);
    else
      put("0");
    put(", ");
    put(value, sum_level);
    put(", ");
    put(condition, condition_level);
    put("if(");
  }

  /// table("file.csv", x), table'("file.csv", x): its name in messages, with x.
  void table(const Node& n) {
    const std::string name = table_name(n);
    if (name.empty()) return put("table(?)");
    put(")");
    put(n.a, sum_level);
    put(name + ", ");
  }

  void call(Id id) override {
    const Node& n = graph_[id];
    if (n.op == Op::table) return table(n);
    put(")");
    if (operands(n.op) == 2) {
      put(n.b, sum_level);
      put(", ");
    }
    put(n.a, sum_level);
    put(n.op == Op::smoothstep ? "smoothstep(0, 1, " : std::string(function_name(n.op)) + "(");
  }

  std::size_t longest_;
};

}  // namespace

std::string to_text(const Graph& graph, Id f, const NameList& variable_names, std::size_t longest) {
  return Printer(graph, variable_names, longest).write(f);
}

}  // namespace varia::expr
