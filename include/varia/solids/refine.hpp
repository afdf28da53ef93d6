// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Uniform refinement: every element is cut at the middles of its edges.
#include "varia/solids/mesh.hpp"

namespace varia::solids {

/// A triangle becomes 4 similar ones; a tetrahedron 4 at its corners and 4 around the shortest of
/// the three inner diagonals of what remains, which keeps elements from getting flatter with each
/// level. Regions, faces of boundaries and old node numbers are kept, the order too; nodes in the
/// middle of edges come last. Boundaries without faces keep their nodes. The numbers of a mesh
/// file no longer apply and are dropped. Curved elements of order 2 are a MeshError.
Mesh refine(const Mesh& mesh, int levels = 1);

}  // namespace varia::solids
