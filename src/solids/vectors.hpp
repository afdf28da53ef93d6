// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Vectors of space for the geometry of meshes.
#include <array>

namespace varia::solids {

using Vector3 = std::array<double, 3>;

inline double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace varia::solids
