// SPDX-License-Identifier: BSD-3-Clause
// The names of a model and the variables of the graph that they stand for.
#include "model_names.hpp"

namespace varia::io {

namespace {

constexpr int rotation_entries = 9;

std::vector<expr::Id> variables(expr::Graph& graph, int first, int count) {
  std::vector<expr::Id> ids;
  ids.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ids.push_back(graph.variable(first + i));
  return ids;
}

}  // namespace

Layout make_layout(const System& system) {
  Layout layout;
  for (const Coordinate& c : system.coordinates) {
    Layout::Block block{c.name, c.space == "SO3", c.array, c.first, layout.entries, layout.n, 1, 1};
    if (block.rotation) {
      block.entries = rotation_entries;
      block.dof = 3;
    } else if (c.array) {
      block.entries = block.dof = c.last - c.first + 1;
    }
    layout.entries += block.entries;
    layout.n += block.dof;
    layout.blocks.push_back(block);
  }
  return layout;
}

std::vector<std::string> entry_names(const Layout& layout) {
  std::vector<std::string> names;
  for (const auto& b : layout.blocks)
    for (int i = 0; i < b.entries; ++i) {
      if (b.rotation)
        names.push_back(b.name + std::to_string(i / 3 + 1) + std::to_string(i % 3 + 1));
      else
        names.push_back(b.array ? b.name + "[" + std::to_string(b.first + i) + "]" : b.name);
    }
  return names;
}

std::vector<Factor> factors_of(const Layout& layout) {
  std::vector<Factor> factors;
  for (const auto& b : layout.blocks) {
    if (b.rotation)
      factors.push_back(Factor::rotation());
    else if (!factors.empty() && !factors.back().is_rotation)
      factors.back().dof += b.dof;
    else
      factors.push_back(Factor::vector(b.dof));
  }
  return factors;
}

void add_entries(const Layout& layout, expr::Graph& graph, expr::Scope& scope) {
  for (const auto& b : layout.blocks) {
    const auto ids = variables(graph, layout.entry_variable(b.entry), b.entries);
    if (b.rotation) {
      for (int i = 0; i < b.entries; ++i)
        scope.add(b.name + std::to_string(i / 3 + 1) + std::to_string(i % 3 + 1),
                  ids[static_cast<std::size_t>(i)]);
    } else if (b.array) {
      scope.add_array(b.name, b.first, ids);
    } else {
      scope.add(b.name, ids[0]);
    }
  }
}

void add_rates(const Layout& layout, expr::Graph& graph, expr::Scope& scope, bool momenta) {
  const int first = momenta ? layout.momentum_variable(0) : layout.velocity_variable(0);
  for (const auto& b : layout.blocks) {
    const auto ids = variables(graph, first + b.degree, b.dof);
    if (b.rotation) {
      for (int i = 0; i < 3; ++i)
        scope.add(b.name + (momenta ? "_m" : "_w") + std::to_string(i + 1),
                  ids[static_cast<std::size_t>(i)]);
      continue;
    }
    const std::string name = b.name + (momenta ? "_p" : "_dot");
    if (b.array)
      scope.add_array(name, b.first, ids);
    else
      scope.add(name, ids[0]);
  }
}

}  // namespace varia::io
