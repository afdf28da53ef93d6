// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where expressions are not smooth, as far as their operations tell: abs, sign, min, max, floor, mod and
// comparisons. A polynomial of them may be smoother than they are.
#include <string>
#include <vector>

#include "varia/expr/graph.hpp"
#include "varia/expr/name_list.hpp"

namespace varia::expr {

struct Kink {
  Id node;         ///< the operation
  Id left, right;  ///< of floor and mod: what is rounded, and 0
  bool periodic;   ///< not smooth where left is a whole number; else where left = right
};

/// In the expressions, each once for the same left and right; those that depend on no variable are smooth.
std::vector<Kink> kinks(Graph& graph, const std::vector<Id>& f);

/// "abs(x) is not smooth where x = 0", in at most about so many characters each.
std::string description(const Graph& graph, const Kink& kink, const NameList& variable_names,
                        std::size_t longest = 60);
/// "x - 1 = 0".
std::string place(const Graph& graph, const Kink& kink, const NameList& variable_names,
                  std::size_t longest = 60);

}  // namespace varia::expr
