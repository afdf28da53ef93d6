// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/energy_momentum.hpp"

#include <algorithm>
#include <cmath>

#include "energy_search.hpp"
#include "stages.hpp"
#include "step_calls.hpp"
#include "varia/core/index.hpp"
#include "varia/flow/failure.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/mechanics/symbolic.hpp"
#include "variable_derivative.hpp"

namespace varia {

namespace {

using detail::sz;

void check_system(const Method& method, const KernelSystem& f) {
  if (method.stages() == nullptr)
    throw InvalidArgument(method.name() +
                          (method.baseline() ? " is not variational" : " is a composition") +
                          "; energy-momentum steps are for methods of stages such as midpoint, "
                          "verlet and gauss(s)");
  const auto refuse = [](const std::string& found) {
    throw InvalidArgument(
        "energy-momentum steps need a Lagrangian L(t, q, v) on R^n without force and constraint; "
        "this system has " +
        found + ". Use a fixed step");
  };
  if (!f.on_vector_space()) refuse("rotations");
  if (f.forced) refuse("a force");
  if (f.d > 0) refuse("constraints");
}

void check_options(const EnergyMomentumOptions& o) {
  if (!(o.shortest > 0.0 && o.shortest < 1.0 && o.longest > 1.0 && std::isfinite(o.longest)))
    throw InvalidArgument(
        "the bounds of the step in units of the first one must satisfy 0 < "
        "shortest < 1 < longest, got " +
        to_text(o.shortest) + " and " + to_text(o.longest));
  if (!(o.growth > 1.0 && std::isfinite(o.growth)))
    throw InvalidArgument("the largest ratio of two steps must be above 1, got " +
                          to_text(o.growth));
}

}  // namespace

// ---------------------------------------------------------------- memory

void EnergyMomentumFlow::Memory::exchange(SavedNumbers& numbers) {
  numbers(statistics, minimised_, first_, last_, before_, slope_, energy_, defect_, guess_);
  if (numbers.reading() && !(first_ >= 0.0 && std::isfinite(energy_))) numbers.refuse();
  tell();
}

void EnergyMomentumFlow::Memory::tell() {
  statistics.discrete_energy = energy_;
  statistics.minimised = minimised_;
}

// ---------------------------------------------------------------- set-up

EnergyMomentumFlow::EnergyMomentumFlow(Method method, std::shared_ptr<const KernelSystem> system,
                                       EnergyMomentumOptions energy, FlowOptions options)
    : MethodOnSystem(std::move(method), std::move(system)), energy_(energy), options_(options) {
  check_system(method_, *system_);
  check_options(energy_);
  detail::require_iterations(options_);
  if (system_->uses_time) rate_ = time_derivative(*system_);
}

int EnergyMomentumFlow::unknowns() const { return system_->n * method_.stages()->unknowns + 1; }

KernelList EnergyMomentumFlow::kernels() const {
  const detail::StepCalls calls = detail::solved_calls(method_);
  KernelList list = detail::stage_kernels(*system_, calls);
  list.push_back({system_->value, calls.all()});
  return list;
}

bool EnergyMomentumFlow::banded() const {
  return detail::Stages(*system_, *method_.stages(), options_.retraction).newton.jacobian.banded();
}

EnergyMomentumFlow::Memory EnergyMomentumFlow::memory(const VectorState& s) const {
  const int n = system_->n;
  detail::require_state(*system_, s);
  Memory memory;
  memory.stages_ =
      detail::make_hidden<detail::Stages>(*system_, *method_.stages(), options_.retraction);
  std::vector<double> v(sz(n), 0.0);
  LegendreTransform(*system_).velocity(s, v.data());
  for (int j = 0; j < method_.stages()->unknowns; ++j)
    memory.guess_.insert(memory.guess_.end(), v.begin(), v.end());
  return memory;
}

EnergyMomentumFlow::Memory EnergyMomentumFlow::memory(const VectorState& s, double energy,
                                                      double step) const {
  if (!std::isfinite(energy))
    throw InvalidArgument("the energy must be a finite number, got " + to_text(energy));
  detail::require_step(step);
  Memory m = memory(s);
  m.energy_ = energy;
  m.first_ = m.last_ = m.before_ = std::abs(step);
  return m;
}

void EnergyMomentumFlow::require_own(const Memory& memory) const {
  const detail::Stages* const stages = memory.stages_.get();
  if (stages == nullptr || &stages->f != system_.get() || &stages->k != method_.stages())
    throw InvalidArgument(
        "the memory is empty or was made by another flow; use memory(state) of this one");
}

VectorState EnergyMomentumFlow::steps(VectorState s, double h, long count, Memory& memory) const {
  detail::require_step(h);
  require_own(memory);
  for (long i = 0; i < count; ++i) {
    if (!memory.started()) start(s, h, memory);
    advance(s, h > 0.0 ? 1.0 : -1.0, memory);
  }
  return s;
}

const StepDerivative& EnergyMomentumFlow::differentiate(VectorState& s, double h,
                                                        Memory& memory) const {
  const VectorState start = s;
  const bool first = !memory.started();
  const long minimised = memory.minimised_;
  s = step(start, h, memory);
  if (memory.minimised_ != minimised)
    throw DomainError("the step from t = " + to_text(start.t) +
                      " has no derivative: no length of it keeps the energy");
  auto& derivative = memory.derivative_as<detail::EnergyMomentumDerivative>(
      *system_, *method_.stages(), options_.retraction);
  derivative.set(start, std::copysign(memory.last_, h), memory.guess_, s, first);
  return derivative;
}

// ---------------------------------------------------------------- one step at given h

std::optional<ExtendedStep> EnergyMomentumFlow::extended_step(const VectorState& s, double h,
                                                              Memory& memory) const {
  detail::require_step(h);
  require_own(memory);
  memory.trial_ = memory.guess_;
  return solve_stages(s, h, memory);
}

/// The stage equations from trial_.
std::optional<ExtendedStep> EnergyMomentumFlow::solve_stages(const VectorState& s, double h,
                                                             Memory& memory) const {
  detail::Stages& stages = *memory.stages_;
  stages.begin(s, h);
  stages.newton.x = memory.trial_;
  FlowStatistics& counts = memory.statistics;
  NewtonReport report = counts.counted(solve(options_.newton, stages.newton, stages));
  if (!report.converged) {
    std::vector<double> v(sz(system_->n), 0.0);
    LegendreTransform(*system_).velocity(s, v.data());
    stages.guess(v.data());
    report = counts.counted(solve(options_.newton, stages.newton, stages));
  }
  if (!report.converged) return std::nullopt;
  ExtendedStep step;
  step.end = s;
  step.stages = stages.newton.x;
  memory.trial_ = stages.newton.x;
  stages.finish(report.last_update);
  stages.end_step(step.end);
  if (s.branch.size() > 0) LegendreTransform(*system_).follow(step.end, stages.last_velocity());
  if (!options_.compensated) detail::drop_remainders(step.end);
  add_energies(*memory.stages_, h, step);
  if (!std::isfinite(step.energy_start) || !std::isfinite(step.energy_end)) return std::nullopt;
  return step;
}

/// (Ed) at the solution of the stage equations.
void EnergyMomentumFlow::add_energies(detail::Stages& stages, double h, ExtendedStep& step) const {
  const StageCoefficients& k = stages.k;
  const int n = system_->n;
  std::vector<double> g(sz(2 * n));
  double e = 0.0;
  for (int b = 0; b < n; ++b) {
    const double term = (step.end.p[b] + step.end.p_rest[b]) * (stages.shift()[b] / h);
    e += term;
    step.magnitude += std::abs(term);
  }
  double late = 0.0;   // Σ bᵢcᵢ (∂L/∂t)ᵢ
  double early = 0.0;  // Σ bᵢ(1-cᵢ) (∂L/∂t)ᵢ
  for (int i = 0; i < k.points; ++i) {
    const double c = k.c.hi[sz(i)];
    const double b = k.b.hi[sz(i)];
    const auto [x, displacement] = stages.at_point(i);
    double value = 0.0;
    double moved = 0.0;
    system_->value(x, &value);
    system_->gradient(x, g.data());
    for (int a = 0; a < n; ++a) moved += g[sz(a)] * displacement[a];
    e -= b * (value + moved);
    step.action += h * b * value;
    step.magnitude += std::abs(b * value) + std::abs(b * moved);
    if (!rate_) continue;
    double rate = 0.0;
    rate_(x, &rate);
    late += b * c * rate;
    early += b * (1.0 - c) * rate;
  }
  step.energy_start = e + h * early;
  step.energy_end = e - h * late;
  step.magnitude += std::abs(h * early) + std::abs(h * late);
}

// ---------------------------------------------------------------- h from the energy

/// E of the first step from its own h.
void EnergyMomentumFlow::start(const VectorState& s, double h, Memory& memory) const {
  const auto first = extended_step(s, h, memory);
  if (!first) {
    NewtonReport report;
    report.iterations = options_.newton.max_iterations;
    detail::not_solved(method_.name(), s.t, h, report);
  }
  memory.energy_ = first->energy_start;
  memory.first_ = memory.last_ = memory.before_ = std::abs(h);
}

void EnergyMomentumFlow::advance(VectorState& s, double sign, Memory& memory) const {
  memory.trial_ = memory.guess_;
  const auto residual = [&](double size) -> std::optional<detail::EnergySample> {
    const auto step = solve_stages(s, sign * size, memory);
    if (!step) return std::nullopt;
    return detail::EnergySample{size, step->energy_start - memory.energy_, step->magnitude};
  };
  const double expected = memory.last_ * (memory.last_ / memory.before_);
  detail::EnergySearch search;
  search.lowest = std::max(energy_.shortest * memory.first_, memory.last_ / energy_.growth);
  search.highest = std::min(energy_.longest * memory.first_, memory.last_ * energy_.growth);
  search.slope = memory.slope_;
  detail::EnergyRoot root = search.find(expected, residual);
  if (!root.found && !root.redundant && energy_.no_solution == NoEnergyStep::minimise) {
    search.lowest = memory.first_ / energy_.growth;
    search.highest = memory.first_ * energy_.growth;
    search.slope = 0.0;
    root = search.find(memory.first_, residual);
  } else if (!root.found) {
    detail::no_energy_step(method_.name(), s.t, sign, memory.energy_, search, root);
  }
  auto step = root.best ? solve_stages(s, sign * root.best->h, memory) : std::nullopt;
  if (!step) detail::no_energy_step(method_.name(), s.t, sign, memory.energy_, search, root);
  memory.defect_ = step->energy_start - memory.energy_;
  memory.energy_ += step->energy_end - step->energy_start;
  memory.before_ = root.found ? memory.last_ : root.best->h;
  memory.last_ = root.best->h;
  memory.slope_ = root.slope;
  memory.guess_ = std::move(step->stages);
  if (!root.found) ++memory.minimised_;
  memory.tell();
  memory.statistics.end_step();
  s = std::move(step->end);
}

}  // namespace varia
