// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What every system makes of its expressions: kernels, and derivatives with their zeros left out.
#include <memory>
#include <string>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/addition_theorem.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/kernel.hpp"
#include "varia/mechanics/kernel_system.hpp"

namespace varia::detail {

inline expr::Kernel kernel(expr::Graph& graph, const std::vector<expr::Id>& outputs, int inputs) {
  return expr::Kernel(
      std::make_shared<const expr::Tape>(graph, expr::share_sines(graph, outputs), inputs));
}

/// The function of a system, for messages: who reads it, what it is, and what its variables are.
struct FormulaName {
  const char *maker, *function, *zeroth, *first, *second;
};

/// f may depend on the variables 0, 1 to n and n + 1 to 2n.
inline void check_variables(const expr::Graph& graph, expr::Id f, int n, const FormulaName& name) {
  const std::string maker = name.maker;
  if (n < 1)
    throw InvalidArgument(maker + ": there must be at least 1 coordinate, got " +
                          std::to_string(n));
  for (const int v : expr::variables_of(graph, f))
    if (v > 2 * n)
      throw InvalidArgument(
          maker + ": the " + name.function + " depends on variable " + std::to_string(v) +
          "; with " + std::to_string(n) + " coordinates it may depend on variables 0 (" +
          name.zeroth + "), 1 to " + std::to_string(n) + " (" + name.first + ") and " +
          std::to_string(n + 1) + " to " + std::to_string(2 * n) + " (" + name.second + ")");
}

/// t, then the free parameters.
inline std::vector<int> rate_variables(const expr::Graph& graph) {
  std::vector<int> variables{0};
  for (std::size_t k = 0; k < graph.parameters().size(); ++k)
    variables.push_back(expr::Graph::first_parameter + static_cast<int>(k));
  return variables;
}

/// The derivatives of the terms in variable 0 and in the free parameters, one after the other.
inline std::vector<expr::Id> rate_formulas(expr::Graph& graph, const std::vector<expr::Id>& terms) {
  const std::vector<int> variables = rate_variables(graph);
  std::vector<expr::Id> rates(terms.size() * variables.size(), graph.constant(0.0));
  for (const expr::Entry& e : expr::jacobian(graph, terms, variables))
    rates[sz(e.column) * terms.size() + sz(e.row)] = e.value;
  return rates;
}

inline expr::Kernel rates_of(expr::Graph& graph, const std::vector<expr::Id>& terms, int inputs) {
  return kernel(graph, rate_formulas(graph, terms), inputs);
}

/// Places of the entries that are not zero; their values are appended.
inline Pattern pattern(const expr::Graph& graph, const std::vector<expr::Entry>& entries,
                       std::vector<expr::Id>& values) {
  Pattern result;
  for (const auto& entry : entries) {
    if (graph.is_constant(entry.value, 0.0)) continue;
    result.row.push_back(entry.row);
    result.column.push_back(entry.column);
    values.push_back(entry.value);
  }
  return result;
}

}  // namespace varia::detail
