// SPDX-License-Identifier: BSD-3-Clause
// Formulas. A stack of what is still to be written takes the place of recursion.
#include "varia/expr/print.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "functions.hpp"
#include "varia/core/error.hpp"
#include "varia/expr/table.hpp"

namespace varia::expr {
namespace {

/// How tightly a formula holds together: what needs parentheses where.
enum Level { condition_level, sum_level, product_level, sign_level, power_level, atom_level };

class Printer {
 public:
  Printer(const Graph& graph, const std::vector<std::string>& names, std::size_t longest)
      : graph_(graph), names_(names), longest_(longest) {}

  std::string write(Id f) {
    put(f, sum_level);
    while (!open_.empty() && out_.size() <= longest_) {
      const Piece piece = std::move(open_.back());
      open_.pop_back();
      if (piece.is_text) {
        out_ += piece.text;
      } else {
        expand(piece.id, piece.level);
      }
    }
    if (out_.size() > longest_) {
      out_.resize(longest_ > 3 ? longest_ - 3 : 0);
      out_ += "...";
    }
    return out_;
  }

 private:
  struct Piece {
    bool is_text;
    std::string text;
    Id id;
    Level level;
  };

  // Pieces are put in the reverse of the order in which they are read.
  void put(Id id, Level level) { open_.push_back({false, "", id, level}); }
  void put(std::string text) { open_.push_back({true, std::move(text), 0, atom_level}); }

  void expand(Id id, Level needed) {
    if (needed == condition_level) return condition(id);
    const bool enclosed = level_of(id) < needed;
    if (enclosed) {
      put(")");
      out_ += "(";
    }
    if (is_written_as_power(id)) {
      power(graph_.power_of(id));
    } else {
      operation(id);
    }
  }

  bool has_factor(Id id) const {
    return graph_[id].op == Op::mul && graph_.is_constant(graph_[id].a);
  }

  // An even power of -u, 2*u or u^2 would be read as another expression.
  bool is_written_as_power(Id id) const {
    const Power p = graph_.power_of(id);
    if (p.base == id) return false;
    if (p.halves % 2 != 0) return true;
    return graph_[p.base].op != Op::neg && !has_factor(p.base) &&
           graph_.power_of(p.base).base == p.base;
  }

