// SPDX-License-Identifier: BSD-3-Clause
#include "writer.hpp"

#include <algorithm>

#include "varia/expr/table.hpp"

namespace varia::expr {

void FormulaWriter::write_pieces() {
  while (!open_.empty() && !is_full()) {
    const Piece piece = std::move(open_.back());
    open_.pop_back();
    if (piece.is_text) {
      out_ += piece.text;
    } else {
      expand(piece.id, piece.level);
    }
  }
  open_.clear();
}

void FormulaWriter::expand(Id id, Level needed) {
  if (needed == condition_level) return condition(id);
  const bool enclosed = level_of(id) < needed;
  if (enclosed) {
    put(parenthesis(false));
    out_ += parenthesis(true);
  }
  if (is_written_as_power(id)) {
    power(graph_.power_of(id));
  } else {
    operation(id);
  }
}

void FormulaWriter::operation(Id id) {
  const Node& n = graph_[id];
  switch (n.op) {
    case Op::constant:
      return number(n.value);
    case Op::variable:
      return name(name_of(n.index));
    case Op::neg:
      return negative(id);
    case Op::add:
      return is_choice(id) ? choice(graph_[n.a].a, graph_[n.a].b, graph_[n.b].b) : sum(id);
    case Op::sub:
      return sum(id);
    case Op::mul:
    case Op::div:
      return product(id);
    case Op::pow:
      return general_power(n);
    case Op::when:
      return choice(n.a, n.b, std::nullopt);
    default:
      return call(id);
  }
}

// An even power of -u, 2*u or u^2 would be read as another expression.
bool FormulaWriter::is_written_as_power(Id id) const {
  const Power p = graph_.power_of(id);
  if (p.base == id) return false;
  if (p.halves % 2 != 0) return true;
  const Node& base = graph_[p.base];
  const bool has_factor = base.op == Op::mul && graph_.is_constant(base.a);
  return base.op != Op::neg && !has_factor && graph_.power_of(p.base).base == p.base;
}

/// if(c, x, y) is made of two branches, on c and on not c; one alone has 0 for the other.
bool FormulaWriter::is_choice(Id id) const {
  const Node& n = graph_[id];
  return n.op == Op::add && graph_[n.a].op == Op::when && graph_[n.b].op == Op::when &&
         are_opposite(graph_[n.a].a, graph_[n.b].a);
}

bool FormulaWriter::is_negation(Id id) const {
  return graph_[id].op == Op::sub && graph_.is_constant(graph_[id].a, 1.0);
}

bool FormulaWriter::are_opposite(Id c, Id d) const {
  return (is_negation(c) && graph_[c].b == d) || (is_negation(d) && graph_[d].b == c);
}

bool FormulaWriter::is_plain_comparison(Id id) const {
  return is_comparison(graph_[id].op) || (is_negation(id) && graph_[graph_[id].b].op == Op::equal);
}

const char* FormulaWriter::sign_of(Op comparison) const {
  if (comparison == Op::less) return words().less;
  return comparison == Op::equal ? words().equal : words().less_equal;
}

void FormulaWriter::relation(const Node& n, const char* sign) {
  put(n.b, sum_level);
  put(sign);
  put(n.a, sum_level);
}

void FormulaWriter::condition(Id id) {
  const Node& n = graph_[id];
  if (is_comparison(n.op)) {
    relation(n, sign_of(n.op));
  } else if (is_negation(id)) {
    negated(n.b);
  } else if (n.op == Op::when) {
    joined(n.a, words().both, n.b);
  } else {  // a number, which is 1 or 0
    put(words().is_true);
    put(id, sum_level);
  }
}

void FormulaWriter::negated(Id id) {
  const Node& n = graph_[id];
  if (n.op == Op::equal) {
    relation(n, words().unequal);
  } else if (n.op == Op::when && is_negation(n.a) && is_negation(n.b)) {
    joined(graph_[n.a].b, words().either, graph_[n.b].b);
  } else {
    put(parenthesis(false));
    put(id, condition_level);
    put(words().open_not);
  }
}

/// A condition that is part of another one.
void FormulaWriter::enclosed(Id id) {
  const bool plain = is_plain_comparison(id);
  if (!plain) put(parenthesis(false));
  put(id, condition_level);
  if (!plain) put(parenthesis(true));
}

void FormulaWriter::joined(Id a, const char* word, Id b) {
  enclosed(b);
  put(word);
  enclosed(a);
}

std::string FormulaWriter::name_of(int index) const {
  if (static_cast<std::size_t>(index) < names_.size())
    return names_[static_cast<std::size_t>(index)];
  const auto parameter = static_cast<std::size_t>(std::max(index - Graph::first_parameter, 0));
  const std::vector<std::string>& parameters = graph_.parameter_names();
  if (index >= Graph::first_parameter && parameter < parameters.size() &&
      !parameters[parameter].empty())
    return parameters[parameter];
  return "x" + std::to_string(index);
}

std::string FormulaWriter::table_name(const Node& n) const {
  int order = 0;
  const Spline* const spline = find_table(graph_[n.b].value, order);
  if (spline == nullptr) return {};
  const std::string& name = spline->name();
  const std::size_t open = name.find('(');
  return name.substr(0, open) + std::string(static_cast<std::size_t>(order), '\'') +
         name.substr(open, name.size() - open - 1);
}

}  // namespace varia::expr
