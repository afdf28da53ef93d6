// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// States of a KernelSystem: starts on the constraints, and the equations of motion there, with the zeros
// left out, so that a chain of 10,000 links starts in O(n). flow/start.hpp has them for typed points.
//
//   (EL)   [∂²L/∂v², -Gᵀ; G, 0] (a, λ) = (ad*_v ∂L/∂v + ∂L/∂q + f - ∂²L/∂v∂q v - ∂²L/∂v∂t, -φ″(v, v))
//
// φ″ along (t + s, q exp(s v)): it has the terms 2 ∂G/∂t v + ∂²φ/∂t². On ℝⁿ ad* = 0 [MW01] [Sato19].
// Multipliers of constraints that depend on others, (dependent), are 0.
#include <utility>

#include "varia/flow/state.hpp"
#include "varia/mechanics/constraint.hpp"
#include "varia/mechanics/dependent_constraints.hpp"
#include "varia/mechanics/kernel_system.hpp"
#include "varia/space/euclidean.hpp"

namespace varia {

using VectorState = State<Vn, Dynamic>;

/// The state with configuration q and velocity v at time t. Throws InvalidArgument for what no start
/// may be, SingularMass, and InconsistentConstraints where the constraints contradict each other.
VectorState initial(const KernelSystem& system, const Vn& q, const Vn& v, double t = 0.0);

/// A point near q with φ = 0 at the time t, moved along reactions M⁻¹Gᵀ, and v with G v + ∂φ/∂t = 0
/// there, projected orthogonally in the kinetic metric. Throws InconsistentConstraints when |φ| has
/// a minimum that is not 0, NoConvergence when none was found.
std::pair<Vn, Vn> project(const KernelSystem& system, Vn q, Vn v, double t = 0.0);

/// Which constraints follow from others at (q, v): holonomic ones, then nonholonomic ones, of which the
/// directions ∂Φ/∂v of their reactions count.
ConstraintRank constraint_rank(const KernelSystem& system, double t, const Vn& q, const Vn& v);

/// lambda: of holonomic constraints, then of nonholonomic ones.
struct VectorAcceleration {
  Vn a, lambda;
};
/// (EL). Throws SingularMass where it does not determine a and λ.
VectorAcceleration acceleration(const KernelSystem& system, double t, const Vn& q, const Vn& v);

/// |φ| and |G v + ∂φ/∂t|, largest components.
ConstraintDefect constraint_defect(const KernelSystem& system, const VectorState& s);

namespace detail {

/// Throws InvalidArgument for numbers that are no state of the system: too few, too many, not finite.
void require_state(const KernelSystem& system, const VectorState& s);

/// Throws InvalidArgument when |φ| is not 0 to what a start must satisfy.
void require_position(double position);

/// Throws InvalidArgument when (q, v) is not on the constraint manifold.
void require_on_constraint(const KernelSystem& system, double t, const Vn& q, const Vn& v);

}  // namespace detail

}  // namespace varia
