// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The equations of one step of a stage method, with their exact Jacobian, for any system of kernels.
//
// With S(Ξ, H) = L(q₀ ⊕ Ξ, dτ_Ξ H), Pⁱ = ∂S/∂H, Wⁱ = ∂S/∂Ξ + dτ* f, Nⁱ the body-frame force:
//
//   (stage)     Σᵢ bᵢ (Bᵢⱼ Pⁱ + h Aᵢⱼ Wⁱ) = βⱼ κ,          j = 1..r
//   (balance)   m = p₀ + h Σᵢ bᵢ Ad*_{τ(-Ξⁱ)} Nⁱ,   κ = dτ_{-ξ}* m,   p₁ = Ad*_{τ(ξ)} m
//
// [MW01] on ℝⁿ, where m = κ = p₁ and h Σ bᵢWⁱ is taken out of both sides; [Sato19] on groups. With
// constraints N carries Gᵀλ: at q₀, at the inner quadrature points when the method has both ends, and
// at q₁ by projection (hidden):
//
//   (rattle)    p₀ → p₀ + w₀ G(q₀)ᵀλ₀,  φ(inner points) = 0,  φ(q₁) = 0,  p₁ + w₁ G(q₁)ᵀλ₁ with G(q₁) v₁ = 0
//
// Where φ depends on t it is taken at the times t₀ + cᵢh of its points, and the last equation is
// G v₁ + ∂φ/∂t = 0 at t₁. What drives the constraints does the work (driver) of a step:
//
//   (work)      -w₀⟨λ₀, ∂φ/∂t⟩ - h Σ bᵢ⟨λᵢ, ∂φ/∂t⟩ - w₁⟨λ₁, ∂φ/∂t⟩,   i the inner points
//
// Nonholonomic constraints at the points add velocities and multipliers to the unknowns, those in the
// middle of a step react at its ends as φ does: see stage_rolling.cpp and stage_middle.cpp.
//
// Where a system is stated by H(t, q, p), the Pⁱ are unknowns too, with the equations Hⁱ = ∂H/∂p, and
// Wⁱ = -∂H/∂q: (phase-stage).
#include <algorithm>
#include <memory>
#include <vector>

#include "chart_blocks.hpp"
#include "constraint_rows.hpp"
#include "dense_sum.hpp"
#include "end_system.hpp"
#include "kept_jacobian.hpp"
#include "middle_constraint.hpp"
#include "phase_unknowns.hpp"
#include "rolling_unknowns.hpp"
#include "stage_weights.hpp"
#include "varia/core/index.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia::detail {

/// A vector as a sum hi + lo.
struct SplitVector {
  std::vector<double> hi, lo;
  void resize(int n) {
    hi.assign(static_cast<std::size_t>(n), 0.0);
    lo = hi;
  }
};

struct Stages {
  /// Constraints that are left out have the equation λ = 0 instead of φ = 0.
  Stages(const KernelSystem& system, const StageCoefficients& coefficients, Retraction tau,
         const std::vector<int>& left_out = {});

  /// Residual (and Jacobian when fresh) at newton.x. The low parts of sums may be kept from the last
  /// evaluation where newton.x has moved by little: what they would change is far below round-off.
  void evaluate(bool fresh, bool keep_low = false);
  template <class W> void operator()(W&, bool fresh) { evaluate(fresh); }
  /// Newton's method from newton.x, with a new Jacobian or beginning with the kept one.
  NewtonReport solve(const Newton& options);
  NewtonReport solve_kept(const Newton& options);
  /// By damped steps.
  NewtonReport solve_damped(const Newton& options);
  /// The factors of the kept Jacobian, after its point was loaded.
  void restore_kept();
  /// Whether some term in the residual is so large.
  bool has_term(double bound) const;
  void begin(const VectorState& s, double h);
  /// The unknowns from those of earlier steps; false if there are none.
  bool predict();
  /// All unknown velocities equal to v, all multipliers to those of the start.
  void guess(const double* v);
  /// Velocities and momenta of a system stated by its Hamiltonian, from the start.
  void guess_momenta();
  /// The unknowns; momenta without units.
  const std::vector<double>& unknowns();
  void set_unknowns(const std::vector<double>& x);
  /// The change of the unknowns that makes up for a change of the rows, after the Jacobian was
  /// factored; and the transposed map.
  void solve_linear(double* rows) const;
  void solve_transposed(double* unknowns) const;
  /// xi and impulse belong to the solution afterwards.
  void finish(double last_update);
  /// q₁, p₁ (and λ₁) from xi and impulse.
  void end_step(VectorState& s);
  /// h Σ bᵢ L at the points; (phase-action) of a system stated by its Hamiltonian.
  double action();
  /// (t, Qⁱ, Vⁱ) and Ξⁱ of the solution.
  struct PointOfStage {
    const double *x, *displacement;
  };
  PointOfStage at_point(int i) {
    place<0>(i);
    return {x_.data(), displacements_[sz(i)].hi.data()};
  }
  /// Hⁱ at the last point of the solution, near the velocity at the end.
  const double* last_velocity() {
    chart_velocity<0>(m - 1, &x_[sz(1 + f.entries)]);
    return &x_[sz(1 + f.entries)];
  }
  /// Whether a curved factor turns by more than 1 in the step, after finish().
  bool turns_far() const {
    return std::any_of(curved_.begin(), curved_.end(), [&](const CurvedPlace& c) {
      return c.factor->turn(&xi_.hi[sz(c.degree)]) > 1.0;
    });
  }
  /// ξ of the solution, after finish().
  const double* shift() const { return xi_.hi.data(); }
  /// (work) of the last step.
  double driver_work() const { return work_; }

