// SPDX-License-Identifier: BSD-3-Clause
// Lagrangian, forces and constraints as kernels, with exact derivatives and their zeros.
#include <algorithm>
#include <cmath>

#include "model_builder.hpp"
#include "varia/expr/tape.hpp"

namespace varia::io {

namespace {

std::size_t sz(int i) { return static_cast<std::size_t>(i); }

std::vector<int> range(int first, int count) {
  std::vector<int> result;
  result.reserve(sz(count));
  for (int i = 0; i < count; ++i) result.push_back(first + i);
  return result;
}

}  // namespace

expr::Kernel ModelBuilder::kernel(const std::vector<Id>& outputs, int inputs) const {
  return expr::Kernel(std::make_shared<const expr::Tape>(*graph_, outputs, inputs));
}

/// q exp(δ) = q (I + δ^ + δ^²/2 + …): all that first and second derivatives at δ = 0 see.
std::vector<std::pair<int, expr::Id>> ModelBuilder::displaced() const {
  std::vector<std::pair<int, Id>> result;
  expr::Graph& g = *graph_;
  for (const auto& b : layout_.blocks) {
    if (!b.rotation) continue;
    Id delta[3];
    for (int i = 0; i < 3; ++i) delta[i] = g.variable(layout_.displacement_variable(b.degree + i));
    Id square = g.constant(0.0);
    for (const Id d : delta) square = g.add(square, g.mul(d, d));
    Id exponential[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        // δ^² = δδᵀ - |δ|²I
        Id entry = g.mul(g.constant(0.5), g.mul(delta[i], delta[j]));
        if (i == j) {
          entry = g.add(entry, g.sub(g.constant(1.0), g.mul(g.constant(0.5), square)));
        } else {
          const int k = 3 - i - j;
          entry = (j - i + 3) % 3 == 1 ? g.sub(entry, delta[k]) : g.add(entry, delta[k]);
        }
        exponential[i][j] = entry;
      }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        Id sum = g.constant(0.0);
        for (int k = 0; k < 3; ++k)
          sum = g.add(sum, g.mul(g.variable(layout_.entry_variable(b.entry + 3 * i + k)),
                                 exponential[k][j]));
        result.emplace_back(layout_.entry_variable(b.entry + 3 * i + j), sum);
      }
  }
  return result;
}

/// The variables that stand for dq: coordinates themselves, δ of rotations.
std::vector<int> ModelBuilder::configuration_variables() const {
  std::vector<int> result;
  for (const auto& b : layout_.blocks)
    for (int i = 0; i < b.dof; ++i)
      result.push_back(b.rotation ? layout_.displacement_variable(b.degree + i)
                                  : layout_.entry_variable(b.entry + i));
  return result;
}

std::vector<expr::Id> ModelBuilder::at_rest(const std::vector<Id>& f) const {
  std::vector<std::pair<int, Id>> zero;
  for (const auto& b : layout_.blocks)
    for (int i = 0; b.rotation && i < 3; ++i)
      zero.emplace_back(layout_.displacement_variable(b.degree + i), graph_->constant(0.0));
  return zero.empty() ? f : expr::substitute(*graph_, f, zero);
}

expr::Id ModelBuilder::at_rest(Id f) const { return at_rest(std::vector<Id>{f})[0]; }

/// Places of the entries that are not zero at δ = 0; their values are appended.
Pattern ModelBuilder::pattern(const std::vector<expr::Entry>& entries,
                              std::vector<Id>& values) const {
  std::vector<Id> all;
  all.reserve(entries.size());
  for (const auto& entry : entries) all.push_back(entry.value);
  all = at_rest(all);
  Pattern result;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (graph_->is_constant(all[e], 0.0)) continue;
    result.row.push_back(entries[e].row);
    result.column.push_back(entries[e].column);
    values.push_back(all[e]);
  }
  return result;
}

void ModelBuilder::read_lagrangian() {
  const System& s = scenario_.system;
  if (s.lagrangian) {
    model_.lagrangian = parse(motion_, *s.lagrangian);
    return;
  }
  expr::Scope phase = configuration_;
  phase.add("t", graph_->variable(0));
  add_rates(layout_, *graph_, phase, true);
  model_.lagrangian = lagrangian_of_hamiltonian(parse(phase, *s.hamiltonian), *s.hamiltonian);
}

