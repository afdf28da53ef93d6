// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The linear system of reactions: constraints of both kinds at a point.
//
//   [K, -Gᵀ, -Φ_vᵀ; G, μ, 0; Φ_v, 0, μ]    with K = ∂²L/∂v² or 1
//
// A constraint that is left out has the equation λ = 0 instead. Once made, it allocates nothing where
// vectors to write to are given.
#include <vector>

#include "varia/core/types.hpp"
#include "varia/mechanics/dependent_constraints.hpp"
#include "varia/mechanics/kernel_system.hpp"
#include "varia/solve/structured.hpp"
#include "varia/space/euclidean.hpp"

namespace varia::detail {

class ConstraintKkt {
 public:
  explicit ConstraintKkt(const KernelSystem& system);

  /// Holonomic constraints, then nonholonomic ones.
  int count() const { return f_.d + f_.e; }
  /// The places of the nonholonomic ones.
  std::vector<int> nonholonomic() const { return range(f_.d, f_.e); }
  /// Of G and, below, ∂Φ/∂v.
  const Pattern& pattern() const { return pattern_; }
  double gradient(int e) const { return gradient_[static_cast<std::size_t>(e)]; }

  /// φ, G and ∂φ/∂t at (t, q) from now on.
  void place(double t, const Vn& q);
  /// And Φ with its slopes at (t, q, v).
  void place(double t, const Vn& q, const Vn& v);

  /// φ
  Eigen::Map<const Vn> residual() const { return {phi_.data(), f_.d}; }
  /// ∂φ/∂t
  const Vn& time_rate() const { return phi_t_; }
  /// (G; ∂Φ/∂v) x
  void along(const Vn& x, Vn& out) const;
  Vn along(const Vn& x) const {
    Vn out;
    along(x, out);
    return out;
  }
  /// (G; ∂Φ/∂v)ᵀλ
  void reaction(const double* lambda, Vn& out) const;
  /// (G v + ∂φ/∂t, Φ), v being the velocity of the place
  void rates(const Vn& v, Vn& out) const;
  Vn rates(const Vn& v) const {
    Vn out;
    rates(v, out);
    return out;
  }
  /// ∂Φ/∂q v + ∂Φ/∂t: how Φ changes where v does not
  const Vn& drift() const { return drift_; }

  ConstraintRank rank() const;
  ConstraintRank holonomic_rank() const { return holonomic_rank(phi_.data()); }
  /// With the values of the dependencies in ∂φ/∂t instead of φ.
  ConstraintRank rank_of_rates() const { return holonomic_rank(phi_t_.data()); }

  /// With K = ∂²L/∂v², whose entries are given, or K = 1 when there are none. False: singular.
  bool factor(const double* second, double mu, const std::vector<int>& left_out);
  /// (top, bottom) ← (x, λ) with K x - (G; Φ_v)ᵀλ = top, (G; Φ_v) x + μλ = bottom.
  void solve(Vn& both) const;
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
