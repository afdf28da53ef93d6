// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/diagnostics.hpp"

#include <algorithm>
#include <cmath>

#include "varia/io/asynchronous.hpp"
#include "varia/verify/modified_energy.hpp"

namespace varia::io {

namespace {

using FlatVector = Vector<double, Dynamic>;

FlatState state_of(const Snapshot& s) {
  const auto n = static_cast<Eigen::Index>(s.p.size());
  return detail::make_state<FlatVector, Dynamic>(
      s.t, FlatVector(Eigen::Map<const FlatVector>(s.q.data(), n)),
      FlatVector(Eigen::Map<const FlatVector>(s.p.data(), n)), 0);
}

/// ξ as a function of q: a kernel of (t, q, v, p) with generators one after the other.
GeneratorField generator_of(const expr::Kernel& kernel, int n, int inputs, int which) {
  return [kernel, n, inputs, which](const FlatVector& q) {
    std::vector<double> x(static_cast<std::size_t>(inputs), 0.0);
    std::copy(q.data(), q.data() + n, x.begin() + 1);
    FlatVector all(kernel.tape().outputs());
    kernel(x.data(), all.data());
    return FlatVector(all.segment(static_cast<Eigen::Index>(which) * n, n));
  };
}

}  // namespace

Diagnostics::Diagnostics(const Model& model) : model_(model) {
  prepare_modified_energy();
  prepare_heat();
  prepare_balance();
}

/// The flow whose discrete Lagrangian is looked at.
FlatFlow Diagnostics::flow(const Text& asked) const {
  const char* found = nullptr;
  if (!model_.system->flat()) found = "has rotations among its coordinates";
  if (model_.hamiltonian) found = "is stated by a Hamiltonian without a Lagrangian";
  if (model_.variable) found = "has steps of variable length";
  if (found)
    throw ScenarioError(asked, std::string("is for Lagrangians on R^n with steps of fixed length; "
                                           "this scenario ") +
                                   found);
  if (is_asynchronous(model_.method) || model_.method.has_own_flow() || model_.method.baseline())
    throw ScenarioError(asked, "is for methods of stages and compositions of them; " +
                                   model_.method.name() + " is none");
  try {
    return FlatFlow(model_.method, model_.system, model_.options);
  } catch (const InvalidArgument& error) {
    throw ScenarioError(asked, error.what());
  }
}

void Diagnostics::prepare_modified_energy() {
  const auto& asked = model_.scenario.diagnose.modified_energy;
  if (!asked) return;
  try {
    if (asked->value == "shadow") {
      modified_ = ShadowFunction(flow(*asked), model_.step);
      return;
    }
    if (!model_.method.newmark()) flow(*asked);
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
  try {
    step_balance_.emplace(flow(*asked));
  } catch (const ScenarioError&) {
    throw;
  } catch (const InvalidArgument& error) {
    throw ScenarioError(*asked, error.what());
  }
  const int inputs = static_cast<int>(model_.variable_names.size());
  for (const SymmetryText& symmetry : model_.scenario.system.symmetry) {
    generators_.push_back(generator_of(model_.generators, model_.system->n, inputs,
                                       static_cast<int>(balances_.size())));
    balances_.push_back({symmetry.name});
  }
}

std::vector<std::string> Diagnostics::names() const {
  std::vector<std::string> names;
  if (modified_) names.emplace_back("modified_energy");
  if (heat_) names.insert(names.end(), {"kinetic_energy", "heat"});
  for (const Balance& b : balances_) {
    names.push_back(b.name + "_by_lagrangian");
    names.push_back(b.name + "_by_force");
  }
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
}

void Diagnostics::step(const Snapshot& before, const Snapshot& after, double h) {
  FlatState z = state_of(before);
  const FlatState end = state_of(after);
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

void Diagnostics::fill(Summary& summary) const {
  summary.diagnose = {};
  if (modified_) summary.diagnose.modified_energy = Summary::ModifiedEnergy{modified_order_};
  if (heat_) {
    const FlatSystem& f = *model_.system;
    const int free = f.n - static_cast<int>(f.space.vertical().size()) - f.d;
    summary.diagnose.heat = Summary::Heat{heat_now_, heat_now_ / std::max(free, 1), free};
  }
  for (const Balance& b : balances_)
    summary.diagnose.balance.emplace_back(b.name,
                                          Summary::Balance{b.by_lagrangian, b.by_force, b.defect});
}

std::vector<double> Diagnostics::save() const {
  std::vector<double> out;
  if (heat_) {
    out = heat_->save();
    out.push_back(heat_now_);
  }
  for (const Balance& b : balances_) out.insert(out.end(), {b.by_lagrangian, b.by_force, b.defect});
  return out;
}

void Diagnostics::load(const std::vector<double>& data) {
  const std::size_t of_heat = heat_ ? heat_->save().size() + 1 : 0;
  if (data.size() != of_heat + 3 * balances_.size())
    throw InvalidArgument("the first run had another [diagnose] than the scenario");
  if (heat_) {
    heat_->load({data.begin(), data.begin() + static_cast<std::ptrdiff_t>(of_heat) - 1});
    heat_now_ = data[of_heat - 1];
  }
  const double* x = data.data() + of_heat;
  for (Balance& b : balances_) {
    b.by_lagrangian = *x++;
    b.by_force = *x++;
    b.defect = *x++;
  }
}

}  // namespace varia::io
