// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The path of a one-step method Ψ from (q₀, v₀) through the nodes of a quadrature, with its first
// derivatives in (q₀, v₀): what (shooting-step) needs.
//
// Positions, velocities and derivatives are kept as differences from the start: for short steps no
// digits are lost in q₁ - q₀ and Q_q - 1.
#include <Eigen/Core>
#include <vector>

#include "varia/expr/tape_series.hpp"
#include "varia/flow/shooting_flow.hpp"
#include "varia/methods/explicit_tableau.hpp"
#include "varia/solve/structured.hpp"

namespace varia::detail {

/// (q - q₀, v - v₀) and the derivatives of these in (q₀, v₀), n × 2n.
struct PathPoint {
  void resize(int n);
  void add(double factor, const PathPoint& rate);

  Vn q, v;
  Eigen::MatrixXd dq, dv;
};

class ShootingPath {
 public:
  ShootingPath(const KernelSystem& system, const AccelerationSystem& acceleration,
               const ShootingScheme& scheme);

  /// Walks from (q0 + q_rest, v0) at the time t + t_rest. False when numbers are not finite or M is
  /// singular somewhere on the way.
  bool walk(double t, double t_rest, const double* q0, const double* q_rest, const double* v0,
            double h);
  /// p₁ of (shooting-step); false when Q_v is singular.
  bool solve_momentum();
  /// ∂²L/∂v² at the start becomes the matrix that mass() solves with; false when it is singular.
  bool factor_mass(double t, const double* q0, const double* v0);
  const StructuredLU& mass() const { return start_mass_; }
  bool singular() const { return singular_; }

  const PathPoint& end() const { return z_; }
  double action() const { return action_; }   ///< G
  const Vn& gradient() const { return g_; }   ///< (G_q, G_v)
  const Vn& momentum() const { return p1_; }  ///< p₁

 private:
  void place(double t, const PathPoint& z);
  bool accelerate(double t, const PathPoint& z, PathPoint& rate);
  bool assemble_mass(StructuredLU& lu, const double* entries);
  bool step(double t, double h);
  bool runge_kutta(double t, double h);
  bool taylor(double t, double h);
  bool taylor_coefficient(int k, double t);
  void taylor_variation(int k);
  bool visit(double t, double weight);

  const KernelSystem& f_;
  const AccelerationSystem& a_;
  const ShootingScheme& scheme_;
  int n_;
  const double* q0_ = nullptr;
  const double* q_rest_ = nullptr;
  const double* v0_ = nullptr;

  PathPoint z_;
  double action_ = 0.0;
  Vn g_, p1_;
  bool singular_ = false;

  StructuredLU mass_, start_mass_;
  std::vector<std::size_t> mass_slot_;
  DenseLU end_slope_;           ///< Q_vᵀ
  std::vector<double> x_;       ///< (t, q, v, a)
  std::vector<double> mass_b_;  ///< (b, entries of M)
  std::vector<double> slope_;   ///< entries of ∂r/∂(q, v)
  std::vector<double> grad_;    ///< (∂L/∂q, ∂L/∂v)

  ExplicitTableau tableau_;
  std::vector<PathPoint> rates_;
  PathPoint stage_;

  std::vector<expr::TapeSeries> series_;  ///< of equation and slope; Taylor only
  std::vector<PathPoint> coefficients_;   ///< of (q, v) and their derivatives
  std::vector<Vn> a_k_;
  std::vector<Eigen::MatrixXd> da_k_;
};

}  // namespace varia::detail
