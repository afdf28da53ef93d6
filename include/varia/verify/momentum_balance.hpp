// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where a momentum goes: the discrete Noether theorem as a balance, step by step.
//
//   (Noether-balance)   J₁ - J₀ = dL_d·ξ + ⟨f_d⁻, ξ(q₀)⟩ + ⟨f_d⁺, ξ(q₁)⟩,   Jₖ = ⟨pₖ, ξ(qₖ)⟩
//                       dL_d·ξ = ⟨D₁L_d, ξ(q₀)⟩ + ⟨D₂L_d, ξ(q₁)⟩                         [MW01]
//
// The first term is what the Lagrangian gives, zero where ξ generates a symmetry; the second what the
// forces give. Both come from the certificate tier, which shares no formula with the step. L_d is that
// of the system without force, and the discrete forces are the rest of p₀ and p₁.
#include <functional>
#include <memory>
#include <vector>

#include "varia/flow/stage_flow.hpp"

namespace varia {

namespace detail {
class StepAction;
}  // namespace detail

/// ξ as a field on the configurations: (1, 0) for a translation, (-y, x) for a rotation.
using GeneratorField = std::function<Vn(const Vn&)>;

/// The two parts of the change of a momentum in a step.
struct MomentumChange {
  double by_lagrangian = 0.0, by_force = 0.0;
};

/// (Noether-balance) of single steps.
class StepBalance {
 public:
  /// Throws InvalidArgument for a system with constraints.
  explicit StepBalance(const StageFlow& flow);

  /// Of the step from s, for each generator; s becomes the end of the step.
  std::vector<MomentumChange> operator()(VectorState& s, double h,
                                         const std::vector<GeneratorField>& xi) const;

 private:
  std::shared_ptr<const detail::StepAction> whole_, alone_;  ///< with and without the force
};

struct MomentumBalance {
  std::vector<double> t, momentum;              ///< at the start and after each step
  std::vector<double> by_lagrangian, by_force;  ///< of each step
  double defect = 0.0;                          ///< largest error of (Noether-balance) in a step

  double gained_by_lagrangian() const;
  double gained_by_force() const;
  /// The law holds to round-off, relative to the momentum and to what moves it.
  bool passes(double tolerance = 1e-12) const;
};

/// The balance along a run, for any variational method without constraints.
MomentumBalance momentum_balance(const StageFlow& flow, const VectorState& start, double h,
                                 long steps, const GeneratorField& xi);

}  // namespace varia
