// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <tuple>

#include "stepper_of.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/flow/discrete_lagrangian_flow.hpp"
#include "varia/flow/energy_momentum.hpp"
#include "varia/flow/flat_legendre.hpp"
#include "varia/flow/hamiltonian_flow.hpp"
#include "varia/flow/newmark_flow.hpp"
#include "varia/flow/shooting_flow.hpp"
#include "varia/flow/time_transformed.hpp"
#include "varia/io/asynchronous.hpp"
#include "varia/mechanics/dependent_constraints.hpp"

namespace varia::io {

namespace {

using V = Vector<double, Dynamic>;

/// Velocities from the momenta of a scenario.
V start_velocity(const Model& model, const V& q, const V& p) {
  const FlatSystem& f = *model.system;
  V v = V::Zero(f.n);
  try {
    FlatLegendre(f).velocity(model.t0, q.data(), p.data(), v.data());
  } catch (const SingularMass& error) {
    refuse_start(model, error);
  } catch (const Error& error) {
    refuse_start(model, error);
  }
  return v;
}

/// The state with configuration q and velocity v, moved onto the constraint if the scenario says so.
FlatState start_state(const Model& model, V q, V v) {
  const FlatView view(model.system);
  try {
    if (model.scenario.start.project) std::tie(q, v) = project(view, q, v, model.t0);
    refuse_dependent(model, q.data());
    FlatState s = initial(view, q, v, model.t0);
    if (!s.lambda.allFinite())
      throw ScenarioError(model.scenario.system.holonomic.front().phi,
                          "the constraints are dependent at the start: their gradients have a "
                          "vanishing combination, and the multipliers are not determined");
    return s;
  } catch (const ScenarioError&) {
    throw;
  } catch (const SingularMass& error) {
    refuse_start(model, error);
  } catch (const Error& error) {
    refuse_start(model, error);
  }
}

/// The start of a model.
FlatState flat_start(const Model& model) {
  const FlatSystem& f = *model.system;
  const V q = Eigen::Map<const V>(model.q0.data(), f.entries);
  V v = Eigen::Map<const V>(model.rates0.data(), f.n);
  if (model.scenario.start.momenta) v = start_velocity(model, q, v);
  check_start_point(model, v.data());
  if (f.separable && f.d == 0) {
    FlatState s = detail::make_state<V, Dynamic>(model.t0, q, V(V::Zero(f.n)), 0);
    FlatLegendre(f).momentum(model.t0, q.data(), v.data(), s.p.data());
    return s;
  }
  return start_state(model, q, v);
}

template <class F> class FlatStepper final : public StepperOf<F, FlatState> {
 public:
  FlatStepper(const Model& model, F flow, FlatState start)
      : StepperOf<F, FlatState>(model, std::move(flow), std::move(start)),
        legendre_(std::make_unique<FlatLegendre>(*model.system)) {}

 private:
  void velocity(const FlatState& s, double* v) const override {
    legendre_->velocity(s.t, s.q.data(), s.p.data(), v);
  }
  std::unique_ptr<FlatLegendre> legendre_;
};

/// On (q, p), without velocities but those of q̇ = ∂H/∂p.
class HamiltonianStepper final : public StepperOf<HamiltonianFlow, FlatState> {
 public:
  HamiltonianStepper(const Model& model, HamiltonianFlow flow, FlatState start)
      : StepperOf(model, std::move(flow), std::move(start)) {}

 private:
  void velocity(const FlatState& s, double* v) const override {
    const HamiltonianSystem& h = *flow_.hamiltonian();
    std::vector<double> slope(2 * static_cast<std::size_t>(h.n));
    h.gradient(h.point(s.t, s.q.data(), s.p.data()).data(), slope.data());
    std::copy(slope.begin() + h.n, slope.end(), v);
  }
};

std::unique_ptr<Stepper> hamiltonian_stepper(const Model& model) {
  const int n = model.hamiltonian->n;
  return std::make_unique<HamiltonianStepper>(
      model, HamiltonianFlow(model.method, model.hamiltonian, model.options),
      detail::make_state<V, Dynamic>(model.t0, V(Eigen::Map<const V>(model.q0.data(), n)),
                                     V(Eigen::Map<const V>(model.rates0.data(), n)), 0));
}

/// p = θ(q), and velocities from the equations of first order.
class OneFormStepper final : public StepperOf<OneFormFlow, FlatState> {
 public:
  OneFormStepper(const Model& model, OneFormFlow flow, FlatState start)
      : StepperOf(model, std::move(flow), std::move(start)) {}

