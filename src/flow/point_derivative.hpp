// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivatives of P, W and Ad* N at one quadrature point of a step: docs/theory/stage-equations.md,
// sections 5 and 11.
#include <vector>

#include "chart_blocks.hpp"
#include "varia/core/types.hpp"
#include "varia/flow/step_derivative.hpp"

namespace varia::detail {

/// A map of a chart, k × k.
inline Eigen::MatrixXd square(const double* map, int k) {
  return Eigen::Map<const Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>>(map, k, k);
}

/// ad* π as a map of the velocities of a curved factor.
Eigen::MatrixXd ad_star(const CurvedFactor& factor, const double* pi);

/// The changes of t and of the free parameters: 0 where z has none.
Vn parameters_of(const PhaseVector& z, double t, int free);
/// The transposed of it, added to z.
void add_parameters(const Vn& s, PhaseVector& z);

/// Which values of the kernels stand where.
struct PointPatterns {
  explicit PointPatterns(const KernelSystem& system);
  std::vector<Scatter> qq, qv, vq, vv, force_q, force_v, curvature, constraint;
  std::vector<Scatter> rolling_q, rolling_v, hidden_q, hidden_v;  ///< of Φ and of G v + ∂φ/∂t
};

/// out += A x and out += Aᵀ x
void add_product(const std::vector<Scatter>& a, const double* values, const Vn& x, Vn& out);
void add_transposed_product(const std::vector<Scatter>& a, const double* values, const Vn& x,
                            Vn& out);

class PointDerivative {
 public:
  /// What a point depends on: Ξ, H, the displacement of q₀, λ, (t, free parameters), Λ.
  struct In {
    Vn X, H, delta, lambda, s;
    Vn rolling = Vn();
  };
  struct Out {
    Vn P, W, M, phi;
  };
  /// The numbers at the point; null where there are none.
  struct Values {
    const double* second;            ///< N with force and reaction, π, second derivatives
    const double* force;             ///< f with the reaction of Λ, and its derivative
    const double* curvature;         ///< of ⟨λ, φ⟩
    const double* constraint;        ///< G
    const double* rates;             ///< of (N, π) in t and the free parameters
    const double* constraint_rates;  ///< of φ, G v + ∂φ/∂t and Gᵀλ
    const double* rolling;           ///< the slopes of Φ
    const double* rolling_rates;     ///< of Φ and (∂Φ/∂v)ᵀΛ
  };

  PointDerivative(const KernelSystem& system, const PointPatterns& patterns)
      : f_(&system), patterns_(&patterns) {}

  void set(const Values& values, const std::vector<CurvedPlace>& curved);
  Out forward(const In& in) const;
  In transposed(const Out& out) const;
  /// Ad* N
  const Vn& moved() const { return moved_; }

 private:
  /// The maps of a curved factor at the point.
  struct Curved {
    int degree, dof;
    Eigen::MatrixXd D, E, A, T_pi, T_N, hessian, bracket, half_bracket;
  };

  template <class F> void each_block(const F& f) const;

  const KernelSystem* f_;
  const PointPatterns* patterns_;
  std::vector<double> second_, force_, curvature_, constraint_, rolling_;
  Eigen::MatrixXd rates_, constraint_rates_,
      rolling_rates_;  ///< a column for t and each free parameter
  std::vector<Curved> curved_;
  Vn moved_;
};

}  // namespace varia::detail
