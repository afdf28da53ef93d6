// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A new independent variable τ with dt = g(q) dτ, g > 0: constant steps in τ are short steps in t
// where g is small.
//
//   (poincare)   H̄(q, p) = g(q) (H(q, p) - E)     L̄(q, w) = g(q) (L(q, w/g(q)) + E)       [HLW06]
//
// On the level H = E the motions of H̄ are those of H, run through with another speed; momenta are
// the same, ∂L̄/∂w = ∂L/∂v. A step function is a kernel (t, q) ↦ (g, ∂g/∂q) that does not read t.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "varia/mechanics/kernel_system.hpp"

namespace varia {

/// The kernel of a step function given as an expression in variables 1 … n.
expr::Kernel step_function(expr::Graph& graph, expr::Id g, int n);
/// The same from text.
expr::Kernel step_function(const std::vector<std::string>& coordinates, std::string_view g);

/// (period)  g = |M^{-1/2} V″(q) M^{-1/2}|^{-1/2} in the Frobenius norm: 1/g is a local frequency, τ
/// a phase. It is invariant under all linear maps that keep M and V. Where V is bent little g is
/// bounded by `longest`, smoothly: g⁻⁴ → g⁻⁴ + longest⁻⁴. For separable systems with M > 0.
expr::Kernel local_period(const KernelSystem& system, double longest);
expr::Kernel local_period(const KernelSystem& system);  ///< without bound

/// Throws InvalidArgument when the kernel is not a step function of the system's coordinates.
void require_step_function(const KernelSystem& system, const expr::Kernel& g);

/// slopes() of g and of its relative decrease along a motion, -⟨∂g/∂q, v⟩/g.
expr::Kernel pace_slopes(const expr::Kernel& g, int n);

/// The system of L̄ for a given energy, which is its last free parameter. Throws InvalidArgument for systems that depend on time, with
/// forces, with constraints, or not on ℝⁿ.
std::shared_ptr<KernelSystem> time_transformed(const KernelSystem& system, const expr::Kernel& g,
                                               double energy);

}  // namespace varia
