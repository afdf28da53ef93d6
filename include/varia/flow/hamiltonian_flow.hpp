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
// The momenta Pⁱ are unknowns of their own, so no Legendre transform is inverted. With B = I these
// are the symplectic partitioned Runge-Kutta methods, which only need H smooth; more points than
// unknown velocities (verlet, galerkin with many points) need ∂²H/∂p² regular. Types II and III of
// one S are one map. docs/theory/hamiltonian-side.md derives this.
#include <memory>
#include <optional>
#include <vector>

#include "varia/flow/flat_flow.hpp"
#include "varia/mechanics/hamiltonian_system.hpp"

namespace varia {

namespace detail {
struct HamiltonianStages;
}  // namespace detail

class HamiltonianFlow {
 public:
  /// Lives from step to step of one trajectory.
  class Memory {
   public:
    Memory();
    Memory(Memory&&) noexcept;
    Memory& operator=(Memory&&) noexcept;
    ~Memory();

    FlowStatistics statistics;

    /// What the next steps depend on, for a checkpoint, and back. Throws InvalidArgument when the
    /// numbers do not fit the method.
    std::vector<double> save() const;
    void load(const std::vector<double>& data);

   private:
    friend class HamiltonianFlow;
    void save(std::vector<double>& out) const;
    const double* load(const double* data, const double* end);

    std::unique_ptr<detail::HamiltonianStages> stages;
    std::vector<std::unique_ptr<Memory>> parts;  ///< one for each substep of a composition
    std::optional<Legs> legs;                    ///< of an explicit method or composition
    std::vector<double> work;                    ///< of the explicit steps
    std::unique_ptr<Memory> linear;              ///< by stage equations, for the derivative
    std::unique_ptr<StepDerivative> derivative;  ///< of the last step, where it was asked for
  };

  HamiltonianFlow(Method method, std::shared_ptr<const HamiltonianSystem> system,
                  FlowOptions options = {});

  const Method& method() const { return method_; }
  const std::shared_ptr<const HamiltonianSystem>& hamiltonian() const { return system_; }
  const FlowOptions& options() const { return options_; }
  HamiltonianFlow with_method(Method method) const {
    return HamiltonianFlow(std::move(method), system_, options_);
  }

  /// Explicit: kicks and drifts, for H = T(p) + V(t, q) with any T.
  bool is_explicit() const { return is_explicit(method_); }
  /// Unknowns of one solve; 0 for explicit methods.
  int unknowns() const;
  bool banded() const;
  FlowLaws laws() const;
  KernelList kernels() const;
  /// q̇ = ∂H/∂p
  Vector<double, Dynamic> velocity(const FlatState& s) const;
  /// H
  double energy(const FlatState& s) const;

  FlatState operator()(const FlatState& s, double h) const;
  /// Throws InvalidArgument for a state that does not fit, and when ∂²H/∂p² is singular there and
  /// the method needs it regular.
  Memory memory(const FlatState& s) const;
  FlatState step(const FlatState& s, double h, Memory& memory) const {
    return steps(s, h, 1, memory);
  }
  /// The given number of steps: to the bit what so many calls of step() give.
  FlatState steps(FlatState s, double h, long count, Memory& memory) const;

  /// One step in place, and its derivative, which the memory keeps until the next call. Explicit steps
  /// are differentiated by their stage equations, which need ∂²H/∂p² regular.
  const StepDerivative& differentiate(FlatState& s, double h, Memory& memory) const;

  /// One step by the stage equations: s becomes the end of the step; the result is S, summed over
  /// the substeps of a composition.
  double action(FlatState& s, double h) const;

 private:
  bool is_explicit(const Method& method) const;
  Memory make_memory(const Method& method, bool explicit_allowed) const;
  void check_state(const FlatState& s) const;
  bool needs_regular(const Method& method, bool explicit_allowed) const;
  void check_regular(const FlatState& s) const;
  double advance(const Method& method, FlatState& s, double h, Memory& memory,
                 bool with_action) const;
  void differentiate(const Method& method, FlatState& s, double h, Memory& memory) const;
  void explicit_steps(const Legs& legs, FlatState& s, double h, long count, Memory& memory) const;
  void stage_step(const Method& method, FlatState& s, double h, Memory& memory) const;

  Method method_;
  std::shared_ptr<const HamiltonianSystem> system_;
  FlowOptions options_;
};

}  // namespace varia
