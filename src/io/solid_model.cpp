// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/solid_model.hpp"

#include "solid_model_builder.hpp"

namespace varia::io {

namespace {

const SolidText& solid_of(const Scenario& scenario) {
  if (!scenario.solid)
    throw InvalidArgument(scenario.file + ": the scenario has no [solid], but a [system].");
  return *scenario.solid;
}

}  // namespace

SolidModelBuilder::SolidModelBuilder(const Scenario& scenario)
    : scenario_(scenario), solid_(solid_of(scenario_)) {}

SolidModel SolidModelBuilder::build() {
  read_parameters();
  model_.problem.t0 = number(solid_.start.t);
  read_run();  // before the mesh: it is quickly told
  read_mesh();
  name_coordinates();
  read_plane();
  read_regions();
  read_fixes();
  read_loads();
  read_body_force();
  read_start();
  compare_supports();
  read_probes();
  model_.scenario = scenario_;
  return std::move(model_);
}

SolidModel build_solid_model(const Scenario& scenario) {
  return SolidModelBuilder(scenario).build();
}

}  // namespace varia::io
