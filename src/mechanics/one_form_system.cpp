// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/one_form_system.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formulas.hpp"
#include "varia/core/index.hpp"

namespace varia {

namespace {

using detail::kernel;
using detail::range;
using expr::Id;

using detail::sz;

void add_entries(const std::vector<expr::Entry>& entries, Pattern& pattern,
                 std::vector<Id>& outputs) {
  for (const expr::Entry& entry : entries) {
    pattern.row.push_back(entry.row);
    pattern.column.push_back(entry.column);
    outputs.push_back(entry.value);
  }
}

void check_lagrangian(const expr::Graph& graph, Id lagrangian, int n) {
  if (n < 2 || n % 2 != 0)
    throw InvalidArgument(
        "one_form_system: a Lagrangian that is linear in the velocities needs an even number of "
        "coordinates, got " +
        std::to_string(n) + " (d theta is singular for an odd number)");
  detail::check_variables(graph, lagrangian, n, {"one_form_system", "Lagrangian", "t", "q", "v"});
}

/// θ = ∂L/∂v at v = 0, which it is everywhere once ∂²L/∂v² is known to vanish. The first entry that
/// does not vanish is refused.
std::vector<Id> one_form(expr::Graph& graph, Id lagrangian, int n,
                         const std::vector<std::pair<int, Id>>& at_rest) {
  const std::vector<int> velocities = range(n + 1, n);
  const std::vector<Id> momenta = expr::gradient(graph, lagrangian, velocities);
  const auto mass = expr::jacobian(graph, momenta, velocities);
  if (!mass.empty())
    throw InvalidArgument(
        "one_form_system: the Lagrangian is not linear in the velocities: "
        "d2L/dv" +
        std::to_string(mass.front().row + 1) + "dv" + std::to_string(mass.front().column + 1) +
        " is not 0. Use L = theta(q).v - H(q); where momenta determine "
        "velocities, take any method of FlatFlow");
  std::vector<Id> theta = expr::substitute(graph, momenta, at_rest);
  if (std::all_of(theta.begin(), theta.end(), [&](Id f) { return graph.is_constant(f, 0.0); }))
    throw InvalidArgument("one_form_system: the Lagrangian has no velocity in it");
  return theta;
}

std::vector<std::pair<int, Id>> rest(expr::Graph& graph, int n) {
  std::vector<std::pair<int, Id>> at_rest;
  for (const int v : range(n + 1, n)) at_rest.emplace_back(v, graph.constant(0.0));
  return at_rest;
}

}  // namespace

double OneFormSystem::value(double t, const Vector<double, Dynamic>& q) const {
  std::vector<double> x{t};
  x.insert(x.end(), q.data(), q.data() + n);
  double h = 0.0;
  energy(x.data(), &h);
  return h;
}

Vector<double, Dynamic> OneFormSystem::momentum(double t, const Vector<double, Dynamic>& q) const {
  std::vector<double> x{t};
  x.insert(x.end(), q.data(), q.data() + n);
  Vector<double, Dynamic> p(n);
  form(x.data(), p.data());
  return p;
}

bool linear_in_velocities(expr::Graph& graph, Id lagrangian, int n) {
  const std::vector<int> velocities = range(n + 1, n);
  const std::vector<Id> momenta = expr::gradient(graph, lagrangian, velocities);
  return expr::jacobian(graph, momenta, velocities).empty() &&
         !std::all_of(momenta.begin(), momenta.end(),
                      [&](Id f) { return graph.is_constant(f, 0.0); });
}

OneFormSystem one_form_system(expr::Graph& graph, Id lagrangian, int n) {
  check_lagrangian(graph, lagrangian, n);
  const auto at_rest = rest(graph, n);
  const std::vector<Id> theta = one_form(graph, lagrangian, n, at_rest);
  const Id energy = graph.neg(expr::substitute(graph, lagrangian, at_rest));
  const std::vector<int> coordinates = range(1, n);

  OneFormSystem s;
  s.n = n;
  std::vector<Id> both = theta;
  both.push_back(energy);
  const auto used = expr::variables_of(graph, both);
  s.uses_time = !used.empty() && used.front() == 0;
  s.energy = kernel(graph, {energy}, 1 + n);
  s.form = kernel(graph, theta, 1 + n);

  const auto slope = expr::jacobian(graph, theta, coordinates);
  s.linear = std::all_of(slope.begin(), slope.end(),
                         [&](const expr::Entry& e) { return graph.is_constant(e.value); });
  std::vector<Id> motion = expr::gradient(graph, energy, coordinates);
  for (const expr::Entry& rate : expr::jacobian(graph, theta, {0}))
    motion[sz(rate.row)] = graph.add(motion[sz(rate.row)], rate.value);
  add_entries(slope, s.slope, motion);
  s.motion = kernel(graph, motion, 1 + n);

  Id work = graph.neg(graph.mul(graph.variable(2 * n + 1), energy));
  for (int i = 0; i < n; ++i)
    work = graph.add(work, graph.mul(theta[sz(i)], graph.variable(n + 1 + i)));
  const std::vector<Id> gradient = expr::gradient(graph, work, coordinates);
  std::vector<Id> outputs = theta;
  outputs.insert(outputs.end(), gradient.begin(), gradient.end());
  s.first = kernel(graph, outputs, 2 + 2 * n);
  for (const expr::Entry& entry : slope) outputs.push_back(entry.value);
  add_entries(expr::hessian(graph, gradient, coordinates), s.curvature, outputs);
  s.second = kernel(graph, outputs, 2 + 2 * n);
  return s;
}

}  // namespace varia
