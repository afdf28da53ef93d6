// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The numbering of a model: variables of the graph are t, entries of q, v, p, then helpers.
#include <string>
#include <vector>

#include "varia/expr/parse.hpp"
#include "varia/io/scenario.hpp"
#include "varia/space/product_space.hpp"

namespace varia::io {

struct Layout {
  /// A coordinate of a scenario: one point of a space, or an array of them.
  struct Block {
    bool curved() const { return factor->curved() != nullptr; }
    int entries() const { return count * factor->entries(); }
    int dof() const { return count * factor->dof(); }

    std::string name;
    FactorPtr factor;
    bool array;
    int first, count;  ///< index of the first point, number of points
    int entry;         ///< where its entries begin
    int degree;        ///< where its degrees of freedom begin
  };

  int entry_variable(int i) const { return 1 + i; }
  int velocity_variable(int i) const { return 1 + entries + i; }
  int momentum_variable(int i) const { return 1 + entries + n + i; }
  /// Behind all that formulas of a scenario may contain.
  int helper_variable(int i) const { return 1 + entries + 2 * n + i; }

  std::vector<Block> blocks;
  int n = 0, entries = 0;
};

Layout make_layout(const System& system);
ProductSpace space_of(const Layout& layout);
void add_entries(const Layout& layout, expr::Graph& graph, expr::Scope& scope);
void add_rates(const Layout& layout, expr::Graph& graph, expr::Scope& scope, bool momenta);

}  // namespace varia::io
