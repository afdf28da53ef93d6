// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The equations of one step of (rkmk), with their Jacobian.
#include <vector>

#include "varia/core/types.hpp"
#include "varia/flow/kernel_start.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/flow/predictor.hpp"
#include "varia/mechanics/kernel_system.hpp"
#include "varia/methods/tableau.hpp"
#include "varia/solve/newton.hpp"
#include "varia/space/factor.hpp"

namespace varia::detail {

struct CollocationStages {
  CollocationStages(const KernelSystem& system, const Tableau& rule, Retraction tau);

  void begin(const VectorState& s, double h);
  /// The unknown velocities from those of earlier steps, else all that of the start.
  void guess();
  /// Residual π - p₀ - h Σ a k at newton.x, and its Jacobian when fresh.
  void operator()(NewtonWorkspace& newton, bool fresh);
  /// s, where the step began, becomes its end.
  void end_step(VectorState& s);

  NewtonWorkspace newton;
  Predictor predictor;

 private:
  /// What a point answers to dΞ and dH.
  struct Point {
    Vn momentum, rate;  ///< π and k
    Eigen::MatrixXd momentum_X, momentum_H, rate_X, rate_H;
  };

  Vn along(const Vn& weights) const;
  void place(int i, Point& point, bool fresh);
  void differentiate(const Vn& potential, Point& point);
  Eigen::MatrixXd coadjoint_of(const Vn& v) const;
  Eigen::MatrixXd coadjoint_along(const Vn& pi) const;
  void add_jacobian();

  const KernelSystem& f_;
  Retraction tau_;
  int s_;
  Vn b_, c_;
  Eigen::MatrixXd a_;
  LegendreTransform legendre_;
  const VectorState* start_ = nullptr;
  double h_ = 0.0;
  std::vector<Point> points_;
  std::vector<FactorChart> charts_;  ///< of the curved factors at the point at hand
  std::vector<double> x_, second_, force_;
  Eigen::MatrixXd D_, E_;  ///< dτ and ∂(dτ H)/∂Ξ there, of all degrees of freedom
};

}  // namespace varia::detail
