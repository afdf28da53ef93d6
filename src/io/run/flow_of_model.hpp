// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The flow and the start of a model, with errors that name the place in the scenario.
#include "varia/flow/make_flow.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io {

/// Throws ScenarioError where the method does not fit the system. fixed_steps: also where the steps of
/// the scenario vary.
AnyFlow flow_of(const Model& model, bool fixed_steps = false);
/// The same for a system that is the model's up to its parameters.
AnyFlow flow_of(const Model& model, const std::shared_ptr<KernelSystem>& system,
                bool fixed_steps = false);
OneFormProjection projection_of(const Model& model);

/// The state that is seen in a snapshot, without remainders of rounding.
VectorState state_of(const Snapshot& s);

/// The velocities that the scenario states, by momenta too, before the start is moved onto constraints.
Vn stated_velocity(const Model& model);

/// Throws ScenarioError for a start that the system refuses, with what the scenario can do about it.
VectorState start_of(const Model& model);

/// The text with what the scenario says in the place of phi[1], phi[2] and so on.
std::string with_constraints(const Model& model, const std::string& text);

/// The text of a start that the system refuses.
[[noreturn]] void refuse_start(const Model& model, const Error& error);
[[noreturn]] void refuse_start(const Model& model, const SingularMass& error);

/// L must have finite derivatives at the start with velocity v.
void check_start_point(const Model& model, const double* v);

/// Names the constraints that are dependent at q, unless the scenario lets them be left out.
void refuse_dependent(const Model& model, const Vn& q, const Vn& v);

}  // namespace varia::io
