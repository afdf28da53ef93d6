// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A system whose size is known at run time: numbers in plain arrays, second derivatives with their
// zeros left out. It is what a Lagrangian given as text becomes.
//
// A point is x = (t, entries of q, v). On ℝⁿ the entries of q are its n coordinates; a rotation has
// nine entries and three degrees of freedom, and derivatives are with respect to δ in q exp(δ).
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/core/types.hpp"
#include "varia/expr/kernel.hpp"
#include "varia/space/product_space.hpp"

namespace varia {

/// Places of the values of a sparse matrix.
struct Pattern {
  std::vector<int> row, column;
  int size() const { return static_cast<int>(row.size()); }
};

struct KernelSystem {
  KernelSystem() = default;
  explicit KernelSystem(ProductSpace on)
      : space(std::move(on)), n(space.dof()), entries(space.entries()) {}

  bool on_vector_space() const { return space.is_vector_space(); }
  /// Whether constraints depend on t.
  bool rheonomic() const { return static_cast<bool>(constraint_rate); }
  /// Whether nonholonomic constraints do.
  bool nonholonomic_in_time() const { return static_cast<bool>(nonholonomic_rate); }

  ProductSpace space;
  int n = 0;        ///< degrees of freedom
  int entries = 0;  ///< numbers that describe q
  int d = 0;        ///< holonomic constraints
  int e = 0;        ///< nonholonomic constraints: see mechanics/nonholonomic.hpp
  bool forced = false;
  bool separable = false;  ///< L = ½vᵀMv - V(t, q), M constant
  /// ∂²L/∂v² depends on v, known from its formula: several velocities may have one momentum.
  bool nonlinear_momentum = false;
  /// L = ⟨θ(t, q), v⟩ - H(t, q), (degenerate), known from its formula: see flow/one_form_flow.hpp.
  bool degenerate = false;
  /// The kernels are those of H(t, q, p), a point is (t, q, p), and separable says H = T(p) + V(t, q):
  /// see mechanics/hamiltonian_system.hpp.
  bool hamiltonian = false;
  bool uses_time = false;  ///< L, the force or a constraint depends on t

  expr::Kernel value;     ///< x ↦ L
  expr::Kernel gradient;  ///< x ↦ (∂L/∂q, ∂L/∂v)
  expr::Kernel hessian;   ///< x ↦ (∂L/∂q, ∂L/∂v, second derivatives)
  Pattern second;         ///< lower triangle in (q, v), 2n × 2n

  expr::Kernel potential_gradient;    ///< (t, q) ↦ ∂V/∂q; separable only
  std::vector<double> mass_diagonal;  ///< M when it is diagonal; separable only
  Eigen::MatrixXd mass;               ///< M when it is not
  expr::Kernel velocity;              ///< p ↦ ∂T/∂p of a Hamiltonian T(p) + V(t, q)

  expr::Kernel force;             ///< x ↦ f
  expr::Kernel force_derivative;  ///< x ↦ (f, ∂f/∂(q, v))
  Pattern force_pattern;          ///< n × 2n

  expr::Kernel constraint;               ///< (t, q) ↦ (φ, G)
  Pattern constraint_pattern;            ///< d × n
  expr::Kernel constraint_rate;          ///< (t, q) ↦ ∂φ/∂t; only when φ depends on t
  expr::Kernel constraint_curvature;     ///< (t, q, λ) ↦ second derivatives of ⟨λ, φ⟩
  Pattern curvature_pattern;             ///< lower triangle, n × n
  expr::Kernel constraint_acceleration;  ///< x ↦ φ̈ where v does not change

  expr::Kernel nonholonomic;       ///< x ↦ (Φ, ∂Φ/∂(q, v))
  Pattern nonholonomic_pattern;    ///< e × 2n
  expr::Kernel nonholonomic_rate;  ///< x ↦ ∂Φ/∂t; only when Φ depends on t
  /// (x, Λ) ↦ f + (∂Φ/∂v)ᵀΛ, and with its derivatives in (q, v): a force whose size is unknown.
  expr::Kernel chetaev, chetaev_derivative;
  Pattern chetaev_pattern;  ///< n × 2n
  /// (x, Λ) ↦ ∂(Φ, (∂Φ/∂v)ᵀΛ)/∂s, see rates; only where Φ depends on t, or there are free parameters.
  expr::Kernel nonholonomic_rates;
  /// x ↦ (G v + ∂φ/∂t, its derivatives in (q, v)); only where there are constraints of both kinds.
  expr::Kernel hidden;
  Pattern hidden_pattern;  ///< d × 2n

  expr::Kernel mass_rate;  ///< x ↦ ∂²L/∂v∂t; only when L depends on t

  int free = 0;  ///< parameters that are not numbers yet
  expr::Kernel rates;  ///< x ↦ ∂(∂L/∂q + f, ∂L/∂v)/∂s for s = t, then each of them; none: all are 0
  /// (t, q, v, λ) ↦ ∂(φ, G v + ∂φ/∂t, Gᵀλ)/∂s, likewise.
  expr::Kernel constraint_rates;

  /// The force at the points of a step, of x = (t, q, v) and, behind it, the multipliers of
  /// nonholonomic constraints.
  bool acts() const { return forced || e > 0; }
  const expr::Kernel& acting() const { return e > 0 ? chetaev : force; }
  const expr::Kernel& acting_derivative() const {
    return e > 0 ? chetaev_derivative : force_derivative;
  }
  const Pattern& acting_pattern() const { return e > 0 ? chetaev_pattern : force_pattern; }

  /// The numbers of a point.
  std::vector<double> point(double t, const double* q, const double* v) const {
    std::vector<double> x;
    x.push_back(t);
    x.insert(x.end(), q, q + entries);
    x.insert(x.end(), v, v + n);
    return x;
  }
};

/// A system on a space, still without kernels. A user's file need not compile how one is made and ended.
std::shared_ptr<KernelSystem> system_on(ProductSpace space);

}  // namespace varia
