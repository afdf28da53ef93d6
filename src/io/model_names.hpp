// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The numbering of a model: variables of the graph are t, entries of q, v, p, then helpers.
#include <string>
#include <vector>

#include "varia/expr/parse.hpp"
#include "varia/io/scenario.hpp"
#include "varia/space/factor.hpp"

namespace varia::io {

struct Layout {
  struct Block {
    std::string name;
    bool rotation, array;
    int first;   ///< index of the first element of an array
    int entry;   ///< where its entries begin
    int degree;  ///< where its degrees of freedom begin
    int entries, dof;
  };

  int entry_variable(int i) const { return 1 + i; }
  int velocity_variable(int i) const { return 1 + entries + i; }
  int momentum_variable(int i) const { return 1 + entries + n + i; }
  /// δ of q exp(δ) where q has rotations.
  int displacement_variable(int i) const { return 1 + entries + 2 * n + i; }
  int multiplier_variable(int a) const { return 1 + entries + 3 * n + a; }

  std::vector<Block> blocks;
  int n = 0, entries = 0;
};

Layout make_layout(const System& system);
std::vector<std::string> entry_names(const Layout& layout);
std::vector<Factor> factors_of(const Layout& layout);
void add_entries(const Layout& layout, expr::Graph& graph, expr::Scope& scope);
void add_rates(const Layout& layout, expr::Graph& graph, expr::Scope& scope, bool momenta);

}  // namespace varia::io
