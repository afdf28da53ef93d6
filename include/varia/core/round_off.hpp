// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Round-off of double numbers, and sums that do not lose it.
#include <limits>

namespace varia::detail {

/// Twice the largest relative error of one rounded operation.
inline constexpr double eps = std::numeric_limits<double>::epsilon();

/// x + rest += increment, where `rest` is what x has lost to rounding so far.
inline void compensated_add(double& x, double& rest, double increment) {
  const double y = increment + rest;
  const double sum = x + y;
  rest = y - (sum - x);
  x = sum;
}

}  // namespace varia::detail
