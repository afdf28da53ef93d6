// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Numbers that are fractions with small numerators and denominators, as people write them.
#include <cmath>

namespace varia::expr {

/// A number as a fraction where that is what a person would write: 1/2, 2/3, 3/4.
struct Ratio {
  double over;
  int under;
};

inline Ratio ratio(double x) {
  for (const int k : {1, 2, 3, 4, 6, 8, 12, 16, 24})
    if (const double n = std::round(x * k); n >= 1.0 && n <= 12.0 && n / k == x) return {n, k};
  return {x, 1};
}

}  // namespace varia::expr
