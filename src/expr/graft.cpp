// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/graft.hpp"

#include <algorithm>
#include <string>

#include "varia/core/error.hpp"

namespace varia::expr {

std::vector<Id> graft(Graph& graph, const Tape& tape, const std::vector<Id>& inputs) {
  if (inputs.size() != static_cast<std::size_t>(tape.inputs()))
    throw InvalidArgument("graft: the program has " + std::to_string(tape.inputs()) +
                          " inputs, got " + std::to_string(inputs.size()) + " expressions");
  while (graph.parameters().size() < tape.parameters().size())
    graph.parameter(tape.parameters()[graph.parameters().size()]);
  std::vector<Id> node;
  node.reserve(tape.instructions().size());
  for (const Instruction& i : tape.instructions()) {
    if (i.op == Op::constant)
      node.push_back(i.a > 0 ? graph.variable(Graph::first_parameter + static_cast<int>(i.a) - 1)
                             : graph.constant(i.value));
    else if (i.op == Op::variable)
      node.push_back(inputs[i.a]);
    else
      node.push_back(operands(i.op) == 1 ? graph.make(i.op, node[i.a])
                                         : graph.make(i.op, node[i.a], node[i.b]));
  }
  std::vector<Id> result;
  result.reserve(tape.output_slots().size());
  for (const std::uint32_t slot : tape.output_slots()) result.push_back(node[slot]);
  return result;
}

bool reads(const Tape& tape, int input) {
  return std::any_of(tape.instructions().begin(), tape.instructions().end(), [&](const auto& i) {
    return i.op == Op::variable && i.a == static_cast<std::uint32_t>(input);
  });
}

}  // namespace varia::expr
