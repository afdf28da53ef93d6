// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solids/shape.hpp"

#include <string>

#include "varia/core/error.hpp"

namespace varia::solids {
namespace {

constexpr std::array<ShapeInfo, 4> table{{
    {"T3", 2, 1, 3, 3, 3, 3, 2, 2, 5, 2, 1},
    {"T6", 2, 2, 6, 3, 3, 3, 3, 2, 22, 9, 8},
    {"Tet4", 3, 1, 4, 4, 6, 4, 3, 3, 10, 4, 2},
    {"Tet10", 3, 2, 10, 4, 6, 4, 6, 3, 24, 11, 9},
}};

constexpr std::array<std::array<int, 2>, 6> edge_table{
    {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};

// Corners, then mid nodes: an element of order 1 uses the first half of a row.
constexpr std::array<std::array<int, 3>, 3> triangle_faces{{{0, 1, 3}, {1, 2, 4}, {2, 0, 5}}};
constexpr std::array<std::array<int, 6>, 4> tetrahedron_faces{
    {{0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {2, 0, 3, 6, 7, 9}, {0, 2, 1, 6, 5, 4}}};

}  // namespace

const ShapeInfo& info(Shape shape) { return table[static_cast<std::size_t>(shape)]; }

std::span<const int> face_nodes(Shape shape, int face) {
  const ShapeInfo& s = info(shape);
  const auto k = static_cast<std::size_t>(face);
  const auto n = static_cast<std::size_t>(s.face_nodes);
  if (s.dimension == 2) return std::span<const int>(triangle_faces[k]).first(n);
  return std::span<const int>(tetrahedron_faces[k]).first(n);
}

std::array<int, 2> edge_corners(Shape, int edge) {
  return edge_table[static_cast<std::size_t>(edge)];
}

Shape shape_of(int dimension, int order) {
  for (const Shape shape : all_shapes)
    if (info(shape).dimension == dimension && info(shape).order == order) return shape;
  throw InvalidArgument("there is no element of order " + std::to_string(order) + " in dimension " +
                        std::to_string(dimension) +
                        "; order 1 or 2 and dimension 2 or 3 are possible");
}

}  // namespace varia::solids
