// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where the momenta of a nonholonomic step go.
//
//   (rolling-balance)   ⟨p₁, ξ(q₁)⟩ - ⟨p₀, ξ(q₀)⟩ = h Σᵢ bᵢ⟨f + (∂Φ/∂v)ᵀΛⁱ, ξ(Qⁱ)⟩      [Sato19]
//
// for a generator ξ that changes neither L nor holonomic constraints, at the points (Qⁱ, Vⁱ) of (rolling).
#include <functional>
#include <vector>

#include "varia/flow/stage_flow.hpp"

namespace varia {

/// The right-hand side for each generator; s becomes the end of the step. Throws InvalidArgument for a method other than
/// nh_lobatto(s), and NoConvergence where the step has no solution.
std::vector<double> rolling_impulses(const StageFlow& flow, VectorState& s, double h,
                                     const std::vector<std::function<Vn(const Vn&)>>& xi);

}  // namespace varia
