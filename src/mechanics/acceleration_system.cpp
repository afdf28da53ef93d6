// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/acceleration_system.hpp"

#include "formulas.hpp"
#include "varia/core/index.hpp"

namespace varia {

namespace {

using detail::kernel;
using detail::pattern;
using detail::range;
using expr::Id;

using detail::sz;

}  // namespace

std::shared_ptr<AccelerationSystem> make_acceleration_system(expr::Graph& graph, Id lagrangian,
                                                             int n) {
  detail::check_variables(graph, lagrangian, n,
                          {"acceleration_system", "Lagrangian", "t", "q", "v"});
  auto f = std::make_shared<AccelerationSystem>();
  f->n = n;
  const std::vector<Id> slopes = expr::gradient(graph, lagrangian, range(1, 2 * n));
  const std::vector<Id> momentum(slopes.begin() + n, slopes.end());

  std::vector<Id> b(slopes.begin(), slopes.begin() + n);
  std::vector<expr::Entry> mass;
  for (const auto& entry : expr::jacobian(graph, momentum, range(0, 1 + 2 * n))) {
    Id& row = b[sz(entry.row)];
    if (entry.column > n)
      mass.push_back({entry.row, entry.column - n - 1, entry.value});
    else if (entry.column > 0)
      row = graph.sub(row, graph.mul(entry.value, graph.variable(n + entry.column)));
    else
      row = graph.sub(row, entry.value);
  }

  std::vector<Id> outputs = b;
  f->mass = pattern(graph, mass, outputs);
  f->equation = kernel(graph, outputs, 1 + 2 * n);

  std::vector<Id> residual(sz(n), graph.constant(0.0));
  for (const auto& entry : mass) {
    const Id term = graph.mul(entry.value, graph.variable(1 + 2 * n + entry.column));
    residual[sz(entry.row)] = graph.add(residual[sz(entry.row)], term);
  }
  for (int i = 0; i < n; ++i) residual[sz(i)] = graph.sub(residual[sz(i)], b[sz(i)]);
  std::vector<Id> entries;
  f->slope_pattern = pattern(graph, expr::jacobian(graph, residual, range(1, 2 * n)), entries);
  f->slope = kernel(graph, entries, 1 + 3 * n);
  return f;
}

}  // namespace varia
