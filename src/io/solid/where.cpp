// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../../expr/characters.hpp"
#include "../../expr/token.hpp"
#include "varia/expr/tape.hpp"
#include "varia/io/solid_where.hpp"

namespace varia::io {

/// A comparison of neighbouring outputs of a tape, or a combination of parts.
struct Condition::Node {
  enum class Kind { any, all, negation, comparison } kind = Kind::comparison;
  std::vector<Node> parts;
  std::vector<std::string> signs;  // of a comparison, between the sides
  std::shared_ptr<const expr::Tape> sides;
  std::vector<std::string> names;

  bool holds(const double* x) const;
  bool compare(const double* x) const;
};

namespace {

// The signs of a condition: what stands between its expressions, and the brackets.

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// A word or sign that is no part of an expression, or a bracket.
struct Sign {
  enum class Kind { either, both, negation, comparison, open, close } kind;
  std::size_t at = 0, size = 1;
  int depth = 0;          // brackets around it; of a bracket: outside it
  std::size_t close = 0;  // of a bracket that opens: the number of the sign that closes it
};

class Signs {
 public:
  explicit Signs(std::string_view text) : text_(text) {
    while (at_ < text_.size()) next();
    if (!open_.empty()) expr::fail_at(text_, list_[open_.back()].at, "this bracket is not closed");
  }
  std::vector<Sign> take() { return std::move(list_); }

 private:
  using Kind = Sign::Kind;

  void next() {
    const char c = text_[at_];
    if (expr::is_digit(c) || expr::end_of_name(text_, at_) > at_) {
      word();
    } else if (c == '(' || c == '[') {
      if (open_.size() >= static_cast<std::size_t>(expr::max_nesting))
        expr::fail_at(
            text_, at_,
            "brackets are nested more than " + std::to_string(expr::max_nesting) + " deep");
      add(Kind::open, 1);
      open_.push_back(list_.size() - 1);
    } else if (c == ')' || c == ']') {
      close(c);
    } else if (c == '<' || c == '>' || c == '=') {
      comparison();
    } else if (c == '&' || c == '|' || c == '!') {
      expr::fail_at(text_, at_,
                    std::string("'") + c + "' is not used here; the words are and, or, not");
    } else {
      ++at_;
    }
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && expr::is_digit(text_[at_])) ++at_;
    at_ = expr::end_of_name(text_, at_);
    const std::string_view found = text_.substr(begin, at_ - begin);
    const std::size_t after = at_;
    at_ = begin;
    if (found == "or") add(Kind::either, 2);
    if (found == "and") add(Kind::both, 3);
    if (found == "not") add(Kind::negation, 3);
    at_ = after;
  }

  void close(char c) {
    if (open_.empty()) expr::fail_at(text_, at_, "this bracket was not opened");
    Sign& open = list_[open_.back()];
    if ((text_[open.at] == '(') != (c == ')'))
      expr::fail_at(text_, at_,
                    std::string("a bracket '") + text_[open.at] + "' is closed by '" + c + "'");
    open.close = list_.size();
    open_.pop_back();
    add(Kind::close, 1);
  }

  void comparison() {
    const bool two = at_ + 1 < text_.size() && text_[at_ + 1] == '=';
    if (text_[at_] == '=' && !two) expr::fail_at(text_, at_, "equality is written ==");
    add(Kind::comparison, two ? 2 : 1);
  }

  void add(Kind kind, std::size_t size) {
    list_.push_back({kind, at_, size, static_cast<int>(open_.size())});
    at_ += size;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Sign> list_;
  std::vector<std::size_t> open_;
};

/// All signs in their order; brackets match. Throws expr::ParseError.
std::vector<Sign> condition_signs(std::string_view text) { return Signs(text).take(); }

bool compared(double a, const std::string& sign, double b) {
  if (sign == "<") return a < b;
  if (sign == ">") return a > b;
  if (sign == "<=") return a <= b;
  if (sign == ">=") return a >= b;
  return a == b;
}

/// The byte of a line and column, both from 1; columns count characters.
std::size_t byte_of(std::string_view text, int line, int column) {
  std::size_t at = 0;
  for (int k = 1; k < line; ++k) at = std::min(text.find('\n', at), text.size() - 1) + 1;
  for (int k = 1; k < column && at < text.size(); ++k)
    at += std::max<std::size_t>(1, expr::character(text, at).bytes);
  return std::min(at, text.size());
}

class Parser {
 public:
  using Node = Condition::Node;

  Parser(expr::Graph& graph, const expr::Scope& scope, std::string_view text,
         const std::vector<std::string>& names)
      : graph_(graph), scope_(scope), text_(text), names_(names), signs_(condition_signs(text)) {}

  Node parse() { return alternatives({0, text_.size(), 0, signs_.size(), 0}); }

 private:
  /// A part of the text: bytes, signs, and how many brackets are around it.
  struct Part {
    std::size_t begin, end, first, last;
    int depth;
  };

  /// The parts between the signs of one kind that stand in no further bracket.
  std::vector<Part> split(const Part& part, Sign::Kind kind) const {
    std::vector<Part> parts;
    Part rest = part;
    for (std::size_t k = part.first; k < part.last; ++k) {
      const Sign& sign = signs_[k];
      if (sign.kind != kind || sign.depth != part.depth) continue;
      parts.push_back({rest.begin, sign.at, rest.first, k, part.depth});
      rest.begin = sign.at + sign.size;
      rest.first = k + 1;
    }
    parts.push_back(rest);
    return parts;
  }

  Node alternatives(const Part& part) { return combine(part, Sign::Kind::either); }

