// SPDX-License-Identifier: BSD-3-Clause
// The start and the run of a scenario as numbers.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "../scenario/expressions.hpp"
#include "builder.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/tape.hpp"
#include "varia/mechanics/time_transform.hpp"
#include "varia/verify/differences.hpp"

namespace varia::io {

namespace {

using detail::sz;

}  // namespace

void ModelBuilder::read_points() {
  struct Target {
    const Factor* factor;
    double* entries;
    int degree;
  };
  std::unordered_map<std::string, Target> targets;
  for (const auto& b : layout_.blocks)
    for (int k = 0; k < b.count; ++k)
      targets[b.point(k)] = {b.factor.get(), model_.q0.data() + b.entry + k * b.factor->entries(),
                             b.degree + k * b.factor->dof()};
  EntryScope scope(parameters_);
  for (const PointStart& point : scenario_.start.points) {
    GivenPoint given{point.form, {}};
    std::vector<double> x;
    for (const Text& text : point.numbers) {
      given.numbers.push_back(parse(scope.at(point.index, point.indexed, point.second), text));
      x.push_back(constant_value(*graph_, given.numbers.back(), text));
    }
    const Target& target = targets.at(point.name);
    try {
      target.factor->read_point(point.form, x.data(), target.entries);
      differentiate_point(given, *target.factor, target.degree, target.entries);
    } catch (const InvalidArgument& error) {
      throw ScenarioError(point.place, "start." + point.name, error.what());
    }
    points_[point.name] = std::move(given);
  }
}

/// Formulas as functions of the change of one free parameter.
std::function<std::vector<double>(double)> ModelBuilder::along_parameter(
    const std::vector<Id>& formulas, std::size_t parameter) {
  const int index = expr::Graph::first_parameter + static_cast<int>(parameter);
  const auto tape = std::make_shared<const expr::Tape>(
      *graph_, expr::substitute(*graph_, formulas, {{index, graph_->variable(0)}}), 1);
  const double value = graph_->parameters()[parameter];
  return [tape, value](double change) {
    std::vector<double> work(tape->instructions().size());
    std::vector<double> numbers(sz(tape->outputs()));
    const double x = value + change;
    tape->evaluate(&x, numbers.data(), work.data());
    return numbers;
  };
}

/// How a point that is stated in one of its forms moves with the free parameters.
void ModelBuilder::differentiate_point(const GivenPoint& point, const Factor& factor, int degree,
                                       const double* q) {
  for (std::size_t k = 0; k < model_.free.size(); ++k) {
    double fastest = 0.0;
    for (const Id f : point.numbers) fastest = std::max(fastest, std::abs(in_parameters(f)[k]));
    if (fastest == 0.0) continue;
    const auto numbers = along_parameter(point.numbers, k);
    const auto moved = [&](double change) {
      std::vector<double> entries(sz(factor.entries()));
      factor.read_point(point.form, numbers(change).data(), entries.data());
      Vn xi(factor.dof());
      factor.difference(q, entries.data(), Retraction::exponential, xi.data());
      return xi;
    };
    const Vn delta = derivative_at_zero(moved, 0.1 / fastest);
    for (int i = 0; i < factor.dof(); ++i) model_.free[k].delta[sz(degree + i)] = delta[i];
  }
}

/// How a velocity or momentum, of which `seen` is given, changes with the free parameters. Where it is
/// held as it is seen the formulas tell; else the lift moves with the point.
void ModelBuilder::differentiate_rates(const std::string& name, const Factor& factor, int degree,
                                       const double* q, const std::vector<Id>& seen) {
  for (std::size_t k = 0; k < model_.free.size(); ++k) {
    std::vector<double>& rates = model_.free[k].rates;
    if (factor.vertical() == 0) {
      for (int i = 0; i < factor.dof(); ++i) rates[sz(degree + i)] = in_parameters(seen[sz(i)])[k];
      continue;
    }
    const auto given = points_.find(name);
    std::function<std::vector<double>(double)> point;
    if (given != points_.end()) point = along_parameter(given->second.numbers, k);
    const auto vector = along_parameter(seen, k);
    const auto moved = [&](double change) {
      std::vector<double> entries(q, q + factor.entries());
      if (point) factor.read_point(given->second.form, point(change).data(), entries.data());
      Vn held(factor.dof());
      factor.read_vector(entries.data(), vector(change).data(), held.data());
      return held;
    };
    const Vn held = derivative_at_zero(moved, 0.1);
    for (int i = 0; i < factor.dof(); ++i) rates[sz(degree + i)] = held[i];
  }
}

/// Velocities or momenta, from what is seen of them.
void ModelBuilder::read_rates() {
  const Start& start = scenario_.start;
  struct Given {
    double value = 0.0;
    Place place;
    Id formula;
  };
  const Id zero = graph_->constant(0.0);
  std::unordered_map<std::string, Given> given;
  ComponentFormulas rates(scenario_.text, *graph_, parameters_);
  ComponentNumbers numbers(scenario_.text, numbers_, parameters_);
  for_entries(start.rates, [&](const Component& c) {
    if (model_.free.empty()) {
      given[c.component] = {numbers.of(c), c.text.place, zero};
      return;
    }
    const Id formula = rates.of(c);
    given[c.component] = {constant_value(*graph_, formula, c.text), c.text.place, formula};
  });
  for (const auto& b : layout_.blocks) {
    const Names& names = start.momenta ? b.notation().momenta : b.notation().velocities;
    for (int k = 0; k < b.count; ++k) {
      std::vector<double> seen;
      std::vector<Id> formulas;
      Place place;
      for (const std::string& suffix : names.suffixes) {
        const Given& one =
            given.try_emplace(b.name + suffix + b.index(k), Given{0.0, {}, zero}).first->second;
        if (seen.empty()) place = one.place;
        seen.push_back(one.value);
        formulas.push_back(one.formula);
      }
      const double* const q = model_.q0.data() + b.entry + k * b.factor->entries();
      const int degree = b.degree + k * b.factor->dof();
      try {
        b.factor->read_vector(q, seen.data(), &model_.rates0[sz(degree)]);
        differentiate_rates(b.point(k), *b.factor, degree, q, formulas);
      } catch (const InvalidArgument& error) {
        throw ScenarioError(
            place,
            "start." + b.name +
                (names.vectors.empty() ? names.suffixes.front() : names.vectors.front().suffix) +
                b.index(k),
            error.what());
      }
    }
  }
}

void ModelBuilder::read_start() {
  const Start& start = scenario_.start;
  model_.t0 = number(start.t);
  const std::vector<double> t_rates = in_parameters(parse(parameters_, start.t));
  for (std::size_t k = 0; k < model_.free.size(); ++k) model_.free[k].t = t_rates[k];
  model_.q0.assign(sz(layout_.entries), 0.0);
  for (const auto& at : model_.system->space.factors())
    at.factor->origin(model_.q0.data() + at.entry);
  model_.rates0.assign(sz(layout_.n), 0.0);
  struct Target {
    double* number;
    std::size_t degree;
  };
  std::unordered_map<std::string, Target> targets;
  for (const auto& b : layout_.blocks)
    for (int k = 0; k < b.count && b.notation().forms.empty(); ++k)
      targets[b.point(k)] = {model_.q0.data() + b.entry + k, sz(b.degree + k)};
  ComponentFormulas formulas(scenario_.text, *graph_, parameters_);
  ComponentNumbers numbers(scenario_.text, numbers_, parameters_);
  for_entries(start.positions, [&](const Component& c) {
    const Target& target = targets.at(c.component);
    if (model_.free.empty()) {
      *target.number = numbers.of(c);
      return;
    }
    const Id formula = formulas.of(c);
    *target.number = constant_value(*graph_, formula, c.text);
    const std::vector<double> slopes = in_parameters(formula);
    for (std::size_t k = 0; k < slopes.size(); ++k) model_.free[k].delta[target.degree] = slopes[k];
  });
  read_points();
  read_rates();
  if (!scenario_.control) check_start_values();
  if (!vakonomic_.empty()) require_vakonomic_start();
}

/// L, forces and constraints must have finite values and derivatives at the start.
void ModelBuilder::check_start_values() const {
  const KernelSystem& f = *model_.system;
  if (model_.hamiltonian) {
    expr::NameList names{model_.variable_names.front()};
    names.append(model_.entry_names);
    names.append(model_.momentum_names);
    const auto at = model_.hamiltonian->point(model_.t0, model_.q0.data(), model_.rates0.data());
    require_finite(model_.hamiltonian->hessian, at.data(), names, *scenario_.system.hamiltonian);
    return;
  }
  std::vector<double> x{model_.t0};
  x.insert(x.end(), model_.q0.begin(), model_.q0.end());
  if (scenario_.start.momenta)
    x.insert(x.end(), sz(layout_.n), 0.0);
  else
    x.insert(x.end(), model_.rates0.begin(), model_.rates0.end());
  const Text& text = scenario_.system.stated();
  const auto check = [&](const expr::Kernel& k, const Text& where) {
    require_finite(k, x.data(), model_.variable_names, where);
  };
  if (!scenario_.start.momenta) check(f.value, text);
  if (!scenario_.start.momenta) check(f.hessian, text);
  if (f.forced) check(f.force_derivative, scenario_.system.force.front().text);
  if (f.d > 0) check(f.constraint, *scenario_.system.constraint());
  if (f.e > 0 && !scenario_.start.momenta)
    check(f.nonholonomic, scenario_.system.nonholonomic.front().phi);
  if (f.rheonomic()) check(f.constraint_rate, *scenario_.system.constraint());
  check_alignment();
}

/// Axes that a joint holds parallel, and that are opposite, fulfil its equations as well.
void ModelBuilder::check_alignment() const {
  std::vector<Id> formulas;
  for (const JointFormulas& joint : joints_)
    formulas.insert(formulas.end(), joint.alignment.begin(), joint.alignment.end());
  if (formulas.empty()) return;
  std::vector<double> x{model_.t0};
  x.insert(x.end(), model_.q0.begin(), model_.q0.end());
  std::vector<double> cosines(formulas.size());
  kernel(formulas, 1 + layout_.entries)(x.data(), cosines.data());
  auto cosine = cosines.begin();
  for (const JointFormulas& joint : joints_)
    for (std::size_t k = 0; k < joint.alignment.size(); ++k, ++cosine)
      if (!(*cosine > 0.0))
        throw ScenarioError(scenario_.start.place, "start",
                            joint.name +
                                " holds axes parallel that are a right angle or more apart; turn "
                                "one of the bodies, or state the turn of the joint");
}

namespace {

Solver solver_of(const Text& text) {
  if (text.value == "newton") return Solver::newton;
  return text.value == "fixed_point" ? Solver::fixed_point : Solver::automatic;
}

}  // namespace

void ModelBuilder::read_run() {
  Run& run = scenario_.run;
  if (run.open_method()) choose_method();
  model_.method = told_at(run.method, [&] { return parse_method(run.method.value); });
  model_.options.retraction = retraction_of(run);
  model_.options.leave_out_dependent = run.leave_out_dependent;
  model_.options.solver = solver_of(run.solver);
  if (run.multiplier.value == "recompute") model_.options.multipliers = Multipliers::recompute;
  read_variable_steps();
  if (scenario_.control) return set_control_time();
  if (run.until) model_.span = number(*run.until) - model_.t0;
  if (run.open_step()) return read_tolerance();
  if (run.tolerance)
    throw ScenarioError(*run.tolerance,
                        "the tolerance is of a step that Varia measures, but step = " +
                            run.step.value + " is given; leave the step out, or the tolerance");
  const std::vector<double> step_rates = in_parameters(parse(parameters_, run.step));
  for (std::size_t k = 0; k < model_.free.size(); ++k) model_.free[k].h = step_rates[k];
  set_step(model_, run, number(run.step));
}

/// What a step that is left open depends on.
void ModelBuilder::read_tolerance() {
  const Run& run = scenario_.run;
  if (model_.method.asynchronous())
    throw ScenarioError(run.step,
                        "missing; with avi it must be given: the time between two synchronised "
                        "states, for example step = 0.05");
  if (!run.tolerance) return;
  if (model_.variable)
    throw ScenarioError(
        *run.tolerance,
        "the tolerance chooses a constant step; with pace or keep_energy steps vary");
  model_.choice.tolerance = number(*run.tolerance);
  if (!(model_.choice.tolerance > 0.0 && model_.choice.tolerance < 1.0))
    throw ScenarioError(*run.tolerance, "must be greater than 0 and less than 1, found " +
                                            varia::to_text(model_.choice.tolerance));
}

void set_step(Model& model, const Run& run, double step) {
  model.step = step;
  if (step == 0.0) throw ScenarioError(run.step, "the step must be a number other than 0, got 0");
  if (run.steps) {
    model.steps = *run.steps;
    model.span = static_cast<double>(model.steps) * step;
    return;
  }
  const std::string until = "until = " + varia::to_text(model.t0 + model.span);
  const double ratio = model.span / step;
  if (ratio < 0.0)
    throw ScenarioError(*run.until, until + " lies before t = " + varia::to_text(model.t0) +
                                        " for a step of " + varia::to_text(step));
  if (ratio > 1e15)
    throw ScenarioError(
        run.step, "the step is too small: until would need " + varia::to_text(ratio) + " steps");
  const double nearest = std::round(ratio);
  const bool whole = std::abs(ratio - nearest) <= 1e-6 * std::max(1.0, std::min(ratio, 1.0));
  model.steps = static_cast<long>(whole ? nearest : std::floor(ratio));
  if (model.variable) return;
  if (model.steps == 0 && model.span != 0.0)
    throw ScenarioError(
        run.step, "the step " + varia::to_text(step) +
                      " is longer than the run from t = " + varia::to_text(model.t0) + " to " +
                      until + ": not one fits. Take a step of at most " +
                      varia::to_text(std::abs(model.span)) + ", or a later until");
  if (!whole)
    model.notes.push_back("until is not a whole number of steps: the run ends at t = " +
                          varia::to_text(model.t0 + static_cast<double>(model.steps) * step));
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
  if (model_.system->degenerate)
    throw ScenarioError(text,
                        "steps of variable length need a Lagrangian that is quadratic in the "
                        "velocities; this one is linear");
  if (!model_.system->on_vector_space())
    throw ScenarioError(text,
                        "steps of variable length are for coordinates in R^n without rotations");
  if (model_.method.stages() == nullptr)
    throw ScenarioError(run.method,
                        model_.method.name() +
                            " cannot have steps of variable length. Allowed are methods "
                            "of stages: verlet, midpoint, gauss(s), lobatto(s), galerkin");
  VariableSteps variable;
  variable.keep_energy = run.keep_energy.has_value();
  variable.minimise = variable.keep_energy && run.keep_energy->value == "minimise";
  if (run.until) model_.end = number(*run.until);
  if (run.pace && run.pace->value != "auto") {
    const Id g = parse(configuration_, *run.pace);
    variable.pace = told_at(*run.pace, [&] { return step_function(*graph_, g, layout_.n); });
  }
  model_.variable = variable;
}

}  // namespace varia::io
