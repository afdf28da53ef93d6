// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/displacement.hpp"

#include "varia/core/index.hpp"

namespace varia {

using expr::Id;

Displacement::Displacement(expr::Graph& graph, const ProductSpace& space, int first_helper)
    : graph_(graph) {
  for (const auto& at : space.factors()) {
    const int dof = at.factor->dof();
    if (at.factor->curved() == nullptr) {
      for (const int i : detail::range(1 + at.entry, dof)) variables_.push_back(i);
      continue;
    }
    const int first = first_helper + at.degree;
    const std::vector<Id> delta = expr::variables(graph, first, dof);
    const std::vector<Id> moved = at.factor->displaced(
        graph, expr::variables(graph, 1 + at.entry, at.factor->entries()), delta);
    for (std::size_t i = 0; i < moved.size(); ++i)
      moved_.emplace_back(1 + at.entry + static_cast<int>(i), moved[i]);
    for (const int i : detail::range(first, dof)) {
      variables_.push_back(i);
      rest_.emplace_back(i, graph.constant(0.0));
    }
  }
}

std::vector<Id> Displacement::displaced(const std::vector<Id>& f) const {
  return moved_.empty() ? f : expr::substitute(graph_, f, moved_);
}

std::vector<Id> Displacement::at_rest(const std::vector<Id>& f) const {
  return rest_.empty() ? f : expr::substitute(graph_, f, rest_);
}

std::vector<expr::Entry> Displacement::at_rest(std::vector<expr::Entry> entries) const {
  if (rest_.empty()) return entries;
  std::vector<Id> values;
  values.reserve(entries.size());
  for (const auto& entry : entries) values.push_back(entry.value);
  values = at_rest(values);
  for (std::size_t e = 0; e < entries.size(); ++e) entries[e].value = values[e];
  return entries;
}

}  // namespace varia