  Node combine(const Part& part, Sign::Kind kind) {
    const bool either = kind == Sign::Kind::either;
    const std::vector<Part> parts = split(part, kind);
    const auto inner = [&](const Part& p) {
      return either ? combine(p, Sign::Kind::both) : negation(p);
    };
    if (parts.size() == 1) return inner(parts[0]);
    Node node;
    node.kind = either ? Node::Kind::any : Node::Kind::all;
    for (const Part& p : parts) node.parts.push_back(inner(p));
    return node;
  }

  std::size_t first_byte(const Part& part) const {
    std::size_t at = part.begin;
    while (at < part.end && is_blank(text_[at])) ++at;
    return at;
  }

  bool blank(std::size_t begin, std::size_t end) const {
    return std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                       text_.begin() + static_cast<std::ptrdiff_t>(end), is_blank);
  }

  /// { not } (condition) or a comparison.
  Node negation(Part part) {
    bool negated = false;
    std::size_t at = first_byte(part);
    for (; part.first < part.last && signs_[part.first].at == at &&
           signs_[part.first].kind == Sign::Kind::negation;
         at = first_byte(part)) {
      negated = !negated;
      part.begin = at + signs_[part.first].size;
      ++part.first;
    }
    if (at == part.end) expr::fail_at(text_, at, "a condition is missing here");
    Node inner = in_brackets(part, at) ? alternatives(inside(part)) : comparison(part);
    if (!negated) return inner;
    Node node;
    node.kind = Node::Kind::negation;
    node.parts.push_back(std::move(inner));
    return node;
  }

  bool in_brackets(const Part& part, std::size_t at) const {
    if (part.first == part.last || signs_[part.first].at != at || text_[at] != '(') return false;
    const Sign& close = signs_[signs_[part.first].close];
    return blank(close.at + 1, part.end);
  }

  Part inside(const Part& part) const {
    const std::size_t close = signs_[part.first].close;
    return {signs_[part.first].at + 1, signs_[close].at, part.first + 1, close, part.depth + 1};
  }

  Node comparison(const Part& part) {
    for (std::size_t k = part.first; k < part.last; ++k) {
      const Sign& sign = signs_[k];
      const bool expected = sign.kind == Sign::Kind::comparison && sign.depth == part.depth;
      if (expected || sign.kind == Sign::Kind::open || sign.kind == Sign::Kind::close) continue;
      expr::fail_at(text_, sign.at,
                    "'" + std::string(text_.substr(sign.at, sign.size)) +
                        "' stands inside an expression; conditions are joined by and, or, not");
    }
    const std::vector<Part> sides = split(part, Sign::Kind::comparison);
    if (sides.size() == 1)
      expr::fail_at(text_, first_byte(part),
                    "a condition compares expressions by <, >, <=, >= or ==, as in X < 0.5");
    Node node;
    node.names = names_;
    std::vector<expr::Id> values;
    for (const Part& side : sides) {
      values.push_back(value(side));
      if (&side != &sides.back()) {
        const Sign& sign = signs_[side.last];
        node.signs.emplace_back(text_.substr(sign.at, sign.size));
      }
    }
    node.sides =
        std::make_shared<const expr::Tape>(graph_, values, static_cast<int>(names_.size()));
    return node;
  }

  expr::Id value(const Part& side) {
    const std::string_view text = text_.substr(side.begin, side.end - side.begin);
    if (blank(side.begin, side.end))
      expr::fail_at(text_, side.end, "an expression is missing here");
    try {
      return expr::parse(graph_, scope_, text);
    } catch (const expr::ParseError& error) {
      expr::fail_at(text_, side.begin + byte_of(text, error.line, error.column), error.message);
    }
  }

  expr::Graph& graph_;
  const expr::Scope& scope_;
  std::string_view text_;
  const std::vector<std::string>& names_;
  std::vector<Sign> signs_;
};

}  // namespace

bool Condition::Node::compare(const double* x) const {
  thread_local std::vector<double> work, values;
  work.resize(sides->instructions().size());
  values.resize(static_cast<std::size_t>(sides->outputs()));
  sides->evaluate(x, values.data(), work.data());
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) {
    std::string at;
    for (std::size_t k = 0; k < names.size(); ++k)
      at += (k == 0 ? "" : ", ") + names[k] + " = " + to_text(x[k]);
    throw DomainError("has no value at " + at + ": " + sides->non_finite(x, names));
  }
  for (std::size_t k = 0; k < signs.size(); ++k)
    if (!compared(values[k], signs[k], values[k + 1])) return false;
  return true;
}

bool Condition::Node::holds(const double* x) const {
  const auto holds_there = [x](const Node& part) { return part.holds(x); };
  switch (kind) {
    case Kind::any:
      return std::any_of(parts.begin(), parts.end(), holds_there);
    case Kind::all:
      return std::all_of(parts.begin(), parts.end(), holds_there);
    case Kind::negation:
      return !parts[0].holds(x);
    case Kind::comparison:
      break;
  }
  return compare(x);
}

bool Condition::operator()(const double* x) const { return root_->holds(x); }

Condition parse_condition(expr::Graph& graph, const expr::Scope& scope, std::string_view text,
                          const std::vector<std::string>& names) {
  if (text.size() > expr::max_text)
    throw expr::ParseError(
        "the condition has more than " + std::to_string(expr::max_text) + " characters", 1, 1, "");
  return Condition(
      std::make_shared<const Condition::Node>(Parser(graph, scope, text, names).parse()));
}

}  // namespace varia::io
