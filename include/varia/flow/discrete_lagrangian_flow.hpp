// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Your own discrete Lagrangian: the flow of a DiscreteLagrangianSystem.
//
//   (pm-)   p₀ = -D₁L_d(q₀, q₁, h)   (solved for q₁)        (pm+)   p₁ = D₂L_d(q₀, q₁, h)     [MW01]
//
// For L_d given by an expression or, by way of DiscreteFlow, by a callable, on any space. The zeros of
// D₁D₂L_d are left out: a chain costs O(n). Any L_d gives a symplectic map that keeps the momenta of its
// symmetries; of what system, and how well, certify_order tells.
#include <memory>
#include <vector>

#include "varia/flow/flow_memory.hpp"
#include "varia/flow/flow_options.hpp"
#include "varia/flow/kernel_calls.hpp"
#include "varia/flow/kernel_start.hpp"
#include "varia/flow/method_on_system.hpp"
#include "varia/flow/predictor.hpp"
#include "varia/flow/slot_derivatives.hpp"
#include "varia/mechanics/discrete_lagrangian_system.hpp"
#include "varia/solve/structured.hpp"

namespace varia {

class DiscreteLagrangianFlow : public OneStep<DiscreteLagrangianFlow> {
 public:
  /// Lives from step to step of one trajectory.
  class Memory : public FlowMemory {
   public:
    Memory() : FlowMemory("the memory in the checkpoint belongs to another discrete Lagrangian") {}
    void exchange(SavedNumbers& numbers) override { numbers(statistics, predictor); }

   private:
    friend class DiscreteLagrangianFlow;
    NewtonWorkspaceOf<StructuredLU> newton;  ///< its unknown is (q₁ - q₀)/h
    Predictor predictor;
    std::vector<std::size_t> slots;  ///< of the entries of D₁D₂L_d in the matrix
    std::vector<double> x, out;      ///< (h, q₀, ξ, t), and what a kernel gives there
    std::vector<double> phi;         ///< and what the constraints give
    std::vector<double> sums;  ///< Σⱼ|D₁D₂L_d q₁|: its round-off is that of the residual
    double scale = 0.0;        ///< the largest of them
  };

  explicit DiscreteLagrangianFlow(std::shared_ptr<const DiscreteLagrangianSystem> system,
                                  FlowOptions options = {});

  const std::shared_ptr<const DiscreteLagrangianSystem>& discrete_system() const { return system_; }
  /// Unknowns of one solve, and whether its matrix is a band.
  int unknowns() const { return system_->n + system_->d; }
  bool banded() const;
  FlowLaws laws() const;
  KernelList kernels() const;

  /// L_d, D₁, D₂, D₁D₂ at (q₀, q₁, h), all entries. Throws InvalidArgument for sizes that do not fit.
  DiscreteDerivatives<Vn> at(const Vn& q0, const Vn& q1, double h) const;
  /// The same at any t: L_d does not depend on it.
  DiscreteDerivatives<Vn> discrete_lagrangian(double /*t*/, const Vn& q0, const Vn& q1,
                                              double h) const {
    return at(q0, q1, h);
  }
  /// -∂L_d/∂h: the energy of the step, to the order of L_d.
  double energy(const Vn& q0, const Vn& q1, double h) const;

  /// The state with position q and momentum p.
  VectorState start(const Vn& q, const Vn& p, double t = 0.0) const;
  /// The state at q₀ from which the step h leads to q₁: p₀ = -D₁L_d(q₀, q₁, h).
  VectorState start_between(const Vn& q0, const Vn& q1, double h, double t = 0.0) const;

  Memory memory(const VectorState& s) const;
  /// The given number of steps: to the bit what so many calls of step() give. Throws NoConvergence
  /// where (pm-) was not solved or D₁D₂L_d is singular, DomainError where L_d has no value.
  VectorState steps(VectorState s, double h, long count, Memory& memory) const;
  /// Whether differentiate() can be called.
  bool differentiable() const;
  /// One step in place, and its derivative, which the memory keeps until the next call.
  const StepDerivative& differentiate(VectorState& s, double h, Memory& memory) const;

 private:
  void check_size(const Vn& x, int size, const char* what) const;
  void check_constraint(const VectorState& s, Memory& memory) const;
  void set_start(const VectorState& s, double h, Memory& memory) const;
  void add_constraint(double h, bool fresh, Memory& memory) const;
  void move_point(const double* xi, VectorState& s) const;
  void make_matrix(Memory& memory) const;
  void place(double h, const double* u, Memory& memory) const;
  void evaluate(const VectorState& s, double h, bool fresh, Memory& memory) const;
  NewtonReport attempt(const VectorState& s, double h, Memory& memory) const;
  void finish(VectorState& s, double h, Memory& memory) const;

  std::shared_ptr<const DiscreteLagrangianSystem> system_;
  FlowOptions options_;
};

}  // namespace varia
