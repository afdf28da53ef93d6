// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which map τ from velocities to displacements a curved space uses: q ⊕ ξ = q τ(ξ).
//
// Both satisfy τ(0) = e, T₀τ = id and τ(-ξ) = τ(ξ)⁻¹. On ℝⁿ both are the addition of vectors.
namespace varia {

enum class Retraction {
  cayley,      ///< rational; covers rotations by less than π in one step
  exponential  ///< geodesic of the bi-invariant metric; the angle of rotation is |ξ|
};

/// With the exponential map the midpoint and trapezoid rules are symmetric on groups; the Cayley
/// map is cheaper.
inline constexpr Retraction default_retraction = Retraction::exponential;

}  // namespace varia
