// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/make_kernel_system.hpp"

#include <Eigen/SparseCore>
#include <algorithm>

#include "formulas.hpp"
#include "nonholonomic_formulas.hpp"
#include "varia/core/index.hpp"
#include "varia/mechanics/displacement.hpp"

namespace varia {

namespace {

using detail::kernel;
using detail::pattern;
using detail::range;
using detail::rates_of;
using expr::Id;

using detail::sz;

/// The constant ∂²L/∂v², its diagonal alone where it has no other entries; false where it is not
/// constant or not regular, or L has terms that mix q with v.
bool constant_mass(const expr::Graph& g, const std::vector<Id>& second, KernelSystem& f) {
  std::vector<double> diagonal(sz(f.n), 0.0);
  std::vector<Eigen::Triplet<double>> others;
  for (int e = 0; e < f.second.size(); ++e) {
    const int i = f.second.row[sz(e)] - f.n;
    const int j = f.second.column[sz(e)] - f.n;
    if (i < 0) continue;
    if (j < 0 || !expr::variables_of(g, second[sz(e)]).empty()) return false;
    const double value = expr::number_of(g, second[sz(e)]);
    if (i == j)
      diagonal[sz(i)] = value;
    else
      others.emplace_back(i, j, value);
  }
  if (others.empty()) {
    if (std::find(diagonal.begin(), diagonal.end(), 0.0) != diagonal.end()) return false;
    f.mass_diagonal = diagonal;
    return true;
  }
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(f.n, f.n);
  for (int i = 0; i < f.n; ++i) mass(i, i) = diagonal[sz(i)];
  for (const auto& entry : others)
    mass(entry.row(), entry.col()) = mass(entry.col(), entry.row()) = entry.value();
  if (!Eigen::FullPivLU<Eigen::MatrixXd>(mass).isInvertible()) return false;
  f.mass = mass;
  return true;
}

/// The variables of v.
std::vector<int> velocities(const KernelSystem& f) { return range(1 + f.entries, f.n); }

/// q and v.
std::vector<int> motion(const KernelSystem& f, const Displacement& delta) {
  std::vector<int> variables = delta.variables();
  for (const int v : velocities(f)) variables.push_back(v);
  return variables;
}

bool contains_time(const expr::Graph& g, const std::vector<Id>& terms) {
  const auto used = expr::variables_of(g, terms);
  return std::binary_search(used.begin(), used.end(), 0);
}

bool mass_depends_on_velocity(const expr::Graph& g, const std::vector<Id>& second,
                              const KernelSystem& f) {
  std::vector<Id> mass;
  for (int e = 0; e < f.second.size(); ++e)
    if (f.second.row[sz(e)] >= f.n && f.second.column[sz(e)] >= f.n) mass.push_back(second[sz(e)]);
  const auto used = expr::variables_of(g, mass);
  return !used.empty() && used.back() > f.entries;
}

LagrangianDerivatives set_lagrangian(expr::Graph& g, Id lagrangian, const Displacement& delta,
                                     KernelSystem& f) {
  const int inputs = 1 + f.entries + f.n;
  const std::vector<int> variables = motion(f, delta);
  const std::vector<Id> moved = expr::gradient(g, delta.displaced(lagrangian), variables);
  LagrangianDerivatives d;
  d.gradient = delta.at_rest(moved);
  f.second = pattern(g, delta.at_rest(expr::hessian(g, moved, variables)), d.second);
  std::vector<Id> outputs = d.gradient;
  outputs.insert(outputs.end(), d.second.begin(), d.second.end());
  f.value = kernel(g, {lagrangian}, inputs);
  f.gradient = kernel(g, d.gradient, inputs);
  f.hessian = kernel(g, outputs, inputs);
  f.uses_time = contains_time(g, {lagrangian});
  if (f.uses_time) {
    std::vector<Id> rate;
    bool any = false;
    for (int i = 0; i < f.n; ++i) {
      rate.push_back(expr::derivative(g, d.gradient[sz(f.n + i)], 0));
      any = any || !g.is_constant(rate.back(), 0.0);
    }
    if (any) f.mass_rate = kernel(g, rate, inputs);
  }
  find_separable(g, d.gradient, d.second, f);
  f.nonlinear_momentum = mass_depends_on_velocity(g, d.second, f);
  return d;
}

void set_force(expr::Graph& g, const std::vector<Id>& force, const Displacement& delta,
               KernelSystem& f) {
  if (force.empty()) return;
  if (force.size() != sz(f.n))
    throw InvalidArgument("the force has " + std::to_string(force.size()) +
                          " components, but there are " + std::to_string(f.n) + " coordinates");
  std::vector<Id> outputs = force;
  f.force_pattern = pattern(
      g, delta.at_rest(expr::jacobian(g, delta.displaced(force), motion(f, delta))), outputs);
  f.force = kernel(g, force, 1 + f.entries + f.n);
  f.force_derivative = kernel(g, outputs, 1 + f.entries + f.n);
  f.forced =
      std::any_of(force.begin(), force.end(), [&](Id id) { return !g.is_constant(id, 0.0); });
  f.uses_time = f.uses_time || contains_time(g, force);
}

/// How ∂L/∂q + f and ∂L/∂v change with t and the free parameters.
void set_rates(expr::Graph& g, const std::vector<Id>& gradient, const std::vector<Id>& force,
               KernelSystem& f) {
  f.free = static_cast<int>(g.parameters().size());
  if (!f.uses_time && f.free == 0) return;
  std::vector<Id> terms = gradient;
  for (std::size_t i = 0; i < force.size(); ++i) terms[i] = g.add(terms[i], force[i]);
  f.rates = rates_of(g, terms, 1 + f.entries + f.n);
}

/// φ along (t + s, q exp(s v)), twice differentiated at s = 0.
void set_constraint_acceleration(expr::Graph& g, const std::vector<Id>& phi,
                                 const Displacement& delta, KernelSystem& f) {
  const int s = 1 + f.entries + 2 * f.n;
  std::vector<std::pair<int, Id>> along;
  if (f.rheonomic()) along.emplace_back(0, g.add(g.variable(0), g.variable(s)));
  for (int i = 0; i < f.n; ++i) {
    const int variable = delta.variables()[sz(i)];
    const Id moved = g.mul(g.variable(s), g.variable(1 + f.entries + i));
    const bool coordinate = variable <= f.entries;
    along.emplace_back(variable, coordinate ? g.add(g.variable(variable), moved) : moved);
  }
  std::vector<Id> rates = expr::substitute(g, delta.displaced(phi), along);
  for (int twice = 0; twice < 2; ++twice) {
    const std::vector<expr::Entry> entries = expr::jacobian(g, rates, {s});
    rates.assign(phi.size(), g.constant(0.0));
    for (const auto& entry : entries) rates[sz(entry.row)] = entry.value;
  }
  f.constraint_acceleration =
      kernel(g, expr::substitute(g, rates, {{s, g.constant(0.0)}}), 1 + f.entries + f.n);
}

/// ∂φ/∂t, where φ depends on t.
void set_constraint_rate(expr::Graph& g, const std::vector<Id>& phi, KernelSystem& f) {
  if (!contains_time(g, phi)) return;
  std::vector<Id> rate;
  rate.reserve(phi.size());
  for (const Id id : phi) rate.push_back(expr::derivative(g, id, 0));
  f.constraint_rate = kernel(g, rate, 1 + f.entries);
  f.uses_time = true;
}

/// How φ, G v + ∂φ/∂t and Gᵀλ change with t and the free parameters; `values` are φ and G.
void set_constraint_rates(expr::Graph& g, const std::vector<Id>& values, KernelSystem& f) {
  if (!f.rheonomic() && f.free == 0) return;
  const auto v = [&](int i) { return g.variable(1 + f.entries + i); };
  std::vector<Id> hidden;
  hidden.reserve(sz(f.d));
  for (int a = 0; a < f.d; ++a) hidden.push_back(expr::derivative(g, values[sz(a)], 0));
  std::vector<Id> reaction(sz(f.n), g.constant(0.0));
  for (int e = 0; e < f.constraint_pattern.size(); ++e) {
    const int a = f.constraint_pattern.row[sz(e)];
    const int i = f.constraint_pattern.column[sz(e)];
    const Id entry = values[sz(f.d + e)];
    hidden[sz(a)] = g.add(hidden[sz(a)], g.mul(entry, v(i)));
    reaction[sz(i)] = g.add(reaction[sz(i)], g.mul(entry, v(f.n + a)));
  }
  std::vector<Id> terms(values.begin(), values.begin() + f.d);
  terms.insert(terms.end(), hidden.begin(), hidden.end());
  terms.insert(terms.end(), reaction.begin(), reaction.end());
  f.constraint_rates = rates_of(g, terms, 1 + f.entries + f.n + f.d);
}

/// The result is the values of f.constraint_pattern.
std::vector<Id> set_constraints(expr::Graph& g, const std::vector<Id>& phi,
                                const Displacement& delta, KernelSystem& f) {
  f.d = static_cast<int>(phi.size());
  if (f.d == 0) return {};
  const int first_multiplier = 1 + f.entries + 2 * f.n;
  std::vector<Id> terms;
  for (int a = 0; a < f.d; ++a) {
    const auto used = expr::variables_of(g, phi[sz(a)]);
    if (used.empty() || used.back() < 1 || used.back() > f.entries)
      throw InvalidArgument(
          "constraint " + std::to_string(a + 1) + " must depend on " +
          (used.empty() || used.back() < 1 ? "some coordinate" : "q and t, and on nothing else"));
    terms.push_back(g.mul(g.variable(first_multiplier + a), phi[sz(a)]));
  }
  const std::vector<int>& variables = delta.variables();
  std::vector<Id> outputs = phi;
  f.constraint_pattern =
      pattern(g, delta.at_rest(expr::jacobian(g, delta.displaced(phi), variables)), outputs);
  std::vector<Id> curvature;
  const auto slope = expr::gradient(g, delta.displaced(g.sum(terms)), variables);
  f.curvature_pattern = pattern(g, delta.at_rest(expr::hessian(g, slope, variables)), curvature);
  const auto shift = expr::renamed(g, first_multiplier, 1 + f.entries, f.d);
  f.constraint = kernel(g, outputs, 1 + f.entries);  // of (t, q), the other one of (t, q, λ)
  f.constraint_curvature = kernel(g, expr::substitute(g, curvature, shift), 1 + f.entries + f.d);
  set_constraint_rate(g, phi, f);
  set_constraint_rates(g, outputs, f);
  set_constraint_acceleration(g, phi, delta, f);
  return {outputs.begin() + f.d, outputs.end()};
}

/// L + ½|v|² of the vertical degrees of freedom, which L does not see. Their momenta are conserved, and
/// 0 at the start: the motion is horizontal, that of L.
Id with_vertical(expr::Graph& g, const KernelFormulas& formulas) {
  Id sum = formulas.lagrangian;
  for (const int i : formulas.space.vertical()) {
    const Id v = g.variable(1 + formulas.space.entries() + i);
    sum = g.add(sum, g.mul(g.constant(0.5), g.mul(v, v)));
  }
  return sum;
}

/// Whether ∂²L/∂v² vanishes and some velocity occurs, on ℝⁿ.
bool linear_in_velocities(const expr::Graph& g, const std::vector<Id>& gradient,
                          const KernelSystem& f) {
  const bool no_mass = std::none_of(f.second.column.begin(), f.second.column.end(),
                                    [&](int column) { return column >= f.n; });
  return f.on_vector_space() && no_mass &&
         std::any_of(gradient.begin() + f.n, gradient.end(),
                     [&](Id p) { return !g.is_constant(p, 0.0); });
}

/// Variables behind those of q and v are for derivatives.
void check_inputs(const expr::Graph& g, const KernelFormulas& formulas) {
  std::vector<Id> all = formulas.force;
  all.push_back(formulas.lagrangian);
  all.insert(all.end(), formulas.nonholonomic.begin(), formulas.nonholonomic.end());
  const auto used = expr::variables_of(g, all);
  const int last = formulas.space.entries() + formulas.space.dof();
  if (!used.empty() && used.back() > last)
    throw InvalidArgument("a formula of the system depends on variable " +
                          std::to_string(used.back()) + "; those of t, q and v are 0 to " +
                          std::to_string(last));
}

}  // namespace

void find_separable(expr::Graph& g, const std::vector<Id>& gradient, const std::vector<Id>& second,
                    KernelSystem& f) {
  if (!f.on_vector_space() || f.mass_rate) return;
  const std::vector<Id> at_zero = expr::substitute(g, gradient, expr::zeros(g, 1 + f.n, f.n));
  std::vector<Id> slope;
  for (int i = 0; i < f.n; ++i) {
    if (!g.is_constant(at_zero[sz(f.n + i)], 0.0)) return;
    slope.push_back(g.neg(at_zero[sz(i)]));
  }
  if (!constant_mass(g, second, f)) return;
  f.separable = true;
  f.potential_gradient = kernel(g, slope, 1 + f.n);
}

std::shared_ptr<KernelSystem> make_kernel_system(expr::Graph& graph, const KernelFormulas& formulas,
                                                 LagrangianDerivatives* derivatives) {
  if (formulas.space.dof() < 1)
    throw InvalidArgument("a system needs at least one coordinate, got 0");
  check_inputs(graph, formulas);
  auto f = std::make_shared<KernelSystem>(formulas.space);
  const Displacement delta(graph, f->space, 1 + f->entries + f->n);
  LagrangianDerivatives d = set_lagrangian(graph, with_vertical(graph, formulas), delta, *f);
  set_force(graph, formulas.force, delta, *f);
  set_rates(graph, d.gradient, formulas.force, *f);
  d.constraint = set_constraints(graph, formulas.constraints, delta, *f);
  detail::set_nonholonomic(graph, formulas, d.constraint, delta, *f);
  f->degenerate = linear_in_velocities(graph, d.gradient, *f);
  if (derivatives != nullptr) *derivatives = std::move(d);
  return f;
}

}  // namespace varia
