// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The shapes of elements, in one list: triangles and tetrahedra of order 1 and 2.
//
// The local numbers of nodes are those of VTK: corners first, then one node per edge.
//   edges of a triangle     01 12 20            the node of edge e is number 3 + e
//   edges of a tetrahedron  01 12 20 03 13 23   the node of edge e is number 4 + e
//   (Gmsh exchanges the last two of a tetrahedron; the reader undoes that)
// An element has positive volume: corners of a triangle run counterclockwise, corner 3 of a
// tetrahedron is where the right hand rule on 0 1 2 points to. Faces are edges in two dimensions.
// Their nodes run so that the normal by the right hand rule (2-D: to the right of the walk) points
// outwards; corners first, then the nodes of the face's edges.
#include <array>
#include <span>
#include <string_view>

namespace varia::solids {

enum class Shape { t3, t6, tet4, tet10 };

inline constexpr std::array<Shape, 4> all_shapes{Shape::t3, Shape::t6, Shape::tet4, Shape::tet10};

struct ShapeInfo {
  std::string_view name;
  int dimension;
  int order;         ///< polynomial degree: 1 or 2
  int nodes;         ///< of an element
  int corners;       ///< dimension + 1
  int edges;         ///< of an element
  int faces;         ///< of an element
  int face_nodes;    ///< of a face
  int face_corners;  ///< of a face: dimension
  int vtk;           ///< cell type of VTK
  int gmsh;          ///< element type of Gmsh
  int gmsh_face;     ///< element type of its faces in Gmsh
};

const ShapeInfo& info(Shape shape);

/// The local numbers of the nodes of a face, outwards.
std::span<const int> face_nodes(Shape shape, int face);

/// The two corners of an edge, local numbers.
std::array<int, 2> edge_corners(Shape shape, int edge);

/// T3, T6, Tet4 or Tet10; other dimensions and orders are an InvalidArgument.
Shape shape_of(int dimension, int order);

}  // namespace varia::solids
