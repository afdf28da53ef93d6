// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// L_d of one step of a StageFlow, and its slot derivatives, whatever the method is made of.
#include <utility>
#include <vector>

#include "varia/flow/stage_flow.hpp"

namespace varia::detail {

class StepAction {
 public:
  explicit StepAction(const StageFlow& flow);

  /// L_d(q₀, q₁, h); of a composition the sum over its substeps from s₀.
  double operator()(const VectorState& s0, const VectorState& s1, double h) const;

  /// The change of L_d of a part when its end points move with the velocities x₀, x₁:
  /// ⟨D₁L_d + f_d⁻, x₀⟩ + ⟨D₂L_d + f_d⁺, x₁⟩.
  double change(std::size_t part, const VectorState& s0, const VectorState& s1, double h,
                const Vn& x0, const Vn& x1) const;

  /// The parts of a step: flow and fraction.
  const std::vector<std::pair<StageFlow, double>>& parts() const { return parts_; }

 private:
  void add_parts(const StageFlow& flow, const Method& method, double fraction);

  std::vector<std::pair<StageFlow, double>> parts_;
};

}  // namespace varia::detail
