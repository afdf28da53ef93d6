// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The inner loops of eliminations, some numbers at a time.
#include <Eigen/Core>

namespace varia::detail {

/// y ← y - f x, n numbers.
inline void subtract_multiple(double f, const double* x, int n, double* y) {
  using Four = Eigen::Array<double, 4, 1>;
  int i = 0;
  for (; i + 4 <= n; i += 4)
    Eigen::Map<Four>(y + i) -= f * Eigen::Map<const Four>(x + i);
  for (; i < n; ++i) y[i] -= f * x[i];
}

/// Σᵢ xᵢ yᵢ as four sums.
inline double dot_product(const double* x, const double* y, int n) {
  using Four = Eigen::Array<double, 4, 1>;
  Four sums = Four::Zero();
  int i = 0;
  for (; i + 4 <= n; i += 4)
    sums += Eigen::Map<const Four>(x + i) * Eigen::Map<const Four>(y + i);
  double sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
  for (; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace varia::detail
