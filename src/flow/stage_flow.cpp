// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/stage_flow.hpp"

#include <algorithm>
#include <cmath>

#include "inverse_work.hpp"
#include "leg_derivative.hpp"
#include "stage_derivative.hpp"
#include "stage_solver.hpp"
#include "step_calls.hpp"
#include "varia/core/counted.hpp"
#include "varia/core/index.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/explicit_source.hpp"
#include "varia/flow/failure.hpp"

namespace varia {

using detail::sz;

void StageFlow::Memory::exchange(SavedNumbers& numbers) {
  numbers(statistics);
  exchange_solvers(numbers);
  numbers(statistics.iterated, statistics.driver_work);
}

void StageFlow::Memory::exchange_solvers(SavedNumbers& numbers) {
  if (solver) numbers(*solver);
  for (const auto& part : parts) part->exchange_solvers(numbers);
}

std::vector<double> StageFlow::Memory::velocities() const {
  if (solver == nullptr) return {};
  const detail::Stages& stages = solver->stages;
  const auto& x = stages.newton.x;
  return {x.begin(), x.begin() + static_cast<std::ptrdiff_t>(stages.r) * stages.n};
}

StageFlow::StageFlow(Method method, std::shared_ptr<const KernelSystem> system, FlowOptions options)
    : MethodOnSystem(std::move(method), std::move(system)), options_(options) {
  detail::require_discrete_flow(method_, options_);
  if (method_.needs_separable() && !system_->hamiltonian) require_separable();
  if (system_->d + system_->e > system_->n && !options_.leave_out_dependent)
    throw InvalidArgument("the system has " + counted(system_->d + system_->e, "constraint") +
                          " on " + counted(system_->n, "degree of freedom", "degrees of freedom") +
                          "; at most " + std::to_string(system_->n) + " can be independent");
  if (system_->d > 0 && method_.constrained_order() == 0)
    detail::refuse_constraints(method_.name(), method_.order());
  if (system_->e > 0 && !method_.holds_nonholonomic()) detail::refuse_nonholonomic(method_.name());
  if (!detail::StageSolver::may_iterate(*system_) && options_.solver == Solver::fixed_point)
    throw InvalidArgument(
        "the solver fixed_point is for systems with a Lagrangian and without constraints; use "
        "newton "
        "or auto");
  if (!system_->on_vector_space()) require_symmetric_parts(method_);
  if (!system_->separable || system_->hamiltonian) return;
  for (const double mass : system_->mass_diagonal) inverse_diagonal_.push_back(1.0 / mass);
  if (system_->mass_diagonal.empty()) inverse_mass_ = system_->mass.inverse();
}

void StageFlow::require_separable() const {
  const auto refuse = [&](const char* found) {
    detail::refuse_not_separable(method_.name(), found);
  };
  if (!system_->on_vector_space()) refuse("this system is on a Lie group");
  if (!system_->separable) refuse("this Lagrangian is of another form");
  if (system_->forced) refuse("this system has a force");
  if (system_->d > 0) refuse("this system has constraints");
}

/// On a curved space parts that a composition takes for symmetric may not be.
void StageFlow::require_symmetric_parts(const Method& method) const {
  const bool pairs = method.rests_on() == RestsOn::adjoint_pairs;
  for (const auto& [part, fraction] : method.substeps()) {
    if (method.rests_on_symmetry() &&
        (options_.retraction == Retraction::cayley || !(pairs || part.symmetric_on_groups())))
      throw InvalidArgument(method.name() + " cannot have order " + std::to_string(method.order()) +
                            " on a Lie group: " + part.name() +
                            (pairs ? " has another adjoint there" : " is not symmetric there") +
                            ". Use midpoint, trapezoid or verlet with "
                            "the exponential retraction, or gauss(s) and lobatto(s) directly");
    require_symmetric_parts(part);
  }
}

/// Whether the adjoint of a stage method is that of the reversed coefficients. On a curved space it is
/// none, nor where a step begins with multipliers of the motion: its adjoint ends with them.
bool StageFlow::reverses_stages(const Method& method) const {
  return system_->on_vector_space() &&
         (system_->e == 0 || options_.multipliers == Multipliers::propagate ||
          !method.begins_with_multipliers());
}

bool StageFlow::needs_inverse(const Method& method) const {
  return !reverses_stages(method) && method.adjoint_of() != nullptr &&
         method.adjoint_of()->stages() != nullptr;
}

/// F⁻ʰ Fʰ = id
bool StageFlow::reversible() const {
  if (method_.symmetric_with_any_retraction()) return true;
  if (system_->on_vector_space()) return method_.symmetric() && reverses_stages(method_);
  return method_.symmetric_on_groups() && options_.retraction != Retraction::cayley;
}

bool StageFlow::is_explicit(const Method& method) const {
  if (!options_.prefer_explicit || !system_->separable || system_->acts() || system_->d > 0)
    return false;
  if (method.substeps().empty()) return method.explicit_alpha().has_value();
  return std::all_of(method.substeps().begin(), method.substeps().end(),
                     [&](const auto& part) { return is_explicit(part.first); });
}

bool StageFlow::differentiable() const { return without_derivative() == nullptr; }

/// What keeps steps from having a derivative; null where they have one.
const char* StageFlow::without_derivative() const {
  if (system_->d + system_->e > 0 && has_inverse(method_))
    return "with constraints where an adjoint is found by iteration";
  if (system_->e == 0) return nullptr;
  if (!begins_at_points(method_))
    return "with nonholonomic constraints in the middle of a step; those of nh_lobatto(s) have one";
  if (options_.multipliers == Multipliers::recompute &&
      !detail::MultiplierDerivative::possible(*system_))
    return "where multipliers are computed anew from C++ functions; propagate them, or state the "
           "system by formulas";
  return nullptr;
}

/// Whether nonholonomic constraints stand at the points of its steps, (rolling).
bool StageFlow::begins_at_points(const Method& method) const {
  if (const StageCoefficients* k = method.stages()) return k->ends;
  return std::all_of(method.substeps().begin(), method.substeps().end(),
                     [&](const auto& part) { return begins_at_points(part.first); });
}

bool StageFlow::has_inverse(const Method& method) const {
  return needs_inverse(method) ||
         std::any_of(method.substeps().begin(), method.substeps().end(),
                     [&](const auto& part) { return has_inverse(part.first); });
}

/// The stage equations of the first part of the method.
const detail::Stages& StageFlow::first_stages(std::unique_ptr<detail::Stages>& made) const {
  const Method* m = &method_;
  while (!m->stages()) m = &m->substeps().front().first;
  made = std::make_unique<detail::Stages>(*system_, *m->stages(), options_.retraction);
  return *made;
}

int StageFlow::unknowns() const {
  std::unique_ptr<detail::Stages> made;
  return is_explicit() ? 0 : first_stages(made).newton.size;
}

bool StageFlow::banded() const {
  std::unique_ptr<detail::Stages> made;
  return !is_explicit() && first_stages(made).newton.jacobian.banded();
}

int StageFlow::bandwidth() const {
  std::unique_ptr<detail::Stages> made;
  return is_explicit() ? 0 : first_stages(made).newton.jacobian.bandwidth();
}

/// The constraints at the start that follow from others.
std::vector<int> StageFlow::dependent(const VectorState& s) const {
  const ConstraintRank rank = dependent_constraints(*system_, s.q.data(), s.t);
  if (const int a = rank.without_gradient(); a >= 0)
    throw DependentConstraints(
        "the gradient of constraint " + std::to_string(a + 1) +
            " vanishes at the start: it does not say in which directions it holds the motion. "
            "Write it such that its gradient is not 0 where it is satisfied",
        rank);
  if (!rank.independent() && !options_.leave_out_dependent)
    throw DependentConstraints(
        "the constraints are dependent at the start: " + to_text(rank) +
            ". Leave out those that follow from others, or set leave_out_dependent",
        rank);
  return rank.left_out();
}

StageFlow::Memory StageFlow::make_memory(const Method& method,
                                         const std::vector<int>& left_out) const {
  Memory memory;
  memory.left_out = left_out;
  if (is_explicit(method)) {
    memory.legs = explicit_legs(method);
    memory.work.assign(sz(2 + 6 * system_->n), 0.0);
  } else if (needs_inverse(method)) {
    memory.inverse = detail::make_hidden<detail::InverseWork>(
        *system_, left_out, options_.multipliers == Multipliers::recompute);
    for (int i = 0; i < 2; ++i)
      memory.parts.push_back(std::make_unique<Memory>(make_memory(*method.adjoint_of(), left_out)));
  } else if (const StageCoefficients* k = method.stages()) {
    memory.solver = detail::make_hidden<detail::StageSolver>(*system_, *k, options_, left_out);
  } else {
    for (const auto& part : method.substeps())
      memory.parts.push_back(std::make_unique<Memory>(make_memory(part.first, left_out)));
  }
  return memory;
}

StageFlow::Memory StageFlow::memory(const VectorState& s) const {
  detail::require_state(*system_, s);
  return make_memory(method_, dependent(s));
}

KernelList StageFlow::kernels() const {
  if (!is_explicit()) return detail::stage_kernels(*system_, detail::solved_calls(method_));
  const auto gradients = static_cast<double>(explicit_legs(method_)->count());
  return {{system_->potential_gradient, gradients, 0.0, has_explicit_source(*system_)}};
}

/// Nonholonomic mechanics is not variational: there is neither a symplectic form nor an action.
FlowLaws StageFlow::rolling_laws(FlowLaws laws) const {
  laws.action = laws.symplectic = false;
  laws.notes.emplace_back(
      "nonholonomic constraints: the motion is not symplectic, and has no action");
  return laws;
}

FlowLaws StageFlow::laws() const {
  FlowLaws laws;
  laws.action = true;
  laws.reversible = reversible();
  if (!laws.reversible)
    laws.notes.push_back(method_.name() + " is not symmetric here: reversibility is not promised");
  if (system_->e > 0) return rolling_laws(laws);
  laws.symplectic = !system_->forced;
  if (system_->forced) laws.notes.emplace_back("forces act: the flow is not symplectic");
  return laws;
}

void StageFlow::move(VectorState& s, double h, long count, Memory& memory) const {
  detail::require_step(h);
  if (memory.legs && options_.compensated) {
    explicit_steps(*memory.legs, s, h, count, memory);
    memory.statistics.steps += count;
    return;
  }
  for (long i = 0; i < count; ++i) {
    advance(method_, s, h, memory);
    if (!options_.compensated) detail::drop_remainders(s);
    memory.statistics.end_step();
  }
}

const StepDerivative& StageFlow::differentiate(VectorState& s, double h, Memory& memory) const {
  detail::require_step(h);
  if (const char* found = without_derivative())
    throw InvalidArgument("the steps of " + method_.name() + " have no derivative " + found);
  advance(method_, s, h, memory, true);
  if (!options_.compensated) detail::drop_remainders(s);
  memory.statistics.end_step();
  return *memory.derivative;
}

double StageFlow::action(VectorState& s, double h) const {
  detail::require_step(h);
  if (system_->e > 0) throw InvalidArgument("with nonholonomic constraints there is no action");
  FlowOptions by_stages = options_;
  by_stages.prefer_explicit = false;
  const StageFlow flow(method_, system_, by_stages);
  Memory memory = flow.memory(s);
  return flow.action(method_, s, h, memory);
}

double StageFlow::action(const Method& method, VectorState& s, double h, Memory& memory) const {
  if (memory.solver) {
    const VectorState start = s;
    stage_step(method, s, h, memory);
    memory.solver->stages.begin(start, h);
    return memory.solver->stages.action();
  }
  if (needs_inverse(method))
    throw InvalidArgument(method.name() + " has no action of its own on a Lie group");
  double sum = 0.0;
  for (std::size_t i = 0; i < memory.parts.size(); ++i) {
    const auto& [part, fraction] = method.substeps()[i];
    sum += action(part, s, fraction * h, *memory.parts[i]);
  }
  return sum;
}

void StageFlow::repeat(VectorState& s, double h, Memory& memory) const {
  stage_step(method_, s, h, memory, true);
}

const StepDerivative& StageFlow::repeat_differentiated(VectorState& s, double h,
                                                       Memory& memory) const {
  const VectorState start = s;
  repeat(s, h, memory);
  differentiate_stages(start, s, h, memory);
  return *memory.derivative;
}

void StageFlow::advance(const Method& method, VectorState& s, double h, Memory& memory,
                        bool differentiated) const {
  if (memory.legs) {
    if (differentiated) differentiate_legs(s, h, memory);
    explicit_steps(*memory.legs, s, h, 1, memory);
  } else if (memory.solver && differentiated) {
    const VectorState start = s;
    stage_step(method, s, h, memory);
    differentiate_stages(start, s, h, memory);
  } else if (memory.solver) {
    stage_step(method, s, h, memory);
  } else if (needs_inverse(method)) {
    inverse_step(*method.adjoint_of(), s, h, memory);
    if (differentiated) differentiate_inverse(*method.adjoint_of(), s, h, memory);
  } else {
    advance_parts(method, s, h, memory, differentiated);
  }
}

/// By the memory of one part; what it counts is counted in the whole.
void StageFlow::advance_part(const Method& part, VectorState& s, double h, Memory& memory,
                             std::size_t number, bool differentiated) const {
  Memory& inner = *memory.parts[number];
  inner.statistics.driver_work = 0.0;  // of this step alone: a restart sums the same numbers
  const FlowStatistics before = inner.statistics;
  advance(part, s, h, inner, differentiated);
  memory.statistics.add(inner.statistics, before);
  memory.statistics.driver_work += inner.statistics.driver_work;
}

void StageFlow::advance_parts(const Method& method, VectorState& s, double h, Memory& memory,
                              bool differentiated) const {
  for (std::size_t i = 0; i < memory.parts.size(); ++i) {
    const auto& [part, fraction] = method.substeps()[i];
    advance_part(part, s, fraction * h, memory, i, differentiated);
  }
  if (!differentiated || memory.derivative) return;
  std::vector<detail::ChainedDerivative::Part> chain;
  for (std::size_t i = 0; i < memory.parts.size(); ++i)
    chain.push_back({memory.parts[i]->derivative.get(), method.substeps()[i].second});
  memory.derivative = std::make_unique<detail::ChainedDerivative>(std::move(chain));
}

void StageFlow::differentiate_stages(const VectorState& start, const VectorState& end, double h,
                                     Memory& memory) const {
  detail::Stages& solved = memory.solver->stages;
  auto& derivative = memory.derivative_as<detail::StageDerivative>(
      *system_, solved.k, options_.retraction, memory.left_out);
  derivative.set(start, h, solved.unknowns());
  if (system_->e > 0 && options_.multipliers == Multipliers::recompute)
    derivative.recompute_multipliers(end);
}

void StageFlow::differentiate_legs(const VectorState& start, double h, Memory& memory) const {
  memory.derivative_as<detail::LegDerivative>(*system_, *memory.legs).set(start, h);
}

void StageFlow::differentiate_inverse(const Method& forward, const VectorState& end, double h,
                                      Memory& memory) const {
  VectorState image = end;
  advance_part(forward, image, -h, memory, 1, true);
  memory.derivative_as<detail::InverseDerivative>().set(*memory.parts[1]->derivative, system_->n);
}

void StageFlow::stage_step(const Method& method, VectorState& s, double h, Memory& memory,
                           bool repeated) const {
  detail::Stages& stages = memory.solver->stages;
  stages.begin(s, h);
  const NewtonReport report = repeated ? memory.solver->solve_again(s, h, guess_, memory.statistics)
                                       : memory.solver->solve(s, h, guess_, memory.statistics);
  if (!report.converged) fail(method, s, h, report, memory.left_out);
  if (!repeated) stages.predictor.push(h, stages.unknowns());
  stages.finish(report.last_update);
  detail::TurnCheck* const turn = stages.turns_far() ? memory.solver->turn() : nullptr;
  if (turn) turn->begin(s);
  stages.end_step(s);
  if (turn) require_turn(method, *turn, s, h, memory);
  memory.solver->recompute_multipliers(s);
  memory.solver->follow(s);
  memory.statistics.driver_work += stages.driver_work();
}

}  // namespace varia