  const KernelSystem& f;
  const StageCoefficients& k;
  int n, r, m, d, inner;
  NewtonWorkspaceOf<StructuredLU> newton;
  Predictor predictor;
  KeptJacobian kept;  ///< of systems without constraints

 private:
  friend class StageDerivative;

  /// Where the derivatives of P and W go, for rows of one kind.
  struct Rows {
    PatternBlock P_X, P_H, W_X, W_H, force_q, force_v, curvature;
    const SplitArray* row_W = nullptr;  ///< of h Wⁱ in (stage)
    StageWeights of_P_X, of_P_H, of_W_X, of_W_H, of_inner;
  };
  /// The numbers that go there, point by point.
  struct Derivatives {
    const double *P_X, *P_H, *W_X, *W_H;
    std::ptrdiff_t stride;
  };

  /// After a solve that ends with factors of its own.
  NewtonReport renewed(const NewtonReport& report);
  std::size_t at(int i, int j) const { return sz(i) * sz(r) + sz(j); }
  const double* unknown(int j) const { return newton.x.data() + sz(j) * sz(n); }
  /// Of the multipliers of holonomic constraints at point i; the rows of φ(Qⁱ⁺¹) stand there too.
  int multiplier_place(int i) const { return multipliers_at_ + i * d; }
  const double* multiplier(int i) const { return newton.x.data() + multiplier_place(i); }
  const SplitArray& weights_of(int degree) const {
    return groups_.list()[sz(groups_.of(degree))].curved < 0 ? k.row_D : k.row_W;
  }

  Couplings couplings() const;
  void make_blocks();
  void make_chart_blocks();
  void make_dense_sum();
  void make_room();
  PatternBlock block(const std::vector<Scatter>& places) const;

  /// n, to the compiler a constant where N is one; N = 0: any.
  template <int N> int size() const { return N > 0 ? N : n; }
  template <class F> void with_size(const F& work);
  template <int N> void copy(const double* from, double* to) const;
  template <int N> void evaluate_as(bool fresh);
  /// P, W and what follows from them, without derivatives.
  void evaluate_points();
  template <bool second, int N> void points();
  template <bool second, int N> void point(int i);
  template <int N> void place(int i, bool maps = true);
  void place_vectors(int i, SplitVector& displacement);
  template <int N> void chart_velocity(int i, double* v) const;
  void place_curved(const SplitVector& displacement, bool maps, double* q, double* v);
  template <bool second> void evaluate_lagrangian();
  template <bool second> void evaluate_force();
  UnitBlock unit_block(int row0, int column0) const;
  void make_momenta();
  void choose_units();
  void exchange_velocity(int i);
  void momentum_of_point(int i);
  void rows_in_units();
  void add_phase_jacobian();
  void add_constraint(int i);
  void pull_back(double* P, double* W, double* moved);
  template <int N> void keep_derivatives(int i);
  template <int N> void keep_dense(double* out);
  Derivatives derivatives() const;
  template <int N> void add_jacobian();
  void add_rows(const Rows& rows, const Derivatives& values);
  void weigh(double h);
  void weigh(Rows& rows);
  void add_momentum_rates(int i);
  void add_inner_constraint(int i);
  template <int N>
  void weighted_sum(const SplitArray& a, std::size_t first, const double* x, int count,
                    SplitVector& sum) const;
  template <int N> void combine(const SplitArray& a, int row, SplitVector& sum) const;
  /// Whether ξ and m stand in the equations, and not only at the end of the step.
  bool ends_in_equations() const { return reactions_at_ends() > 0 || !curved_.empty(); }
  /// How many constraints react at q₀, with multipliers of their own, and at q₁.
  int reactions_at_ends() const { return middle_ != nullptr ? d + f.e : d; }
  /// Whether constraints react, which needs the maps of charts in every evaluation.
  bool reacts() const { return d > 0 || f.e > 0; }
  void tangents_at_end();
  template <int N> void sum_impulse();
  template <int N> void correct_impulse();
  void correct_pulled_impulse();
  template <int N> void sum_rows();
  double largest_term(int i) const;
  double row_entry(int j, int a, double large, double small) const;
  template <int N> void sum_row(int j, int first, int count, const SplitArray& weights);
  void end_momentum(bool fresh);
  void subtract_end_momentum();
  void pull_back_end(const ChartBlocks::Pair& pair, const double* dm, double* out) const;
  double add_reaction(const Pattern& pattern, const double* g, const double* lambda, double weight,
                      double* out) const;
  double add_start_reaction(double weight, double* out) const;
  void add_curvature_rest(double* out) const;
  void lost_in_sum(const SplitVector& displacement, const double* q);
  void add_rest(double* phi) const;
  void add_time_rest(const double* point, double exact_time, double* phi);
  void end_rows(bool fresh);
  void add_end_rows(int row0);
  void replace_left_out(int row0, int column0, bool fresh);
  void pull_back(const double* g, Reactions& y) const;
  void pull_by(const FactorChart CurvedPlace::*chart, const ConstraintRows& rows,
               std::vector<double>& g) const;
  void add_reaction_columns(int i, const Reactions& y, int column0);
  void add_position_rows(int i, const Reactions& y, int row0, const std::vector<char>& left_out);
  void add_start_columns();
  // Of nonholonomic constraints: stage_rolling.cpp.
  int rolling_row(int i) const { return (r + i - 1) * n; }
  int rolling_place(int i) const { return multiplier_place(inner + 1) + (i - 1) * f.e; }
  const double* nonholonomic_multiplier(int i) const {
    return i == 0 ? start_->lambda.data() + d : newton.x.data() + rolling_place(i);
  }
  void make_rolling();
  void couple_rolling(Couplings& c) const;
  void guess_rolling(const double* v);
  void rolling_point(int i, bool fresh);
  void rolling_rows();
  void add_momentum_columns(int i);
  void add_velocity_columns(int i);
  void add_rolling_rows(int i, RollingRows& rows, int row0);
  void end_rolling(VectorState& s);
  bool leaves_constraints(const VectorState& s) const;
  void return_to_constraints(VectorState& s);
  // Of those in the middle: stage_middle.cpp.
  void couple_middle(Couplings& c) const;
  void begin_middle();
  void middle_point(bool fresh);
  void add_middle_rows();
  void end_middle(VectorState& s) const;

