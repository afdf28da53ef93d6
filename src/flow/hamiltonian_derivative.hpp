// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivative of a step of (phase-stage): its equations hold near the solution too.
#include <vector>

#include "hamiltonian_stages.hpp"
#include "point_derivative.hpp"

namespace varia::detail {

class HamiltonianDerivative final : public StepDerivative {
 public:
  HamiltonianDerivative(const HamiltonianSystem& system, const StageCoefficients& coefficients);

  /// At the step of size h from s that the unknowns of the stages solve.
  void set(const FlatState& s, double h, const std::vector<double>& unknowns);
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override;

 private:
  /// What is known at a quadrature point.
  struct At {
    Numbers way;                 ///< Σⱼ Aᵢⱼuⱼ
    Numbers W;                   ///< -∂H/∂q
    std::vector<double> second;  ///< of H
    Eigen::MatrixXd rates;       ///< ∂(∂H/∂q, ∂H/∂p)/∂(t, free parameters)
  };
  double A(int i, int j) const { return k_.A.hi[at(i, j)]; }
  double D(int i, int j) const { return k_.row_D.hi[at(i, j)]; }
  std::size_t at(int i, int j) const { return sz(i * k_.unknowns + j); }
  /// A part of the second derivatives of H, times x.
  Numbers times(const std::vector<Scatter>& block, const At& point, const Numbers& x) const;
  /// (dt + cᵢ dh, dθ)
  Numbers parameters(int i, const PhaseVector& z) const;
  void add_parameters(int i, const Numbers& s, PhaseVector& z) const;

  const HamiltonianSystem& f_;
  const StageCoefficients& k_;
  HamiltonianStages stages_;
  std::vector<Scatter> qq_, qp_, pq_;
  std::vector<At> points_;
  Numbers mean_;  ///< Σⱼ βⱼuⱼ
  double h_ = 0.0;
};

}  // namespace varia::detail
