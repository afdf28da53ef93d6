// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The maximum norm of numbers in a row.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "varia/core/types.hpp"

namespace varia::detail {

inline bool all_finite(const double* x, std::ptrdiff_t n) {
  return std::all_of(x, x + n, [](double y) { return std::isfinite(y); });
}

/// max |xᵢ|; 0 of no numbers, NaN when one of them is NaN.
inline double largest(const double* x, std::ptrdiff_t n) {
  double most = 0.0;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const double size = std::abs(x[i]);
    if (!(size <= most)) most = size;
    if (std::isnan(most)) return most;
  }
  return most;
}
inline double largest(const std::vector<double>& x) {
  return largest(x.data(), static_cast<std::ptrdiff_t>(x.size()));
}
inline double largest(const Vn& x) { return largest(x.data(), x.size()); }

}  // namespace varia::detail
