// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Derivatives of expressions, as expressions.
//
// The gradient is taken in reverse: one sweep over f, a small multiple of f in size. Second
// derivatives are taken forward over the gradient and carry only the variables a node depends on,
// so that a chain of n bodies costs O(n) and zero entries never appear. A node that is a function
// of one inner node u alone is differentiated with respect to u first, which is shared by all
// variables behind u.
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "varia/expr/graph.hpp"

namespace varia::expr {

/// Entry of a sparse matrix; row and column count from 0 in the lists the matrix was asked for.
struct Entry {
  int row, column;
  Id value;
};

/// df/dx for each of the variables, in their order.
std::vector<Id> gradient(Graph& graph, Id f, const std::vector<int>& variables);

/// df/dx of one variable.
Id derivative(Graph& graph, Id f, int variable);

/// Entries d gradient[row] / d variables[column] with row >= column that are not zero, sorted by
/// row, then column. `gradient` must be the gradient with respect to `variables`.
std::vector<Entry> hessian(Graph& graph, const std::vector<Id>& gradient,
                           const std::vector<int>& variables);

/// Entries d f[row] / d variables[column] that are not zero, sorted by row, then column.
std::vector<Entry> jacobian(Graph& graph, const std::vector<Id>& f,
                            const std::vector<int>& variables);

/// f with variables replaced by expressions, all at once, and simplified.
Id substitute(Graph& graph, Id f, const std::vector<std::pair<int, Id>>& replacements);
std::vector<Id> substitute(Graph& graph, const std::vector<Id>& f,
                           const std::vector<std::pair<int, Id>>& replacements);

/// f with replace(node) in the place of every node for which there is one, and simplified.
std::vector<Id> substitute(Graph& graph, const std::vector<Id>& f,
                           const std::function<std::optional<Id>(Id)>& replace);

/// The variables first, first + 1, …, so many.
std::vector<Id> variables(Graph& graph, int first, int count);
/// To substitute: 0 for each of them, or the variables from another one on.
std::vector<std::pair<int, Id>> zeros(Graph& graph, int first, int count);
std::vector<std::pair<int, Id>> renamed(Graph& graph, int first, int to, int count);

/// The indices of the variables that f depends on, sorted; free parameters are not among them.
std::vector<int> variables_of(const Graph& graph, Id f);
std::vector<int> variables_of(const Graph& graph, const std::vector<Id>& f);

}  // namespace varia::expr
