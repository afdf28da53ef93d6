// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How the coordinates of a space are written in scenarios and outputs.
#include <string>
#include <vector>

namespace varia {

/// A way to state a point: R = { quaternion = [w, x, y, z] }.
struct PointForm {
  std::string key;
  std::vector<int> shape;  ///< of its list: 4 numbers, or 3 rows of 3
  std::string text;        ///< [w, x, y, z]
};

/// What is appended to the name of a coordinate, and what is then named: "an entry of" R.
struct Names {
  std::vector<std::string> suffixes;
  std::string what;
};

struct Notation {
  std::string key;      ///< of the space in a scenario: R, SO3
  std::string what;     ///< a point of it in words: a rotation
  std::string summary;  ///< for a list of the spaces
  Names entries, velocities, momenta, forces;
  std::vector<PointForm> forms;  ///< none: a number
  std::string frame_term;        ///< ad*_v ∂L/∂v in words
};

}  // namespace varia
