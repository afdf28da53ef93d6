// SPDX-License-Identifier: BSD-3-Clause
// The names of a model and the variables of the graph that they stand for.
#include "model_names.hpp"

#include <utility>

#include "varia/space/list.hpp"

namespace varia::io {

namespace {

/// Every k-th variable from the first on: those of one name of an array of points with k of them.
std::vector<expr::Id> variables(expr::Graph& graph, int first, int count, int k) {
  std::vector<expr::Id> ids;
  ids.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ids.push_back(graph.variable(first + i * k));
  return ids;
}

/// The names of a block for the variables from the first on.
void add_names(const Layout::Block& block, const Names& names, int first, expr::Graph& graph,
               expr::Scope& scope) {
  const int k = static_cast<int>(names.suffixes.size());
  for (int j = 0; j < k; ++j) {
    const std::string name = block.name + names.suffixes[static_cast<std::size_t>(j)];
    const auto ids = variables(graph, first + j, block.count, k);
    if (block.array)
      scope.add_array(name, block.first, ids);
    else
      scope.add(name, ids[0]);
  }
}

}  // namespace

Layout make_layout(const System& system) {
  Layout layout;
  for (const Coordinate& c : system.coordinates) {
    layout.blocks.push_back({c.name, find_space(c.space), c.array, c.first,
                             c.array ? c.last - c.first + 1 : 1, layout.entries, layout.n});
    layout.entries += layout.blocks.back().entries();
    layout.n += layout.blocks.back().dof();
  }
  return layout;
}

/// Coordinates in ℝ that follow each other are one factor.
ProductSpace space_of(const Layout& layout) {
  std::vector<FactorPtr> factors;
  int coordinates = 0;
  const auto end_vector = [&] {
    if (coordinates > 0) factors.push_back(euclidean(coordinates));
    coordinates = 0;
  };
  for (const auto& b : layout.blocks) {
    if (!b.curved()) {
      coordinates += b.dof();
      continue;
    }
    end_vector();
    factors.insert(factors.end(), static_cast<std::size_t>(b.count), b.factor);
  }
  end_vector();
  return ProductSpace(std::move(factors));
}

void add_entries(const Layout& layout, expr::Graph& graph, expr::Scope& scope) {
  for (const auto& b : layout.blocks)
    add_names(b, b.factor->notation().entries, layout.entry_variable(b.entry), graph, scope);
}

void add_rates(const Layout& layout, expr::Graph& graph, expr::Scope& scope, bool momenta) {
  const int first = momenta ? layout.momentum_variable(0) : layout.velocity_variable(0);
  for (const auto& b : layout.blocks) {
    const Notation& notation = b.factor->notation();
    add_names(b, momenta ? notation.momenta : notation.velocities, first + b.degree, graph, scope);
  }
}

}  // namespace varia::io
