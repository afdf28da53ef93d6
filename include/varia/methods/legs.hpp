// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A method on a separable system as kicks and drifts: what its explicit steps do.
//
//   (kick-drift)  p ← p - h b_0 ∇V,  then for i = 1 … s:  q ← q + h a_i M⁻¹p,  p ← p - h b_i ∇V
//
// Kicks of neighbouring substeps are at the same point and become one; drifts with no kick between
// them likewise. A composition of Verlet then costs one gradient for each substep, one of the Euler
// pair one for two.
#include <optional>
#include <vector>

#include "varia/methods/method.hpp"

namespace varia {

struct Legs {
  std::vector<double> drifts;  ///< a_1 … a_s
  std::vector<double> kicks;   ///< b_0 … b_s

  long count() const { return static_cast<long>(drifts.size()); }
  /// Whether a step begins with a kick, and then needs the gradient where the last one ended.
  bool kicks_first() const { return kicks.front() != 0.0; }
  /// Whether the gradient at the end of a step is of use, to this step or to the next.
  bool gradient_last() const { return kicks_first() || kicks.back() != 0.0; }
};

/// The legs of a method all of whose parts are explicit on separable systems; else none.
std::optional<Legs> explicit_legs(const Method& method);

}  // namespace varia
