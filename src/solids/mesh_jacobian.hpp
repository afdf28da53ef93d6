// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lengths and Jacobians of single elements, for the checks of a mesh.
#include "varia/solids/mesh.hpp"

namespace varia::solids {

double longest_edge(const Mesh& mesh, long element);

/// Of a T6 or Tet10: the smallest det(dX/dxi) over its nodes, its centre and the points of the
/// quadratures of degree 2 (3 or 4 points).
double smallest_jacobian(const Mesh& mesh, long element);

}  // namespace varia::solids
