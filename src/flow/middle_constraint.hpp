// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a step with nonholonomic constraints in its middle needs of them: see stage_middle.cpp.
#include <vector>

#include "rolling_unknowns.hpp"
#include "varia/core/types.hpp"
#include "varia/flow/legendre_transform.hpp"

namespace varia::detail {

struct MiddleConstraint {
  explicit MiddleConstraint(const KernelSystem& f)
      : legendre(f),
        x0(f.point(0.0, Vn::Zero(f.entries).eval().data(), Vn::Zero(f.n).eval().data())) {
    rows.resize(f.space, f.nonholonomic_pattern, f.e);
    velocity.resize(f.space, rows.velocity);
    at_start = rows.out;
  }

  LegendreTransform legendre;
  std::vector<double> x0;        ///< (t₀, q₀, v₀)
  std::vector<double> at_start;  ///< Φ and its slopes there
  RollingRows rows;              ///< Φ in the middle
  Reactions velocity;            ///< its slopes in the velocity
  Vn lambda0;                    ///< the multipliers of the start
};

}  // namespace varia::detail
