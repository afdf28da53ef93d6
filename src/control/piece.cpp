// SPDX-License-Identifier: BSD-3-Clause
#include "piece.hpp"

#include <utility>

#include "../mechanics/formulas.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

namespace {

using expr::Entry;
using expr::Id;

/// At rest, with the inputs one after the other.
class PieceInputs {
 public:
  PieceInputs(expr::Graph& graph, const PieceVariables& names) : graph_(graph) {
    for (const int i : names.displacements) replaced_.emplace_back(i, graph.constant(0.0));
    int place = 0;
    for (const auto* list : {&names.constants, &names.variables, &names.multipliers})
      for (const int i : *list) {
        if (!contains(names.displacements, i)) replaced_.emplace_back(i, graph.variable(place));
        ++place;
      }
  }
  expr::Kernel kernel(const std::vector<Id>& outputs, std::size_t inputs) const {
    return expr::Kernel(std::make_shared<const expr::Tape>(
        graph_, expr::substitute(graph_, outputs, replaced_), static_cast<int>(inputs)));
  }
  std::vector<Entry> at_rest(std::vector<Entry> entries) const {
    std::vector<Id> values;
    values.reserve(entries.size());
    for (const Entry& entry : entries) values.push_back(entry.value);
    values = expr::substitute(graph_, values, rest());
    for (std::size_t e = 0; e < entries.size(); ++e) entries[e].value = values[e];
    return entries;
  }

 private:
  static bool contains(const std::vector<int>& list, int i) {
    for (const int x : list)
      if (x == i) return true;
    return false;
  }
  std::vector<std::pair<int, Id>> rest() const {
    std::vector<std::pair<int, Id>> zeros;
    for (const auto& [variable, value] : replaced_)
      if (graph_.is_constant(value, 0.0)) zeros.emplace_back(variable, value);
    return zeros;
  }

  expr::Graph& graph_;
  std::vector<std::pair<int, Id>> replaced_;
};

}  // namespace

Piece::Piece(expr::Graph& graph, Id sigma, const PieceVariables& names)
    : constants_(static_cast<int>(names.constants.size())),
      variables_(static_cast<int>(names.variables.size())),
      multipliers_(static_cast<int>(names.multipliers.size())) {
  const PieceInputs inputs(graph, names);
  std::vector<std::pair<int, Id>> no_multipliers;
  for (const int i : names.multipliers) no_multipliers.emplace_back(i, graph.constant(0.0));
  const Id cost = expr::substitute(graph, sigma, no_multipliers);
  const std::vector<Id> rows = expr::gradient(graph, sigma, names.multipliers);

  const std::size_t without = names.constants.size() + names.variables.size();
  std::vector<Id> outputs{cost};
  outputs.insert(outputs.end(), rows.begin(), rows.end());
  values = inputs.kernel(outputs, without);
  const std::vector<Id> slope = expr::gradient(graph, cost, names.variables);
  outputs.insert(outputs.end(), slope.begin(), slope.end());
  jacobian = pattern(graph, inputs.at_rest(expr::jacobian(graph, rows, names.variables)), outputs);
  slopes = inputs.kernel(outputs, without);

  outputs.clear();
  const std::vector<Id> gradient = expr::gradient(graph, sigma, names.variables);
  hessian =
      pattern(graph, inputs.at_rest(expr::hessian(graph, gradient, names.variables)), outputs);
  second = inputs.kernel(outputs, without + names.multipliers.size());
}

}  // namespace varia::detail
