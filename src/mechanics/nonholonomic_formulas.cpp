// SPDX-License-Identifier: BSD-3-Clause
#include "nonholonomic_formulas.hpp"

#include <algorithm>

#include "formulas.hpp"

namespace varia::detail {

namespace {

using expr::Id;

/// Whether any of these variables occurs.
bool depends_on(const expr::Graph& g, Id f, int first, int count) {
  const auto used = expr::variables_of(g, f);
  const auto at = std::lower_bound(used.begin(), used.end(), first);
  return at != used.end() && *at < first + count;
}

void require_velocities(const expr::Graph& g, const std::vector<Id>& phi, const KernelSystem& f) {
  for (std::size_t a = 0; a < phi.size(); ++a)
    if (!depends_on(g, phi[a], 1 + f.entries, f.n))
      throw InvalidArgument("nonholonomic constraint " + std::to_string(a + 1) +
                            " does not depend on any velocity: it is holonomic");
}

/// ∂Φ/∂t, where Φ depends on t.
void set_rate(expr::Graph& g, const std::vector<Id>& phi, KernelSystem& f) {
  const bool timed =
      std::any_of(phi.begin(), phi.end(), [&](Id id) { return depends_on(g, id, 0, 1); });
  if (!timed) return;
  std::vector<Id> rate;
  rate.reserve(phi.size());
  for (const Id id : phi) rate.push_back(expr::derivative(g, id, 0));
  f.nonholonomic_rate = kernel(g, rate, 1 + f.entries + f.n);
  f.uses_time = true;
}

/// f + (∂Φ/∂v)ᵀΛ, with variables from `first` on for Λ.
std::vector<Id> reaction(expr::Graph& g, const std::vector<Id>& phi, std::vector<Id> force,
                         const KernelSystem& f, int first) {
  if (force.empty()) force.assign(sz(f.n), g.constant(0.0));
  for (const expr::Entry& entry : expr::jacobian(g, phi, range(1 + f.entries, f.n))) {
    Id& component = force[sz(entry.column)];
    component = g.add(component, g.mul(entry.value, g.variable(first + entry.row)));
  }
  return force;
}

/// How Φ and (∂Φ/∂v)ᵀΛ change with t and the free parameters.
void set_reaction_rates(expr::Graph& g, const std::vector<Id>& phi, KernelSystem& f) {
  if (!f.nonholonomic_in_time() && f.free == 0) return;
  const int inputs = 1 + f.entries + f.n;
  std::vector<Id> terms = phi;
  const std::vector<Id> acting = reaction(g, phi, {}, f, inputs);
  terms.insert(terms.end(), acting.begin(), acting.end());
  f.nonholonomic_rates = rates_of(g, terms, inputs + f.e);
}

/// G v + ∂φ/∂t
std::vector<Id> hidden(expr::Graph& g, const std::vector<Id>& phi, const std::vector<Id>& gradient,
                       const KernelSystem& f) {
  std::vector<Id> result;
  result.reserve(phi.size());
  for (const Id id : phi) result.push_back(expr::derivative(g, id, 0));
  for (int e = 0; e < f.constraint_pattern.size(); ++e) {
    Id& sum = result[sz(f.constraint_pattern.row[sz(e)])];
    const Id v = g.variable(1 + f.entries + f.constraint_pattern.column[sz(e)]);
    sum = g.add(sum, g.mul(gradient[sz(e)], v));
  }
  return result;
}

}  // namespace

void set_nonholonomic(expr::Graph& g, const KernelFormulas& formulas,
                      const std::vector<Id>& gradient, const Displacement& delta, KernelSystem& f) {
  const std::vector<Id>& phi = formulas.nonholonomic;
  f.e = static_cast<int>(phi.size());
  if (f.e == 0) return;
  require_velocities(g, phi, f);
  const int inputs = 1 + f.entries + f.n;
  std::vector<int> variables = delta.variables();
  for (int i = 0; i < f.n; ++i) variables.push_back(1 + f.entries + i);
  const auto slopes = [&](const std::vector<Id>& functions) {
    return delta.at_rest(expr::jacobian(g, delta.displaced(functions), variables));
  };
  std::vector<Id> outputs = phi;
  f.nonholonomic_pattern = pattern(g, slopes(phi), outputs);
  f.nonholonomic = kernel(g, outputs, inputs);
  set_rate(g, phi, f);
  set_reaction_rates(g, phi, f);
  // Λ has variables behind those of δ while derivatives are taken, then those behind v.
  const int first = inputs + f.n;
  std::vector<Id> acting = reaction(g, phi, formulas.force, f, first);
  f.chetaev_pattern = pattern(g, slopes(acting), acting);
  acting = expr::substitute(g, acting, expr::renamed(g, first, inputs, f.e));
  f.chetaev = kernel(g, {acting.begin(), acting.begin() + f.n}, inputs + f.e);
  f.chetaev_derivative = kernel(g, acting, inputs + f.e);
  if (f.d == 0) return;
  outputs = hidden(g, formulas.constraints, gradient, f);
  f.hidden_pattern = pattern(g, slopes(outputs), outputs);
  f.hidden = kernel(g, outputs, inputs);
}

}  // namespace varia::detail
