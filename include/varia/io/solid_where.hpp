// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Conditions on a point, for `where` of a scenario: expressions compared, and, or, not.
//
//   condition   = conjunction { or conjunction }       conjunction = negation { and negation }
//   negation    = not negation | (condition) | comparison
//   comparison  = expression (< | > | <= | >= | ==) expression { ... }       0 < X < 1 is a chain
//
// Expressions are those of varia/expr/parse.hpp; == is equality of doubles.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "varia/expr/parse.hpp"

namespace varia::io {

class Condition {
 public:
  struct Node;
  explicit Condition(std::shared_ptr<const Node> root) : root_(std::move(root)) {}

  /// x are the values of the variables 0, 1, ... From left to right, only as far as needed: what
  /// stands behind `X > 0 and` is not asked where X <= 0. A side without a finite value is a
  /// DomainError. May be called by several threads.
  bool operator()(const double* x) const;

 private:
  std::shared_ptr<const Node> root_;
};

/// A condition in the variables 0 to names.size() - 1 of the graph, which the scope names; `names`
/// are for messages. Throws expr::ParseError with place and caret in the text.
Condition parse_condition(expr::Graph& graph, const expr::Scope& scope, std::string_view text,
                          const std::vector<std::string>& names);

}  // namespace varia::io
