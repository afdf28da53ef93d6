// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runge–Kutta coefficients of any number of stages, from nodes alone.
//
//   collocation            a_ij = ∫₀^{cᵢ} lⱼ,   bⱼ = ∫₀¹ lⱼ                       [Sato19; MW01]
#include <cstddef>
#include <string>
#include <vector>

#include "varia/core/double_double.hpp"
#include "varia/methods/quadrature.hpp"

namespace varia {

struct Tableau {
  std::string name;
  std::vector<DoubleDouble> c;  ///< nodes
  std::vector<DoubleDouble> b;  ///< weights
  std::vector<DoubleDouble> A;  ///< stages × stages, row after row
  int stages = 0;
  int order = 0;  ///< of the method used alone, on y' = f(y); that of a pair can be higher

  const DoubleDouble& a(int i, int j) const {
    return A[static_cast<std::size_t>(i) * static_cast<std::size_t>(stages) +
             static_cast<std::size_t>(j)];
  }
};

/// The collocation method at the nodes of the rule. Its weights must be interpolatory (order ≥ s).
/// A node 0 gives a row of zeros and a node 1 a row equal to b, without any rounding.
Tableau collocation(const Quadrature& rule);

}  // namespace varia
