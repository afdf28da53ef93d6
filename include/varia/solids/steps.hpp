// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How long the step of an element may be.
//
//   (courant)       Δt = f h / c        h radius of the largest inscribed ball        [LMOW03] (68)
//   (stable-step)   Δt = 2/ω            ω² the largest eigenvalue of M_K⁻¹ᐟ² K M_K⁻¹ᐟ²
//
// K = ∂²V_K/∂x², M_K the masses the element gives to its nodes. With one step for the whole mesh
// 2/ω_max over the elements is a bound for stability; with different steps resonances can lie
// below it (they did in [West04], spring chains), so it is necessary and not sufficient.
#include "varia/solids/mesh.hpp"
#include "varia/terms/family.hpp"

namespace varia::solids {

/// (courant)  InvalidArgument unless speed and fraction are positive and finite.
double courant_step(const Mesh& mesh, long element, double wave_speed, double fraction);

/// (stable-step) of term k alone with its nodes at X; infinite if nothing is stiff there.
/// Lanczos' method on differences of the gradient, exact to 1e-3 or better; masses: one for each
/// node of the term, positive.
template <int D>
double stable_step(const terms::Family<D>& family, int k, const double* X, const double* masses,
                   double t = 0.0);

}  // namespace varia::solids
