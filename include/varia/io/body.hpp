// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A rigid body of a scenario in numbers, for outputs and pictures.
#include <string>
#include <utility>
#include <vector>

namespace varia::io {

struct Body {
  std::string name;  ///< A, or B[3] of an array
  double mass = 0.0;
  std::vector<double> centre, inertia;  ///< 3 numbers, and 3 rows of 3; in the plane z = 0
  std::vector<std::pair<std::string, std::vector<double>>> points;
  std::string shape;         ///< empty: none
  std::vector<double> size;  ///< the numbers of the shape; of a rod its ends, one after the other
};

}  // namespace varia::io
