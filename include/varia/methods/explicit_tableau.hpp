// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Explicit Runge-Kutta methods, the paths of discrete Lagrangians by shooting.
#include <vector>

namespace varia {

/// Coefficients of an explicit Runge-Kutta method, row after row below the diagonal.
struct ExplicitTableau {
  std::vector<double> a, b;
  int order = 0;
};

/// Euler's method, the midpoint rule, Kutta's of third and the classical one of fourth order.
ExplicitTableau explicit_tableau(int order);

}  // namespace varia
