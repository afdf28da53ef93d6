// SPDX-License-Identifier: BSD-3-Clause
#include "parser.hpp"
#include "varia/core/error.hpp"

namespace varia::expr {
namespace {

constexpr long max_atoms = 5'000'000;  // names and numbers read, with the repetitions of sums

}  // namespace

Parser::Parser(Graph& graph, const Scope& scope, std::string_view text)
    : graph_(graph),
      scope_(scope),
      words_(tokens(text)),
      zero_(graph.constant(0.0)),
      first_node_(graph.size()),
      frame_{text, &words_, scope.definitions().size(), {}} {}

Id Parser::parse() { return whole(); }

Id Parser::whole() {
  if (word().kind == '$') fail("the expression is empty");
  const Id result = expression();
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
  if (found.kind == '1' || found.kind == 'a' || found.kind == '(') {
    fail("an operator is missing before '" + std::string(found.text) +
         "'; products are written with *");
  }
  if (found.kind == ')') fail("this ')' closes nothing: " + wanted + " is expected");
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

Id Parser::expression() {
  enter();
  Id left = term();
  while (word().kind == '+' || word().kind == '-') {
    const Op op = accept('+') ? Op::add : (++frame_.next, Op::sub);
    const Id right = term();
    left = make(op, left, right);
  }
  --depth_;
  return left;
}

Id Parser::term() {
  Id left = factor();
  while (word().kind == '*' || word().kind == '/') {
    const Op op = accept('*') ? Op::mul : (++frame_.next, Op::div);
    if (op == Op::mul && word().kind == '*') fail("powers are written with ^, not with **");
    const Id right = factor();
    left = make(op, left, right);
  }
  return left;
}

Id Parser::factor() {
  bool negative = false;
  while (word().kind == '+' || word().kind == '-') {
    if (word().kind == '-') negative = !negative;
    ++frame_.next;
  }
  const Id value = power();
  return negative ? make(Op::neg, value) : value;
}

Id Parser::power() {
  const Id base = atom();
  if (!accept('^')) return base;
  enter();
  const Id exponent = factor();
  --depth_;
  return make(Op::pow, base, exponent);
}

Id Parser::atom() {
  if (++atoms_ > max_atoms)
    fail("the sums of the expression have more than " + std::to_string(max_atoms) + " parts");
  const Token& first = word();
  switch (first.kind) {
    case '1':
      ++frame_.next;
      return dry_ ? zero_ : checked(graph_.constant(first.number));
    case 'a':
      return named();
    case '(': {
      ++frame_.next;
      const Id inside = expression();
      close(')', first);
      return inside;
    }
    case '$':
      fail("the expression ends too early: a number, a name or '(' is missing");
    default:
      fail("unexpected '" + std::string(first.text) + "': a number, a name or '(' is expected");
  }
}

Id parse(Graph& graph, const Scope& scope, std::string_view text) {
  return Parser(graph, scope, text).parse();
}

}  // namespace varia::expr
