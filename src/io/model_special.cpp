// SPDX-License-Identifier: BSD-3-Clause
// Lagrangians that are linear in the velocities, and discrete Lagrangians of the user's own.
#include "model_builder.hpp"

namespace varia::io {

/// L = ⟨θ(t, q), v⟩ - H(t, q): equations of first order, by OneFormFlow.
void ModelBuilder::read_one_form() {
  const System& s = scenario_.system;
  const int n = layout_.n;
  if (!s.lagrangian || !model_.system->flat() ||
      !linear_in_velocities(*graph_, model_.lagrangian, n)) {
    if (scenario_.start.missing_rates)
      throw ScenarioError(scenario_.start.missing_rates->place, scenario_.start.missing_rates->key,
                          scenario_.start.missing_rates->value);
    check_projection();
    return;
  }
  const std::string linear = "the Lagrangian is linear in the velocities, theta(q).v - H(q): ";
  if (!s.force.empty()) throw ScenarioError(s.force.front().text, linear + "it takes no forces");
  if (!s.holonomic.empty())
    throw ScenarioError(s.holonomic.front().phi, linear + "it takes no constraints");
  if (!scenario_.start.missing_rates)
    throw ScenarioError(
        scenario_.start.rates.front().text,
        linear +
            "the positions determine velocities and momenta, so that the start is the "
            "positions alone; leave out " +
            scenario_.start.rates.front().component + " and the like");
  try {
    model_.one_form =
        std::make_shared<OneFormSystem>(one_form_system(*graph_, model_.lagrangian, n));
  } catch (const InvalidArgument& error) {
    throw ScenarioError(*s.lagrangian, error.what());
  }
}

void ModelBuilder::check_projection() const {
  if (scenario_.run.projection)
    throw ScenarioError(*scenario_.run.projection,
                        "is for a Lagrangian that is linear in the velocities; this one is not");
}

/// h, and the coordinates at both ends of a step: x_0, x_1, q_0[i], q_1[i].
void ModelBuilder::add_ends(expr::Scope& scope, const Text& text) {
  try {
    scope.add("h", graph_->variable(0));
    for (const auto& b : layout_.blocks)
      for (const int end : {0, 1}) {
        std::vector<Id> ids;
        ids.reserve(static_cast<std::size_t>(b.dof()));
        for (int i = 0; i < b.dof(); ++i)
          ids.push_back(graph_->variable(1 + end * layout_.n + b.degree + i));
        const std::string name = b.name + "_" + std::to_string(end);
        if (b.array)
          scope.add_array(name, b.first, ids);
        else
          scope.add(name, ids.front());
      }
  } catch (const InvalidArgument& error) {
    throw ScenarioError(text, std::string(error.what()) +
                                  ": in a discrete Lagrangian h is the step, and x_0, x_1 are a "
                                  "coordinate x at its ends; rename the parameter");
  }
}

void ModelBuilder::read_discrete_lagrangian() {
  const System& s = scenario_.system;
  if (!s.discrete_lagrangian) return;
  const Text& text = *s.discrete_lagrangian;
  if (!model_.system->flat())
    throw ScenarioError(text, "a discrete Lagrangian is for coordinates in R^n, without rotations");
  if (model_.hamiltonian)
    throw ScenarioError(text, "a discrete Lagrangian needs the Lagrangian that it belongs to");
  if (!s.force.empty())
    throw ScenarioError(s.force.front().text, "a discrete Lagrangian takes no forces");
  if (!s.holonomic.empty())
    throw ScenarioError(s.holonomic.front().phi, "a discrete Lagrangian takes no constraints");
  expr::Scope scope = parameters_;
  add_ends(scope, text);
  const Id ld = parse(scope, text);
  try {
    model_.discrete = std::make_shared<DiscreteLagrangianSystem>(
        discrete_lagrangian_system(*graph_, ld, layout_.n));
  } catch (const InvalidArgument& error) {
    throw ScenarioError(text, error.what());
  }
}

}  // namespace varia::io
