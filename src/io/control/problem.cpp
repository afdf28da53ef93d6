// SPDX-License-Identifier: BSD-3-Clause
// [control] as formulas of a control problem.
#include <algorithm>
#include <cmath>

#include "../model/builder.hpp"
#include "../scenario/expressions.hpp"
#include "../scenario/words.hpp"
#include "varia/core/counted.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/derivative.hpp"

namespace varia::io {

using detail::sz;

namespace {

/// "the lower bound 2 is above the upper bound 1"
void require_order(const ControlRange& range, const Text& where) {
  if (!(range.lower <= range.upper))
    throw ScenarioError(where, "the bounds contradict each other: the lower one, " +
                                   varia::to_text(range.lower) + ", is above the upper one, " +
                                   varia::to_text(range.upper));
}

}  // namespace

/// Parameters of the graph that stand for unknowns become the variables of a control problem.
std::vector<expr::Id> ModelBuilder::in_unknowns(const std::vector<Id>& formulas) {
  const ControlText& control = *scenario_.control;
  const auto inputs = static_cast<int>(control.inputs.size());
  const auto states = static_cast<int>(control.states.size());
  const ControlVariables names(model_.system->space, states, inputs,
                               static_cast<int>(control.optimise.size()));
  std::vector<std::pair<int, Id>> replaced;
  const auto replace = [&](int parameter, int variable) {
    replaced.emplace_back(expr::Graph::first_parameter + parameter, graph_->variable(variable));
  };
  for (int k = 0; k < inputs; ++k) replace(first_input_ + k, names.u + k);
  for (int k = 0; k < states; ++k) replace(first_input_ + inputs + k, names.a + k);
  for (std::size_t k = 0; k < control.optimise.size(); ++k)
    for (std::size_t i = 0; i < model_.free.size(); ++i)
      if (model_.free[i].name == control.optimise[k].name)
        replace(static_cast<int>(i), names.theta + static_cast<int>(k));
  return expr::substitute(*graph_, formulas, replaced);
}

ControlRange ModelBuilder::range_of(const BoundsText& text, const std::string& name) {
  ControlRange range{name};
  if (text.lower) range.lower = number(*text.lower);
  if (text.upper) range.upper = number(*text.upper);
  require_order(range, text.where);
  return range;
}

void ModelBuilder::add_bounds(ControlStatement& s) {
  const ControlText& control = *scenario_.control;
  ControlFormulas& f = s.formulas;
  for (const Text& input : control.inputs) f.inputs.push_back({input.value});
  for (const BoundsText& text : control.optimise) {
    require_number(text.where);
    f.parameters.push_back(range_of(text, text.name));
  }
  std::vector<std::string> names = s.inputs;
  names.insert(names.end(), s.states.begin(), s.states.end());
  for (const auto* list : {&model_.entry_names, &model_.velocity_names})
    names.insert(names.end(), list->begin(), list->end());
  const auto add = [&](const BoundsText& text, const Text& formula, const std::string& name) {
    const ControlRange range = range_of(text, name);
    const Id id = in_unknowns({parse(acting_, formula)}).front();
    s.texts.emplace_back(formula, id);
    f.path.push_back({id, range.lower, range.upper, name});
  };
  for (const BoundsText& text : control.bounds) {
    const auto input = std::find(s.inputs.begin(), s.inputs.end(), text.name);
    if (input != s.inputs.end()) {
      f.inputs[sz(input - s.inputs.begin())] = range_of(text, text.name);
      continue;
    }
    if (std::find(names.begin(), names.end(), text.name) == names.end())
      throw ScenarioError(text.where,
                          "there is no such input, coordinate, velocity or state; there are: " +
                              listed(names) + "." + did_you_mean(text.name, names) +
                              " Bounds of parameters are in control.optimise, those of functions "
                              "in control.path");
    add(text, text.where, text.name);
  }
  for (const BoundsText& text : control.path) add(text, text.where, text.name);
}

void ModelBuilder::add_costs(ControlFormulas& f) {
  const ControlText& control = *scenario_.control;
  const auto formula = [&](const expr::Scope& scope, const std::optional<Text>& text) {
    return text ? in_unknowns({parse(scope, *text)}).front() : graph_->constant(0.0);
  };
  f.cost = formula(acting_, control.cost);
  f.final_cost = formula(ends_, control.final_cost);
  if (!control.cost && !control.final_cost)
    throw ScenarioError(control.place, "control.cost",
                        "missing, and so is control.final_cost; say what is to be least, for "
                        "example cost = \"u^2\". For the time, cost = \"1\".");
}

/// Every input must do something.
void ModelBuilder::require_acting_inputs(const ControlFormulas& f) const {
  std::vector<Id> all = f.system.force;
  all.insert(all.end(), f.rates.begin(), f.rates.end());
  const std::vector<int> used = expr::variables_of(*graph_, all);
  const ControlText& control = *scenario_.control;
  const ControlVariables names(model_.system->space, static_cast<int>(control.states.size()),
                               static_cast<int>(control.inputs.size()), 0);
  for (std::size_t k = 0; k < control.inputs.size(); ++k)
    if (!std::binary_search(used.begin(), used.end(), names.u + static_cast<int>(k)))
      throw ScenarioError(control.inputs[k],
                          control.inputs[k].value +
                              " occurs in no force and in no rate of a state: it moves nothing. "
                              "Use it in system.force, or leave it out");
}

ControlTime ModelBuilder::control_time() {
  constexpr long most_steps = 1'000'000;
  const ControlText& control = *scenario_.control;
  if (*scenario_.run.steps > most_steps)
    throw ScenarioError(scenario_.run.place, "run.steps",
                        "an optimum has at most " + std::to_string(most_steps) + " steps, found " +
                            std::to_string(*scenario_.run.steps) + ".");
  ControlTime time{model_.t0, 0.0, static_cast<int>(*scenario_.run.steps), {}};
  const Text* where = nullptr;
  if (!control.free_end) {
    where = &*scenario_.run.until;
    time.end = number(*where);
  } else {
    const ControlRange range = range_of(*control.free_end, "the end time");
    where = control.end_guess ? &*control.end_guess : &control.free_end->where;
    const double low = range.lower - time.start, high = range.upper - time.start;
    if (!(low > 0.0) || !std::isfinite(high))
      throw ScenarioError(control.free_end->where,
                          "the bounds of the end time must be two times after the start, t = " +
                              varia::to_text(time.start));
    time.end = control.end_guess ? number(*control.end_guess) : time.start + std::sqrt(low * high);
    if (time.end < range.lower || time.end > range.upper)
      throw ScenarioError(*where, "the guess " + varia::to_text(time.end) +
                                      " is outside of the bounds of the end time");
    time.free_end = range;
  }
  if (!(time.end > time.start))
    throw ScenarioError(*where, "the end, t = " + varia::to_text(time.end) +
                                    ", must be after the start, t = " + varia::to_text(time.start));
  return time;
}

ControlStatement ModelBuilder::build_problem() {
  ControlStatement s;
  model_ = build();
  if (model_.hamiltonian)
    throw ScenarioError(*scenario_.system.hamiltonian,
                        "optimal control needs a system with a Lagrangian; this Hamiltonian has "
                        "none");
  const ControlText& control = *scenario_.control;
  for (const Text& input : control.inputs) s.inputs.push_back(input.value);
  for (const StateText& state : control.states) s.states.push_back(state.name);
  for (const BoundsText& one : control.optimise) s.parameters.push_back(one.name);
  ControlFormulas& f = s.formulas;
  f.system.space = model_.system->space;
  f.system.lagrangian = in_unknowns({model_.lagrangian}).front();
  f.system.force = in_unknowns(model_.force);
  const auto holonomic = model_.constraints.begin() + model_.system->d;
  f.system.constraints = in_unknowns({model_.constraints.begin(), holonomic});
  f.system.nonholonomic = in_unknowns({holonomic, model_.constraints.end()});
  f.multipliers = model_.options.multipliers;
  for (const StateText& state : control.states) {
    f.rates.push_back(in_unknowns({parse(acting_, state.rate)}).front());
    s.texts.emplace_back(state.rate, f.rates.back());
  }
  require_acting_inputs(f);
  add_bounds(s);
  add_costs(f);
  if (control.cost) s.texts.emplace_back(*control.cost, f.cost);
  if (!scenario_.system.force.empty())
    for (const Id id : f.system.force)
      s.texts.emplace_back(scenario_.system.force.front().text, id);
  s.texts.emplace_back(scenario_.system.stated(), f.system.lagrangian);
  s.time = control_time();
  const ControlEnd start = read_end(scenario_.start, &StateText::start, control.start_conditions);
  const ControlEnd end = read_end(control.end, &StateText::end, control.end_conditions);
  check_against_bounds(start, "starts");
  check_against_bounds(end, "ends");
  f.start = start.rows;
  f.end = end.rows;
  s.search = control_search(start, end, s.time);
  s.model = std::move(model_);
  return s;
}

ControlStatement build_control(const Scenario& scenario) {
  if (!scenario.control)
    throw ScenarioError({scenario.file}, "control",
                        "missing; varia optimise needs the table [control]: its inputs and what "
                        "is to be least.");
  return ModelBuilder(scenario).build_problem();
}

ControlProblem make_problem(const ControlStatement& s) {
  const Scenario& scenario = s.model.scenario;
  const std::size_t free = 2 * sz(s.model.system->n) - 2 * s.model.system->space.vertical().size() +
                           s.states.size() + s.parameters.size() + (s.time.free_end ? 1 : 0);
  const auto require_few = [&](const std::vector<ControlRow>& rows, const char* end,
                               const Place& place) {
    if (rows.size() > free)
      throw ScenarioError(place, end,
                          counted(rows.size(), "condition") + ", but a state has " +
                              counted(free, "number") +
                              ": they cannot all be satisfied. Leave some out.");
  };
  require_few(s.formulas.start, "start", scenario.start.place);
  require_few(s.formulas.end, "end", scenario.control->end_place);
  return told_at(scenario.run.method, [&] {
    return ControlProblem(*s.model.graph, s.formulas, s.model.method, s.time,
                          s.model.options.retraction);
  });
}

Model controlled_model(const Scenario& scenario, std::shared_ptr<const ControlInputs> inputs) {
  Model model = ModelBuilder(scenario, Sums::term_by_term, std::move(inputs)).build();
  model.scenario.run.evaluation = "interpreter";  // its parameters change from step to step
  return model;
}

}  // namespace varia::io
