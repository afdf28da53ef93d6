// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sums over all terms of a system at one configuration.
#include <array>
#include <vector>

#include "varia/terms/system.hpp"

namespace varia::terms {

/// Positions of the nodes of a term out of those of all nodes.
template <int D>
void gather(const Family<D>& family, int k, const std::vector<double>& all, double* x) {
  const int* nodes = family.nodes(k);
  for (int a = 0; a < family.nodes_per_term(); ++a)
    for (int c = 0; c < D; ++c) x[a * D + c] = all[static_cast<std::size_t>(nodes[a]) * D + c];
}

/// Calls f(term, node, ∂V_K/∂x_a) for every node of every term, in the order of their numbers.
template <int D, class F>
void for_gradients(const System<D>& system, const std::vector<double>& x, double t, const F& f) {
  std::array<double, max_numbers<D>> at{}, g{};
  for (std::size_t i = 0; i < system.families().size(); ++i) {
    const Family<D>& family = *system.families()[i];
    for (int k = 0; k < family.size(); ++k) {
      gather(family, k, x, at.data());
      family.gradient(k, at.data(), t, g.data());
      for (int a = 0; a < family.nodes_per_term(); ++a)
        f(system.first()[i] + k, family.nodes(k)[a], &g[a * D]);
    }
  }
}

/// Σ_K V_K(x, t)
template <int D>
double potential_energy(const System<D>& system, const std::vector<double>& x, double t) {
  std::array<double, max_numbers<D>> at{};
  double sum = 0.0;
  for (const auto& family : system.families())
    for (int k = 0; k < family->size(); ++k) {
      gather(*family, k, x, at.data());
      sum += family->energy(k, at.data(), t);
    }
  return sum;
}

}  // namespace varia::terms
