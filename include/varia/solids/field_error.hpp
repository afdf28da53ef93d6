// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How far two deformations of the same body are apart, each on its own mesh with straight edges.
//
//   (field-error)  e² = ∫ |φ_1 - φ_2|² dX,     e_F² = ∫ |∇φ_1 - ∇φ_2|² dX
//
// The integrals run over the elements of the second mesh, which should be the finer one.
#include <vector>

#include "varia/solids/mesh.hpp"

namespace varia::solids {

struct FieldError {
  double position = 0.0;  ///< e: the displacement has the same
  double gradient = 0.0;  ///< e_F
  double volume = 0.0;    ///< ∫ dX
};

/// Positions x of all nodes of a mesh, dimension() numbers each.
struct Deformation {
  const Mesh& mesh;
  const std::vector<double>& x;
};

/// Throws InvalidArgument when a point of the second mesh is in no element of the first.
FieldError field_error(const Deformation& coarse, const Deformation& fine);

}  // namespace varia::solids