/// L = ⟨p, v⟩ - H for H = ½ pᵀA p + b(q)·p + c(q) with constant A: p = A⁻¹(v - b).
expr::Id ModelBuilder::lagrangian_of_hamiltonian(Id h, const Text& text) {
  expr::Graph& g = *graph_;
  const int n = layout_.n;
  const std::vector<int> p = range(layout_.momentum_variable(0), n);
  const std::vector<Id> velocity = expr::gradient(g, h, p);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
  for (const auto& entry : expr::hessian(g, velocity, p)) {
    if (!g.is_constant(entry.value))
      throw ScenarioError(text,
                          "only Hamiltonians that are quadratic in the momenta with constant "
                          "coefficients of the quadratic part can be used: the methods there are "
                          "take a Lagrangian. Give the lagrangian instead");
    a(entry.row, entry.column) = a(entry.column, entry.row) = g[entry.value].value;
  }
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(a);
  if (!lu.isInvertible())
    throw ScenarioError(text,
                        "d2H/dp2 is singular: momenta do not follow from velocities, and the "
                        "methods there are need a regular system");
  const Eigen::MatrixXd inverse = lu.inverse();
  std::vector<std::pair<int, Id>> no_momentum;
  no_momentum.reserve(p.size());
  for (const int i : p) no_momentum.emplace_back(i, g.constant(0.0));
  const std::vector<Id> b = expr::substitute(g, velocity, no_momentum);
  std::vector<std::pair<int, Id>> momentum;
  Id pairing = g.constant(0.0);
  for (int i = 0; i < n; ++i) {
    Id sum = g.constant(0.0);
    for (int j = 0; j < n; ++j)
      if (inverse(i, j) != 0.0)
        sum = g.add(sum, g.mul(g.constant(inverse(i, j)),
                               g.sub(g.variable(layout_.velocity_variable(j)), b[sz(j)])));
    momentum.emplace_back(p[sz(i)], sum);
    pairing = g.add(pairing, g.mul(sum, g.variable(layout_.velocity_variable(i))));
  }
  return g.sub(pairing, expr::substitute(g, h, momentum));
}

void ModelBuilder::differentiate_lagrangian() {
  FlatSystem& f = *model_.system;
  const int n = layout_.n;
  const int inputs = 1 + layout_.entries + n;
  const Id moved = expr::substitute(*graph_, model_.lagrangian, displaced());
  std::vector<int> variables = configuration_variables();
  for (const int v : range(layout_.velocity_variable(0), n)) variables.push_back(v);
  const std::vector<Id> moved_gradient = expr::gradient(*graph_, moved, variables);
  const auto second = expr::hessian(*graph_, moved_gradient, variables);
  gradient_ = at_rest(moved_gradient);
  std::vector<Id> outputs = gradient_;
  f.second = pattern(second, outputs);
  f.value = kernel({model_.lagrangian}, inputs);
  f.gradient = kernel(gradient_, inputs);
  f.hessian = kernel(outputs, inputs);
  const auto used = expr::variables_of(*graph_, model_.lagrangian);
  if (std::find(used.begin(), used.end(), 0) != used.end()) {
    f.uses_time = true;
    std::vector<Id> rate;
    bool any = false;
    for (int i = 0; i < n; ++i) {
      rate.push_back(expr::derivative(*graph_, gradient_[sz(n + i)], 0));
      any = any || !graph_->is_constant(rate.back(), 0.0);
    }
    if (any) f.mass_rate = kernel(rate, inputs);
  }
  find_separable();
}

/// L = ½vᵀMv - V(t, q): ∂²L/∂v² constant, ∂²L/∂q∂v = 0, ∂L/∂v = 0 at v = 0.
void ModelBuilder::find_separable() {
  FlatSystem& f = *model_.system;
  const int n = f.n;
  expr::Graph& g = *graph_;
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(n, n);
  bool diagonal = true;
  bool constant = f.flat && !f.mass_rate;
  model_.structure.quadratic = true;
  std::vector<Id> outputs;
  const auto second = expr::hessian(g, std::vector<Id>(gradient_.begin() + n, gradient_.end()),
                                    range(layout_.velocity_variable(0), n));
  for (const auto& entry : second) {
    for (const int v : expr::variables_of(g, entry.value))
      if (v >= layout_.velocity_variable(0)) model_.structure.quadratic = false;
    if (!g.is_constant(entry.value)) {
      constant = false;
      continue;
    }
    mass(entry.row, entry.column) = mass(entry.column, entry.row) = g[entry.value].value;
    diagonal = diagonal && entry.row == entry.column;
  }
  for (int e = 0; e < f.second.size(); ++e)
    if (f.second.row[sz(e)] >= n && f.second.column[sz(e)] < n) constant = false;
  if (!constant) return;
  std::vector<std::pair<int, Id>> rest;
  for (const int v : range(layout_.velocity_variable(0), n)) rest.emplace_back(v, g.constant(0.0));
  const std::vector<Id> at_zero = expr::substitute(g, gradient_, rest);
  for (int i = 0; i < n; ++i)
    if (!g.is_constant(at_zero[sz(n + i)], 0.0)) return;
  if (diagonal ? (mass.diagonal().array() == 0.0).any()
               : !Eigen::FullPivLU<Eigen::MatrixXd>(mass).isInvertible())
    return;
  f.separable = true;
  std::vector<Id> slope;
  slope.reserve(sz(n));
  for (int i = 0; i < n; ++i) slope.push_back(g.neg(at_zero[sz(i)]));
  f.potential_gradient = kernel(slope, 1 + n);
  if (diagonal)
    for (int i = 0; i < n; ++i) f.mass_diagonal.push_back(mass(i, i));
  else
    f.mass = mass;
}

