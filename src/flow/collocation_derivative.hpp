// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivative of a step of (rkmk): docs/theory/stage-equations.md, section 11.
#include <vector>

#include "collocation_stages.hpp"
#include "varia/flow/step_derivative.hpp"

namespace varia::detail {

class CollocationDerivative final : public StepDerivative {
 public:
  CollocationDerivative(const KernelSystem& system, const Tableau& rule, Retraction tau);

  /// At the step of size h from s whose unknowns are x.
  void set(const VectorState& s, double h, const std::vector<double>& x);
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override;

 private:
  /// Of π and k at a point, in t and the free parameters.
  struct Rates {
    Eigen::MatrixXd momentum, rate;
  };

  void set_rates(const CollocationStages::Point& point, Rates& to);
  void set_end(const VectorState& s);
  Vn apply(PhaseVector& z, const Vn& x) const;
  Vn apply_transposed(const Vn& rows, PhaseVector& z) const;

  const KernelSystem& f_;
  CollocationStages stages_;
  double h_ = 0.0;
  std::vector<Rates> rates_;
  Vn xi_;                  ///< ξ
  Eigen::MatrixXd D_, A_;  ///< dτ and Ad* there
};

}  // namespace varia::detail
