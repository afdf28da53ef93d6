// SPDX-License-Identifier: BSD-3-Clause
// Steps of variable length: by a pace, or such that the energy is kept.
#include "model_builder.hpp"
#include "varia/io/asynchronous.hpp"
#include "varia/mechanics/time_transform.hpp"

namespace varia::io {

void ModelBuilder::read_variable_steps() {
  const Run& run = scenario_.run;
  if (!run.pace && !run.keep_energy) return;
  const Text& text = run.pace ? *run.pace : *run.keep_energy;
  if (run.pace && run.keep_energy)
    throw ScenarioError(text, "pace and keep_energy both determine the steps; give one of them");
  if (model_.hamiltonian)
    throw ScenarioError(text,
                        "steps of variable length need a Lagrangian; this Hamiltonian has none");
  if (model_.one_form)
    throw ScenarioError(text,
                        "steps of variable length need a Lagrangian that is quadratic in the "
                        "velocities; this one is linear");
  if (!model_.system->flat())
    throw ScenarioError(text,
                        "steps of variable length are for coordinates in R^n without rotations");
  if (model_.method.stages() == nullptr || is_asynchronous(model_.method))
    throw ScenarioError(run.method,
                        model_.method.name() +
                            " cannot have steps of variable length. Allowed are methods "
                            "of stages: verlet, midpoint, gauss(s), lobatto(s), galerkin");
  VariableSteps variable;
  variable.keep_energy = run.keep_energy.has_value();
  variable.minimise = variable.keep_energy && run.keep_energy->value == "minimise";
  if (run.until) variable.until = number(*run.until);
  if (run.pace && run.pace->value != "auto") {
    const Id g = parse(configuration_, *run.pace);
    try {
      variable.pace = step_function(*graph_, g, layout_.n);
    } catch (const InvalidArgument& error) {
      throw ScenarioError(*run.pace, error.what());
    }
  }
  model_.variable = variable;
}

}  // namespace varia::io
