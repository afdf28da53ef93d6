// SPDX-License-Identifier: BSD-3-Clause
// Systems stated by a Hamiltonian: those with a Lagrangian become Lagrangian systems, the others keep
// H and run on (q, p).
#include <algorithm>
#include <cmath>

#include "model_builder.hpp"
#include "varia/core/index.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"
#include "varia/expr/tape.hpp"

namespace varia::io {

namespace {

using detail::range;
using detail::sz;

/// Of each row of a matrix, the columns and values that are not zero.
using SparseRows = std::vector<std::vector<std::pair<int, double>>>;

/// The inverse of a diagonal matrix; none where it is singular to round-off.
std::optional<SparseRows> inverse_of_diagonal(const std::vector<double>& diagonal) {
  const double zero =
      detail::largest(diagonal) * detail::eps * static_cast<double>(diagonal.size());
  SparseRows rows;
  rows.reserve(diagonal.size());
  for (const double x : diagonal) {
    if (!(std::abs(x) > zero)) return std::nullopt;
    rows.push_back({{static_cast<int>(rows.size()), 1.0 / x}});
  }
  return rows;
}

/// The inverse of a symmetric matrix of constants, given by its lower triangle.
std::optional<SparseRows> inverse_of(const expr::Graph& g, const std::vector<expr::Entry>& entries,
                                     int n) {
  std::vector<double> diagonal(sz(n), 0.0);
  bool is_diagonal = true;
  for (const auto& entry : entries) {
    is_diagonal = is_diagonal && entry.row == entry.column;
    diagonal[sz(entry.row)] = g[entry.value].value;
  }
  if (is_diagonal) return inverse_of_diagonal(diagonal);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
  for (const auto& entry : entries)
    a(entry.row, entry.column) = a(entry.column, entry.row) = g[entry.value].value;
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(a);
  if (!lu.isInvertible()) return std::nullopt;
  const Eigen::MatrixXd inverse = lu.inverse();
  SparseRows rows(sz(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (inverse(i, j) != 0.0) rows[sz(i)].emplace_back(j, inverse(i, j));
  return rows;
}

}  // namespace

std::optional<expr::Id> ModelBuilder::read_lagrangian() {
  const System& s = scenario_.system;
  if (s.lagrangian) return parse(motion_, *s.lagrangian);
  expr::Scope phase = configuration_;
  phase.add("t", graph_->variable(0));
  add_rates(layout_, *graph_, phase, true);
  const Id h = parse(phase, *s.hamiltonian);
  const auto lagrangian = lagrangian_of_hamiltonian(h);
  if (!lagrangian) read_hamiltonian(h);
  return lagrangian;
}

/// L = ⟨p, v⟩ - H for H = ½ pᵀA p + b(q)·p + c(q) with constant regular A: p = A⁻¹(v - b).
std::optional<expr::Id> ModelBuilder::lagrangian_of_hamiltonian(Id h) {
  expr::Graph& g = *graph_;
  const int n = layout_.n;
  const std::vector<int> p = range(layout_.momentum_variable(0), n);
  const std::vector<Id> velocity = expr::gradient(g, h, p);
  const std::vector<expr::Entry> second = expr::hessian(g, velocity, p);
  for (const auto& entry : second)
    if (!g.is_constant(entry.value)) return std::nullopt;
  const auto inverse = inverse_of(g, second, n);
  if (!inverse) return std::nullopt;
  std::vector<std::pair<int, Id>> no_momentum;
  no_momentum.reserve(p.size());
  for (const int i : p) no_momentum.emplace_back(i, g.constant(0.0));
  const std::vector<Id> b = expr::substitute(g, velocity, no_momentum);
  std::vector<std::pair<int, Id>> momentum;
  Id pairing = g.constant(0.0);
  for (int i = 0; i < n; ++i) {
    Id sum = g.constant(0.0);
    for (const auto& [j, value] : (*inverse)[sz(i)])
      sum = g.add(
          sum, g.mul(g.constant(value), g.sub(g.variable(layout_.velocity_variable(j)), b[sz(j)])));
    momentum.emplace_back(p[sz(i)], sum);
    pairing = g.add(pairing, g.mul(sum, g.variable(layout_.velocity_variable(i))));
  }
  return g.sub(pairing, expr::substitute(g, h, momentum));
}

/// The momenta in the places of the velocities: variables t, q, p one after the other.
std::vector<expr::Id> ModelBuilder::without_momenta(const std::vector<Id>& f) const {
  std::vector<std::pair<int, Id>> places;
  places.reserve(sz(layout_.n));
  for (int i = 0; i < layout_.n; ++i)
    places.emplace_back(layout_.momentum_variable(i),
                        graph_->variable(layout_.velocity_variable(i)));
  return expr::substitute(*graph_, f, places);
}

/// H as it is. For symmetries and equations: d/dt p = -∂H/∂q, that is (∂L/∂q, ∂L/∂v) = (-∂H/∂q, p)
/// along the motion.
void ModelBuilder::read_hamiltonian(Id h) {
  const System& s = scenario_.system;
  const Text& text = *s.hamiltonian;
  const int n = layout_.n;
  const char* const no_lagrangian =
      "the Hamiltonian is not quadratic in the momenta with constant, regular coefficients, so "
      "that "
      "velocities and momenta are not exchanged: it is used as it is, ";
  if (!model_.system->flat())
    throw ScenarioError(text,
                        std::string(no_lagrangian) + "and that is for coordinates in R^n only");
  if (!s.force.empty())
    throw ScenarioError(s.force.front().text, std::string(no_lagrangian) + "without forces");
  if (!s.holonomic.empty())
    throw ScenarioError(s.holonomic.front().phi,
                        std::string(no_lagrangian) + "without constraints");
  if (!scenario_.start.momenta)
    throw ScenarioError(scenario_.start.place, "start",
                        std::string(no_lagrangian) + "and starts from momenta: give " +
                            model_.momentum_names.front() + " and so on");
  model_.hamiltonian = std::make_shared<HamiltonianSystem>(
      hamiltonian_system(*graph_, without_momenta({h}).front(), n));
  for (const Id slope : expr::gradient(*graph_, h, displacement().variables()))
    gradient_.push_back(graph_->neg(slope));
  velocity_ = expr::gradient(*graph_, h, range(layout_.momentum_variable(0), n));
  for (int i = 0; i < n; ++i) gradient_.push_back(graph_->variable(layout_.momentum_variable(i)));
  force_.assign(sz(n), graph_->constant(0.0));
  model_.velocity = velocity_;
  const HamiltonianSystem& system = *model_.hamiltonian;
  model_.system->uses_time = system.uses_time;
  model_.structure.separable = system.separable;
  model_.structure.time_independent = !system.uses_time;
  model_.structure.operations = system.hessian.tape().operations();
  measure_pattern(system.second);
}

}  // namespace varia::io
