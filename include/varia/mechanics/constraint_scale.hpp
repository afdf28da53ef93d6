// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a value of a constraint means: |φ| / |G| is the distance from φ = 0, and it is large or small
// against the size of the coordinates in φ. Neither changes when φ is multiplied by a number.
#include <vector>

#include "varia/mechanics/kernel_system.hpp"

namespace varia {

struct ConstraintScale {
  std::vector<double> slope;  ///< |Gₐ|; 0 where the constraint has no gradient
  std::vector<double> size;   ///< Σ |Gₐᵢ| |qᵢ| / |Gₐ|; a rotation has the size 1

  /// φₐ or its rate as a displacement, relative to that size or to another one.
  double relative(int a, double value, double size_of_all = 0.0) const;
};

/// At q, with the values (φ, G) of f.constraint there.
ConstraintScale constraint_scale(const KernelSystem& f, const double* q, const double* values);

/// The constraint whose |φₐ| at (t, q), relative as above, is largest.
struct FarthestConstraint {
  int constraint = 0;
  double distance = 0.0;
};
FarthestConstraint farthest_constraint(const KernelSystem& f, double t, const double* q);

}  // namespace varia
