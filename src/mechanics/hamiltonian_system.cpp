// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/hamiltonian_system.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "formulas.hpp"
#include "varia/core/index.hpp"
#include "varia/space/euclidean.hpp"

namespace varia {

namespace {

using detail::kernel;
using expr::Id;

bool depends_on(const expr::Graph& graph, const std::vector<Id>& f, int first, int last) {
  const std::vector<int> used = expr::variables_of(graph, f);
  return std::any_of(used.begin(), used.end(), [&](int v) { return v >= first && v <= last; });
}

/// H = T(p) + V(t, q): ∂H/∂p knows neither t nor q, ∂H/∂q knows no p.
void find_separable(expr::Graph& graph, const std::vector<Id>& gradient, HamiltonianSystem& s) {
  const int n = s.n;
  const std::vector<Id> slope(gradient.begin(), gradient.begin() + n);
  std::vector<Id> velocity(gradient.begin() + n, gradient.end());
  if (depends_on(graph, velocity, 0, n) || depends_on(graph, slope, n + 1, 2 * n)) return;
  s.separable = true;
  s.potential_gradient = kernel(graph, slope, 1 + n);
  const auto rest = expr::zeros(graph, 1 + n, n);
  const auto shift = expr::renamed(graph, 1 + n, 0, n);
  const auto inverse_mass = expr::jacobian(graph, velocity, detail::range(1 + n, n));
  const auto at_rest = expr::substitute(graph, velocity, rest);
  s.quadratic_kinetic =
      std::all_of(inverse_mass.begin(), inverse_mass.end(),
                  [&](const expr::Entry& e) { return graph.is_constant(e.value); }) &&
      std::all_of(at_rest.begin(), at_rest.end(), [&](Id v) { return graph.is_constant(v, 0.0); });
  s.velocity = kernel(graph, expr::substitute(graph, velocity, shift), n);
}

}  // namespace

HamiltonianSystem::HamiltonianSystem(int degrees)
    : KernelSystem(ProductSpace({euclidean(degrees)})) {
  hamiltonian = true;
}

double HamiltonianSystem::energy(double t, const double* q, const double* p) const {
  double h = 0.0;
  value(point(t, q, p).data(), &h);
  return h;
}

HamiltonianSystem hamiltonian_system(expr::Graph& graph, Id h, int n) {
  detail::check_variables(graph, h, n, {"hamiltonian_system", "Hamiltonian", "t", "q", "p"});
  HamiltonianSystem s(n);
  s.uses_time = depends_on(graph, {h}, 0, 0);
  const std::vector<int> variables = detail::range(1, 2 * n);
  const std::vector<Id> gradient = expr::gradient(graph, h, variables);
  std::vector<Id> outputs = gradient;
  s.second = detail::pattern(graph, expr::hessian(graph, gradient, variables), outputs);
  s.value = kernel(graph, {h}, 1 + 2 * n);
  s.gradient = kernel(graph, gradient, 1 + 2 * n);
  s.hessian = kernel(graph, outputs, 1 + 2 * n);
  s.free = static_cast<int>(graph.parameters().size());
  if (s.uses_time || s.free > 0) s.rates = detail::rates_of(graph, gradient, 1 + 2 * n);
  find_separable(graph, gradient, s);
  return s;
}

}  // namespace varia
