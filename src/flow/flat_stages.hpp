// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The stage equations on ℝⁿ in flat arrays; (stage), (balance), (rattle) of stage_equations.hpp
// with τ(ξ) = ξ, where m = κ = p₀ + h Σ bᵢ Wⁱ.
#include <vector>

#include "end_system.hpp"
#include "varia/core/index.hpp"
#include "varia/flow/flat_flow.hpp"

namespace varia::detail {

/// A vector as a sum hi + lo.
struct SplitVector {
  std::vector<double> hi, lo;
  void resize(int n) {
    hi.assign(static_cast<std::size_t>(n), 0.0);
    lo = hi;
  }
  void set_zero() {
    hi.assign(hi.size(), 0.0);
    lo.assign(lo.size(), 0.0);
  }
};

struct FlatStages {
  /// Constraints that are left out have the equation λ = 0 instead of φ = 0.
  FlatStages(const FlatSystem& system, const StageCoefficients& coefficients,
             const std::vector<int>& left_out = {});

  /// Residual (and Jacobian when fresh) at w.x.
  void evaluate(bool fresh);
  void begin(const FlatState& s, double h);
  /// All unknown velocities equal to v, all multipliers to those of the start.
  void guess(const double* v);
  /// xi and impulse belong to the solution afterwards.
  void finish(double last_update);
  /// q₁, p₁ (and λ₁) from xi and impulse.
  void end_step(FlatState& s);

  const FlatSystem& f;
  const StageCoefficients& k;
  int n, r, m, d, inner;
  NewtonWorkspaceOf<StructuredLU> newton;
  Predictor predictor;
  int iterations = 0;

 private:
  std::size_t at(int i, int j) const { return sz(i) * sz(r) + sz(j); }
  const double* unknown(int j) const { return newton.x.data() + sz(j) * sz(n); }
  const double* multiplier(int index) const {
    return newton.x.data() + sz(r) * sz(n) + sz(index) * sz(d);
  }

  Couplings couplings() const;
  void make_blocks();
  void make_blocks_of_second();
  Block block(const std::vector<Scatter>& places) const;

  template <bool second> void points();
  template <bool second> void point(int i);
  void place(int i);
  template <bool second> void evaluate_lagrangian();
  template <bool second> void evaluate_force();
  void add_constraint(int i);
  void add_jacobian(int i);
  void combine(const SplitArray& a, int row, SplitVector& sum) const;
  void sum_rows();
  void sum_row(int j);
  double add_reaction(const double* g, const double* lambda, double weight, double* out) const;
  void add_curvature_rest(double* out) const;
  void lost_in_sum(const SplitVector& displacement, const double* q);
  void add_rest(double* phi) const;
  void end_rows(bool fresh);
  void replace_left_out(int row0, int column0, bool fresh);

  Block qq_, vv_, vq_, qv_, force_q_, force_v_, curvature_;
  std::size_t row_stride_ = 0, column_stride_ = 0;  ///< between the blocks of the stages
  double h_ = 0.0, weight0_ = 0.0, weight1_ = 0.0;
  const FlatState* start_ = nullptr;
  bool inside_ = false;
  std::vector<char> left_out_;
  double largest_reaction_ = 0.0;  ///< h times the largest term of Gᵀλ at the inner points
  EndSystem end_;
  SplitVector xi_, impulse_, displacement_, row_;
  std::vector<double> x_, second_, force_, phi0_, phi_, phi1_, curve_, q1_, lambda_point_, rest_;
  std::vector<double> P_, W_, kappa_rest_;
};

}  // namespace varia::detail
