// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A system stated by L = ⟨θ(t, q), v⟩ - H(t, q) on ℝⁿ, linear in the velocities, size known at run
// time: guiding centres, vortices, populations.
//
//   (degenerate)   ω q̇ = ∇H + ∂θ/∂t,   ω = Dθᵀ - Dθ,   p = θ at all times                     [TD19]
//
// All derivatives are expressions, with their zeros left out. A point is x = (t, q); a stage is
// (t, q, u, e), with the virtual work W = Dθᵀu - e∇H, the derivative of ⟨θ, u⟩ - eH by q.
#include "varia/core/types.hpp"
#include "varia/expr/graph.hpp"
#include "varia/expr/kernel.hpp"
#include "varia/mechanics/flat_system.hpp"

namespace varia {

struct OneFormSystem {
  int n = 0;               ///< coordinates; even
  bool uses_time = false;  ///< θ or H depends on t
  bool linear = false;     ///< Dθ is constant: p = θ(q) needs no projection

  expr::Kernel energy;  ///< x ↦ H
  expr::Kernel form;    ///< x ↦ θ
  expr::Kernel motion;  ///< x ↦ (∇H + ∂θ/∂t, entries of Dθ)
  expr::Kernel first;   ///< stage ↦ (θ, W)
  expr::Kernel second;  ///< stage ↦ (θ, W, entries of Dθ, of ∂W/∂q)
  Pattern slope;        ///< of Dθ, n × n; ∂θᵢ/∂qⱼ in row i
  Pattern curvature;    ///< of ∂W/∂q, lower triangle, n × n

  /// H(t, q)
  double value(double t, const Vector<double, Dynamic>& q) const;
  /// θ(t, q)
  Vector<double, Dynamic> momentum(double t, const Vector<double, Dynamic>& q) const;
};

/// The system of the expression L, in which variable 0 is t, 1 … n are q, n+1 … 2n are v. Throws
/// InvalidArgument when n is not even, for other variables, when ∂L/∂v depends on v, and when L has no
/// velocity in it.
OneFormSystem one_form_system(expr::Graph& graph, expr::Id lagrangian, int n);

/// Whether L is linear in the velocities, v in the variables n+1 … 2n: ∂²L/∂v² vanishes as an
/// expression, and some velocity occurs.
bool linear_in_velocities(expr::Graph& graph, expr::Id lagrangian, int n);

}  // namespace varia
