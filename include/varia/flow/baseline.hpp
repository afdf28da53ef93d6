// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Baselines on the equations of motion of a FlatSystem: what variational integrators are compared
// with. They are not variational: neither symplectic nor momentum preserving.
//
// The state is that of FlatFlow, (t, q, p); inside a step the unknowns are (q, v).
#include <memory>
#include <vector>

#include "varia/flow/flat_flow.hpp"
#include "varia/flow/flat_legendre.hpp"

namespace varia {

namespace detail {
class NystromDerivative;
}  // namespace detail

class BaselineFlow {
 public:
  /// Lives from step to step of one trajectory.
  class Memory {
   public:
    Memory();
    Memory(Memory&&) noexcept;
    Memory& operator=(Memory&&) noexcept;
    ~Memory();

    FlowStatistics statistics;  ///< iterations counts evaluations of the acceleration
    std::vector<double> save() const;
    void load(const std::vector<double>& data);

   private:
    friend class BaselineFlow;
    std::unique_ptr<FlatLegendre> legendre;
    std::vector<double> v, p;            ///< of the last state
    double inner_step = 0.0;             ///< of an adaptive method
    std::vector<std::vector<double>> k;  ///< stage derivatives
    std::vector<double> y, trial;        ///< (q, v)
    std::unique_ptr<detail::NystromDerivative> derivative;
    bool differentiated = false;  ///< whether steps are added to it
  };

  BaselineFlow(Method method, std::shared_ptr<const FlatSystem> system);

  const Method& method() const { return method_; }
  /// The system as verify/ and mechanics/ see it.
  const FlatView& system() const { return view_; }
  bool is_explicit() const { return true; }
  FlowLaws laws() const;
  KernelList kernels() const;
  Memory memory(const FlatState& s) const;
  FlatState operator()(const FlatState& s, double h) const;
  FlatState step(const FlatState& s, double h, Memory& memory) const {
    return steps(s, h, 1, memory);
  }
  FlatState steps(FlatState s, double h, long count, Memory& memory) const;
  /// One step, in place, and its derivative, with the inner steps that an adaptive method took. Throws
  /// InvalidArgument for a mass that is not constant in a system stated in C++.
  const StepDerivative& differentiate(FlatState& s, double h, Memory& memory) const;

 private:
  void derivative(double t, const std::vector<double>& y, std::vector<double>& dy,
                  Memory& memory) const;
  void accept(double t, double h, Memory& memory) const;
  void fixed_step(double t, double h, Memory& memory) const;
  void adaptive_step(double t, double h, Memory& memory) const;
  double try_step(double t, double h, Memory& memory) const;

  Method method_;
  std::shared_ptr<const FlatSystem> system_;
  FlatView view_;
};

}  // namespace varia
