// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// States of a FlatSystem on ℝⁿ: initial(), project() and constraint_defect() of state.hpp with the
// zeros left out, so that a chain of 10,000 links starts in O(n).
//
//   (EL)   [∂²L/∂v², -Gᵀ; G, 0] (a, λ) = (∂L/∂q + f - ∂²L/∂v∂q v - ∂²L/∂v∂t, -φ″(v, v))     [MW01]
//
// φ″ along (t + s, q exp(s v)), as everywhere.
//
// These overloads are taken for a FlatView instead of the templates. Multipliers of constraints that
// depend on others, (dependent), are 0.
#include <utility>

#include "varia/flow/state.hpp"
#include "varia/mechanics/dependent_constraints.hpp"
#include "varia/mechanics/flat_view.hpp"
#include "varia/space/euclidean.hpp"

namespace varia {

using FlatState = State<Vector<double, Dynamic>, Dynamic>;

/// The state with configuration q and velocity v at time t. Throws InvalidArgument for what no start
/// may be, SingularMass, and InconsistentConstraints where the constraints contradict each other.
FlatState initial(const FlatView& system, const Vector<double, Dynamic>& q,
                  const Vector<double, Dynamic>& v, double t = 0.0);

/// A point near q with φ = 0 at the time t, and v with G v + ∂φ/∂t = 0 there. Throws InconsistentConstraints when |φ| has
/// a minimum that is not 0, NoConvergence when none was found.
std::pair<Vector<double, Dynamic>, Vector<double, Dynamic>> project(const FlatView& system,
                                                                    Vector<double, Dynamic> q,
                                                                    Vector<double, Dynamic> v,
                                                                    double t = 0.0);

/// |φ| and |G v + ∂φ/∂t|, largest components.
ConstraintDefect constraint_defect(const FlatView& system, const FlatState& s);

}  // namespace varia
