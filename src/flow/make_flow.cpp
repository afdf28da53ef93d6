// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/make_flow.hpp"

#include "flow_of.hpp"
#include "varia/core/error.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/flow/discrete_lagrangian_flow.hpp"
#include "varia/flow/energy_momentum.hpp"
#include "varia/flow/failure.hpp"
#include "varia/flow/hamiltonian_flow.hpp"
#include "varia/flow/newmark_flow.hpp"
#include "varia/flow/rkmk_flow.hpp"
#include "varia/flow/shooting_flow.hpp"
#include "varia/flow/time_transformed.hpp"

namespace varia {

AnyFlow::AnyFlow(const StageFlow& flow)
    : flow_(std::make_shared<const detail::FlowOf<StageFlow>>(flow.method(), flow,
                                                              flow.shared_system())),
      system_(flow.shared_system()) {}

double energy(const KernelSystem& system, double t, const double* q, const double* v,
              const double* p) {
  double lagrangian = 0.0;
  system.value(system.point(t, q, v).data(), &lagrangian);
  double pairing = 0.0;
  for (int i = 0; i < system.n; ++i) pairing += p[i] * v[i];
  return pairing - lagrangian;
}

const StepDerivative& AnyFlow::differentiate(VectorState& s, double h, Memory& memory) const {
  const StepDerivative* derivative = flow_->differentiate(s, h, *memory.kept_);
  if (derivative == nullptr)
    throw InvalidArgument("the steps of " + method().name() + " have no derivative here");
  return *derivative;
}

namespace {

AnyFlow with_variable_steps(const Method& method, const std::shared_ptr<const KernelSystem>& system,
                            const FlowOptions& options, const VariableSteps& variable) {
  if (!variable.keep_energy)
    return detail::any_flow(method, TimeTransformedFlow(method, system, variable.pace, options),
                            system);
  EnergyMomentumOptions energy;
  if (variable.minimise) energy.no_solution = NoEnergyStep::minimise;
  return detail::any_flow(method, EnergyMomentumFlow(method, system, energy, options), system);
}

/// Steps of variable length are made from a Lagrangian that determines velocities.
void require_fixed_steps(const Statement& statement, const FlowKinds& kinds) {
  if (kinds.variable && (statement.hamiltonian || statement.lagrangian->degenerate))
    throw InvalidArgument(
        "steps of variable length need a Lagrangian whose momenta determine the velocities; this "
        "system has none");
}

AnyFlow by_shooting(const Method& method, const Statement& statement, const FlowOptions& options) {
  if (!statement.acceleration)
    throw InvalidArgument(method.name() +
                          " needs the accelerations of the system: see make_acceleration_system");
  return detail::any_flow(
      method, ShootingFlow(method, statement.lagrangian, statement.acceleration, options),
      statement.lagrangian);
}

void require_vector_space(const Method& method, const KernelSystem& system) {
  const Baseline* const baseline = method.baseline();
  if (!system.on_vector_space() && (method.has_own_flow() || (baseline && !baseline->on_groups())))
    throw InvalidArgument(method.name() +
                          " cannot stay on a Lie group: it is for coordinates in R^n. "
                          "Use a variational method (varia list methods)");
}

}  // namespace

void require_solver(const Method& method, const Statement& statement, const FlowOptions& options,
                    const FlowKinds& kinds) {
  if (options.solver != Solver::fixed_point || method.baseline()) return;
  const KernelSystem& system = *statement.lagrangian;
  const char* found = statement.hamiltonian     ? "this system is stated by a Hamiltonian"
                      : system.degenerate       ? "this Lagrangian is linear in the velocities"
                      : system.d + system.e > 0 ? "this system has constraints"
                      : kinds.variable          ? "these steps have a variable length"
                      : method.has_own_flow()   ? "this method has equations of its own"
                                                : nullptr;
  if (found != nullptr)
    throw InvalidArgument(
        std::string(
            "the solver fixed_point is for methods of stages with steps of given length, on "
            "Lagrangians that determine velocities, without constraints; ") +
        found + ". Use newton or auto");
}

AnyFlow make_flow(const Method& method, const Statement& statement, const FlowOptions& options,
                  const FlowKinds& kinds) {
  const std::shared_ptr<const KernelSystem>& system = statement.lagrangian;
  const auto any = [&](auto flow) { return detail::any_flow(method, std::move(flow), system); };
  require_vector_space(method, *system);
  require_fixed_steps(statement, kinds);
  require_solver(method, statement, options, kinds);
  if (system->e > 0 && (kinds.variable || statement.hamiltonian || system->degenerate))
    throw InvalidArgument(
        "nonholonomic constraints need a Lagrangian that is regular in the velocities, and steps "
        "of "
        "fixed length");
  if (system->e > 0 && !method.holds_nonholonomic()) detail::refuse_nonholonomic(method.name());
  if (statement.hamiltonian) return any(HamiltonianFlow(method, statement.hamiltonian, options));
  if (system->degenerate) return any(OneFormFlow(method, system, kinds.projection, options));
  if (kinds.variable) return with_variable_steps(method, system, options, *kinds.variable);
  if (const Baseline* baseline = method.baseline())
    return baseline->on_groups() ? any(RkmkFlow(method, system, options))
                                 : any(BaselineFlow(method, system));
  if (method.newmark()) return any(NewmarkFlow(method, system, options));
  if (method.shooting()) return by_shooting(method, statement, options);
  if (method.own_lagrangian()) {
    if (!statement.discrete)
      throw InvalidArgument(method.name() +
                            " needs a formula: discrete_lagrangian in [system], a function of the "
                            "coordinates x_0, x_1 at the ends of a step and of h");
    if (statement.discrete->n != system->n)
      throw InvalidArgument("the Lagrangian has " + std::to_string(system->n) +
                            " coordinates, the discrete Lagrangian " +
                            std::to_string(statement.discrete->n));
    return any(DiscreteLagrangianFlow(statement.discrete, options));
  }
  StageFlow flow(method, system, options);
  flow.use_loop(kinds.loop);
  return any(std::move(flow));
}

}  // namespace varia
