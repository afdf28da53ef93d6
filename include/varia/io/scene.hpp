// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The picture of a mechanism as functions of its state.
#include <string>
#include <vector>

#include "varia/expr/kernel.hpp"

namespace varia::io {

/// One thing that is drawn. Places and turns are numbers of outputs of the kernel of the scene.
struct Drawn {
  std::string kind;                      ///< as in SceneText
  std::string name;                      ///< bob, or bob[3]
  int entry = 0;                         ///< the table it comes from
  std::vector<std::vector<int>> places;  ///< one, or two ends; in the plane two outputs each
  std::vector<int> turn;                 ///< cosine and sine, or a matrix row by row; may be empty
  std::vector<double> size;              ///< lengths, radius and length, level
  bool trace = false, spring = false;
};

struct Scene {
  int dimension = 2;
  std::string up = "z";
  bool by_default = false;  ///< the scenario has no [draw]
  std::vector<Drawn> drawn;
  expr::Kernel outputs;  ///< (t, entries, v, p), as they are held, to all places and turns
  int count = 0;         ///< of the outputs
};

}  // namespace varia::io
