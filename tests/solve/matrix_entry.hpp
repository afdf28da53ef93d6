// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Matrices to factor.
#include <cmath>

namespace varia {

/// Numbers in [-1, 1] that look random and are always the same.
inline double matrix_entry(int i, int j) {
  return std::sin(1.0 + 12.9898 * i + 78.233 * j + 3.0 * i * j);
}

}  // namespace varia
