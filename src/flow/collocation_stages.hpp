// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The equations of one step of (rkmk), with their Jacobian. Nothing is allocated once they are made.
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
  friend class CollocationDerivative;

  /// What a point answers to the displacement of its place and the change of its velocity, to dΞ and dH.
  struct Point {
    std::vector<double> x;  ///< (t, Q, V)
    Vn xi, momentum, rate;  ///< Ξ, π and k
    Eigen::MatrixXd momentum_q, momentum_v, rate_q, rate_v;
    Eigen::MatrixXd momentum_X, momentum_H, rate_X, rate_H;
    Eigen::MatrixXd D, E, A;  ///< dτ, ∂(dτ H)/∂Ξ and Ad* there, of all degrees of freedom
  };

  template <class Weights> void along(const Weights& weights, Vn& out) const;
  void place(int i, Point& point, bool fresh);
  void differentiate(Point& point);
  void coadjoint_of(const double* v, Eigen::MatrixXd& out);
  void add_coadjoint_along(double factor, const double* pi, Eigen::MatrixXd& out) const;
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
  std::vector<double> second_, force_;
  Eigen::MatrixXd coadjoint_, block_;
  Vn v_, xi_, sum_, none_, p_, p_rest_;
};

}  // namespace varia::detail
