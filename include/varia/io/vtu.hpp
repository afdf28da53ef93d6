// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Snapshots of a mesh for ParaView and VTK: one .vtu file for each time, and a .pvd that lists them.
//
// XML with the numbers as base64 inside their elements: byte count (UInt64), then the bytes.
// Nodes of elements stand in VTK's order, which is that of varia/solids/shape.hpp. The points are
// where the mesh is undeformed: ParaView's filter Warp By Vector adds the displacement to them.
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "varia/solids/mesh.hpp"

namespace varia::io {

/// Numbers of all points or of all cells; the caller keeps them alive.
struct VtuArray {
  using Numbers = std::variant<std::span<const double>, std::span<const float>,
                               std::span<const std::int64_t>, std::span<const int>>;
  std::string name;
  int components = 1;
  Numbers numbers;
};

struct VtuSnapshot {
  const solids::Mesh& mesh;      ///< its nodes are the points, its elements the cells
  std::vector<VtuArray> points;  ///< data of the points
  std::vector<VtuArray> cells;   ///< data of the cells
  double t = 0.0;
};

/// Replaces the file as a whole. Throws InvalidArgument when sizes do not fit, IoError for the file.
void write_vtu(const std::string& path, const VtuSnapshot& snapshot);

/// Times and the files of their snapshots, named relative to the folder of the .pvd.
void write_pvd(const std::string& path,
               const std::vector<std::pair<double, std::string>>& snapshots);

}  // namespace varia::io
