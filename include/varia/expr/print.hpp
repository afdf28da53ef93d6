// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Expression to text: a formula with few parentheses that reads back to the same expression.
#include <cstddef>
#include <string>
#include <vector>

#include "varia/expr/graph.hpp"
#include "varia/expr/name_list.hpp"

namespace varia::expr {

/// The formula of f; variable i is called variable_names[i], or x<i> if there is no such name.
/// Longer texts end with "..." and have `longest` characters.
std::string to_text(const Graph& graph, Id f, const NameList& variable_names,
                    std::size_t longest = 1'000'000);

}  // namespace varia::expr