 private:
  void velocity(const FlatState& s, double* v) const override {
    const Vector<double, Dynamic> rate = flow_.velocity(s);
    std::copy(rate.data(), rate.data() + rate.size(), v);
  }
};

std::unique_ptr<Stepper> one_form_stepper(const Model& model) {
  OneFormFlow flow = one_form_flow(model);
  try {
    FlatState start =
        flow.start(V(Eigen::Map<const V>(model.q0.data(), model.system->n)), model.t0);
    flow.velocity(start);
    return std::make_unique<OneFormStepper>(model, std::move(flow), std::move(start));
  } catch (const DomainError& error) {
    throw ScenarioError(model.scenario.system.stated(),
                        std::string("at the start: ") + error.what());
  }
}

template <class F> std::unique_ptr<Stepper> flat_stepper(const Model& model, F flow) {
  return std::make_unique<FlatStepper<F>>(model, std::move(flow), flat_start(model));
}

std::unique_ptr<Stepper> variable_stepper(const Model& model) {
  const VariableSteps& variable = *model.variable;
  if (!variable.keep_energy)
    return flat_stepper(
        model, TimeTransformedFlow(model.method, model.system, variable.pace, model.options));
  EnergyMomentumOptions energy;
  if (variable.minimise) energy.no_solution = NoEnergyStep::minimise;
  return flat_stepper(model, EnergyMomentumFlow(model.method, model.system, energy, model.options));
}

std::unique_ptr<Stepper> fixed_stepper(const Model& model) {
  if (model.method.baseline()) return flat_stepper(model, BaselineFlow(model.method, model.system));
  if (model.method.shooting())
    return flat_stepper(
        model, ShootingFlow(model.method, model.system, accelerations(model), model.options));
  if (model.method.own_lagrangian()) return flat_stepper(model, own_flow(model));
  if (model.method.newmark())
    return flat_stepper(model, NewmarkFlow(model.method, model.system, model.options));
  FlatFlow flow(model.method, model.system, model.options);
  flow.use_loop(model.explicit_loop);
  return flat_stepper(model, std::move(flow));
}

}  // namespace

OneFormFlow one_form_flow(const Model& model) {
  const auto& asked = model.scenario.run.projection;
  const OneFormProjection projection = !asked                        ? OneFormProjection::symmetric
                                       : asked->value == "each_step" ? OneFormProjection::each_step
                                       : asked->value == "none"      ? OneFormProjection::none
                                                                     : OneFormProjection::symmetric;
  return {model.method, model.one_form, projection, model.options};
}

DiscreteLagrangianFlow own_flow(const Model& model) {
  if (!model.discrete)
    throw InvalidArgument(model.method.name() +
                          " needs a formula: discrete_lagrangian in [system], a function of the "
                          "coordinates x_0, x_1 at the ends of a step and of h");
  return DiscreteLagrangianFlow(model.discrete, model.options);
}

void refuse_dependent(const Model& model, const double* q) {
  if (model.system->d == 0 || model.options.leave_out_dependent) return;
  const ConstraintRank rank = dependent_constraints(*model.system, q, model.t0);
  if (rank.independent()) return;
  for (const Dependency& d : rank.dependencies)
    if (std::abs(d.value) > 1e-6)  // far beyond what a start is moved by
      throw ScenarioError(model.scenario.system.holonomic.front().phi,
                          "the constraints contradict each other at the start: " +
                              to_text(d, model.constraint_texts) + ", but their values differ by " +
                              varia::to_text(std::abs(d.value)) +
                              ", so that they cannot all vanish near it");
  throw ScenarioError(
      model.scenario.system.holonomic.front().phi,
      "the constraints are dependent at the start: " + to_text(rank, model.constraint_texts) +
          ". Leave out those that follow from others, or let Varia do so: "
          "dependent_constraints = \"leave_out\" in [run]");
}

void check_start_point(const Model& model, const double* v) {
  const auto x = model.system->point(model.t0, model.q0.data(), v);
  std::string problem = model.system->value.tape().non_finite(x.data(), model.variable_names);
  if (problem.empty())
    problem = model.system->hessian.tape().non_finite(x.data(), model.variable_names);
  const auto& s = model.scenario.system;
  if (!problem.empty())
    throw ScenarioError(s.stated(), "has no finite value or derivative at the start: " + problem);
}

void refuse_start(const Model& model, const SingularMass& error) {
  std::string text = error.what();
  bool no_inertia = true;  // no second derivative in two velocities
  for (const int column : model.system->second.column)
    no_inertia = no_inertia && column < model.system->n;
  if (no_inertia)
    text +=
        ". The Lagrangian is degenerate: it has no term quadratic in the velocities. Where "
        "coordinates and momenta are known, state the system by its hamiltonian";
  throw ScenarioError(model.scenario.system.stated(), text);
}

void refuse_start(const Model& model, const Error& error) {
  std::string text = error.what();
  const auto hint = text.find(", or use project(");
  if (hint != std::string::npos)
    text = text.substr(0, hint) + ", or let Varia move it: project = true in [start]";
  throw ScenarioError(model.scenario.start.place, "start", text);
}

std::unique_ptr<Stepper> make_stepper(const Model& model) {
  if (is_asynchronous(model.method)) return make_asynchronous_stepper(model);
  if (!model.system->flat() && (model.method.baseline() || model.method.has_own_flow()))
    throw ScenarioError(model.scenario.run.method,
                        model.method.name() +
                            " cannot stay on a Lie group: it is for coordinates in R^n. "
                            "Use a variational method (varia list methods)");
  try {
    if (model.hamiltonian) return hamiltonian_stepper(model);
    if (model.one_form) return one_form_stepper(model);
    return model.variable ? variable_stepper(model) : fixed_stepper(model);
  } catch (const ScenarioError&) {
    throw;
  } catch (const InvalidArgument& error) {
    throw ScenarioError(model.scenario.run.method, error.what());
  }
}

}  // namespace varia::io
