// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The control problem of a scenario as formulas, and where the search for its optimum begins.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "varia/control/control_problem.hpp"
#include "varia/io/control_motion.hpp"
#include "varia/io/model.hpp"

namespace varia::io {

/// Where the search begins, as functions of time, with what is fixed at the ends.
struct ControlSearch {
  std::function<void(double t, double* q)> q;  ///< entries
  std::function<void(double t, double* a)> a;
  std::function<void(double t, double* u)> u;
  std::vector<double> parameters;
  std::vector<double> start_velocity;  ///< 0 where it is free
};

struct ControlStatement {
  Model model;
  ControlFormulas formulas;
  std::vector<std::pair<Text, expr::Id>>
      texts;  ///< formulas with their places: all must have values
  ControlTime time;
  std::vector<std::string> inputs, states, parameters;
  ControlSearch search;
};

/// Throws ScenarioError for what is wrong in the scenario.
ControlStatement build_control(const Scenario& scenario);

/// The problem; what it refuses is told at its place.
ControlProblem make_problem(const ControlStatement& statement);

/// The guess that the scenario states.
ControlGuess stated_guess(const ControlStatement& statement);
/// The motion of a trajectory.h5. Throws InvalidArgument for one that does not fit the problem.
ControlMotion recorded_motion(const ControlStatement& statement, const std::string& path);
/// The guess along a motion that is known, in the time of the problem.
ControlGuess guess_along(const ControlStatement& statement, const ControlMotion& motion);

/// Points that are seen as unit vectors have many that are seen alike: `to` becomes the one that is reached from
/// `from` along a great circle. Throws InvalidArgument where they are opposite.
void reach_without_turn(const Model& model, const double* from, double* to);

/// Throws ScenarioError where a formula has no value along the guess, and names it.
void require_values(const ControlStatement& statement, const ControlGuess& guess);

/// A model that runs along these inputs, open loop; its start is that of the scenario.
Model controlled_model(const Scenario& scenario, std::shared_ptr<const ControlInputs> inputs);

/// The motion that these inputs give by the equations of the problem, where they cannot be run: with auxiliary states.
/// start: entries and velocities.
ControlMotion rolled_motion(const ControlStatement& statement, const ControlInputs& inputs,
                            const std::vector<double>& q, const std::vector<double>& v);

/// A model that plays the optimum of the scenario, or what was reached: see Model::played.
Model optimised_model(const Scenario& scenario,
                      const std::function<bool(const OptimiserProgress&)>& progress);
/// A model that replays the inputs of a trajectory.h5, from its start.
Model replaying_model(const Scenario& scenario, const std::string& path);

/// The scenario with these values of parameters.
Scenario with_parameters(Scenario scenario, const ByName<double>& values);

/// The names under which co-states are recorded: of q, p and states.
std::vector<std::string> costate_names(const Model& model);

/// The system in a step of the inputs: its kernels have the values of that step.
std::shared_ptr<KernelSystem> system_in_step(const Model& model, std::size_t step);

}  // namespace varia::io
