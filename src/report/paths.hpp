// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which coordinates to draw against each other.
#include <string>
#include <vector>

#include "varia/io/scenario.hpp"

namespace varia::report {

struct Path {
  std::string label, x, y, z;  ///< z empty: in the plane
  bool body = true;            ///< else two coordinates that are no place of anything
};

/// Points as their space draws them, the axis of a rotation, the position of a motion, and bodies found by
/// the names of numbers: x, y(, z); x1, y1; x[1], y[1]. Two coordinates of other names are drawn against each
/// other.
std::vector<Path> find_paths(const io::System& system);

}  // namespace varia::report
