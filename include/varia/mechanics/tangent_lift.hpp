// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The tangent lift of a Lagrangian on ℝⁿ, known from its formula: another Lagrangian, on (q, δ).
//
//   L̃(t, q, δ, v, u) = ⟨∂L/∂q, δ⟩ + ⟨∂L/∂v, u⟩ + ∂L/∂s
//
// Its motions are those of L with their derivatives in the direction that (δ, u) has at the start and, if
// any, in s: the time of the start, the logarithm of the length of a time interval that starts at 0
// with u = v, or a free parameter. Whatever is made of L in a natural way, is made of L̃ with its
// derivative.
#include <memory>
#include <vector>

#include "varia/mechanics/acceleration_system.hpp"

namespace varia {

struct TangentLift {
  std::shared_ptr<const KernelSystem> lagrangian;  ///< values and gradients alone
  std::shared_ptr<const AccelerationSystem> acceleration;
};

/// Without s, then s = t, the length, the free parameters. Throws InvalidArgument for a system stated
/// in C++.
std::vector<TangentLift> tangent_lifts(const KernelSystem& system);

}  // namespace varia
