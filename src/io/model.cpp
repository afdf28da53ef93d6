// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/model.hpp"

#include "model_builder.hpp"

namespace varia::io {

ModelBuilder::ModelBuilder(const Scenario& scenario)
    : scenario_(scenario),
      layout_(make_layout(scenario.system)),
      graph_(std::make_shared<expr::Graph>()) {}

Model ModelBuilder::build() {
  model_.entry_names = entry_names(scenario_.system);
  model_.velocity_names = velocity_names(scenario_.system);
  model_.momentum_names = momentum_names(scenario_.system);
  model_.variable_names = {"t"};
  for (const auto* names : {&model_.entry_names, &model_.velocity_names, &model_.momentum_names})
    model_.variable_names.insert(model_.variable_names.end(), names->begin(), names->end());
  read_parameters();
  configuration_ = parameters_;
  add_entries(layout_, *graph_, configuration_);
  motion_ = configuration_;
  motion_.add("t", graph_->variable(0));
  add_rates(layout_, *graph_, motion_, false);
  everything_ = motion_;
  add_rates(layout_, *graph_, everything_, true);
  read_system();
  read_start();
  read_run();
  read_terms();
  read_observables();
  model_.scenario = scenario_;
  model_.graph = graph_;
  return std::move(model_);
}

Model build_model(const Scenario& scenario) {
  if (scenario.solid)
    throw ScenarioError(scenario.solid->place, "solid",
                        "this takes a scenario with a [system]; solids can be run and shown.");
  return ModelBuilder(scenario).build();
}

const std::shared_ptr<AccelerationSystem>& accelerations(const Model& model) {
  if (!model.acceleration)
    model.acceleration = make_acceleration_system(*model.graph, model.lagrangian, model.system->n);
  return model.acceleration;
}

std::string space_name(const Model& model) { return model.system->space.name(); }

}  // namespace varia::io
