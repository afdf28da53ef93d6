// SPDX-License-Identifier: BSD-3-Clause
// Inputs and states as names of formulas.
//
// They are parameters of the graph. A control problem replaces them by its unknowns; a model that runs by what
// they are in a step: the polynomial through the values of an input, whose numbers are parameters too and change
// from step to step.
//
//   (piece)   u(t) = Σᵢ Uᵢ ℓᵢ(x),  a(t) = A₀ + (A₁ - A₀) x,  x = (t - T)/H
#include <algorithm>

#include "../model/builder.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/derivative.hpp"

namespace varia::io {

using detail::sz;

namespace {

/// A number of no meaning, which no symmetry takes for 0.
double nominal(std::size_t k) { return 0.6180339887498949 + 0.1 * static_cast<double>(k); }

}  // namespace

/// What a control problem cannot have.
void ModelBuilder::refuse_uncontrolled() const {
  const System& s = scenario_.system;
  const Run& run = scenario_.run;
  const auto refuse = [](const Text& text, const std::string& what) {
    throw ScenarioError(text, what + " is not there for optimal control; leave it out");
  };
  if (s.discrete_lagrangian) refuse(*s.discrete_lagrangian, "a discrete Lagrangian of your own");
  if (!s.terms.empty()) refuse(s.terms.front().potential, "a term with a step of its own");
  if (is_vakonomic(scenario_)) refuse(run.constraints, "vakonomic motion");
  if (run.pace) refuse(*run.pace, "a step of variable length");
  if (run.keep_energy) refuse(*run.keep_energy, "a step of variable length");
  if (run.reconstruct.value == "false") refuse(run.reconstruct, "motion without points of groups");
}

void ModelBuilder::add_inputs() {
  const ControlText& control = *scenario_.control;
  first_input_ = static_cast<int>(graph_->parameters().size());
  ends_ = everything_;
  const auto add = [&](const std::string& name) {
    const Id id = graph_->parameter(nominal(graph_->parameters().size()), name);
    acting_.add(name, id);
    return id;
  };
  const auto hide = [](expr::Scope& scope, const std::string& name, const std::string& why) {
    scope.add_absent(name, "'" + name + "' " + why);
  };
  for (const Text& input : control.inputs) {
    add(input.value);
    hide(ends_, input.value, "is an input: it has no value at an end of the motion");
  }
  for (const StateText& state : control.states) ends_.add(state.name, add(state.name));
  const std::string why =
      "of [control] may occur in forces, rates of states, costs and conditions only";
  for (expr::Scope* scope : {&parameters_, &configuration_, &motion_, &everything_}) {
    for (const Text& input : control.inputs) hide(*scope, input.value, "is an input; those " + why);
    for (const StateText& state : control.states)
      hide(*scope, state.name, "is a state; those " + why);
  }
  if (inputs_) add_pieces();
}

expr::Scope ModelBuilder::everything_with_inputs() const {
  expr::Scope scope = ends_;
  const ControlText& control = *scenario_.control;
  for (std::size_t k = 0; k < control.inputs.size(); ++k)
    scope.add(control.inputs[k].value,
              graph_->variable(expr::Graph::first_parameter + first_input_ + static_cast<int>(k)));
  return scope;
}

/// T, H, then the inputs point by point, then the states at both ends.
void ModelBuilder::add_pieces() {
  model_.inputs = inputs_;
  model_.first_piece = graph_->parameters().size();
  const std::size_t states = scenario_.control->states.size();
  const std::size_t count = 2 + inputs_->c.size() * inputs_->names.size() + 2 * states;
  for (std::size_t k = 0; k < count; ++k) graph_->parameter(k == 1 ? 1.0 : nominal(k));
}

/// (piece) in the place of inputs and states.
std::vector<expr::Id> ModelBuilder::along_pieces(const std::vector<Id>& formulas) {
  if (!scenario_.control || !inputs_) return formulas;
  expr::Graph& g = *graph_;
  auto next = expr::Graph::first_parameter + static_cast<int>(model_.first_piece);
  const auto parameter = [&] { return g.variable(next++); };
  const Id begin = parameter();
  const Id x = g.div(g.sub(g.variable(0), begin), parameter());
  const std::vector<double>& c = inputs_->c;
  const std::size_t count = inputs_->names.size();
  std::vector<Id> values(count, g.constant(0.0));
  for (std::size_t i = 0; i < c.size(); ++i) {
    Id weight = g.constant(1.0);
    for (std::size_t k = 0; k < c.size(); ++k)
      if (k != i)
        weight = g.mul(weight, g.mul(g.sub(x, g.constant(c[k])), g.constant(1.0 / (c[i] - c[k]))));
    for (Id& value : values) value = g.add(value, g.mul(parameter(), weight));
  }
  const std::size_t states = scenario_.control->states.size();
  for (std::size_t k = 0; k < states; ++k) {
    const Id first = parameter();
    values.push_back(g.add(first, g.mul(g.sub(parameter(), first), x)));
  }
  std::vector<std::pair<int, Id>> replaced;
  for (std::size_t k = 0; k < values.size(); ++k)
    replaced.emplace_back(expr::Graph::first_parameter + first_input_ + static_cast<int>(k),
                          values[k]);
  return expr::substitute(g, formulas, replaced);
}

std::shared_ptr<KernelSystem> system_in_step(const Model& model, std::size_t step) {
  const ControlInputs& inputs = *model.inputs;
  auto system = std::make_shared<KernelSystem>(*model.system);
  const bool forced = static_cast<bool>(system->force);
  if (!forced) return system;
  std::vector<double> values = system->force.tape().parameters();
  auto at = values.begin() + static_cast<std::ptrdiff_t>(model.first_piece);
  *at++ = inputs.t[step];
  *at++ = inputs.t[step + 1] - inputs.t[step];
  at = std::copy(inputs.u[step].begin(), inputs.u[step].end(), at);
  if (model.played)
    for (Eigen::Index k = 0; k < model.played->motion.a[step].size(); ++k)
      for (const std::size_t end : {step, step + 1}) *at++ = model.played->motion.a[end][k];
  for (expr::Kernel* kernel : {&system->force, &system->force_derivative, &system->rates,
                               &system->chetaev, &system->chetaev_derivative})
    if (*kernel) *kernel = kernel->with_parameters(values);
  return system;
}

/// A problem has as many steps as it says. A motion that is known ends where its inputs do.
void ModelBuilder::set_control_time() {
  const Run& run = scenario_.run;
  if (run.tolerance)
    throw ScenarioError(*run.tolerance, "is of a step that Varia measures; leave it out");
  model_.steps = *run.steps;
  if (inputs_)
    model_.span = inputs_->end() - model_.t0;
  else
    model_.span = control_time().end - model_.t0;
  model_.step = model_.span / static_cast<double>(model_.steps);
}

}  // namespace varia::io
