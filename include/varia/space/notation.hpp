// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How the coordinates of a space are written in scenarios and outputs.
#include <cstddef>
#include <string>
#include <vector>

namespace varia {

/// A part of the statement of a point: quaternion = [w, x, y, z].
struct PointKey {
  std::string key;           ///< empty: the list alone is the point, n = [x, y, z]
  std::vector<int> shape;    ///< of its list: 4 numbers, or 3 rows of 3; empty: a number
  std::string text;          ///< [w, x, y, z]
  std::string meaning = {};  ///< for a table of the keys
  std::string example = {};  ///< [1, 0, 0, 0]
};

/// A way to state a point: R = { quaternion = [w, x, y, z] }; all keys are there.
using PointForm = std::vector<PointKey>;

/// Names that follow each other as one vector: R_w for R_w1, R_w2, R_w3.
struct VectorName {
  std::string suffix;
  std::size_t first = 0, count = 3;  ///< of the names
};

/// What is appended to the name of a coordinate, and what is then named: "an entry of" R.
struct Names {
  std::vector<std::string> suffixes;
  std::string what;
  std::vector<VectorName> vectors = {};
};

/// Entries of a point that are drawn as a path in the plane or in space: "axis of" R, 13, 23, 33.
struct Drawing {
  std::string what;
  std::vector<std::string> suffixes;
};

struct Notation {
  std::string key;      ///< of the space in a scenario: R, SO3
  std::string example;  ///< a name for a coordinate: x, R
  std::string what;     ///< a point of it in words: a rotation
  std::string summary;  ///< for a list of the spaces
  Names entries, velocities, momenta, forces;
  Names spatial = {};                      ///< the momenta in the frame of space
  std::vector<std::string> casimirs = {};  ///< suffixes of the functions of momenta that every L in
                                           ///< velocities alone keeps
  std::vector<PointForm> forms;            ///< none: a number
  std::string frame_term;                  ///< ad*_v ∂L/∂v in words
  Drawing drawing = {};
  double period = 0.0;  ///< numbers that differ by it are the same point; 0: there is none
  /// Suffixes of what is held, where a person sees something else (factor.hpp); for formulas and
  /// messages. Empty: those above.
  std::vector<std::string> held_entries = {}, held_velocities = {}, held_momenta = {};
  std::string held = {};  ///< how a point is held, in words; each {} stands for its name
};

}  // namespace varia
