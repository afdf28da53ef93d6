// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// (EL) with reactions at a point: accelerations and multipliers, see varia/flow/kernel_start.hpp.
#include <vector>

#include "constraint_kkt.hpp"
#include "varia/flow/kernel_start.hpp"
#include "varia/flow/legendre_transform.hpp"

namespace varia::detail {

/// Allocates nothing once it is made, but for rank().
class ConstrainedMotion {
 public:
  explicit ConstrainedMotion(const KernelSystem& system);

  void place(double t, const Vn& q, const Vn& v);
  /// Of the constraints at the place.
  ConstraintRank rank() const { return kkt_.rank(); }
  /// Throws SingularMass where a and λ are not determined.
  void solve(const std::vector<int>& left_out);

  auto acceleration() const { return both_.head(f_.n); }
  auto multipliers() const { return both_.tail(kkt_.count()); }

 private:
  void set_applied();

  const KernelSystem& f_;
  ConstraintKkt kkt_;
  std::vector<double> x_, second_;
  Vn more_, both_;
};

/// The multipliers κ(q, p) of nonholonomic constraints, which (EL) says, step by step.
class MotionMultipliers {
 public:
  /// left_out: holonomic constraints that follow from others.
  MotionMultipliers(const KernelSystem& system, const std::vector<int>& left_out)
      : f_(system), left_out_(left_out), legendre_(system), motion_(system), v_(system.n) {}

  /// Those of s become κ.
  void recompute(VectorState& s) {
    v_.setZero();
    legendre_.velocity(s, v_.data());
    motion_.place(s.t, s.q, v_);
    motion_.solve(left_out_);
    s.lambda.tail(f_.e) = motion_.multipliers().tail(f_.e);
  }

 private:
  const KernelSystem& f_;
  std::vector<int> left_out_;
  LegendreTransform legendre_;
  ConstrainedMotion motion_;
  Vn v_;
};

}  // namespace varia::detail
