// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The factors of a configuration space that is listed at run time.

namespace varia {

/// ℝᵏ or SO(3).
struct Factor {
  static Factor vector(int k) { return {false, k}; }
  static Factor rotation() { return {true, 3}; }
  bool operator==(const Factor&) const = default;

  bool is_rotation;
  int dof;
};

/// How far the nine numbers of a rotation may be from RᵀR = I.
inline constexpr double rotation_tolerance = 1e-10;

}  // namespace varia
