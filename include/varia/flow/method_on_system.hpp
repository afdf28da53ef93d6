// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the classes of flows have in common, without virtual functions: F is the class itself.
#include <memory>
#include <utility>

#include "varia/flow/kernel_start.hpp"
#include "varia/methods/method.hpp"

namespace varia {

/// One step, by memory(state) and steps(state, h, count, memory) of F.
template <class F> class OneStep {
 public:
  /// With a memory of its own.
  VectorState operator()(const VectorState& s, double h) const {
    auto memory = self().memory(s);
    return step(s, h, memory);
  }
  template <class Memory> VectorState step(const VectorState& s, double h, Memory& memory) const {
    return self().steps(s, h, 1, memory);
  }

 private:
  const F& self() const { return static_cast<const F&>(*this); }
};

/// The flow of a system by a method.
template <class F> class MethodOnSystem : public OneStep<F> {
 public:
  const Method& method() const { return method_; }
  /// The system as verify/ and mechanics/ see it.
  const KernelSystem& system() const { return *system_; }
  const std::shared_ptr<const KernelSystem>& shared_system() const { return system_; }

 protected:
  MethodOnSystem(Method method, std::shared_ptr<const KernelSystem> system)
      : method_(std::move(method)), system_(std::move(system)) {}

  Method method_;
  std::shared_ptr<const KernelSystem> system_;
};

}  // namespace varia
