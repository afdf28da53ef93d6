// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivative of an explicit step, (kick-drift), of a separable system.
#include <vector>

#include "point_derivative.hpp"
#include "varia/flow/step_derivative.hpp"
#include "varia/methods/legs.hpp"

namespace varia::detail {

class LegDerivative final : public StepDerivative {
 public:
  LegDerivative(const KernelSystem& system, Legs legs);

  /// At the step of size h from s.
  void set(const VectorState& s, double h);
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override;

 private:
  /// A kick or a drift, h times its coefficient long, so far into the step.
  struct Leg {
    bool kick;
    double coefficient, fraction;
    Vn rate;                     ///< ∂L/∂q of a kick, v of a drift
    std::vector<double> second;  ///< second derivatives of L, or of -H
    Eigen::MatrixXd rates;       ///< of its slope in q or in v, p in t and the free parameters
  };

  void add(bool kick, double coefficient, double fraction, const VectorState& s);
  Vn by_mass(const Vn& p) const;
  Vn velocity_change(const Leg& leg, const Vn& nu, const Vn& by_parameters) const;
  Vn in_parameters(const Leg& leg, const PhaseVector& z) const;
  void add_parameters(const Leg& leg, const Vn& covector, PhaseVector& z) const;

  const KernelSystem& f_;
  Legs legs_;
  std::vector<Scatter> qq_, pp_;
  Eigen::MatrixXd inverse_mass_;  ///< where it is not diagonal
  std::vector<Leg> list_;
  double h_ = 0.0;
};

}  // namespace varia::detail
