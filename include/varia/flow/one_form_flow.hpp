// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lagrangians linear in the velocities, L = ⟨θ(t, q), v⟩ - H(t, q) on ℝⁿ: guiding centres, vortices,
// populations.
//
//   (degenerate)      ω(q) q̇ = ∇H + ∂θ/∂t,   ω = Dθᵀ - Dθ,   p = θ(q) at all times           [TD19]
//   (degenerate-step) θ(Qⁱ) = p₀ + h Σⱼ aᵢⱼ Wʲ,   Wʲ = Dθ(Qʲ)ᵀuⱼ - ∇H(Qʲ),   Qⁱ = q₀ + h Σⱼ aᵢⱼuⱼ
//                     q₁ = q₀ + h Σ bⱼuⱼ,   p₁ = p₀ + h Σ bⱼWʲ
//   (degenerate-projection)  (q₀, p₀) + hζ(q₀)λ ↦ step ↦ + h(-1)ˢζ(q₁)λ,  ζ(q)λ = (λ, Dθ(q)ᵀλ),
//                            λ such that p₁ = θ(q₁)                                        [Kraus17]
//
// ∂²L/∂v² = 0: momenta say nothing about velocities, the equations of motion are of first order, and
// the start is q₀ alone. The discrete Lagrangian does not know this: it is regular, its stage equations
// (degenerate-step) are those of any L, its flow on (q, p) is symplectic there, and p = θ(q) is lost
// after one step unless θ is linear. The order falls to s or s + 1, and what was lost alternates from
// step to step. The projection restores order 2s, is symmetric in time and preserves ω up to
// h² d⟨λ, (Dθ(q₀) - Dθ(q₁)) dλ⟩, which is nothing at all where half of θ vanishes.
// docs/theory/hamiltonian-side.md derives this.
//
// λ is found by Newton's method with the exact derivative of the step. L is a system like any other:
// from text, or kernels_of(System{L}, q) of a C++ function.
#include <memory>
#include <vector>

#include "varia/flow/stage_flow.hpp"

namespace varia {

/// What happens to p = θ(q).
enum class OneFormProjection {
  none,       ///< nothing: the flow of the discrete Lagrangian, consistent at the start only
  each_step,  ///< p₁ is replaced by θ(q₁); not symmetric, loses order
  symmetric   ///< (degenerate-projection)
};

class OneFormFlow : public OneStep<OneFormFlow> {
 public:
  /// Lives from step to step of one trajectory.
  class Memory : public FlowMemory {
   public:
    void exchange(SavedNumbers& numbers) override { numbers(statistics, predictor, step); }

   private:
    friend class OneFormFlow;
    StageFlow::Memory step;
    Predictor predictor;  ///< of λ
    std::vector<double> lambda;
  };

  /// The method has one tableau for q and p: gauss(s), midpoint. Throws InvalidArgument for others, for
  /// an odd number of coordinates, for forces and constraints.
  OneFormFlow(Method method, std::shared_ptr<const KernelSystem> system,
              OneFormProjection projection = OneFormProjection::symmetric,
              FlowOptions options = {});

  const Method& method() const { return step_.method(); }
  OneFormProjection projection() const { return projection_; }
  const KernelSystem& system() const { return step_.system(); }
  const std::shared_ptr<const KernelSystem>& shared_system() const { return step_.shared_system(); }
  OneFormFlow with_method(Method method) const {
    return OneFormFlow(std::move(method), shared_system(), projection_, options_);
  }
  /// Unknowns of one step.
  int unknowns() const;
  FlowLaws laws() const;
  KernelList kernels() const;

  /// The state at q: p = θ(t, q). Throws InvalidArgument where θ or H is not finite, or L is not linear
  /// in the velocities.
  VectorState start(const Vn& q, double t = 0.0) const;

  /// q̇ at (t, q). Throws DomainError where dθ is singular.
  Vn velocity(double t, const Vn& q) const;
  Vn velocity(const VectorState& s) const { return velocity(s.t, s.q); }
  /// H
  double energy(const VectorState& s) const;
  /// Largest |p - θ(t, q)|
  double defect(const VectorState& s) const;

  /// Throws InvalidArgument for a state that does not fit; with a projection also when p is not
  /// θ(t, q), which the steps would silently change.
  Memory memory(const VectorState& s) const;
  /// The given number of steps: to the bit what so many calls of step() give. Throws DomainError where
  /// dθ is singular or H has no value, NoConvergence when a step was not solved.
  VectorState steps(VectorState s, double h, long count, Memory& memory) const;
  /// One step in place, and its derivative, which the memory keeps until the next call. With a
  /// projection the momenta of the start do not matter: they are θ(q).
  const StepDerivative& differentiate(VectorState& s, double h, Memory& memory) const;

 private:
  bool projects() const { return projection_ == OneFormProjection::symmetric; }
  bool keeps_momenta() const { return projection_ == OneFormProjection::none; }
  void check_coordinates(double t, const Vn& q) const;
  void advance(VectorState& s, double h, Memory& memory) const;
  void project(VectorState& s, double h, Memory& memory) const;
  VectorState shifted(const VectorState& s, double h, const Vn& lambda) const;
  void finish(VectorState& s) const;
  /// R(∞) of a Gauss method: what becomes of a deviation from p = θ(q) in one step.
  double back() const { return method().stages()->points % 2 == 0 ? 1.0 : -1.0; }

  OneFormProjection projection_;
  FlowOptions options_;
  StageFlow step_;
};

}  // namespace varia
