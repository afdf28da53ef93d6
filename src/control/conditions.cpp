// SPDX-License-Identifier: BSD-3-Clause
#include "varia/control/conditions.hpp"

#include <algorithm>

#include "varia/core/index.hpp"
#include "varia/expr/derivative.hpp"

namespace varia {

using detail::sz;

namespace {

Formulas constants(expr::Graph& graph, const double* x, int count) {
  Formulas ids;
  for (int i = 0; i < count; ++i) ids.push_back(graph.constant(x[i]));
  return ids;
}

bool is_vertical(const ProductSpace& space, int degree) {
  return std::binary_search(space.vertical().begin(), space.vertical().end(), degree);
}

}  // namespace

/// A point that is seen as a vector is there when the vector has no component in the tangent plane.
std::vector<ControlRow> fixed_point(expr::Graph& graph, const ProductSpace& space, const double* q,
                                    const std::vector<std::string>& names) {
  const ControlVariables variables(space, 0, 0, 0);
  std::vector<ControlRow> rows;
  for (const ProductSpace::Place& at : space.factors()) {
    const Factor& factor = *at.factor;
    const Formulas target = constants(graph, q + at.entry, factor.entries());
    const Formulas here = expr::variables(graph, variables.q + at.entry, factor.entries());
    const Formulas gap = factor.vertical() > 0
                             ? factor.held_vector(graph, here, factor.seen_point(graph, target))
                             : factor.gap(graph, target, here);
    for (int i = 0; i < factor.dof() - factor.vertical(); ++i)
      rows.push_back({gap[sz(i)], names[sz(at.degree + i)]});
  }
  return rows;
}

std::vector<ControlRow> fixed_velocity(expr::Graph& graph, const ProductSpace& space,
                                       const double* v, const std::vector<std::string>& names) {
  const ControlVariables variables(space, 0, 0, 0);
  std::vector<ControlRow> rows;
  for (int i = 0; i < space.dof(); ++i)
    if (!is_vertical(space, i))
      rows.push_back(
          {graph.sub(graph.variable(variables.v + i), graph.constant(v[i])), names[sz(i)]});
  return rows;
}

ControlGuess straight_line(const ProductSpace& space, const Vn& q0, const Vn& q1,
                           const ControlTime& time) {
  Vn way(space.dof());
  space.difference(q0.data(), q1.data(), Retraction::exponential, way.data());
  ControlGuess guess;
  guess.q = [space, q0, way, time](double t, double* q) {
    const Vn part = way * ((t - time.start) / (time.end - time.start));
    space.retract(q0.data(), part.data(), Retraction::exponential, q);
  };
  return guess;
}

}  // namespace varia
