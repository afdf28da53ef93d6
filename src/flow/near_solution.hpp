// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which solution of the equations of a step belongs to the motion, and up to which step there is one.
//
// The solution that tends to the motion as h → 0 can be followed to longer steps. On groups it may end: the
// momentum as a function of the rotation in a step has a maximum, two solutions meet there, and the
// Jacobian is singular. Other solutions, which turn by more, remain.
#include <optional>
#include <vector>

#include "varia/flow/flow_options.hpp"
#include "varia/flow/kernel_start.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/methods/method.hpp"

namespace varia::detail {

/// A turn in a step, and that which the velocities at its ends say.
struct OtherTurn {
  double found, expected, difference;
};

/// Equations of steps that turn far have several solutions. One whose turn is not that of the velocities
/// at its ends is none of the motion. Allocates nothing once it is made.
class TurnCheck {
 public:
  TurnCheck(const KernelSystem& system, Retraction tau);

  void begin(const VectorState& start) { start_ = start; }
  const VectorState& start() const { return start_; }
  /// The turn of a step to this end, whose shift is given, where it is not that of its velocities.
  std::optional<OtherTurn> other(const VectorState& end, double h, const double* shift);

 private:
  const KernelSystem& f_;
  Retraction tau_;
  LegendreTransform legendre_;
  VectorState start_;
  Vn v0_, v1_, turn_;
};

/// The h at which the solutions of steps from s end, if that is before the given one: two of them meet.
/// None where h has such a solution, or they end in another way.
std::optional<double> end_of_solutions(const KernelSystem& system, const StageCoefficients& method,
                                       const FlowOptions& options, const std::vector<int>& left_out,
                                       const VectorState& s, double h);

}  // namespace varia::detail
