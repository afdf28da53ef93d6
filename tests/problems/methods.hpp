// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The methods that apply to a problem.
#include <string>
#include <vector>

#include "varia/methods/composition.hpp"
#include "varia/methods/methods.hpp"

namespace varia::problems {

/// Every variational method instance of the list that is to be kept and has no flow of its own, a
/// composition and an adjoint.
template <class Keep> std::vector<Method> variational_methods(const Keep& keep) {
  std::vector<Method> methods;
  for (const Descriptor& row : method_list())
    for (const std::string& text : row.examples) {
      const Method method = parse_method(text);
      if (!method.baseline() && !method.has_own_flow() && keep(method)) methods.push_back(method);
    }
  methods.push_back(compose({{euler_b(), 0.5}, {euler_a(), 0.5}}, 2, "euler_b, euler_a"));
  methods.push_back(adjoint(midpoint(0.3)));
  return methods;
}

/// Those that apply to the system S.
template <class S> std::vector<Method> methods_for(bool symmetric_parts = true) {
  return variational_methods([&](const Method& method) {
    if (method.rests_on_symmetry() && !symmetric_parts) return false;
    if (method.needs_separable() && !(S::separable && !S::forced && !S::constrained)) return false;
    return !S::constrained || method.constrained_order() > 0;
  });
}

/// Those for a Hamiltonian; of those that ask for ½pᵀAp + V(q) only if wanted.
inline std::vector<Method> hamiltonian_methods(bool kicks_and_drifts = false) {
  return variational_methods(
      [&](const Method& method) { return kicks_and_drifts || !method.needs_separable(); });
}

/// Whether all velocities at quadrature points are free: what degenerate systems can use.
inline bool any_hamiltonian(const Method& method) {
  if (const StageCoefficients* k = method.stages()) return k->points == k->unknowns;
  for (const auto& part : method.substeps())
    if (!any_hamiltonian(part.first)) return false;
  return true;
}

}  // namespace varia::problems
