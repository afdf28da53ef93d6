// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>

#include "varia/solids/thickness.hpp"

namespace varia::solids {

namespace {

constexpr int most_steps = 200;

/// A point with f ≥ 0 right of all roots of f(u) = a e^{2u} - b + λ (L + u).
double start(double a, double b, double lambda, double L) {
  if (lambda >= 0.0) {
    // f(u) = (a e^{2u} - b) + λ (L + u): the root lies between the zeros of the two parts, and
    // below u = ½ log((b - λL)/a + ...) obtained from dropping λu where that is allowed.
    const double first = 0.5 * std::log(b / a), second = -L;
    double upper = std::max(first, second);
    if (second > first && first >= 0.0)
      upper = std::min(upper, 0.5 * std::log((b - lambda * L) / a));
    return upper;
  }
  double u = std::max(0.0, 0.5 * std::log(b / a));
  while (u < 300.0 && a * std::exp(2.0 * u) - b + lambda * (L + u) < 0.0) u += 1.0;
  return u;
}

}  // namespace

bool solve_thickness(double a, double b, double lambda, double L, double& u) {
  u = start(a, b, lambda, L);
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_steps; ++i) {
    const double rise = a * std::exp(2.0 * u);
    const double slope = 2.0 * rise + lambda;
    if (!(slope > 0.0)) return false;  // left of the minimum: no root
    const double step = (rise - b + lambda * (L + u)) / slope;
    if (!std::isfinite(step)) return false;
    u -= step;
    // Monotone until round-off decides; then steps no longer shrink.
    const double size = std::abs(step);
    if (size <= 1e-15 * (1.0 + std::abs(u))) return true;
    if (size < 1e-12 * (1.0 + std::abs(u)) && size >= last) return true;
    last = size;
  }
  return false;
}

}  // namespace varia::solids
