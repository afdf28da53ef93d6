// SPDX-License-Identifier: BSD-3-Clause
// Lagrangian, forces and constraints as kernels, with exact derivatives and their zeros.
#include <algorithm>
#include <cmath>

#include "model_builder.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/tape.hpp"
#include "varia/mechanics/make_flat_system.hpp"

namespace varia::io {

namespace {

constexpr std::size_t most_constraints = 1000000;

using detail::range;
using detail::sz;

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
  std::vector<Id> values;
  f.second = pattern(second, values);
  std::vector<Id> outputs = gradient_;
  outputs.insert(outputs.end(), values.begin(), values.end());
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
  find_quadratic(values);
  find_separable(*graph_, gradient_, values, f);
}

/// Whether ∂²L/∂v² contains no velocity.
void ModelBuilder::find_quadratic(const std::vector<Id>& second) {
  const FlatSystem& f = *model_.system;
  std::vector<Id> inertia;
  for (int e = 0; e < f.second.size(); ++e)
    if (f.second.column[sz(e)] >= f.n) inertia.push_back(second[sz(e)]);
  const std::vector<int> used = expr::variables_of(*graph_, inertia);
  model_.structure.quadratic = used.empty() || used.back() < layout_.velocity_variable(0);
}

void ModelBuilder::read_force() {
  FlatSystem& f = *model_.system;
  const int n = layout_.n;
  force_ = by_degree(motion_, scenario_.system.force);
  if (scenario_.system.force.empty()) return;
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
  expr::Graph& g = *graph_;
  for (const ConstraintText& c : s.holonomic) {
    const auto [first, last] = indices(c.range, c.phi, most_constraints, "constraints");
    expr::Scope scope = configuration_;
    if (c.range) scope.add_index("i", first);
    for (long i = first; i <= last; ++i) {
      if (c.range) scope.set_index("i", i);
      constraints_.push_back(parse(scope, c.phi));
      model_.constraint_texts.push_back(c.phi.value +
                                        (c.range ? ", i = " + std::to_string(i) : ""));
      if (expr::variables_of(g, constraints_.back()).empty())
        throw ScenarioError(c.phi, "does not depend on any coordinate");
    }
  }
  f.d = static_cast<int>(constraints_.size());
  if (f.d == 0) return;
  if (f.d > layout_.n)
    throw ScenarioError(s.holonomic.back().phi, "there are " + std::to_string(f.d) +
                                                    " constraints on " + std::to_string(layout_.n) +
                                                    " degrees of freedom");
  Id sum = g.constant(0.0);
  for (int a = 0; a < f.d; ++a)
    sum = g.add(sum, g.mul(g.variable(layout_.multiplier_variable(a)), constraints_[sz(a)]));
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
  s.operations = f.hessian.tape().operations();
  measure_pattern(f.second);
}

/// How many second derivatives there are and how far apart, and the coordinates that do not occur.
void ModelBuilder::measure_pattern(const Pattern& second) {
  Structure& s = model_.structure;
  const int n = layout_.n;
  s.coordinates = n;
  s.second_derivatives = second.size();
  for (int e = 0; e < second.size(); ++e)
    if (second.row[sz(e)] < n)
      s.bandwidth = std::max(s.bandwidth, second.row[sz(e)] - second.column[sz(e)]);
  const auto constrained = expr::variables_of(*graph_, constraints_);
  for (const auto& b : layout_.blocks)
    for (int i = 0; !b.rotation && i < b.dof; ++i) {
      const int v = layout_.entry_variable(b.entry + i);
      const bool free = !std::binary_search(constrained.begin(), constrained.end(), v);
      if (graph_->is_constant(gradient_[sz(b.degree + i)], 0.0) && free)
        s.cyclic.push_back(model_.entry_names[sz(b.entry + i)]);
    }
}

void ModelBuilder::read_system() {
  model_.system = std::make_shared<FlatSystem>();
  FlatSystem& f = *model_.system;
  f.n = layout_.n;
  f.entries = layout_.entries;
  f.flat = layout_.n == layout_.entries;
  if (const auto lagrangian = read_lagrangian()) {
    model_.lagrangian = *lagrangian;
    differentiate_lagrangian();
    read_force();
    read_constraints();
    measure_structure();
    read_one_form();
  }
  read_discrete_lagrangian();
  model_.gradient = gradient_;
}

}  // namespace varia::io
