// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What Newmark's method with γ = ½ keeps, and the variables in which it is symplectic.
//
//   (eta)      η(q) = q - βh² a(q) = q + βh² M⁻¹ ∂V/∂q             corrected sign         [MW01]
//   (Skeel)    x₁ = x₀ + h v₀ + ½h² a₀,   v₁ = v₀ + ½h(a₀ + a₁),   aₖ = a(xₖ + βh² aₖ)
//
// With x = η(q) and the same v, (Newmark) is (Skeel): Verlet's method with another potential. So
// (q, p) ↦ (η(q), p) pulls the canonical form and the canonical momenta back to what the method
// conserves; the canonical ones themselves vary as soon as β ≠ 0 and the force is not linear.
#include <memory>

#include "varia/flow/stage_flow.hpp"

namespace varia {

class NewmarkForm {
 public:
  /// For steps of size h. The system is separable, without force and constraint; else
  /// InvalidArgument.
  NewmarkForm(std::shared_ptr<const KernelSystem> system, double beta, double h);

  /// η(q)
  Vn eta(double t, const Vn& q) const;
  /// η′(q) δ
  Vn eta_derivative(double t, const Vn& q, const Vn& delta) const;
  /// (η(q), p), and back. The way back solves for q; NoConvergence where η has no inverse.
  VectorState canonical(const VectorState& s) const;
  VectorState physical(const VectorState& x) const;

  /// ⟨p, ξ(η(q))⟩ for the generator ξ of a symmetry of V and M, a callable on configurations.
  template <class Generator> double momentum(const VectorState& s, const Generator& xi) const {
    return s.p.dot(Vn(xi(eta(s.t, s.q))));
  }

  /// The conserved two-form at s on tangent vectors (δq, δp): ⟨δp′, η′δq⟩ - ⟨δp, η′δq′⟩.
  double form(const VectorState& s, const Vn& a, const Vn& b) const;

  /// (Skeel): one step of (x, p), canonically symplectic.
  VectorState skeel_step(const VectorState& x) const;

 private:
  Vn gradient(double t, const Vn& q) const;
  Vn inverse_mass(const Vn& f) const;
  Eigen::MatrixXd newton_matrix(double t, const Vn& q) const;

  std::shared_ptr<const KernelSystem> system_;
  double beta_, h_;
  Eigen::MatrixXd inverse_mass_;  ///< of a mass that is not diagonal
};

namespace detail {
/// Throws InvalidArgument, in the name of `what`, unless the system is ½vᵀMv - V without force.
void require_newmark_system(const KernelSystem& system, const char* what);
}  // namespace detail

}  // namespace varia
