// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tangent vectors carried along a motion: the tangent flow, and the largest Lyapunov exponent.
//
//   TangentFlow tangent(flow, start, {z});
//   for (…) tangent.step(state, h);           // the step from state, whoever integrates it
//
// The vectors move by the exact derivative of each step (flow/step_derivative.hpp), so that what is
// measured belongs to the discrete motion, not to another discretisation of its linearised equations.
#include <vector>

#include "varia/flow/any_flow.hpp"

namespace varia {

class TangentFlow {
 public:
  TangentFlow(AnyFlow flow, const VectorState& start, std::vector<PhaseVector> vectors);

  /// Moves the vectors along the step of size h from s.
  void step(const VectorState& s, double h);
  /// The time at the end of the last step.
  double time() const { return state_.t; }
  const std::vector<PhaseVector>& vectors() const { return vectors_; }
  std::vector<PhaseVector>& vectors() { return vectors_; }

  /// What the next steps depend on, for a checkpoint, and back.
  std::vector<double> save() const { return SavedNumbers::of(*this); }
  void load(const std::vector<double>& data);
  void exchange(SavedNumbers& numbers);

 private:
  void forget_points();

  AnyFlow flow_;
  AnyFlow::Memory memory_;
  VectorState state_;
  std::vector<PhaseVector> vectors_;
};

struct LyapunovEstimate {
  double exponent = 0.0;  ///< per unit of time
  double error = 0.0;     ///< standard error, not below what so short a time can tell
  double megno = 0.0;     ///< 2 for regular motion, grows like exponent · time/2 for chaotic
};

/// (lyapunov)  λ = lim (1/T) ln |DF z|/|z|, and MEGNO, the mean of (2/T) ∫ t d ln |z|    [CGS03].
///
/// The first eighth of the time is left out: a vector turns towards the direction of fastest growth.
class Lyapunov {
 public:
  /// Throws InvalidArgument where the flow cannot start from the state.
  Lyapunov(const AnyFlow& flow, const VectorState& start);

  void step(const VectorState& s, double h);
  /// All zero before the first step.
  LyapunovEstimate estimate() const;

  std::vector<double> save() const { return SavedNumbers::of(*this); }
  void load(const std::vector<double>& data);
  void exchange(SavedNumbers& numbers);

 private:
  double length() const;

  TangentFlow tangent_;
  Vn mass_;  ///< of each degree of freedom: the unit of its momentum
  // growth of the logarithm in stretches of equal length; two become one when there are too many
  std::vector<double> growth_, duration_;
  long in_stretch_ = 0, stretch_ = 1;  ///< steps in the last one, and in all others
  double time_ = 0.0, weighted_ = 0.0, mean_ = 0.0;
};

}  // namespace varia
