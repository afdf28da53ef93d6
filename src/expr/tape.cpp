// SPDX-License-Identifier: BSD-3-Clause
// Programs: made from a graph, interpreted, and explained where they fail.
#include "varia/expr/tape.hpp"

#include <cmath>

#include "cone.hpp"
#include "varia/core/error.hpp"
#include "varia/expr/print.hpp"
#include "varia/expr/tape_scalar.hpp"

namespace varia::expr {
namespace {

bool is_parameter(const Node& n) {
  return n.op == Op::variable && n.index >= Graph::first_parameter;
}

int rank(const Node& n) {
  if (n.op == Op::constant || is_parameter(n)) return 0;
  return n.op == Op::variable ? 1 : 2;
}

}  // namespace

Tape::Tape(const Graph& graph, const std::vector<Id>& outputs, int inputs)
    : inputs_(inputs), parameters_(graph.parameters()) {
  for (const Id output : outputs) {
    if (output >= graph.size())
      throw InvalidArgument("a program was asked for an expression that its graph does not have");
  }
  if (outputs.empty()) return;
  const Cone cone(graph, outputs);
  std::vector<std::uint32_t> slot(cone.size());
  instructions_.reserve(cone.size());
  for (int pass = 0; pass < 3; ++pass) {
    for (std::size_t k = 0; k < cone.size(); ++k) {
      const Node& n = graph[cone[k]];
      if (rank(n) != pass) continue;
      slot[k] = static_cast<std::uint32_t>(instructions_.size());
      if (n.op == Op::constant) {
        constants_.push_back(n.value);
        instructions_.push_back({n.op, 0, 0, n.value});
      } else if (is_parameter(n)) {
        const auto which = static_cast<std::uint32_t>(n.index - Graph::first_parameter);
        constants_.push_back(parameters_[which]);
        instructions_.push_back({Op::constant, which + 1, 0, parameters_[which]});
      } else if (n.op == Op::variable) {
        if (n.index >= inputs) {
          throw InvalidArgument("an expression uses variable " + std::to_string(n.index) +
                                ", its program has " + std::to_string(inputs) + " inputs");
        }
        variables_.push_back(static_cast<std::uint32_t>(n.index));
        instructions_.push_back({n.op, variables_.back(), variables_.back(), 0.0});
      } else {
        instructions_.push_back({n.op, slot[cone.at(n.a)], slot[cone.at(n.b)], 0.0});
        conditional_ = conditional_ || n.op == Op::when;
      }
    }
  }
  for (const Id output : outputs) output_slots_.push_back(slot[cone.at(output)]);
  schedule();
}

namespace {

/// What is wrong with a table at x.
std::string outside(double x, double code) {
  int order = 0;
  const Spline* const spline = find_table(code, order);
  if (spline == nullptr) return "a table that is not known";
  return spline->name() + " at " + varia::to_text(x) + ", outside of its range " +
         varia::to_text(spline->first()) + " to " + varia::to_text(spline->last());
}

/// Why op(a, b) is not a number.
std::string reason(Op op, double a, double b) {
  const std::string at = varia::to_text(a);
  switch (op) {
    case Op::div:
      return b == 0.0 ? "division by zero" : "overflow of a quotient";
    case Op::sqrt:
      return "square root of " + at;
    case Op::log:
      return "logarithm of " + at;
    case Op::asin:
      return "asin of " + at;
    case Op::acos:
      return "acos of " + at;
    case Op::pow:
      if (a == 0.0 && b < 0.0) return "division by zero";
      if (a < 0.0) return "power " + varia::to_text(b) + " of " + at;
      return "overflow of a power";
    case Op::mod:
      return b == 0.0 ? "mod by zero" : "mod of " + at;
    case Op::table:
      return outside(a, b);
    default:
      return "overflow";
  }
}

/// The expression an instruction computes.
Id rebuild(Graph& graph, const std::vector<Instruction>& instructions, std::size_t last) {
  std::vector<Id> ids;
  for (std::size_t k = 0; k <= last; ++k) {
    const Instruction& i = instructions[k];
    if (i.op == Op::constant) {
      ids.push_back(graph.constant(i.value));
    } else if (i.op == Op::variable) {
      ids.push_back(graph.variable(static_cast<int>(i.a)));
    } else {
      ids.push_back(operands(i.op) == 1 ? graph.make(i.op, ids[i.a])
                                        : graph.make(i.op, ids[i.a], ids[i.b]));
    }
  }
  return ids[last];
}

}  // namespace

std::vector<char> Tape::that_count(const double* x) const {
  std::vector<double> work;
  std::vector<double> out(output_slots_.size());
  evaluate_as(x, out.data(), work);
  std::vector<char> counts(instructions_.size(), 0);
  for (const std::uint32_t slot : output_slots_) counts[slot] = 1;
  for (std::size_t k = instructions_.size(); k-- > 0;) {
    const Instruction& i = instructions_[k];
    if (counts[k] == 0 || operands(i.op) == 0) continue;
    counts[i.a] = 1;
    if (i.op != Op::when || work[i.a] != 0.0) counts[i.b] = 1;
  }
  return counts;
}

std::string Tape::non_finite(const double* x, const NameList& names) const {
  constexpr std::size_t longest = 120;
  std::vector<double> work;
  std::vector<double> out(output_slots_.size());
  evaluate_as(x, out.data(), work);
  const std::vector<char> counts = that_count(x);
  for (std::size_t k = 0; k < work.size(); ++k) {
    if (std::isfinite(work[k]) || counts[k] == 0) continue;
    Graph graph;
    const Instruction& i = instructions_[k];
    const std::string text = to_text(graph, rebuild(graph, instructions_, k), names, longest);
    if (i.op == Op::variable) return text + " is " + varia::to_text(work[k]);
    return reason(i.op, work[i.a], work[i.b]) + " in " + text;
  }
  return "";
}

Tape Tape::with_parameters(const std::vector<double>& values) const {
  Tape tape = *this;
  for (std::size_t i = 0; i < std::min(values.size(), parameters_.size()); ++i)
    tape.parameters_[i] = values[i];
  for (std::size_t k = 0; k < constants_.size(); ++k)
    if (const std::uint32_t which = instructions_[k].a; which > 0)
      tape.constants_[k] = tape.instructions_[k].value = tape.parameters_[which - 1];
  return tape;
}

double number_of(const Graph& graph, Id f) {
  if (graph.is_constant(f)) return graph[f].value;
  const Tape tape(graph, {f}, 0);
  std::vector<double> work(tape.instructions().size());
  double value = 0.0;
  tape.evaluate(nullptr, &value, work.data());
  return value;
}

}  // namespace varia::expr
