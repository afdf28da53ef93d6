// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lagrange polynomials one by one, from their definitions.
//
//   l'ⱼ(x)  = Σ_{m≠j} 1/(cⱼ − c_m) Π_{k≠j,m} (x − c_k)/(cⱼ − c_k)
#include <cstddef>
#include <span>
#include <string>

#include "varia/core/double_double.hpp"
#include "varia/core/error.hpp"
#include "varia/methods/quadrature.hpp"

namespace varia {

namespace detail {
inline void check_index(std::span<const DoubleDouble> nodes, int j) {
  if (j < 0 || static_cast<std::size_t>(j) >= nodes.size()) {
    throw InvalidArgument("Lagrange basis: index " + std::to_string(j) + " of " +
                          std::to_string(nodes.size()) + " polynomials; count from 0");
  }
}
}  // namespace detail

/// lⱼ(x).
inline DoubleDouble lagrange_value(std::span<const DoubleDouble> nodes, int j,
                                   const DoubleDouble& x) {
  detail::check_index(nodes, j);
  const auto at = static_cast<std::size_t>(j);
  DoubleDouble product = 1.0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (k != at) product *= (x - nodes[k]) / (nodes[at] - nodes[k]);
  }
  return product;
}

/// l'ⱼ(x).
inline DoubleDouble lagrange_derivative(std::span<const DoubleDouble> nodes, int j,
                                        const DoubleDouble& x) {
  detail::check_index(nodes, j);
  const auto at = static_cast<std::size_t>(j);
  DoubleDouble sum = 0.0;
  for (std::size_t m = 0; m < nodes.size(); ++m) {
    if (m == at) continue;
    DoubleDouble product = 1.0 / (nodes[at] - nodes[m]);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (k != at && k != m) product *= (x - nodes[k]) / (nodes[at] - nodes[k]);
    }
    sum += product;
  }
  return sum;
}

/// ∫₀ˣ lⱼ(τ) dτ.
inline DoubleDouble lagrange_integral(std::span<const DoubleDouble> nodes, int j,
                                      const DoubleDouble& x) {
  detail::check_index(nodes, j);
  const Quadrature gauss = gauss_quadrature(static_cast<int>((nodes.size() + 1) / 2));
  DoubleDouble sum = 0.0;
  for (std::size_t g = 0; g < gauss.c.size(); ++g) {
    sum += gauss.b[g] * lagrange_value(nodes, j, x * gauss.c[g]);
  }
  return x * sum;
}

}  // namespace varia
