// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Meshes from a few numbers: block, L-beam, slab, blade, and a block with slivers.
//
// All are conforming, have positive elements and named boundaries. `order` is 1 (T3, Tet4) or
// 2 (T6, Tet10 with straight edges). Wrong numbers are an InvalidArgument.
#include <vector>

#include "varia/solids/blade.hpp"
#include "varia/solids/mesh.hpp"

namespace varia::solids {

/// A rectangle or box with one corner at the origin; the dimension is the number of sizes.
/// Cells are split into 2 triangles (diagonals alternate) or 6 tetrahedra. Along each axis cell
/// widths form a geometric progression, smallest at the origin; grading >= 1 is the ratio of the
/// largest to the smallest. Inner nodes are moved by at most irregularity (0 to 0.4) of a cell, so
/// that no two elements are alike. Boundaries: left right (X), bottom top (Y), in 3-D also back front (Z).
Mesh block(const std::vector<double>& size, const std::vector<int>& elements, double grading = 1,
           int order = 1, double irregularity = 0);

/// Two bars that form an L, for the example of [LMOW03] section 4.2, which prints no dimensions.
struct LBeamShape {
  double length = 7;            ///< along X, corner included
  double height = 7;            ///< along Y, corner included
  double width = 1;             ///< along Z
  double thickness = 1;         ///< of both bars, in the plane of the L
  int elements_across = 2;      ///< cells across the thickness; cells are nearly cubes
  double irregularity = 0.335;  ///< nodes are moved by at most this fraction of a cell, 0 to 0.4
};

/// Boundaries: end_a (X = length) and end_b (Y = height). The shape is exact whatever the
/// irregularity. The defaults give 624 tetrahedra (621 in the source) with
/// lambda = 3, as there.
Mesh l_beam(const LBeamShape& shape = {}, int order = 1);

/// The slab of [West04] section 6.1.6: a rectangle in a nonuniform mesh of 88 triangles, refined
/// `level` times into 4 each: 88, 352, 1408, ... Boundaries: left, right, bottom, top.
/// The source shows its mesh in a figure only. Here: 11 x 4 cells, narrow at the left edge and at
/// top and bottom, inner nodes moved a little so that no two elements are alike.
Mesh slab(double length, double height, int level, int order = 1);

/// A block in which `count` elements contain a new node close to one of their faces: each of them
/// becomes dimension + 1 elements, one of them flat, with `ratio` (< 1) times the inradius of the
/// element it lies in. Elements that are not chosen stay as they are.
/// The flat elements are the region "sliver", all others "body". Boundaries as in block().
Mesh slivers(const std::vector<double>& size, const std::vector<int>& elements, int count,
             double ratio, int order = 1);

}  // namespace varia::solids