  Level level_of(Id id) const {
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
  void power(Power p) {
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

  void operation(Id id) {
    const Node& n = graph_[id];
    switch (n.op) {
      case Op::constant:
        put(varia::to_text(n.value));
        break;
      case Op::variable:
        put(name(n.index));
        break;
      case Op::neg:
        put(n.a, opens_with_name(n.a) ? product_level : power_level);
        put("-");
        break;
      case Op::add:
        if (is_choice(id)) {
          choice(graph_[n.a].a, graph_[n.a].b, graph_[n.b].b);
        } else if (graph_.is_constant(n.b) && graph_[n.b].value < 0.0) {
          infix(n, " - ", sum_level, varia::to_text(-graph_[n.b].value));
        } else {
          infix(n, " + ", sum_level, term_level(n.b));
        }
        break;
      case Op::sub:
        infix(n, " - ", sum_level, term_level(n.b));
        break;
      case Op::mul:
        infix(n, "*", product_level, power_level);
        break;
      case Op::div:
        infix(n, "/", product_level, power_level);
        break;
      case Op::pow:
        infix(n, "^", atom_level, atom_level);
        break;
      default:
        function(n);
    }
  }

  void infix(const Node& n, const char* sign, Level left, Level right) {
    put(n.b, right);
    put(sign);
    put(n.a, left);
  }

  void infix(const Node& n, const char* sign, Level left, std::string right) {
    put(std::move(right));
    put(sign);
    put(n.a, left);
  }

  /// if(c, x, y) is made of two branches, on c and on not c; one alone has 0 for the other.
  bool is_choice(Id id) const {
    const Node& n = graph_[id];
    return n.op == Op::add && graph_[n.a].op == Op::when && graph_[n.b].op == Op::when &&
           are_opposite(graph_[n.a].a, graph_[n.b].a);
  }

  bool is_negation(Id id) const {
    return graph_[id].op == Op::sub && graph_.is_constant(graph_[id].a, 1.0);
  }
  bool are_opposite(Id c, Id d) const {
    return (is_negation(c) && graph_[c].b == d) || (is_negation(d) && graph_[d].b == c);
  }

  void choice(Id condition, Id value, std::optional<Id> other) {
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

  bool is_plain_comparison(Id id) const {
    return is_comparison(graph_[id].op) ||
           (is_negation(id) && graph_[graph_[id].b].op == Op::equal);
  }

  void condition(Id id) {
    const Node& n = graph_[id];
    if (is_comparison(n.op)) {
      infix(n,
            n.op == Op::less    ? " < "
            : n.op == Op::equal ? " == "
                                : " <= ",
            sum_level, sum_level);
    } else if (is_negation(id)) {
      const Node& inside = graph_[n.b];
      if (inside.op == Op::equal) {
        infix(inside, " != ", sum_level, sum_level);
      } else if (inside.op == Op::when && is_negation(inside.a) && is_negation(inside.b)) {
        joined(graph_[inside.a].b, " or ", graph_[inside.b].b);
      } else {
        put(")");
        put(n.b, condition_level);
        put("not (");
      }
    } else if (n.op == Op::when) {
      joined(n.a, " and ", n.b);
    } else {  // a number, which is 1 or 0
      put(" == 1");
      put(id, sum_level);
    }
  }

  /// A condition that is part of another one.
  void enclosed(Id id) {
    const bool plain = is_plain_comparison(id);
    if (!plain) put(")");
    put(id, condition_level);
    if (!plain) put("(");
  }

  void joined(Id a, const char* word, Id b) {
    enclosed(b);
    put(word);
    enclosed(a);
  }

  /// table("file.csv", x), table'("file.csv", x): its name in messages, with x.
  void table(const Node& n) {
    int order = 0;
    const Spline* const spline = find_table(graph_[n.b].value, order);
    if (spline == nullptr) return put("table(?)");
    const std::string& name = spline->name();
    const std::size_t open = name.find('(');
    put(")");
    put(n.a, sum_level);
    put(name.substr(0, open) + std::string(static_cast<std::size_t>(order), '\'') +
        name.substr(open, name.size() - open - 1) + ", ");
  }

  void function(const Node& n) {
    if (n.op == Op::when) return choice(n.a, n.b, std::nullopt);
    if (n.op == Op::smoothstep) {
      put(")");
      put(n.a, sum_level);
      return put("smoothstep(0, 1, ");
    }
    if (n.op == Op::table) return table(n);
    put(")");
    if (operands(n.op) == 2) {
      put(n.b, sum_level);
      put(", ");
    }
    put(n.a, sum_level);
    put(std::string(function_name(n.op)) + "(");
  }

  std::string name(int index) const {
    if (static_cast<std::size_t>(index) < names_.size())
      return names_[static_cast<std::size_t>(index)];
    const auto parameter = static_cast<std::size_t>(std::max(index - Graph::first_parameter, 0));
    const std::vector<std::string>& parameters = graph_.parameter_names();
    if (index >= Graph::first_parameter && parameter < parameters.size() &&
        !parameters[parameter].empty())
      return parameters[parameter];
    return "x" + std::to_string(index);
  }

  const Graph& graph_;
  const std::vector<std::string>& names_;
  std::size_t longest_;
  std::string out_;
  std::vector<Piece> open_;
};

}  // namespace

std::string to_text(const Graph& graph, Id f, const std::vector<std::string>& variable_names,
                    std::size_t longest) {
  return Printer(graph, variable_names, longest).write(f);
}

}  // namespace varia::expr
