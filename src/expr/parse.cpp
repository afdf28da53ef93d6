// SPDX-License-Identifier: BSD-3-Clause
#include "parser.hpp"
#include "varia/core/error.hpp"

namespace varia::expr {
namespace {

constexpr long max_atoms = 5'000'000;  // names and numbers read, with the repetitions of sums

}  // namespace

Parser::Parser(Graph& graph, const Scope& scope, std::string_view text, Loops* loops)
    : graph_(graph),
      scope_(scope),
      loops_(loops),
      words_(tokens(text)),
      zero_(graph.constant(0.0)),
      first_node_(graph.size()),
      frame_{text, &words_, scope.definitions().size(), {}} {}

Id Parser::parse() { return number_of(whole(), words_.front()); }

Array Parser::parse_array() {
  const Value value = no_truth(whole());
  if (value.motion) refuse_array(value, words_.front());
  if (value.is_number()) return {{}, {value.id}};
  return {value.shape, value.entries};
}

Parser::Value Parser::whole() {
  if (word().kind == '$') fail("the expression is empty");
  Value result = condition();
  if (word().kind != '$') unexpected("the end of the expression");
  return result;
}

// Words

bool Parser::accept(char kind) {
  if (word().kind != kind) return false;
  ++frame_.next;
  return true;
}

void Parser::fail(const std::string& message) const { fail_at(frame_.text, word().at, message); }
void Parser::fail(const Token& at, const std::string& message) const {
  fail_at(frame_.text, at.at, message);
}

void Parser::unexpected(const std::string& wanted) const {
  const Token& found = word();
  if (found.kind == '$') fail("the expression ends too early: " + wanted + " is missing");
  if (found.kind == '1' || found.kind == 'a' || found.kind == '"' || found.kind == '(') {
    fail("an operator is missing before '" + std::string(found.text) +
         "'; products are written with *");
  }
  if (found.kind == ')') fail("this ')' closes nothing: " + wanted + " is expected");
  if (found.kind == '[') fail("an index belongs to an array; what stands before '[' is a number");
  if (found.kind == '.')
    fail("a component, as in r.x, belongs to a vector; what stands before '.' is a number");
  fail("unexpected '" + std::string(found.text) + "': " + wanted + " is expected");
}

void Parser::close(char bracket, const Token& open) {
  if (accept(bracket)) return;
  unexpected(std::string("the '") + bracket + "' that closes the '" + std::string(open.text) +
             "' at " + place_of(frame_.text, open.at));
}

void Parser::enter() {
  if (++depth_ > max_nesting)
    fail("the expression is nested deeper than " + std::to_string(max_nesting) + " levels");
}

// Building

Id Parser::checked(Id id) const {
  if (graph_.size() - first_node_ > max_parse_nodes)
    fail("the expression takes more than " + std::to_string(max_parse_nodes) + " operations");
  return id;
}

Id Parser::number(double value) const { return dry_ ? zero_ : checked(graph_.constant(value)); }

// The grammar

/// A number.
Id Parser::expression() {
  const Token& first = word();
  return number_of(condition(), first);
}

/// A number or an array of numbers.
Parser::Value Parser::value() { return no_truth(condition()); }

const Parser::Value& Parser::no_truth(const Value& value) const {
  if (value.truth != nullptr)
    fail(*value.truth,
         "a condition is true or false, not a number; use if(c, a, b), as in if(x < 0, -1, 1)");
  return value;
}

Id Parser::number_of(const Value& value, const Token& first) const {
  if (!no_truth(value).shape.empty()) refuse_array(value, first);
  return value.any ? zero_ : value.id;
}

Id Parser::truth_of(const Value& value, const Token& first) const {
  if (value.truth == nullptr) fail(first, "a condition such as x < 0 is expected here");
  return value.id;
}

bool Parser::accept_word(std::string_view text) {
  if (word().kind != 'a' || word().text != text) return false;
  ++frame_.next;
  return true;
}

Parser::Value Parser::condition() {
  enter();
  const Token& first = word();
  Value left = conjunction();
  for (;;) {
    const Token& sign = word();
    if (!accept_word("or")) break;
    const Id a = truth_of(left, first);
    const Token& second = word();
    const Id b = truth_of(conjunction(), second);
    // not (not a and not b): b does not count where a is true
    left = {negation(make(Op::when, negation(a), negation(b))), &sign};
  }
  --depth_;
  return left;
}

Parser::Value Parser::conjunction() {
  const Token& first = word();
  Value left = inverse();
  for (;;) {
    const Token& sign = word();
    if (!accept_word("and")) break;
    const Id a = truth_of(left, first);
    const Token& second = word();
    left = {make(Op::when, a, truth_of(inverse(), second)), &sign};
  }
  return left;
}

Parser::Value Parser::inverse() {
  const Token& sign = word();
  if (!accept_word("not")) return comparison();
  enter();
  const Token& first = word();
  const Id a = truth_of(inverse(), first);
  --depth_;
  return {negation(a), &sign};
}

Id Parser::negation(Id condition) { return make(Op::sub, number(1.0), condition); }

Parser::Value Parser::comparison() {
  const Token& first = word();
  Value left = sum_of_terms();
  const Token& sign = word();
  constexpr std::string_view signs = "<>lg=!";
  if (signs.find(sign.kind) == std::string_view::npos) return left;
  ++frame_.next;
  const Id a = number_of(left, first);
  const Token& second = word();
  const Id b = number_of(sum_of_terms(), second);
  if (signs.find(word().kind) != std::string_view::npos)
    fail("comparisons do not follow each other; write a < b and b < c");
  switch (sign.kind) {
    case '<':
      return {make(Op::less, a, b), &sign};
    case '>':
      return {make(Op::less, b, a), &sign};
    case 'l':
      return {make(Op::less_equal, a, b), &sign};
    case 'g':
      return {make(Op::less_equal, b, a), &sign};
    case '=':
      return {make(Op::equal, a, b), &sign};
    default:
      return {negation(make(Op::equal, a, b)), &sign};
  }
}

Parser::Value Parser::sum_of_terms() {
  Value left = term();
  while (word().kind == '+' || word().kind == '-') {
    const Token& sign = word();
    ++frame_.next;
    left = added(sign.kind == '+' ? Op::add : Op::sub, left, term(), sign);
  }
  return left;
}

Parser::Value Parser::term() {
  Value left = factor();
  while (word().kind == '*' || word().kind == '/') {
    const Token& sign = word();
    ++frame_.next;
    const Token& second = word();
    if (sign.kind == '*' && second.kind == '*') fail("powers are written with ^, not with **");
    left =
        sign.kind == '*' ? multiplied(left, factor(), sign) : divided(left, factor(), sign, second);
  }
  return left;
}

Parser::Value Parser::factor() {
  bool negative = false;
  bool sign = false;
  while (word().kind == '+' || word().kind == '-') {
    if (word().kind == '-') negative = !negative;
    sign = true;
    ++frame_.next;
  }
  const Token& first = word();
  Value value = power();
  if (sign && no_truth(value).motion) refuse_array(value, first);
  return negative ? negated(value) : value;
}

Parser::Value Parser::power() {
  const Token& first = word();
  Value base = part();
  const Token& sign = word();
  if (!accept('^')) return base;
  enter();
  if (!base.shape.empty())
    fail(sign, kind(base) + " has no power; the square of a length is dot(v, v)");
  const Id a = number_of(base, first);
  const Token& second = word();
  const Id exponent = number_of(factor(), second);
  --depth_;
  return {make(Op::pow, a, exponent)};
}

/// An atom and the indices behind it.
Parser::Value Parser::part() {
  const Token& first = word();
  Value value = atom();
  while ((value.any || !value.shape.empty()) && (word().kind == '[' || word().kind == '.'))
    value = word().kind == '['
                ? indexed(first.kind == 'a' ? std::string(first.text) : "the array", value)
                : component(value);
  return value;
}

Parser::Value Parser::atom() {
  if (++atoms_ > max_atoms)
    fail("the sums of the expression have more than " + std::to_string(max_atoms) + " parts");
  const Token& first = word();
  switch (first.kind) {
    case '1':
      ++frame_.next;
      return {number(first.number)};
    case 'a':
      return named();
    case '(': {
      ++frame_.next;
      Value inside = condition();
      close(')', first);
      return inside;
    }
    case '[':
      return list();
    case '$':
      fail("the expression ends too early: a number, a name or '(' is missing");
    case '"':
      fail("a text in quotes may stand in table(\"file.csv\", x) only");
    default:
      fail("unexpected '" + std::string(first.text) + "': a number, a name or '(' is expected");
  }
}

Id parse(Graph& graph, const Scope& scope, std::string_view text) {
  return Parser(graph, scope, text).parse();
}

Array parse_array(Graph& graph, const Scope& scope, std::string_view text) {
  return Parser(graph, scope, text).parse_array();
}

std::vector<Id> parse_entries(Graph& graph, const Scope& scope, std::string_view text,
                              const Shape& shape) {
  Array array = parse_array(graph, scope, text);
  if (array.shape.empty() && graph.is_constant(array.entries[0], 0.0))
    return std::vector<Id>(entries_of(shape), array.entries[0]);
  if (!same_counts(array.shape, shape))
    fail_at(text, 0, shape_text(shape) + " is needed here, found " + shape_text(array.shape));
  return array.entries;
}

Array parse_array(Graph& graph, const Scope& scope, std::string_view text, Loops& loops) {
  return Parser(graph, scope, text, &loops).parse_array();
}

}  // namespace varia::expr
