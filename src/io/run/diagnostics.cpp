// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/diagnostics.hpp"

#include <algorithm>
#include <cmath>

#include "flow_of_model.hpp"
#include "generator_field.hpp"
#include "varia/verify/differences.hpp"
#include "varia/verify/modified_energy.hpp"

namespace varia::io {

namespace {

/// How ∂L/∂v changes along z and with the velocity.
Vn momentum_change(const KernelSystem& f, const VectorState& s, const double* v,
                   const PhaseVector& z, const Vn& dv) {
  const std::vector<double> x = f.point(s.t, s.q.data(), v);
  std::vector<double> second(static_cast<std::size_t>(2 * f.n + f.second.size()));
  f.hessian(x.data(), second.data());
  Vn change(2 * f.n);
  change << z.delta, dv;
  Vn nu = Vn::Zero(f.n);
  for (int e = 0; e < f.second.size(); ++e) {
    const auto at = static_cast<std::size_t>(e);
    const int i = f.second.row[at];
    const int j = f.second.column[at];
    const double value = second[static_cast<std::size_t>(2 * f.n) + at];
    if (i >= f.n) nu[i - f.n] += value * change[j];
    if (j >= f.n && i != j) nu[j - f.n] += value * change[i];
  }
  if (!f.rates) return nu;
  Vn rates(2 * f.n * (1 + f.free));
  f.rates(x.data(), rates.data());
  for (int s_ = 0; s_ <= f.free; ++s_)
    nu += (s_ == 0 ? z.t : z.free[s_ - 1]) * rates.segment((2 * s_ + 1) * f.n, f.n);
  return nu;
}

}  // namespace

Diagnostics::Diagnostics(const Model& model) : model_(model) {
  prepare_modified_energy();
  prepare_heat();
  prepare_balance();
  prepare_lyapunov();
  prepare_sensitivity();
}

/// The flow whose discrete Lagrangian is looked at.
StageFlow Diagnostics::stage_flow(const Text& asked) const {
  const char* found = nullptr;
  if (!model_.system->on_vector_space()) found = "has coordinates on a Lie group";
  if (model_.hamiltonian) found = "is stated by a Hamiltonian without a Lagrangian";
  if (model_.system->degenerate) found = "has a Lagrangian that is linear in the velocities";
  if (model_.variable) found = "has steps of variable length";
  if (model_.system->e > 0) found = "has nonholonomic constraints";
  if (found)
    throw ScenarioError(
        asked, std::string("is for Lagrangians on R^n with steps of fixed length; this scenario ") +
                   found);
  if (!model_.method.asynchronous())
    if (const AnyFlow flow = flow_of(model_); flow.stages()) return *flow.stages();
  throw ScenarioError(asked, "is for methods of stages and compositions of them; " +
                                 model_.method.name() + " is none");
}

/// The flow whose derivative is taken.
AnyFlow Diagnostics::differentiable_flow(const Text& asked) const {
  if (!model_.method.asynchronous())
    if (AnyFlow flow = flow_of(model_); flow.differentiable()) return flow;
  if (model_.system->e > 0)
    throw ScenarioError(asked, "needs the derivative of a step; " + model_.method.name() +
                                   " has none with these constraints, nh_lobatto(s) has one");
  throw ScenarioError(asked, "needs the derivative of a step; " + model_.method.name() +
                                 " has none, all other methods do");
}

void Diagnostics::prepare_modified_energy() {
  const auto& asked = model_.scenario.diagnose.modified_energy;
  if (!asked) return;
  try {
    if (asked->value == "shadow") {
      modified_ = ShadowFunction(stage_flow(*asked), model_.step);
      return;
    }
    if (!model_.method.newmark()) stage_flow(*asked);
    modified_order_ = modified_coefficients(model_.method).order;
    modified_ = ModifiedEnergy(model_.method, model_.system, model_.step, modified_order_);
  } catch (const ScenarioError&) {
    throw;
  } catch (const InvalidArgument& error) {
    std::string text = error.what();
    const auto hint = text.find(" Use shadow_energy");
    if (hint != std::string::npos)
      text =
          text.substr(0, hint) + " modified_energy = \"shadow\" works for every variational method";
    throw ScenarioError(*asked, text);
  }
}

void Diagnostics::prepare_heat() {
  const auto& asked = model_.scenario.diagnose.heat;
  if (!asked) return;
  if (model_.hamiltonian || !model_.structure.quadratic)
    throw ScenarioError(*asked,
                        "a kinetic energy is known for Lagrangians that are quadratic in the "
                        "velocities; this one is not");
  heat_.emplace(asked->value == "end_of_step" ? Sampling::end_of_step : Sampling::trapezoidal);
}

void Diagnostics::prepare_balance() {
  const auto& asked = model_.scenario.diagnose.balance;
  if (!asked) return;
  if (model_.scenario.system.symmetry.empty())
    throw ScenarioError(*asked, "there is no momentum to balance: [system.symmetry] is empty");
  told_at(*asked, [&] { step_balance_.emplace(stage_flow(*asked)); });
  for (const SymmetryText& symmetry : model_.scenario.system.symmetry) {
    generators_.push_back(generator_field(model_, balances_.size()));
    balances_.push_back({symmetry.name});
  }
}

void Diagnostics::prepare_lyapunov() {
  const auto& asked = model_.scenario.diagnose.lyapunov;
  if (asked) lyapunov_.emplace(differentiable_flow(*asked), start_of(model_));
}

/// The change of the start with a free parameter.
PhaseVector Diagnostics::start_change(std::size_t parameter, const VectorState& start,
                                      const double* v) const {
  const KernelSystem& f = *model_.system;
  const Model::FreeParameter& given = model_.free[parameter];
  const auto numbers = [&](const std::vector<double>& x) {
    return Vn(Eigen::Map<const Vn>(x.data(), f.n));
  };
  PhaseVector z = PhaseVector::zero(f.n, f.free);
  z.delta = numbers(given.delta);
  z.t = given.t;
  z.h = given.h;
  z.free[static_cast<Eigen::Index>(parameter)] = 1.0;
  z.nu = model_.scenario.start.momenta ? numbers(given.rates)
                                       : momentum_change(f, start, v, z, numbers(given.rates));
  return z;
}

void Diagnostics::prepare_sensitivity() {
  const auto& asked = model_.scenario.diagnose.sensitivity;
  if (asked.empty()) return;
  if (model_.scenario.start.project && model_.system->d + model_.system->e > 0)
    throw ScenarioError(
        asked.front(),
        "the start is projected onto the constraints, and how it moves there with a "
        "parameter is not followed. State a start that satisfies them, without "
        "project = true");
  const AnyFlow moved = differentiable_flow(asked.front());
  end_ = start_of(model_);
  Vn v = Vn::Zero(end_.p.size());  // where the search for it begins
  moved.velocity(end_, v.data(), moved.memory(end_));
  std::vector<PhaseVector> vectors;
  for (const Text& name : asked)
    for (std::size_t k = 0; k < model_.free.size(); ++k)
      if (model_.free[k].name == name.value) vectors.push_back(start_change(k, end_, v.data()));
  sensitivity_.emplace(moved, end_, std::move(vectors));
}

std::vector<std::string> Diagnostics::names() const {
  std::vector<std::string> names;
  if (modified_) names.emplace_back("modified_energy");
  if (heat_) names.insert(names.end(), {"kinetic_energy", "heat"});
  for (const Balance& b : balances_) {
    names.push_back(b.name + "_by_lagrangian");
    names.push_back(b.name + "_by_force");
  }
  if (lyapunov_) names.emplace_back("lyapunov");
  return names;
}

/// E(q, v) - E(q, 0) with E(q, 0) = -L(q, 0): ½vᵀMv, also where L has terms linear in v.
double Diagnostics::kinetic_energy(const Snapshot& s, double energy) const {
  std::vector<double> x{s.t};
  x.insert(x.end(), s.q.begin(), s.q.end());
  x.resize(x.size() + s.v.size(), 0.0);
  double at_rest = 0.0;
  model_.system->value(x.data(), &at_rest);
  return energy + at_rest;
}

void Diagnostics::append(const Snapshot& s, double energy, std::vector<double>& record) {
  if (modified_) record.push_back(modified_(state_of(s)));
  if (heat_) {
    const double kinetic = kinetic_energy(s, energy);
    heat_->add(s.t, kinetic);
    heat_now_ = heat_->duration() != 0.0 ? heat_->mean() : kinetic;
    record.insert(record.end(), {kinetic, heat_now_});
  }
  for (const Balance& b : balances_) record.insert(record.end(), {b.by_lagrangian, b.by_force});
  if (lyapunov_) record.push_back(lyapunov_->estimate().exponent);
}

void Diagnostics::step(const Snapshot& before, const Snapshot& after, double h) {
  const VectorState start = state_of(before);
  if (lyapunov_) lyapunov_->step(start, h);
  if (sensitivity_) {
    sensitivity_->step(start, h);
    end_ = state_of(after);
  }
  if (step_balance_) balance_step(start, state_of(after), h);
}

void Diagnostics::balance_step(const VectorState& before, const VectorState& end, double h) {
  VectorState z = before;
  std::vector<double> change;
  for (const GeneratorField& xi : generators_)
    change.push_back(end.p.dot(xi(end.q)) - z.p.dot(xi(z.q)));
  const std::vector<MomentumChange> parts = (*step_balance_)(z, h, generators_);
  for (std::size_t k = 0; k < balances_.size(); ++k) {
    Balance& b = balances_[k];
    b.by_lagrangian += parts[k].by_lagrangian;
    b.by_force += parts[k].by_force;
    b.defect = std::max(b.defect, std::abs(change[k] - parts[k].by_lagrangian - parts[k].by_force));
  }
}

/// What is seen of a tangent vector at the end: the rates of entries and of momenta.
std::pair<std::vector<double>, std::vector<double>> Diagnostics::seen_change(
    const PhaseVector& z) const {
  const KernelSystem& f = *model_.system;
  const auto numbers = [](const Vn& x) {
    return std::vector<double>(x.data(), x.data() + x.size());
  };
  if (!model_.seen) {
    Vn entries(f.entries);
    f.space.entry_rates(end_.q.data(), z.delta.data(), entries.data());
    return {numbers(entries), numbers(z.nu)};
  }
  const auto seen = [&](double size) {
    Vn x = Vn::Zero(1 + f.entries + 2 * f.n);  // (t, q, v, p), v is not looked at
    const Vn delta = size * z.delta;
    f.space.retract(end_.q.data(), delta.data(), Retraction::exponential, x.data() + 1);
    x.tail(f.n) = end_.p + size * z.nu;
    Vn all(model_.seen.tape().outputs());
    model_.seen(x.data(), all.data());
    return all;
  };
  const double fastest = std::max(z.delta.lpNorm<Eigen::Infinity>(), 1e-300);
  const Vn all = derivative_at_zero(seen, 0.1 / fastest);
  return {numbers(all.head(static_cast<Eigen::Index>(model_.entry_names.size()))),
          numbers(all.tail(static_cast<Eigen::Index>(model_.momentum_names.size())))};
}

void Diagnostics::fill(Summary& summary) const {
  summary.diagnose = {};
  if (modified_) summary.diagnose.modified_energy = Summary::ModifiedEnergy{modified_order_};
  if (heat_) {
    const KernelSystem& f = *model_.system;
    const int free = f.n - static_cast<int>(f.space.vertical().size()) - f.d - f.e;
    summary.diagnose.heat = Summary::Heat{heat_now_, heat_now_ / std::max(free, 1), free};
  }
  for (const Balance& b : balances_)
    summary.diagnose.balance.emplace_back(b.name,
                                          Summary::Balance{b.by_lagrangian, b.by_force, b.defect});
  if (lyapunov_) {
    const LyapunovEstimate e = lyapunov_->estimate();
    summary.diagnose.lyapunov = Summary::Lyapunov{e.exponent, e.error, e.megno};
  }
  for (std::size_t k = 0; sensitivity_ && k < sensitivity_->vectors().size(); ++k) {
    const PhaseVector& z = sensitivity_->vectors()[k];
    const auto [q, p] = seen_change(z);
    Summary::Sensitivity s{z.t, {}, {}};
    for (std::size_t i = 0; i < q.size(); ++i) s.q.emplace_back(model_.entry_names[i], q[i]);
    for (std::size_t i = 0; i < p.size(); ++i) s.p.emplace_back(model_.momentum_names[i], p[i]);
    summary.diagnose.sensitivity.emplace_back(model_.scenario.diagnose.sensitivity[k].value,
                                              std::move(s));
  }
}

void Diagnostics::exchange(SavedNumbers& numbers) {
  if (heat_) numbers(*heat_, heat_now_);
  for (Balance& b : balances_) numbers(b.by_lagrangian, b.by_force, b.defect);
  if (lyapunov_) numbers.part(*lyapunov_);
  if (sensitivity_) numbers.part(*sensitivity_);
}

}  // namespace varia::io
