// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Variable steps that keep the structure: constant steps in τ, where dt = g(q) dτ.
//
// The step size h of this flow is a step in τ; the time t of the state is the physical one. Two
// forms, chosen by the method:
//
//   (density)    ρ_{n+1/2} = ρ_n + ½h G(q_n, p_n)         G = -(∂g/∂q · M⁻¹p)/g
//                (t, q, p)_{n+1} = verlet step of size h/ρ_{n+1/2}
//                ρ_{n+1} = ρ_{n+1/2} + ½h G(q_{n+1}, p_{n+1})               [HS05; HL97; HLW06]
//
// for `verlet` on separable systems: explicit, one force and one g per step, symmetric, reversible,
// momenta exact for every g; not symplectic. ρ = 1/g at the start and stays close to it.
//
//   (poincare)   the stage method applied to H̄ = g(q) (H - E),   t₁ = t₀ + h Σᵢ bᵢ g(Qⁱ)
//                                                             [Hairer97; Reich99; HLW06]
//
// for every other method of stages, gauss(s) for one: implicit, symplectic at fixed E, of the order
// of the method, momenta exact when g is invariant. E is the energy of the state the memory was
// made for. Both ρ and E live in the memory: continue a trajectory with its own memory.
#include <functional>
#include <memory>
#include <vector>

#include "varia/core/hidden.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia {

namespace detail {
struct TimeTransformation;
}

class TimeTransformedFlow : public OneStep<TimeTransformedFlow> {
 public:
  /// Lives from step to step of one trajectory.
  class Memory : public FlowMemory {
   public:
    void exchange(SavedNumbers& numbers) override;

    double density() const { return density_; }  ///< ρ of (density)
    double energy() const { return energy_; }    ///< E of (poincare)

   private:
    friend class TimeTransformedFlow;
    void transform();

    std::shared_ptr<const detail::TimeTransformation> made_by_;
    double density_ = 0.0;
    double energy_ = 0.0;
    std::shared_ptr<const KernelSystem> transformed_;
    detail::Hidden<detail::Stages> stages_;
    std::vector<double> work_;
  };

  /// Done to each transformed system before its first step: native code can be attached here.
  using Prepare = std::function<void(KernelSystem&)>;

  /// g: a step function, see mechanics/time_transform.hpp; none: local_period(system).
  TimeTransformedFlow(Method method, std::shared_ptr<const KernelSystem> system,
                      expr::Kernel g = {}, FlowOptions options = {}, Prepare prepare = {});

  const Method& method() const;
  /// In the time t.
  const KernelSystem& system() const { return *shared_system(); }
  const std::shared_ptr<const KernelSystem>& shared_system() const;
  TimeTransformedFlow with_method(Method method) const;

  bool is_explicit() const;
  int unknowns() const;
  bool banded() const;
  KernelList kernels() const;
  /// g(q). Throws DomainError where it is not a positive number.
  double step_ratio(const VectorState& s) const;

  Memory memory(const VectorState& s) const;
  /// The given number of steps: to the bit what so many calls of step() give.
  VectorState steps(VectorState s, double h, long count, Memory& memory) const;
  /// Whether differentiate() can be called.
  bool differentiable() const;
  /// One step, in place, and its derivative.
  const StepDerivative& differentiate(VectorState& s, double h, Memory& memory) const;

 private:
  void verlet_steps(VectorState& s, double h, long count, Memory& memory) const;
  void stage_step(VectorState& s, double h, Memory& memory) const;

  std::shared_ptr<const detail::TimeTransformation> data_;
};

}  // namespace varia
