// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Expressions as they are printed in books: MathML for a page, LaTeX for a paper.
#include <cstddef>
#include <string>
#include <vector>

#include "varia/expr/graph.hpp"
#include "varia/expr/name_list.hpp"

namespace varia::expr {

enum class Markup { mathml, latex };

/// A term of a sum, so that lines can end between terms.
struct TypesetTerm {
  bool negative = false;  ///< its sign stands before the text
  std::string text;
  int width = 0;  ///< characters that are seen, about
};

/// The terms of f; variable i is called variable_names[i]. Where they take more than `most` characters, the last
/// one is three dots.
std::vector<TypesetTerm> typeset_terms(const Graph& graph, Id f, const NameList& variable_names,
                                       Markup markup, int most = 2000);

/// Terms behind one another, without line ends. `continued`: the first one has its sign also where that is +.
std::string joined(const std::vector<TypesetTerm>& terms, Markup markup, bool continued = false);

/// All of f.
std::string typeset(const Graph& graph, Id f, const NameList& variable_names, Markup markup,
                    int most = 2000);

/// A name of a scenario as a symbol: theta_dot is θ with a dot, x_p is p with the index x, q[3] has an index.
std::string typeset_name(const std::string& name, Markup markup);

/// A number with all its digits.
std::string typeset_number(double value, Markup markup);

/// Upright words; signs that mean something in the markup are escaped.
std::string typeset_words(const std::string& text, Markup markup);

}  // namespace varia::expr
