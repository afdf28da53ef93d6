// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The stretch s = F33 across a thin sheet, from P33 = 0, for energies with a term in log J.
//
// With u = log s and L the logarithm of the area ratio, ∂W/∂u = 0 reads for the neo-Hookean and
// the Mooney-Rivlin energy
//
//   (thickness)   a e^{2u} - b + λ (L + u) = 0,     a, b > 0
//
// The left side is convex in u, so Newton's method from a point right of the largest root comes
// down to it without a detour; that root is the stable one (∂²W/∂u² > 0).
#include <cmath>

#include "varia/ad/scalar.hpp"

namespace varia::solids {

/// The stable root of (thickness) in `u`; false when there is none (possible for λ < 0 only).
[[nodiscard]] bool solve_thickness(double a, double b, double lambda, double L, double& u);

/// The same with derivatives: Newton's method doubles the number of right ones with each step.
template <class S>
[[nodiscard]] bool solve_thickness(const S& a, double b, double lambda, const S& L, S& u) {
  using std::exp;
  double root = 0.0;
  if (!solve_thickness(value_of(a), b, lambda, value_of(L), root)) return false;
  u = S(root);
  for (int i = 0; i < 2; ++i) {
    const S rise = a * exp(2.0 * u);
    u = u - (rise - b + lambda * (L + u)) / (2.0 * rise + lambda);
  }
  return true;
}

}  // namespace varia::solids
