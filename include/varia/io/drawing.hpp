// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a picture of a mesh consists of: triangles and lines between some of its nodes.
//
// In the plane every element is drawn, in space the surface; quadratic elements are cut into four.
// A mesh too fine for a page is coarsened: nodes in one cell of a grid become one of them.
#include <string>
#include <vector>

#include "varia/solids/mesh.hpp"

namespace varia::io {

struct Drawing {
  std::vector<int> nodes;      ///< drawn node -> node of the mesh, ascending
  std::vector<int> triangles;  ///< three drawn nodes each, as seen from outside
  std::vector<int> edges;      ///< two drawn nodes each; every line once
  std::vector<int> element;    ///< of the mesh, one for each triangle
  std::string note;            ///< what was left out; empty if nothing
  std::size_t triangle_count() const { return element.size(); }
};

/// At most about so many triangles.
Drawing draw(const solids::Mesh& mesh, std::size_t most_triangles);

}  // namespace varia::io
