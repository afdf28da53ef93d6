// SPDX-License-Identifier: BSD-3-Clause
// Trajectories that were written before: as a guess, and replayed.
#include <algorithm>

#include "varia/control/roll_out.hpp"
#include "varia/core/index.hpp"
#include "varia/io/control_problem.hpp"
#include "varia/io/hdf5_trajectory.hpp"
#include "vectors.hpp"

namespace varia::io {

using detail::sz;

namespace {

/// Inputs of these names at the points of each stretch between records; without a table they are 0.
void add_inputs(const ControlStatement& s, const std::string& path, ControlMotion& motion) {
  std::optional<ControlInputs> inputs;
  try {
    inputs = read_inputs(path);
  } catch (const InvalidArgument&) {
    // a run without inputs is a guess as well
  }
  motion.c = inputs ? inputs->c : std::vector<double>{0.5};
  for (std::size_t k = 0; k + 1 < motion.t.size(); ++k) {
    std::vector<Vn>& step = motion.u.emplace_back();
    for (const double c : motion.c) {
      Vn& u = step.emplace_back(Vn::Zero(std::ssize(s.inputs)));
      if (!inputs) continue;
      const std::vector<double> values =
          inputs->at(motion.t[k] + c * (motion.t[k + 1] - motion.t[k]));
      for (std::size_t j = 0; j < s.inputs.size(); ++j) {
        const auto at = std::find(inputs->names.begin(), inputs->names.end(), s.inputs[j]);
        if (at != inputs->names.end())
          u[static_cast<Eigen::Index>(j)] = values[sz(at - inputs->names.begin())];
      }
    }
  }
}

}  // namespace

ControlMotion recorded_motion(const ControlStatement& s, const std::string& path) {
  const RecordedMotion recorded = read_motion(path);
  ControlMotion motion;
  for (const auto& row : recorded.of({"t"})) motion.t.push_back(row.front());
  if (motion.t.size() < 2 || !std::is_sorted(motion.t.begin(), motion.t.end()))
    throw InvalidArgument(path + ": a guess needs at least two records, in order of time");
  const ProductSpace& space = s.model.system->space;
  for (const auto& row : recorded.of(s.model.entry_names)) {
    motion.q.emplace_back(space.entries());
    space.hold_point(row.data(), motion.q.back().data());
    space.require_point(motion.q.back().data());
    if (motion.q.size() > 1)
      reach_without_turn(s.model, motion.q[motion.q.size() - 2].data(), motion.q.back().data());
  }
  for (const auto& row : recorded.of(s.states)) motion.a.push_back(vector_of(row));
  add_inputs(s, path, motion);
  motion.parameters = vector_of(s.search.parameters);
  return motion;
}

ControlMotion rolled_motion(const ControlStatement& s, const ControlInputs& inputs,
                            const std::vector<double>& q, const std::vector<double>& v) {
  const ControlProblem problem = make_problem(s);
  ControlGuess guess = stated_guess(s);
  guess.q = [&](double, double* out) { std::copy(q.begin(), q.end(), out); };
  guess.u = [&](double t, double* u) {
    const std::vector<double> values = inputs.at(t);
    std::copy(values.begin(), values.end(), u);
  };
  Optimum none;
  none.point = problem.guess(guess);
  const int n = s.model.system->n, entries = s.model.system->entries;
  none.point.x0.segment(entries, n) = vector_of(v);
  for (std::size_t k = 0; k < inputs.steps(); ++k) none.point.w[k + 1] = vector_of(inputs.u[k]);
  const RollOut rolled = roll_out(problem, none.point);
  if (!rolled.solved)
    throw NoConvergence(
        "the motion along the inputs was not found beyond step " + std::to_string(rolled.step),
        s.time.start, 0.0, 0, 0.0);
  none.point = rolled.point;
  for (int k = 0; k < problem.steps(); ++k) {
    const ChainStepSizes sizes = problem.sizes(k);
    none.rho.emplace_back(Eigen::VectorXd::Zero(sizes.y));
    none.inequality.emplace_back(Eigen::VectorXd::Zero(sizes.g));
  }
  return problem.motion(none);
}

namespace {

/// The start of a trajectory: what is seen there, held again.
void take_start(const std::string& path, Model& model) {
  const RecordedMotion recorded = read_motion(path);
  const std::vector<double> seen = recorded.of(model.entry_names).front();
  const std::vector<double> rates = recorded.of(model.velocity_names).front();
  model.t0 = recorded.of({"t"}).front().front();
  model.system->space.hold_point(seen.data(), model.q0.data());
  std::size_t from = 0;
  for (const ProductSpace::Place& at : model.system->space.factors()) {
    at.factor->read_vector(model.q0.data() + at.entry, rates.data() + from,
                           model.rates0.data() + at.degree);
    from += at.factor->notation().forms.empty() ? sz(at.factor->dof())
                                                : at.factor->notation().velocities.suffixes.size();
  }
  model.scenario.start.momenta = false;
}

void require_fitting(const Scenario& scenario, const ControlInputs& inputs,
                     const std::string& path) {
  std::vector<std::string> names;
  for (const Text& input : scenario.control->inputs) names.push_back(input.value);
  if (names == inputs.names) return;
  std::string found, needed;
  for (const std::string& name : inputs.names) found += (found.empty() ? "" : ", ") + name;
  for (const std::string& name : names) needed += (needed.empty() ? "" : ", ") + name;
  throw InvalidArgument("--controls " + path + ": its inputs are " + found +
                        ", those of the scenario " + needed +
                        "; take the trajectory of this scenario");
}

/// Auxiliary states act in forces: the equations of the problem are those of the motion.
void roll(const Scenario& scenario, const ControlInputs& inputs, Model& model) {
  ControlStatement s = build_control(scenario);
  const bool same = static_cast<std::size_t>(s.time.steps) == inputs.steps();
  if (!same)
    throw InvalidArgument(
        "the scenario has auxiliary states, whose motion is replayed with the steps of the optimum "
        "only: there are " +
        std::to_string(inputs.steps()) + ", the scenario has " + std::to_string(s.time.steps));
  s.time.end = inputs.end();
  s.time.free_end.reset();
  auto played = std::make_shared<PlayedMotion>();
  played->states = s.states;
  played->motion = rolled_motion(s, inputs, model.q0, model.rates0);
  model.played = std::move(played);
}

}  // namespace

Model replaying_model(const Scenario& asked, const std::string& path) {
  if (!asked.control)
    throw InvalidArgument("--controls is for scenarios with a [control]; " + asked.file +
                          " has none");
  const auto inputs = std::make_shared<const ControlInputs>(read_inputs(path));
  require_fitting(asked, *inputs, path);
  const Scenario scenario = with_parameters(asked, inputs->parameters);
  Model model = controlled_model(scenario, inputs);
  take_start(path, model);
  if (!scenario.control->states.empty()) roll(scenario, *inputs, model);
  model.system = system_in_step(model, 0);
  return model;
}

Scenario with_parameters(Scenario scenario, const ByName<double>& values) {
  for (const auto& [name, value] : values)
    for (Parameter& parameter : scenario.system.parameters)
      if (parameter.name == name) parameter.values.front().value = varia::to_text(value);
  return scenario;
}

}  // namespace varia::io
