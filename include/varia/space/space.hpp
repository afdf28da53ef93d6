// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A configuration space is what Space<Q> says of its points.
//
//   (retract)     q ⊕ ξ = q τ(ξ)                    a point from a point and a displacement
//   (difference)  q₁ ⊖ q₀ = ξ with q₀ ⊕ ξ = q₁      its inverse near q₀
//
// Tangent vectors and covectors are left-trivialised: velocities are body velocities, and a
// momentum lives in the frame of its own base point [Sato19]. A space supplies
//
//   Scalar, Rebind<S>, dof            types and size
//   is_vector_space                   whether it is ℝⁿ with ⊕ = +
//   dim(q)                            dof at run time (dof may be Dynamic)
//   retract, difference, cast<S>      the laws above, generic in the scalar
//   displace(q, δ)                    q exp(δ) to second order at δ = 0, generic in the scalar
//   seed<J>(q, k)                     displace with the k-th, k+1-st, … variables of a jet J
//   velocity(ξ, η)                    dτ_ξ η, generic in the scalar
//   coadjoint(ξ)                      matrix   Ad*_{τ(-ξ)}: covectors at q τ(ξ) to the frame of q
//   ad_star(π)                        matrix   δ ↦ ad*_δ π
//   update                            (q, p) at the end of a step: what the remainders hold is added
//                                     too, and what rounding loses is put there
//   Chart                             optional: closed forms of dτ and its derivatives, see chart.hpp
//
// ℝⁿ and products need no coadjoint and update: integrators take them factor by factor.
// Where the shape of the space is in its points, not in their type (mixed.hpp), velocity takes q first.
//
// The laws are checked for every space by tests/space; a user's space needs only this trait.
#include <concepts>

#include "varia/core/types.hpp"
#include "varia/space/retraction.hpp"

namespace varia {

template <class Q> struct Space;

template <class Q> using Scalar = typename Space<Q>::Scalar;

template <class Q> inline constexpr int dof = Space<Q>::dof;

/// Velocities, displacements and momenta at a point of Q.
template <class Q> using Tangent = Vector<Scalar<Q>, Space<Q>::dof>;

/// Linear maps between tangent or cotangent spaces.
template <class Q> using TangentMap = Matrix<Scalar<Q>, Space<Q>::dof>;

/// The same space over another scalar.
template <class Q, class S> using Rebind = typename Space<Q>::template Rebind<S>;

template <class Q>
concept Point = requires(const Q& q, const Tangent<Q>& xi) {
  { Space<Q>::retract(q, xi) } -> std::same_as<Q>;
  { Space<Q>::difference(q, q) } -> std::same_as<Tangent<Q>>;
  { Space<Q>::template cast<Scalar<Q>>(q) } -> std::same_as<Q>;
  { Space<Q>::dim(q) } -> std::convertible_to<int>;
};

}  // namespace varia
