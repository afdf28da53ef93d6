// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Bounds of a chain by a logarithmic barrier: b = (wₖ, slacks of gₖ) stays inside, with multipliers ζ of its bounds.
//
//   -μ Σ log(b - l) - μ Σ log(u - b),   ζ_l (b - l) = μ,   ζ_u (u - b) = μ
#include <vector>

#include "chain_values.hpp"

namespace varia::detail {

/// What lies between bounds in one step, inputs first.
struct Bounded {
  Eigen::VectorXd lower, upper;
  Eigen::VectorXd value, zeta_lower, zeta_upper;  ///< ζ is 0 where there is no bound
};
struct BoundedStep {
  Eigen::VectorXd value, zeta_lower, zeta_upper;
};

class Barrier {
 public:
  explicit Barrier(const ChainValues& values);

  bool any() const { return any_; }
  int inputs(int k) const { return inputs_[static_cast<std::size_t>(k)]; }
  const Bounded& of(int k) const { return bounded_[static_cast<std::size_t>(k)]; }

  /// How far inside a guess lies, of the width of the bounds and of their size [WB06, κ1 and κ2].
  static constexpr double first_push = 1e-2;
  /// Inputs of the point are moved inside their bounds.
  void enter(ChainPoint& at, double push = first_push);
  /// Slacks become what the inequalities are, inside; ζ = μ over the distance.
  void begin(const ChainValues& values, double mu, double push = first_push);

  /// At a point found otherwise: slacks within their bounds, and for each number the ζ of one bound that exert this force
  /// ζ_u - ζ_l, inputs first.
  void adopt(const ChainPoint& at, const ChainValues& values,
             const std::vector<Eigen::VectorXd>& force);

  double penalty(double mu) const;
  double penalty_slope(const std::vector<BoundedStep>& d, double mu) const;
  /// Σ|g - s|, and the largest
  double gap(const ChainValues& values) const;
  double largest_gap(const ChainValues& values) const;
  /// Largest |ζ (distance) - μ|.
  double complementarity(double mu) const;
  double multiplier_sum() const;
  int multiplier_count() const;

  /// Into the Hessians of the steps.
  void add_curvature(ChainValues& values) const;
  /// Into tₖ, with slacks and ζ eliminated.
  void add_gradient(const ChainValues& values, double mu, ChainResidual& residual) const;
  /// What follows for them from a direction of the chain; changes of the multipliers of inequalities too.
  void complete(const ChainValues& values, const ChainMultipliers& multipliers, double mu,
                const ChainDirection& d, std::vector<BoundedStep>& step,
                std::vector<Eigen::VectorXd>& limits) const;
  /// The part of a step, at most 1, that leaves the share 1 - τ of each distance.
  double longest(const std::vector<BoundedStep>& d, double tau) const;
  double longest_dual(const std::vector<BoundedStep>& d, double tau) const;
  void move(const std::vector<BoundedStep>& d, double alpha, const ChainPoint& at);
  void move_dual(const std::vector<BoundedStep>& d, double alpha, double mu);
  /// ζ_u - ζ_l of inputs of step k: their part of stationarity.
  Eigen::VectorXd input_force(int k) const;
  /// That of the slacks, which is the multiplier of the inequality.
  Eigen::VectorXd slack_force(int k) const;

 private:
  std::vector<Bounded> bounded_;
  std::vector<int> inputs_;
  bool any_ = false;
};

}  // namespace varia::detail
