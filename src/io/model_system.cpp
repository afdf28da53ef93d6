// SPDX-License-Identifier: BSD-3-Clause
// Lagrangian, forces and constraints as kernels, with exact derivatives and their zeros.
#include <algorithm>
#include <cmath>

#include "model_builder.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/tape.hpp"
#include "varia/mechanics/displacement.hpp"
#include "varia/mechanics/make_flat_system.hpp"

namespace varia::io {

namespace {

constexpr std::size_t most_constraints = 1000000;

using detail::sz;

}  // namespace

expr::Kernel ModelBuilder::kernel(const std::vector<Id>& outputs, int inputs) const {
  return expr::Kernel(std::make_shared<const expr::Tape>(*graph_, outputs, inputs));
}

Displacement ModelBuilder::displacement() const {
  return {*graph_, model_.system->space, layout_.helper_variable(0)};
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

void ModelBuilder::read_constraints() {
  const System& s = scenario_.system;
  if (!s.nonholonomic.empty())
    throw ScenarioError(s.nonholonomic.front(),
                        "nonholonomic constraints are not available yet: no method for them is in "
                        "the list (varia list methods). Allowed now: holonomic");
  for (const ConstraintText& c : s.holonomic) {
    const auto [first, last] = indices(c.range, c.phi, most_constraints, "constraints");
    expr::Scope scope = configuration_;
    if (c.range) scope.add_index("i", first);
    for (long i = first; i <= last; ++i) {
      if (c.range) scope.set_index("i", i);
      constraints_.push_back(parse(scope, c.phi));
      model_.constraint_texts.push_back(c.phi.value +
                                        (c.range ? ", i = " + std::to_string(i) : ""));
      if (expr::variables_of(*graph_, constraints_.back()).empty())
        throw ScenarioError(c.phi, "does not depend on any coordinate");
    }
  }
  if (constraints_.size() > sz(layout_.n))
    throw ScenarioError(s.holonomic.back().phi, "there are " + std::to_string(constraints_.size()) +
                                                    " constraints on " + std::to_string(layout_.n) +
                                                    " degrees of freedom");
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
    for (int i = 0; !b.curved() && i < b.dof(); ++i) {
      const int v = layout_.entry_variable(b.entry + i);
      const bool free = !std::binary_search(constrained.begin(), constrained.end(), v);
      if (graph_->is_constant(gradient_[sz(b.degree + i)], 0.0) && free)
        s.cyclic.push_back(model_.entry_names[sz(b.entry + i)]);
    }
}

void ModelBuilder::read_system() {
  model_.system = std::make_shared<FlatSystem>(space_of(layout_));
  if (const auto lagrangian = read_lagrangian()) {
    model_.lagrangian = *lagrangian;
    force_ = by_degree(motion_, scenario_.system.force);
    read_constraints();
    const bool forced = !scenario_.system.force.empty();
    FlatDerivatives d;
    model_.system = make_flat_system(
        *graph_,
        {model_.system->space, *lagrangian, forced ? force_ : std::vector<Id>{}, constraints_}, &d);
    gradient_ = d.gradient;
    find_quadratic(d.second);
    measure_structure();
    read_one_form();
  }
  read_discrete_lagrangian();
  model_.gradient = gradient_;
}

}  // namespace varia::io
