// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Whether a discrete Lagrangian belongs to the Lagrangian that is stated beside it. For small steps
//
//   L_d(q, q + h v, h) = h L(q, v) + O(h²), so
//   D₂L_d → ∂L/∂v   and   (D₁L_d + D₂L_d)/h → ∂L/∂q    for h → 0
//
// The limits are extrapolated from a few steps, and compared where the extrapolation is sure of them.
#include <optional>
#include <string>
#include <vector>

#include "varia/io/model.hpp"

namespace varia::io {

/// Where the two differ most.
struct DiscreteDefect {
  std::string of;       ///< dL/dx or dL/dx_dot
  double stated = 0.0;  ///< by the Lagrangian
  double found = 0.0;   ///< by the discrete Lagrangian
  double share = 0.0;   ///< their difference over the largest value of the derivative
};

/// The defect near two points of the run and between them; none where they agree.
std::optional<DiscreteDefect> discrete_defect(const Model& model, const std::vector<double>& q_end,
                                              const std::vector<double>& v_end);

}  // namespace varia::io