  Groups groups_;
  Retraction tau_;
  std::vector<CurvedPlace> curved_;
  std::unique_ptr<ChartBlocks> blocks_;  ///< where there are curved factors
  Rows vector_rows_, curved_rows_;
  std::unique_ptr<PhaseUnknowns> momenta_;  ///< of a system stated by its Hamiltonian
  std::unique_ptr<DenseSum> dense_;  ///< instead of these rows where all degrees of freedom meet
  bool full_second_ = false;         ///< the pattern of L is the whole triangle, row by row
  std::vector<std::pair<int, int>> dense_second_;  ///< second derivatives of L in its blocks on ℝⁿ
  std::size_t row_stride_ = 0, column_stride_ = 0;  ///< between the blocks of the stages
  int multipliers_at_ = 0;  ///< the first multiplier, and how many velocities there are
  double h_ = 0.0, weight0_ = 0.0, weight1_ = 0.0;
  double weighed_ = 0.0;  ///< the h of the weights
  std::vector<double> point_factors_;
  const VectorState* start_ = nullptr;
  bool inside_ = false;
  std::vector<char> left_out_;
  double largest_reaction_ = 0.0;  ///< h times the largest term of Gᵀλ at the inner points
  EndSystem end_;
  Reactions holonomic_;
  Pattern start_pattern_;             ///< of the constraints that react at q₀
  std::vector<double> start_slopes_;  ///< G and, below, ∂Φ/∂v there
  Reactions start_reactions_;
  /// Of a system with nonholonomic constraints: at the points, or in the middle.
  std::unique_ptr<RollingUnknowns> rolling_;
  std::unique_ptr<MiddleConstraint> middle_;
  SplitVector xi_, impulse_;
  std::vector<SplitVector> displacements_, sums_;  ///< of the points, of the rows
  bool keep_low_ = false;
  bool linear_ = false;             ///< see NewtonReport
  std::vector<double> along_step_;  ///< Σⱼ aⱼ times the last step of uⱼ
  std::ptrdiff_t second_size_ = 0, force_size_ = 0, curve_size_ = 0;  ///< of one point
  std::vector<double> seconds_, forces_, curves_, blocks_of_points_;  ///< of all points
  double *second_ = nullptr, *force_ = nullptr, *curve_ = nullptr;    ///< of the point at hand
  std::vector<double> x_, phi0_, phi_, phi1_, rest_;
  std::vector<double> point1_, lambda_point_;  ///< (t₁, q₁), (t, q, λ) of an inner point
  std::vector<double> rate0_, rate_;           ///< ∂φ/∂t at t₀ and at the point at hand
  double work_ = 0.0;
  std::vector<double> P_, W_, kappa_, kappa_rest_;
  std::vector<double> moved_;            ///< Ad* N of all points
  std::vector<double> potential_;        ///< N without the force
  std::vector<double> end_momentum_;     ///< m of the curved factors
  std::vector<std::vector<double>> dm_;  ///< ∂m/∂u_l in the places of blocks_
};

}  // namespace varia::detail
