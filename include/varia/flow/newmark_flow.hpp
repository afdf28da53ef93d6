// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Newmark's method on L = ½vᵀMv - V(t, q) with a force f(t, q, v), sizes known at run time.
//
//   (Newmark)   q₁ = q₀ + h v₀ + ½h²[(1-2β) a₀ + 2β a₁],   v₁ = v₀ + h[(1-γ) a₀ + γ a₁],
//               M aₖ = -∂V/∂q(tₖ, qₖ) + f(tₖ, qₖ, vₖ)                                 [MW01]
//
// The state is that of StageFlow with p = M v. Where a₁ occurs in its own equation it is found by
// Newton's method, with the zeros of M, V″ and ∂f left out: a chain costs O(n). Without force,
// γ = ½ and β = 0 this is Verlet; for other β it keeps what flow/newmark_form.hpp says and not the
// canonical form.
#include <memory>
#include <utility>
#include <vector>

#include "varia/flow/stage_flow.hpp"

namespace varia {

class NewmarkFlow : public MethodOnSystem<NewmarkFlow> {
 public:
  /// Lives from step to step of one trajectory.
  class Memory : public FlowMemory {
   public:
    void exchange(SavedNumbers& numbers) override { numbers(statistics, predictor); }

   private:
    friend class NewmarkFlow;
    /// An entry of a pattern and where it goes in the matrix.
    struct Place {
      std::size_t value, slot;
    };

    NewtonWorkspaceOf<StructuredLU> newton;  ///< its unknown is a₁; empty when explicit
    Predictor predictor;
    std::vector<Place> mass, stiffness, force_q, force_v;
    std::vector<double> x;         ///< (t, q, v)
    std::vector<double> f0, f1;    ///< M a at both ends
    std::vector<double> q0, q, v;  ///< q₀; q₁ and v₁ without their terms in a₁
    std::vector<double> second, force, a;
    double stiffness_scale = 0.0;  ///< largest Σⱼ|V″ᵢⱼ qⱼ|: forces that may cancel
  };

  /// Throws InvalidArgument when the system is not separable, has constraints, or is not on ℝⁿ.
  NewmarkFlow(Method method, std::shared_ptr<const KernelSystem> system, FlowOptions options = {});

  /// The variational flow of another method on the same system, for references.
  StageFlow with_method(Method method) const {
    return StageFlow(std::move(method), system_, options_);
  }

  /// β = 0, and no force that depends on v₁.
  bool is_explicit() const;
  /// Unknowns of one solve, and whether its matrix is a band; 0 when explicit.
  int unknowns() const { return is_explicit() ? 0 : system_->n; }
  bool banded() const;
  FlowLaws laws() const;
  KernelList kernels() const;

  Memory memory(const VectorState& s) const;
  /// The given number of steps: to the bit what so many calls of step() give.
  VectorState steps(VectorState s, double h, long count, Memory& memory) const;
  /// One step, in place, and its derivative.
  const StepDerivative& differentiate(VectorState& s, double h, Memory& memory) const;

 private:
  void make_matrix(Memory& memory) const;
  void apply_mass(const double* a, double* f) const;
  void apply_inverse_mass(const double* f, double* a) const;
  void total_force(Memory& memory, double* f) const;
  void begin(const VectorState& s, bool known, Memory& memory) const;
  void predict(const VectorState& s, double h, Memory& memory) const;
  void place_end(double h, const double* a, Memory& memory) const;
  void evaluate(double h, bool fresh, Memory& memory) const;
  void solve_acceleration(const VectorState& s, double h, Memory& memory) const;
  void finish(VectorState& s, double h, Memory& memory) const;

  FlowOptions options_;
  double beta_, gamma_;
  Eigen::MatrixXd inverse_mass_;  ///< of a mass that is not diagonal
};

}  // namespace varia
