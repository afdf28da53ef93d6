// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/hamiltonian_flow.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "step_calls.hpp"
#include "varia/core/index.hpp"
#include "varia/solve/structured.hpp"

namespace varia {

namespace {

using detail::sz;

const Method& require_method(const Method& method, const HamiltonianSystem* system) {
  if (system == nullptr) throw InvalidArgument("HamiltonianFlow: there is no system");
  if (method.has_own_flow())
    throw InvalidArgument(method.name() +
                          " needs a Lagrangian with velocities; use a method of stages such as "
                          "gauss(2)");
  if (method.baseline())
    throw InvalidArgument(method.name() +
                          " is not variational and has no discrete flow of (q, p); use a "
                          "variational method such as gauss(2)");
  if (method.needs_separable() && !system->quadratic_kinetic)
    throw InvalidArgument(method.name() +
                          " has its order only for H = 1/2 p.A p + V(q) with a constant A; this "
                          "Hamiltonian is of another form. Use blanes_moan(4), blanes_moan(6), or "
                          "yoshida(order, method)");
  return method;
}

}  // namespace

HamiltonianFlow::HamiltonianFlow(const Method& method,
                                 std::shared_ptr<const HamiltonianSystem> system,
                                 FlowOptions options)
    : system_(std::move(system)), flow_(require_method(method, system_.get()), system_, options) {}

/// Whether some part has fewer unknown velocities than points: Hⁱ = ∂H/∂p can then be met only by
/// way of ∂²H/∂p².
bool HamiltonianFlow::needs_regular(const Method& method, bool explicit_allowed) const {
  if (explicit_allowed && flow_.with_method(method).is_explicit()) return false;
  if (const StageCoefficients* k = method.stages()) return k->points > k->unknowns;
  return std::any_of(method.substeps().begin(), method.substeps().end(),
                     [&](const auto& part) { return needs_regular(part.first, explicit_allowed); });
}

/// ∂²H/∂p² must be regular at the state.
void HamiltonianFlow::check_regular(const VectorState& s) const {
  const int n = system_->n;
  std::vector<double> second(sz(2 * n + system_->second.size()), 0.0);
  system_->hessian(system_->point(s.t, s.q.data(), s.p.data()).data(), second.data());
  Couplings c;
  for (int a = 0; a < n; ++a) c.groups.push_back({a});
  const auto for_each_entry = [&](const auto& visit) {
    for (int e = 0; e < system_->second.size(); ++e) {
      const int i = system_->second.row[sz(e)] - n;
      const int j = system_->second.column[sz(e)] - n;
      if (i >= 0 && j >= 0) visit(i, j, second[sz(2 * n + e)]);
    }
  };
  for_each_entry([&](int i, int j, double) { c.meeting.emplace_back(i, j); });
  StructuredLU lu;
  lu.resize(c);
  lu.set_zero();
  for_each_entry([&](int i, int j, double value) {
    lu.data()[lu.slot(i, j)] = value;
    lu.data()[lu.slot(j, i)] = value;
  });
  if (!lu.factor())
    throw InvalidArgument(
        method().name() +
        " has more quadrature points than unknown velocities and needs d2H/dp2 to be regular; it "
        "is "
        "singular at t = " +
        to_text(s.t) +
        " (the Hamiltonian is degenerate there). Use gauss(s), lobatto(s), midpoint, euler_a or "
        "euler_b, which need no such thing");
}

HamiltonianFlow::Memory HamiltonianFlow::memory(const VectorState& s) const {
  Memory memory = flow_.memory(s);
  if (needs_regular(method(), true)) check_regular(s);
  return memory;
}

Vn HamiltonianFlow::velocity(const VectorState& s) const {
  Vn slope(2 * system_->n);
  system_->gradient(system_->point(s.t, s.q.data(), s.p.data()).data(), slope.data());
  return slope.tail(system_->n);
}

double HamiltonianFlow::energy(const VectorState& s) const {
  return system_->energy(s.t, s.q.data(), s.p.data());
}

KernelList HamiltonianFlow::kernels() const {
  const HamiltonianSystem& h = *system_;
  if (is_explicit()) {
    const auto kicks = static_cast<double>(explicit_legs(method())->count());
    return {{h.value, 0.0, 1.0},
            {h.gradient, 0.0, 1.0},
            {h.velocity, kicks},
            {h.potential_gradient, kicks}};
  }
  const detail::StepCalls calls = detail::solved_calls(method());
  return {{h.value, 0.0, 1.0}, {h.gradient, calls.values, 1.0}, {h.hessian, calls.slopes}};
}

FlowLaws HamiltonianFlow::laws() const { return {true, method().symmetric(), true, false, {}}; }

double HamiltonianFlow::action(VectorState& s, double h) const {
  if (needs_regular(method(), false)) check_regular(s);
  return flow_.action(s, h);
}

}  // namespace varia
