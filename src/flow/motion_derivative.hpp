// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The equation of motion and the momentum, linearised at a point of ℝⁿ.
//
// (EL) is r = d(∂L/∂v)/dt - ∂L/∂q - f = 0. With s = (t, free parameters) and D the derivative along
// the motion, (1, v, a),
//
//   dr = (D L_vq - L_qq - f_q) dq + (D L_vv + L_vq - L_qv - f_v) dv + (D L_vs - L_qs - f_s) ds + L_vv da
//   dp = L_vq dq + L_vv dv + L_vs ds
//
// D of a kernel is the first coefficient of its series: no third derivative is written down.
#include <vector>

#include "point_derivative.hpp"
#include "varia/solve/structured.hpp"

namespace varia::detail {

/// The derivative of a kernel at x along dx. Throws InvalidArgument where its formula is not known.
void derivative_along(const expr::Kernel& kernel, const std::vector<double>& x,
                      const std::vector<double>& dx, double* out);

class MotionDerivative {
 public:
  explicit MotionDerivative(const KernelSystem& system);
  /// Whether D is 0 or known for the kernels of the system.
  static bool possible(const KernelSystem& system);

  /// At (t, q, v).
  void set(double t, const Vn& q, const Vn& v);
  /// And where the acceleration is a. Throws InvalidArgument where D needs formulas and there are none.
  void set_acceleration(const Vn& a);
  /// The matrix of solve() becomes L_vv + by_q ∂r/∂q + by_v ∂r/∂v; false when it is singular.
  bool factor(double by_q, double by_v);
  Vn solved(Vn x) const;
  Vn solved_transposed(Vn x) const;

  /// dr with da = 0
  Vn residual(const Vn& q, const Vn& v, const Vn& s) const;
  void add_residual_transposed(const Vn& r, Vn& q, Vn& v, Vn& s) const;
  Vn momentum(const Vn& q, const Vn& v, const Vn& s) const;
  void add_momentum_transposed(const Vn& p, Vn& q, Vn& v, Vn& s) const;

 private:
  template <class F> void each_block(const F& f) const;

  const KernelSystem& f_;
  PointPatterns patterns_;
  StructuredLU matrix_;
  std::vector<double> x_, second_, force_;
  std::vector<double> drift_;            ///< D of the second derivatives; empty: 0
  Eigen::MatrixXd rates_, rates_drift_;  ///< L_qs + f_s over L_vs, and D of these
};

}  // namespace varia::detail
