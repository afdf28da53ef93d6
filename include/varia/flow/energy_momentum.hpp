// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Symplectic-energy-momentum integrators: discrete mechanics on (t, q, p, E), where the length of a
// step is an unknown and its equation is the conservation of energy.
//
//   (ext-DEL)  p_k = -D₂L_d,  E_k = D₁L_d   for (q, t)_{k+1},  t_{k+1} > t_k
//              p_{k+1} = D₄L_d,  E_{k+1} = -D₃L_d           L_d(t₀, q₀, t₁, q₁)      [MW01; KMO99]
//   (Ed)       e = p₁·(q₁-q₀)/h - Σ bᵢLᵢ - Σ bᵢ (∂L/∂q)ᵢ·(Qⁱ-q₀)
//              E⁺ = e - h Σ bᵢcᵢ (∂L/∂t)ᵢ,   E⁻ = e + h Σ bᵢ(1-cᵢ) (∂L/∂t)ᵢ                [MW01]
//
// for every method of stages, L̄^α and L̄^{sym,α} among them, and every L(t, q, v). The momentum
// equations are those of StageFlow at fixed h; E⁻(h) = E is one equation for h > 0, and h is sought
// where the last step suggests, between bounds, on the branch of roots on which dE⁻/dh keeps its
// sign. Such a root need not exist; then NoConvergence is thrown, or, on request, |E⁻(h) - E| is
// minimised and the run goes on. The step size given to the first step defines E; later ones give
// only the direction. E and h live in the memory.
#include <memory>
#include <optional>
#include <vector>

#include "varia/core/hidden.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia {

/// What to do where no step keeps the energy.
enum class NoEnergyStep {
  refuse,  ///< NoConvergence
  /// Any root, or else the smallest |E⁻ - E|, between first/growth and first*growth; the momentum
  /// equations are solved. E stays, and later steps can return to it.
  minimise
};

struct EnergyMomentumOptions {
  double shortest = 1e-4;  ///< bounds of the step, in units of the first one
  double longest = 20.0;
  double growth = 2.0;  ///< and of the ratio of two steps, either way
  NoEnergyStep no_solution = NoEnergyStep::refuse;
};

/// One step of size h with the momentum equations solved, and what L_d is in it.
struct ExtendedStep {
  VectorState end;
  double action = 0.0;         ///< L_d
  double energy_start = 0.0;   ///< E⁻ = D₁L_d
  double energy_end = 0.0;     ///< E⁺ = -D₃L_d
  double magnitude = 0.0;      ///< of the terms in E: its round-off is eps times this
  std::vector<double> stages;  ///< the solution, a guess for the next one
};

class EnergyMomentumFlow : public MethodOnSystem<EnergyMomentumFlow> {
 public:
  /// Lives from step to step of one trajectory.
  class Memory : public FlowMemory {
   public:
    void exchange(SavedNumbers& numbers) override;

    bool started() const { return first_ > 0.0; }
    double energy() const { return energy_; }      ///< E, once started
    double step() const { return last_; }          ///< |h| of the last step
    double defect() const { return defect_; }      ///< E⁻ - E of the last step
    long minimised() const { return minimised_; }  ///< steps that do not keep the energy

   private:
    friend class EnergyMomentumFlow;
    void tell();                                      ///< the statistics
    double first_ = 0.0, last_ = 0.0, before_ = 0.0;  ///< |h|
    double slope_ = 0.0;                              ///< sign of dE⁻/d|h|; 0: not known
    double energy_ = 0.0, defect_ = 0.0;
    long minimised_ = 0;
    std::vector<double> guess_, trial_;  ///< stages of the last step, of the last solve
    detail::Hidden<detail::Stages> stages_;
  };

  EnergyMomentumFlow(Method method, std::shared_ptr<const KernelSystem> system,
                     EnergyMomentumOptions energy = {}, FlowOptions options = {});

  bool is_explicit() const { return false; }
  int unknowns() const;  ///< those of the stages, and h
  bool banded() const;
  KernelList kernels() const;

  /// The first step takes E from its own h.
  Memory memory(const VectorState& s) const;
  /// A start with the given E; `step` is where |h| is looked for, and the unit of its bounds.
  Memory memory(const VectorState& s, double energy, double step) const;
  VectorState steps(VectorState s, double h, long count, Memory& memory) const;
  /// Whether differentiate() can be called: L must be known as a formula.
  bool differentiable() const { return system_->value.has_tape(); }
  /// One step, in place, and its derivative. Throws DomainError where the step does not keep the energy,
  /// InvalidArgument for a system stated in C++.
  const StepDerivative& differentiate(VectorState& s, double h, Memory& memory) const;

  /// The fixed-step restriction φʰ and its energies; nothing when Newton's method fails.
  std::optional<ExtendedStep> extended_step(const VectorState& s, double h, Memory& memory) const;

 private:
  void require_own(const Memory& memory) const;
  std::optional<ExtendedStep> solve_stages(const VectorState& s, double h, Memory& memory) const;
  void start(const VectorState& s, double h, Memory& memory) const;
  void advance(VectorState& s, double sign, Memory& memory) const;
  void add_energies(detail::Stages& stages, double h, ExtendedStep& step) const;

  EnergyMomentumOptions energy_;
  FlowOptions options_;
  expr::Kernel rate_;  ///< ∂L/∂t where L depends on t
};

}  // namespace varia
