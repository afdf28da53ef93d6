// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Variational integrators on the Hamiltonian side: the discrete flow of a HamiltonianSystem.
//
//   (phase-action)  S = h Σᵢ bᵢ (⟨Pⁱ, Hⁱ⟩ - H(Qⁱ, Pⁱ)),  Qⁱ = q₀ + Ξⁱ, Ξⁱ and Hⁱ of (path)   [LZ11]
//   (type-II)    H_d⁺(q₀, p₁) = ext ⟨p₁, q₁⟩ - S,    q₁ =  D₂H_d⁺,  p₀ =  D₁H_d⁺
//   (type-III)   H_d⁻(p₀, q₁) = ext -⟨p₀, q₀⟩ - S,   q₀ = -D₁H_d⁻,  p₁ = -D₂H_d⁻
//   (phase-stage)   Hⁱ = ∂H/∂p(Qⁱ, Pⁱ),   Σᵢ bᵢBᵢⱼPⁱ = βⱼp₀ + h Σᵢ bᵢ(Aᵢⱼ - βⱼ) ∂H/∂q(Qⁱ, Pⁱ)
//                   q₁ = q₀ + h Σⱼ βⱼuⱼ,   p₁ = p₀ - h Σᵢ bᵢ ∂H/∂q(Qⁱ, Pⁱ)
//
// The momenta Pⁱ are unknowns of their own beside those of any step of StageFlow, whose equations these
// are, so no Legendre transform is inverted. With B = I these
// are the symplectic partitioned Runge-Kutta methods, which only need H smooth; more points than
// unknown velocities (verlet, galerkin with many points) need ∂²H/∂p² regular. Types II and III of
// one S are one map. docs/theory/hamiltonian-side.md derives this.
#include <memory>
#include <utility>

#include "varia/flow/stage_flow.hpp"
#include "varia/mechanics/hamiltonian_system.hpp"

namespace varia {

class HamiltonianFlow : public OneStep<HamiltonianFlow> {
 public:
  using Memory = StageFlow::Memory;

  HamiltonianFlow(const Method& method, std::shared_ptr<const HamiltonianSystem> system,
                  FlowOptions options = {});

  const Method& method() const { return flow_.method(); }
  const std::shared_ptr<const HamiltonianSystem>& hamiltonian() const { return system_; }
  const FlowOptions& options() const { return flow_.options(); }
  HamiltonianFlow with_method(const Method& method) const {
    return HamiltonianFlow(method, system_, options());
  }

  /// Explicit: kicks and drifts, for H = T(p) + V(t, q) with any T.
  bool is_explicit() const { return flow_.is_explicit(); }
  /// Unknowns of one solve; 0 for explicit methods.
  int unknowns() const { return flow_.unknowns(); }
  bool banded() const { return flow_.banded(); }
  FlowLaws laws() const;
  KernelList kernels() const;
  /// q̇ = ∂H/∂p
  Vn velocity(const VectorState& s) const;
  /// H
  double energy(const VectorState& s) const;

  /// Throws InvalidArgument for a state that does not fit, and when ∂²H/∂p² is singular there and
  /// the method needs it regular.
  Memory memory(const VectorState& s) const;
  /// The given number of steps: to the bit what so many calls of step() give.
  VectorState steps(VectorState s, double h, long count, Memory& memory) const {
    return flow_.steps(std::move(s), h, count, memory);
  }
  /// One step in place, and its derivative, which the memory keeps until the next call.
  const StepDerivative& differentiate(VectorState& s, double h, Memory& memory) const {
    return flow_.differentiate(s, h, memory);
  }

  /// One step by the stage equations: s becomes the end of the step; the result is S, summed over
  /// the substeps of a composition.
  double action(VectorState& s, double h) const;

 private:
  bool needs_regular(const Method& method, bool explicit_allowed) const;
  void check_regular(const VectorState& s) const;

  std::shared_ptr<const HamiltonianSystem> system_;
  StageFlow flow_;
};

}  // namespace varia
