// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Conditions at an end of a control problem that fix a point or a velocity, and the path between two points.
#include "varia/control/control_problem.hpp"

namespace varia {

/// q is this point: as many rows as directions that are seen. Names are those of the degrees of freedom.
std::vector<ControlRow> fixed_point(expr::Graph& graph, const ProductSpace& space, const double* q,
                                    const std::vector<std::string>& names);
/// v is this velocity, as it is held; none for vertical directions.
std::vector<ControlRow> fixed_velocity(expr::Graph& graph, const ProductSpace& space,
                                       const double* v, const std::vector<std::string>& names);

/// q₀ ⊕ s (q₁ ⊖ q₀), s from 0 to 1 in the time of the problem: a motion to begin with.
ControlGuess straight_line(const ProductSpace& space, const Vn& q0, const Vn& q1,
                           const ControlTime& time);

}  // namespace varia
