// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The linear system of reactions: constraints of both kinds at a point.
//
//   [K, -Gᵀ, -Φ_vᵀ; G, μ, 0; Φ_v, 0, μ]    with K = ∂²L/∂v² or 1
//
// A constraint that is left out has the equation λ = 0 instead.
#include <vector>

#include "varia/core/types.hpp"
#include "varia/mechanics/dependent_constraints.hpp"
#include "varia/mechanics/kernel_system.hpp"
#include "varia/solve/structured.hpp"
#include "varia/space/euclidean.hpp"

namespace varia::detail {

class ConstraintKkt {
 public:
  /// Everything is taken at the time t.
  ConstraintKkt(const KernelSystem& system, double t);

  /// Holonomic constraints, then nonholonomic ones.
  int count() const { return f_.d + f_.e; }
  /// The places of the nonholonomic ones.
  std::vector<int> nonholonomic() const { return range(f_.d, f_.e); }
  /// Of G and, below, ∂Φ/∂v.
  const Pattern& pattern() const { return pattern_; }
  double gradient(int e) const { return gradient_[static_cast<std::size_t>(e)]; }

  /// φ, G and ∂φ/∂t at q from now on.
  void place(const Vn& q);
  /// And Φ with its slopes at (q, v).
  void place(const Vn& q, const Vn& v);

  /// φ
  Vn residual() const { return Eigen::Map<const Vn>(phi_.data(), f_.d); }
  /// ∂φ/∂t
  const Vn& time_rate() const { return phi_t_; }
  /// (G; ∂Φ/∂v) x
  Vn along(const Vn& x) const;
  /// (G; ∂Φ/∂v)ᵀλ
  Vn reaction(const Vn& lambda) const;
  /// (G v + ∂φ/∂t, Φ), v being the velocity of the place
  Vn rates(const Vn& v) const;
  /// ∂Φ/∂q v + ∂Φ/∂t: how Φ changes where v does not
  const Vn& drift() const { return drift_; }

  ConstraintRank rank() const;
  ConstraintRank holonomic_rank() const { return holonomic_rank(phi_.data()); }
  /// With the values of the dependencies in ∂φ/∂t instead of φ.
  ConstraintRank rank_of_rates() const { return holonomic_rank(phi_t_.data()); }

  /// With K = ∂²L/∂v², whose entries are given, or K = 1 when there are none. False: singular.
  bool factor(const double* second, double mu, const std::vector<int>& left_out);
  /// (x, λ) with K x - (G; Φ_v)ᵀλ = top, (G; Φ_v) x + μλ = bottom.
  Vn solve(const Vn& top, const Vn& bottom) const;
  /// x of the system without top, for holonomic constraints.
  Vn move(const Vn& bottom) const;

 private:
  ConstraintRank holonomic_rank(const double* values) const;

  const KernelSystem& f_;
  Pattern pattern_;
  std::vector<double> point_, phi_, rolling_, gradient_;
  Vn phi_t_, drift_;
  std::vector<char> out_;
  StructuredLU lu_;
};

}  // namespace varia::detail
