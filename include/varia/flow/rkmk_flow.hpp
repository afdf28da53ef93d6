// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runge-Kutta-Munthe-Kaas with Gauss collocation: the baseline on groups.
//
//   (rkmk)   Ξⁱ = h Σⱼ aᵢⱼ uⱼ,   Qⁱ = q₀ ⊕ Ξⁱ,   Vⁱ = dτ_Ξⁱ uᵢ,   ξ = h Σⱼ bⱼ uⱼ,   q₁ = q₀ ⊕ ξ
//            πⁱ = ∂L/∂v(Qⁱ, Vⁱ) = p₀ + h Σⱼ aᵢⱼ kⱼ,   p₁ = p₀ + h Σⱼ bⱼ kⱼ                     [Sato19]
//            kⱼ = ad*_Vʲ πʲ + ∂L/∂q(Qʲ, Vʲ) + f(Qʲ, Vʲ)
//
// The equations of motion in (q, p), p in the body frame: the place moves in the chart of the retraction,
// the momentum as a vector. On ℝⁿ it is Gauss collocation, which is gauss(s). On groups it stays on them and
// has the same order, but has no discrete Lagrangian: neither the symplectic form nor momenta are kept.
#include <memory>
#include <vector>

#include "varia/core/hidden.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/methods/tableau.hpp"

namespace varia {

namespace detail {
struct CollocationStages;
}

class RkmkFlow : public MethodOnSystem<RkmkFlow> {
 public:
  /// Lives from step to step of one trajectory.
  class Memory : public FlowMemory {
   public:
    void exchange(SavedNumbers& numbers) override;

   private:
    friend class RkmkFlow;
    detail::Hidden<detail::CollocationStages> stages;
  };

  /// Throws InvalidArgument for other methods, and with constraints.
  RkmkFlow(Method method, std::shared_ptr<const KernelSystem> system, FlowOptions options = {});

  /// The variational flow of another method on the same system, for references.
  StageFlow with_method(Method method) const {
    return StageFlow(std::move(method), system_, options_);
  }

  bool is_explicit() const { return false; }
  int unknowns() const { return rule_.stages * system_->n; }
  FlowLaws laws() const;
  KernelList kernels() const;
  Memory memory(const VectorState& s) const;
  /// The given number of steps: to the bit what so many calls of step() give.
  VectorState steps(VectorState s, double h, long count, Memory& memory) const {
    move(s, h, count, memory);
    return s;
  }
  /// The same in place, without any allocation once the memory has seen a step. When it throws, s is
  /// not a state.
  void move(VectorState& s, double h, long count, Memory& memory) const;
  /// One step in place, and its derivative, which the memory keeps until the next call.
  const StepDerivative& differentiate(VectorState& s, double h, Memory& memory) const;

 private:
  FlowOptions options_;
  Tableau rule_;
};

}  // namespace varia
