// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivatives of the rows of (rolling) at one point of a step: docs/theory/nonholonomic.md, section 7.
#include <vector>

#include "point_derivative.hpp"

namespace varia::detail {

class RollingDerivative {
 public:
  /// What the rows depend on: Ξ, the displacement of q₀, the velocity vⁱ, (t, free parameters).
  struct In {
    Vn X, delta, velocity, s;
  };
  /// Ad* ∂L/∂v(Qⁱ, vⁱ), Φ(Qⁱ, vⁱ) and, where it is asked for, G v + ∂φ/∂t.
  struct Out {
    Vn momentum, constraint, hidden;
  };

  RollingDerivative(const KernelSystem& system, const PointPatterns& patterns)
      : f_(&system), patterns_(&patterns) {}

  /// At x = (t, Qⁱ, vⁱ), where the charts are those of the point.
  void set(const std::vector<double>& x, bool hidden, const std::vector<CurvedPlace>& curved);
  Out forward(const In& in) const;
  In transposed(const Out& out) const;

 private:
  /// The maps of a curved factor at the point.
  struct Curved {
    int degree, dof;
    Eigen::MatrixXd D, A, bracket;
  };

  Eigen::MatrixXd rates_of(const expr::Kernel& kernel, const std::vector<double>& x, int zeros,
                           int rows) const;

  const KernelSystem* f_;
  const PointPatterns* patterns_;
  std::vector<double> second_, constraint_,
      hidden_;  ///< hidden_ is empty where it is not asked for
  Eigen::MatrixXd momentum_rates_, constraint_rates_, hidden_rates_;
  std::vector<Curved> curved_;
};

}  // namespace varia::detail
