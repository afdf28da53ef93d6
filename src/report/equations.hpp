// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The Lagrangian, the equations of motion and the constraints of a model as typeset formulas.
#include <cstddef>
#include <string>
#include <vector>

#include "parts.hpp"
#include "varia/expr/typeset.hpp"
#include "varia/io/equations.hpp"

namespace varia::report {

inline constexpr std::size_t most_equations = 12;

/// left = right. Lines may end between the terms of the right side.
struct Formula {
  std::string left;
  std::vector<expr::TypesetTerm> right;
  std::string note = {};  ///< a joint that it comes from
};

struct TypesetSystem {
  Formula statement;  ///< L, or H
  std::vector<Formula> motion, constraints;
  std::string cut;  ///< a sentence where some are left out, else empty
};

/// `named`: with parameters by name. Of the first coordinates and constraints.
TypesetSystem typeset_system(const io::Model& named, expr::Markup markup);

/// For the page of a run.
Json equations_data(const io::Model& model);

}  // namespace varia::report
