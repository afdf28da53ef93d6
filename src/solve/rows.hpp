// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The inner loop of eliminations, four numbers at a time.
#include <Eigen/Core>

namespace varia::detail {

/// y ← y - f x, n numbers.
inline void subtract_multiple(double f, const double* x, int n, double* y) {
  using Four = Eigen::Array<double, 4, 1>;
  int i = 0;
  for (; i + 4 <= n; i += 4) Eigen::Map<Four>(y + i) -= f * Eigen::Map<const Four>(x + i);
  for (; i < n; ++i) y[i] -= f * x[i];
}

}  // namespace varia::detail
