// SPDX-License-Identifier: BSD-3-Clause
// The optimum of a scenario, after those of the easier problems that it names.
#include "varia/control/optimise.hpp"

#include <algorithm>
#include <chrono>

#include "varia/control/roll_out.hpp"
#include "varia/core/index.hpp"
#include "varia/io/control_problem.hpp"
#include "vectors.hpp"

namespace varia::io {

namespace {

using detail::sz;
using Progress = std::function<bool(const OptimiserProgress&)>;

/// What the solver says about one problem.
struct Found {
  ControlStatement statement;
  Optimum optimum;
  ControlMotion motion;
  double seconds = 0.0;  ///< of the solver
};

/// The motion from the start with the inputs of the guess.
ChainPoint rolled(const ControlStatement& s, const ControlProblem& problem, ChainPoint at) {
  at.x0.segment(s.model.system->entries, s.model.system->n) = vector_of(s.search.start_velocity);
  const RollOut rolled = roll_out(problem, at);
  if (!rolled.solved)
    throw ScenarioError(s.model.scenario.control->guess.place, "control.guess.rollout",
                        "the motion from the start with the inputs of the guess is not found "
                        "beyond step " +
                            std::to_string(rolled.step) +
                            "; take other inputs, more steps, or leave rollout out.");
  return rolled.point;
}

ChainPoint first_point(const ControlStatement& s, const ControlProblem& problem,
                       const ControlMotion* easier) {
  const GuessText& text = s.model.scenario.control->guess;
  const ControlGuess guess = easier != nullptr ? guess_along(s, *easier) : stated_guess(s);
  require_values(s, guess);
  const ChainPoint at =
      told_at({"", text.place, "control.guess"}, [&] { return problem.guess(guess); });
  return text.rollout && easier == nullptr ? rolled(s, problem, at) : at;
}

Optimum solve(const ControlStatement& s, const ControlProblem& problem, const ChainPoint& guess,
              const Progress& progress) {
  const ControlText& control = *s.model.scenario.control;
  OptimiserOptions options;
  options.tolerance = control.tolerance;
  options.max_iterations = static_cast<int>(control.iterations);
  options.progress = progress;
  if (control.solver.value != "ipopt") return optimise(problem, guess, options);
  return told_at(control.solver, [&] { return optimise_by_ipopt(problem, guess, options); });
}

/// Nodes that follow from the start and the inputs to round-off, not to the tolerance of the solver, so that a
/// replay meets them. Where the motion amplifies that tolerance far they stay as they are.
void polish(const ControlProblem& problem, Optimum& optimum) {
  constexpr double far = 1e-7;
  if (optimum.status != OptimumStatus::solved) return;
  const RollOut rolled = roll_out(problem, optimum.point);
  if (!rolled.solved) return;
  for (std::size_t k = 0; k < rolled.point.y.size(); ++k) {
    const auto gap = (rolled.point.y[k] - optimum.point.y[k]).cwiseAbs().maxCoeff();
    if (!(gap <= far * (1.0 + optimum.point.y[k].cwiseAbs().maxCoeff()))) return;
  }
  optimum.point = rolled.point;
}

Found find(const Scenario& scenario, const ControlMotion* easier, const Progress& progress) {
  Found found{build_control(scenario), {}, {}, 0.0};
  const ControlProblem problem = make_problem(found.statement);
  const ChainPoint guess = first_point(found.statement, problem, easier);
  const auto begin = std::chrono::steady_clock::now();
  found.optimum = solve(found.statement, problem, guess, progress);
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  polish(problem, found.optimum);
  found.motion = problem.motion(found.optimum);
  return found;
}

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& item : list) text += (text.empty() ? "" : ", ") + item;
  return text;
}

Summary::Optimum figures(const Found& found) {
  const Optimum& o = found.optimum;
  const ControlText& control = *found.statement.model.scenario.control;
  Summary::Optimum figures;
  figures.cost = o.cost;
  figures.iterations = o.iterations;
  figures.kkt_error = o.kkt_error;
  figures.seconds = found.seconds;
  figures.end_time = found.motion.t.back();
  figures.solver = control.solver.value;
  figures.status = to_string(o.status);
  for (std::size_t k = 0; k < found.statement.parameters.size(); ++k)
    figures.parameters.emplace_back(found.statement.parameters[k],
                                    found.motion.parameters[static_cast<Eigen::Index>(k)]);
  for (const ControlRange& range : found.statement.formulas.inputs)
    figures.bounds.emplace_back(range.name, std::make_pair(range.lower, range.upper));
  for (const OptimiserProgress& p : o.history)
    figures.history.push_back({p.cost, p.infeasibility, p.stationarity, p.complementarity, p.step});
  if (!o.history.empty()) figures.infeasibility = o.history.back().infeasibility;
  return figures;
}

/// Why there is no optimum; nothing where there is one.
std::string failure(const Found& found, const std::string& which) {
  if (found.optimum.status == OptimumStatus::solved) return "";
  const std::string why =
      found.optimum.message.empty() ? to_string(found.optimum.status) : found.optimum.message;
  return "no optimum was found" + which + ": " + why;
}

Model played_model(const Scenario& scenario, const Found& found, std::string message) {
  auto played = std::make_shared<PlayedMotion>();
  played->motion = found.motion;
  played->states = found.statement.states;
  played->optimum = figures(found);
  played->message = std::move(message);
  ControlInputs inputs = inputs_of(found.motion, found.statement.inputs);
  inputs.parameters = played->optimum->parameters;
  Model model = controlled_model(with_parameters(scenario, inputs.parameters),
                                 std::make_shared<const ControlInputs>(inputs));
  const auto numbers = [](const Vn& x) { return std::vector<double>(x.begin(), x.end()); };
  model.q0 = numbers(found.motion.q.front());
  model.rates0 = numbers(found.motion.v.front());
  model.scenario.start.momenta = false;
  model.steps = static_cast<long>(inputs.steps());
  model.step = (inputs.end() - inputs.begin()) / static_cast<double>(model.steps);
  model.played = std::move(played);
  model.system = system_in_step(model, 0);
  return model;
}

}  // namespace

Model optimised_model(const Scenario& scenario, const Progress& progress) {
  if (!scenario.control) build_control(scenario);  // which says what is missing
  std::optional<ControlMotion> easier;
  for (const EasierText& changes : scenario.control->easier) {
    std::vector<std::string> overrides = scenario.overrides;
    overrides.insert(overrides.end(), changes.begin(), changes.end());
    const Scenario changed = parse_scenario(scenario.text, scenario.file, overrides);
    const Found found = find(changed, easier ? &*easier : nullptr, progress);
    const std::string message = failure(found, " of the easier problem " + joined(changes));
    if (!message.empty()) return played_model(changed, found, message);
    easier = found.motion;
  }
  const Found found = find(scenario, easier ? &*easier : nullptr, progress);
  return played_model(scenario, found, failure(found, ""));
}

}  // namespace varia::io