void ModelBuilder::read_force() {
  FlatSystem& f = *model_.system;
  const int n = layout_.n;
  force_.assign(sz(n), graph_->constant(0.0));
  if (scenario_.system.force.empty()) return;
  const auto names = force_names(scenario_.system);
  for (const Component& c : scenario_.system.force) {
    const auto at = std::find(names.begin(), names.end(), c.component) - names.begin();
    force_[static_cast<std::size_t>(at)] = parse(motion_, c);
  }
  std::vector<int> variables = configuration_variables();
  for (const int v : range(layout_.velocity_variable(0), n)) variables.push_back(v);
  const auto moved = expr::substitute(*graph_, force_, displaced());
  std::vector<Id> outputs = force_;
  f.force_pattern = pattern(expr::jacobian(*graph_, moved, variables), outputs);
  const int inputs = 1 + layout_.entries + n;
  f.force = kernel(force_, inputs);
  f.force_derivative = kernel(outputs, inputs);
  f.forced = std::any_of(force_.begin(), force_.end(),
                         [&](Id id) { return !graph_->is_constant(id, 0.0); });
  for (const int v : expr::variables_of(*graph_, force_)) f.uses_time = f.uses_time || v == 0;
}

void ModelBuilder::read_constraints() {
  FlatSystem& f = *model_.system;
  const System& s = scenario_.system;
  if (!s.nonholonomic.empty())
    throw ScenarioError(s.nonholonomic.front(),
                        "nonholonomic constraints are not available yet: no method for them is in "
                        "the list (varia list methods). Allowed now: holonomic");
  f.d = static_cast<int>(s.holonomic.size());
  if (f.d == 0) return;
  if (f.d > layout_.n)
    throw ScenarioError(s.holonomic.back(), "there are " + std::to_string(f.d) +
                                                " constraints on " + std::to_string(layout_.n) +
                                                " degrees of freedom");
  expr::Graph& g = *graph_;
  Id sum = g.constant(0.0);
  for (int a = 0; a < f.d; ++a) {
    const Text& text = s.holonomic[sz(a)];
    constraints_.push_back(parse(configuration_, text));
    if (expr::variables_of(g, constraints_.back()).empty())
      throw ScenarioError(text, "does not depend on any coordinate");
    sum = g.add(sum, g.mul(g.variable(layout_.multiplier_variable(a)), constraints_.back()));
  }
  const auto variables = configuration_variables();
  const auto moved = displaced();
  std::vector<Id> outputs = constraints_;
  f.constraint_pattern =
      pattern(expr::jacobian(g, expr::substitute(g, constraints_, moved), variables), outputs);
  std::vector<Id> curvature;
  const Id moved_sum = expr::substitute(g, sum, moved);
  f.curvature_pattern =
      pattern(expr::hessian(g, expr::gradient(g, moved_sum, variables), variables), curvature);
  // inputs are (q) and (q, λ)
  std::vector<std::pair<int, Id>> shift;
  shift.reserve(sz(layout_.entries + f.d));
  for (int i = 0; i < layout_.entries; ++i)
    shift.emplace_back(layout_.entry_variable(i), g.variable(i));
  for (int a = 0; a < f.d; ++a)
    shift.emplace_back(layout_.multiplier_variable(a), g.variable(layout_.entries + a));
  f.constraint = kernel(expr::substitute(g, outputs, shift), layout_.entries);
  f.constraint_curvature = kernel(expr::substitute(g, curvature, shift), layout_.entries + f.d);
}

void ModelBuilder::measure_structure() {
  const FlatSystem& f = *model_.system;
  Structure& s = model_.structure;
  s.separable = f.separable;
  s.time_independent = !f.uses_time;
  s.coordinates = f.n;
  s.second_derivatives = f.second.size();
  s.operations = f.hessian.tape().operations();
  for (int e = 0; e < f.second.size(); ++e)
    if (f.second.row[sz(e)] < f.n)
      s.bandwidth = std::max(s.bandwidth, f.second.row[sz(e)] - f.second.column[sz(e)]);
  const auto force_positions = force_names(scenario_.system);
  for (const auto& b : layout_.blocks)
    for (int i = 0; !b.rotation && i < b.dof; ++i) {
      bool free = true;
      for (const Id phi : constraints_)
        for (const int v : expr::variables_of(*graph_, phi))
          free = free && v != layout_.entry_variable(b.entry + i);
      if (free && graph_->is_constant(gradient_[sz(b.degree + i)], 0.0))
        s.cyclic.push_back(model_.entry_names[sz(b.entry + i)]);
    }
}

void ModelBuilder::read_system() {
  model_.system = std::make_shared<FlatSystem>();
  FlatSystem& f = *model_.system;
  f.n = layout_.n;
  f.entries = layout_.entries;
  f.flat = layout_.n == layout_.entries;
  read_lagrangian();
  differentiate_lagrangian();
  read_force();
  read_constraints();
  measure_structure();
  model_.gradient = gradient_;
}

}  // namespace varia::io
