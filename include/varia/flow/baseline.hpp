// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Baselines on the equations of motion of a KernelSystem: what variational integrators are compared
// with. They are not variational: neither symplectic nor momentum preserving.
//
// The state is that of StageFlow, (t, q, p); inside a step the unknowns are (q, v).
#include <memory>
#include <vector>

#include "varia/flow/legendre_transform.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia {

class BaselineFlow : public MethodOnSystem<BaselineFlow> {
 public:
  /// Lives from step to step of one trajectory.
  class Memory : public FlowMemory {
   public:
    /// Iterations are evaluations of the acceleration.
    void exchange(SavedNumbers& numbers) override {
      numbers(statistics.steps, statistics.iterations, inner_step, v);
    }

   private:
    friend class BaselineFlow;
    std::unique_ptr<LegendreTransform> legendre;
    std::vector<double> v, p;            ///< of the last state
    double inner_step = 0.0;             ///< of an adaptive method
    std::vector<std::vector<double>> k;  ///< stage derivatives
    std::vector<double> y, trial;        ///< (q, v)
    bool differentiated = false;         ///< whether steps are added to it
  };

  BaselineFlow(Method method, std::shared_ptr<const KernelSystem> system);

  bool is_explicit() const { return true; }
  FlowLaws laws() const;
  KernelList kernels() const;
  Memory memory(const VectorState& s) const;
  VectorState steps(VectorState s, double h, long count, Memory& memory) const;
  /// Whether differentiate() can be called: a mass that is not constant must be known as a formula.
  bool differentiable() const;
  /// One step, in place, and its derivative, with the inner steps that an adaptive method took. Throws
  /// InvalidArgument where it is not differentiable.
  const StepDerivative& differentiate(VectorState& s, double h, Memory& memory) const;

 private:
  void derivative(double t, const std::vector<double>& y, std::vector<double>& dy,
                  Memory& memory) const;
  void accept(double t, double h, Memory& memory) const;
  void fixed_step(double t, double h, Memory& memory) const;
  void follow(VectorState& s, Memory& memory) const;
  void adaptive_step(double t, double h, Memory& memory) const;
  double try_step(double t, double h, Memory& memory) const;
};

}  // namespace varia
