// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Masses of the nodes of an element.
//
// Row sums of the mass matrix give corners of quadratic elements no mass (T6) or a negative one
// (Tet10). The diagonal of the consistent matrix, scaled to the mass of the element, is positive:
//
//   (hrz)   m_a = m_K ∫_K N_a² dX / Σ_b ∫_K N_b² dX                                      [HRZ76]
//
//   T3 1/3, Tet4 1/4; T6 corner 1/19, mid 16/57; Tet10 corner 1/36, mid 4/27 where edges are straight
#include <vector>

#include "varia/solids/mesh.hpp"

namespace varia::solids {

/// Masses of the nodes of one element, in its order; their sum is the mass of the element (in two
/// dimensions per unit of thickness). InvalidArgument unless the density is positive and finite.
std::vector<double> lumped_masses(const Mesh& mesh, long element, double density);

/// The shares (hrz) of the nodes of a straight element of this shape.
const std::vector<double>& lumped_shares(Shape shape);

}  // namespace varia::solids
