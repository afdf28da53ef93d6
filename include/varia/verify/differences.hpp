// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Derivatives of maps that only offer values, to nearly full precision: central differences over a
// sequence of halved increments, extrapolated to zero (Romberg). Works for any flow, implicit or
// composed, because a flow is a smooth map solved to round-off.
#include <algorithm>
#include <array>
#include <limits>

#include "varia/core/types.hpp"

namespace varia {

namespace detail {

struct Difference {
  Vn value;
  double error;
};

/// Romberg extrapolation of (curve(ε) - curve(-ε))/2ε from the increment ε downwards.
template <class Curve> Difference extrapolated_difference(const Curve& curve, double epsilon) {
  constexpr int levels = 6;
  std::array<Vn, levels> row;
  Difference best{{}, std::numeric_limits<double>::infinity()};
  for (int k = 0; k < levels; ++k, epsilon *= 0.5) {
    std::array<Vn, levels> next;
    next[0] = (curve(epsilon) - curve(-epsilon)) / (2.0 * epsilon);
    double power = 4.0;
    for (int j = 1; j <= k; ++j, power *= 4.0) {
      const auto at = static_cast<std::size_t>(j);
      next[at] = (power * next[at - 1] - row[at - 1]) / (power - 1.0);
      const double error = std::max((next[at] - next[at - 1]).cwiseAbs().maxCoeff(),
                                    (next[at] - row[at - 1]).cwiseAbs().maxCoeff());
      if (error < best.error) best = {next[at], error};
    }
    row = std::move(next);
  }
  return best;
}

}  // namespace detail

/// d curve/dε at ε = 0 for a curve of vectors; scale is a length on which the curve is smooth.
template <class Curve> Vn derivative_at_zero(const Curve& curve, double scale) {
  detail::Difference best{{}, std::numeric_limits<double>::infinity()};
  for (const double fraction : {0.2, 0.05, 0.0125}) {
    auto candidate = detail::extrapolated_difference(curve, fraction * scale);
    if (candidate.error < best.error) best = std::move(candidate);
  }
  return best.value;
}

}  // namespace varia
