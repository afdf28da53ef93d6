// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Names that stand for expressions: r = x^2 + y^2, d[i] = q[i+1] - q[i], V(s) = s^4/4.
//
// A definition means its text in parentheses, wherever its name is used. It may use the names of the
// scope and the definitions before it; equal expressions are one node of the graph, so that it is
// computed once.
#include <string>
#include <string_view>
#include <vector>

namespace varia::expr {

/// Where the text of a definition stands in a file; line 0 when it stands in none.
struct Origin {
  std::string key;
  std::string file;
  int line = 0, column = 0;
};

struct Definition {
  char bracket = 0;                    ///< '[' with indices, '(' with arguments, 0 a value
  std::string name;                    ///< r, d, V
  std::vector<std::string> arguments;  ///< i, j of d[i,j]; s of V(s)
  std::string text;
  Origin origin;

  std::string head() const;  ///< "V(s)"
};

/// Reads what stands on the left: "r", "d[i]", "r[i,j]", "V(s)", "f(a, b)". Throws InvalidArgument.
Definition definition_of(std::string_view head);

}  // namespace varia::expr
