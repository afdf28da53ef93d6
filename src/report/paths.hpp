// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which coordinates to draw against each other.
#include <string>
#include <vector>

namespace varia::report {

struct Path {
  std::string label, x, y, z;  ///< z empty: in the plane
};

/// Bodies found by their names: x, y(, z); x1, y1; x[1], y[1]; the axis of a rotation R13, R23, R33; the
/// position g_x, g_y(, g_z) of a motion.
/// Two coordinates of other names are drawn against each other.
std::vector<Path> find_paths(const std::vector<std::string>& coordinates);

}  // namespace varia::report
