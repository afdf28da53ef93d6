// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivative of a step of a stage method: docs/theory/stage-equations.md, section 11.
//
// The equations are R(z₀, x) = 0 for the unknowns x, and (q₁, p₁) = E(z₀, x). Then
// DF = E_z - E_x R_x⁻¹ R_z, one solve for a vector; DFᵀ likewise with the transposed factors.
#include <memory>
#include <utility>
#include <vector>

#include "multiplier_derivative.hpp"
#include "point_derivative.hpp"
#include "projection_derivative.hpp"
#include "rolling_derivative.hpp"
#include "stages.hpp"
#include "varia/flow/step_derivative.hpp"

namespace varia::detail {

class StageDerivative final : public StepDerivative {
 public:
  StageDerivative(const KernelSystem& system, const StageCoefficients& coefficients, Retraction tau,
                  const std::vector<int>& left_out);

  /// At the step of size h from s whose unknowns are x.
  void set(const VectorState& s, double h, const std::vector<double>& x);
  /// The multipliers of nonholonomic constraints at the end are those of the motion there.
  void recompute_multipliers(const VectorState& end);
  /// At the solution, as long as the start of set() lives.
  Stages& solved() { return stages_; }
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override { transposed(z, {}); }
  /// Of a function of the end, z, that also depends on the quadrature points, each with its covector.
  void transposed(PhaseVector& z, const std::vector<PointDerivative::In>& points) const;

 private:
  /// The chart at ξ, its likes at -ξ, and ad* p₁ for a curved factor.
  struct End {
    int degree, dof;
    Eigen::MatrixXd D, A, back_D, back_A, back_T, bracket;
  };

  void set_points();
  void set_end(const VectorState& s);
  Vn apply(PhaseVector& z, const Vn& x) const;
  Vn apply_transposed(const Vn& rows, PhaseVector& z) const;
  void add_point(int i, const PointDerivative::In& in, PhaseVector& z, Vn& x, Vn& s) const;
  void answer_of_point(int i, const Vn& rows, const Vn& m, PhaseVector& z, Vn& x, Vn& s) const;
  void leave_out(const Vn& x, Vn& rows) const;
  void leave_out_transposed(Vn& rows, Vn& x) const;
  double weight(const SplitArray& a, int i, int j) const { return a.hi[sz(i * stages_.r + j)]; }
  bool inside(int i) const { return i > 0 && i <= stages_.inner; }
  Eigen::Index momentum(int i) const { return (stages_.r + i) * stages_.n; }
  Eigen::Index multiplier(int i) const { return stages_.multiplier_place(i); }
  /// Whether the end is projected.
  bool projects() const { return f_.d > 0 && rolling_.empty(); }
  // Of nonholonomic constraints: rolling_derivative.cpp.
  void set_rolling(int i);
  Vn rolling_multiplier(int i, const PhaseVector& z, const Vn& x) const;
  /// The reaction at the start has this share in mʲ, of what it has in m.
  double share_of_start(int j) const { return weight(k_.A, j, 0) / k_.b.hi[0]; }
  void add_start_of_rolling(const Vn& nu, const Vn& reaction, Vn& rows) const;
  void add_rolling(int i, const PointDerivative::In& in, const Vn& moved, const Vn& x,
                   Vn& rows) const;
  std::pair<Vn, Vn> start_of_rolling_transposed(const Vn& rows) const;
  Vn rolling_transposed(int i, const Vn& rows, PhaseVector& z, Vn& x, Vn& s) const;

  const KernelSystem& f_;
  const StageCoefficients& k_;
  Stages stages_;
  PointPatterns patterns_;
  std::vector<PointDerivative> points_;
  std::vector<RollingDerivative> rolling_;             ///< of all points but the first
  std::unique_ptr<MultiplierDerivative> multipliers_;  ///< where they are computed anew
  std::vector<Vn> X_, W_;                              ///< Ξⁱ and Wⁱ
  Vn xi_;
  std::vector<End> ends_;
  std::vector<double> rates_, constraint_rates_, rolling_slopes_, rolling_rates_;
  double h_ = 0.0;
  ReactionDerivative start_reaction_, end_constraint_;
  ProjectionDerivative projection_;
};

}  // namespace varia::detail
