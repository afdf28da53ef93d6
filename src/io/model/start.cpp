// SPDX-License-Identifier: BSD-3-Clause
// The start and the run of a scenario as numbers.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "../scenario/expressions.hpp"
#include "builder.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/tape.hpp"
#include "varia/io/asynchronous.hpp"
#include "varia/mechanics/time_transform.hpp"

namespace varia::io {

namespace {

using detail::sz;

}  // namespace

void ModelBuilder::read_points() {
  struct Target {
    const Factor* factor;
    double* entries;
  };
  std::unordered_map<std::string, Target> targets;
  for (const auto& b : layout_.blocks)
    for (int k = 0; k < b.count; ++k)
      targets[b.point(k)] = {b.factor.get(), &model_.q0[sz(b.entry + k * b.factor->entries())]};
  EntryScope scope(parameters_);
  for (const PointStart& point : scenario_.start.points) {
    std::vector<double> x;
    for (const Text& text : point.numbers)
      x.push_back(constant_value(*graph_, parse(scope.at(point.index, point.indexed), text), text));
    const Target& target = targets.at(point.name);
    try {
      target.factor->read_point(point.form, x.data(), target.entries);
    } catch (const InvalidArgument& error) {
      throw ScenarioError(point.place, "start." + point.name, error.what());
    }
  }
}

void ModelBuilder::read_start() {
  const Start& start = scenario_.start;
  model_.t0 = number(start.t);
  model_.q0.assign(sz(layout_.entries), 0.0);
  model_.rates0.assign(sz(layout_.n), 0.0);
  std::unordered_map<std::string, double*> places;
  for (std::size_t i = 0; i < model_.entry_names.size(); ++i)
    places[model_.entry_names[i]] = &model_.q0[i];
  const auto& rates = start.momenta ? model_.momentum_names : model_.velocity_names;
  for (std::size_t i = 0; i < rates.size(); ++i) places[rates[i]] = &model_.rates0[i];
  EntryScope entries(parameters_);
  for (const auto* list : {&start.positions, &start.rates})
    for (const Component& c : *list)
      *places.at(c.component) =
          constant_value(*graph_, parse(entries.at(c.index, c.indexed), c.text), c.text);
  read_points();
  check_start_values();
}

/// L, forces and constraints must have finite values and derivatives at the start.
void ModelBuilder::check_start_values() const {
  const FlatSystem& f = *model_.system;
  if (model_.hamiltonian) {
    std::vector<std::string> names = model_.variable_names;
    names.erase(names.begin() + 1 + layout_.n, names.begin() + 1 + 2 * layout_.n);
    const auto at = model_.hamiltonian->point(model_.t0, model_.q0.data(), model_.rates0.data());
    const std::string problem = model_.hamiltonian->hessian.tape().non_finite(at.data(), names);
    if (!problem.empty())
      throw ScenarioError(*scenario_.system.hamiltonian,
                          "has no finite value or derivative at the start: " + problem);
    return;
  }
  std::vector<double> x{model_.t0};
  x.insert(x.end(), model_.q0.begin(), model_.q0.end());
  if (scenario_.start.momenta)
    x.insert(x.end(), sz(layout_.n), 0.0);
  else
    x.insert(x.end(), model_.rates0.begin(), model_.rates0.end());
  const Text& text = scenario_.system.stated();
  const auto check = [&](const expr::Kernel& k, const double* at, const Text& where,
                         const std::vector<std::string>& names) {
    const std::string problem = k.tape().non_finite(at, names);
    if (!problem.empty())
      throw ScenarioError(where, "has no finite value or derivative at the start: " + problem);
  };
  if (!scenario_.start.momenta) check(f.value, x.data(), text, model_.variable_names);
  if (!scenario_.start.momenta) check(f.hessian, x.data(), text, model_.variable_names);
  if (f.forced)
    check(f.force_derivative, x.data(), scenario_.system.force.front().text, model_.variable_names);
  if (f.d > 0)
    check(f.constraint, x.data(), scenario_.system.holonomic.front().phi, model_.variable_names);
  if (f.rheonomic())
    check(f.constraint_rate, x.data(), scenario_.system.holonomic.front().phi,
          model_.variable_names);
}

namespace {

Solver solver_of(const Text& text) {
  if (text.value == "newton") return Solver::newton;
  return text.value == "fixed_point" ? Solver::fixed_point : Solver::automatic;
}

}  // namespace

void ModelBuilder::read_run() {
  const Run& run = scenario_.run;
  try {
    model_.method = parse_system_method(run.method.value);
  } catch (const InvalidArgument& error) {
    throw ScenarioError(run.method, error.what());
  }
  model_.options.retraction =
      run.retraction == "cay" ? Retraction::cayley : Retraction::exponential;
  model_.options.leave_out_dependent = run.leave_out_dependent;
  model_.options.solver = solver_of(run.solver);
  model_.step = number(run.step);
  if (model_.step == 0.0)
    throw ScenarioError(run.step, "the step must be a number other than 0, got 0");
  read_variable_steps();
  if (run.steps) {
    model_.steps = *run.steps;
    model_.span = static_cast<double>(model_.steps) * model_.step;
    return;
  }
  const double until = number(*run.until);
  model_.span = until - model_.t0;
  const double ratio = model_.span / model_.step;
  if (ratio < 0.0)
    throw ScenarioError(*run.until, "until = " + varia::to_text(until) +
                                        " lies before t = " + varia::to_text(model_.t0) +
                                        " for a step of " + varia::to_text(model_.step));
  if (ratio > 1e15)
    throw ScenarioError(
        run.step, "the step is too small: until would need " + varia::to_text(ratio) + " steps");
  const double nearest = std::round(ratio);
  const bool whole = std::abs(ratio - nearest) <= 1e-6 * std::max(1.0, std::min(ratio, 1.0));
  model_.steps = static_cast<long>(whole ? nearest : std::floor(ratio));
  if (!whole && !model_.variable)
    model_.notes.push_back(
        "until is not a whole number of steps: the run ends at t = " +
        varia::to_text(model_.t0 + static_cast<double>(model_.steps) * model_.step));
}

// Steps of variable length: by a pace, or such that the energy is kept.

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
