// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A discrete flow of any kind: what running, recording, checking and comparing ask of one.
//
//   const AnyFlow flow = make_flow(method, statement, options);     // flow/make_flow.hpp
//   AnyFlow::Memory memory = flow.memory(state);
//   flow.move(state, h, count, memory);
//
// Copies share one flow. A flow is const and may be used by several threads; a memory belongs to one
// trajectory.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "varia/flow/flow_memory.hpp"
#include "varia/flow/flow_options.hpp"
#include "varia/flow/kernel_calls.hpp"
#include "varia/flow/kernel_start.hpp"
#include "varia/methods/method.hpp"

namespace varia {

class StageFlow;

namespace detail {

/// A flow behind one interface; FlowOf in src/flow/ makes it of each kind.
class FlowInterface {
 public:
  /// L_d(t, q₀, q₁, h)
  using DiscreteLagrangian = std::function<double(double, const Vn&, const Vn&, double)>;

  virtual ~FlowInterface() = default;
  virtual const Method& method() const = 0;
  virtual std::unique_ptr<FlowMemory> memory(const VectorState& s) const = 0;
  virtual void move(VectorState& s, double h, long count, FlowMemory& memory) const = 0;
  virtual const StepDerivative* differentiate(VectorState& s, double h,
                                              FlowMemory& memory) const = 0;
  virtual bool differentiable() const = 0;
  virtual void velocity(const VectorState& s, double* v, FlowMemory& memory) const = 0;
  virtual double energy(const VectorState& s, const double* v) const = 0;
  virtual FlowLaws laws() const = 0;
  virtual FlowCost cost() const = 0;
  virtual KernelList kernels() const = 0;
  virtual std::shared_ptr<const FlowInterface> with_method(Method method) const = 0;
  virtual const StageFlow* stages() const = 0;
  virtual DiscreteLagrangian discrete_lagrangian() const = 0;
};

}  // namespace detail

/// ⟨p, v⟩ - L
double energy(const KernelSystem& system, double t, const double* q, const double* v,
              const double* p);

class AnyFlow {
 public:
  /// Lives from step to step of one trajectory.
  class Memory {
   public:
    FlowStatistics& statistics() { return kept_->statistics; }
    const FlowStatistics& statistics() const { return kept_->statistics; }
    /// What the next steps depend on, for a checkpoint, and back. Throws InvalidArgument when the
    /// numbers do not fit.
    std::vector<double> save() const { return kept_->save(); }
    void load(const std::vector<double>& data) { kept_->load(data); }

   private:
    friend class AnyFlow;
    explicit Memory(std::unique_ptr<FlowMemory> kept) : kept_(std::move(kept)) {}
    std::unique_ptr<FlowMemory> kept_;
  };

  AnyFlow(std::shared_ptr<const detail::FlowInterface> flow,
          std::shared_ptr<const KernelSystem> system)
      : flow_(std::move(flow)), system_(std::move(system)) {}
  /// The flow of a stage method, a composition or an adjoint.
  AnyFlow(const StageFlow& flow);  // NOLINT(google-explicit-constructor): it is one

  const Method& method() const { return flow_->method(); }
  /// The Lagrangian, force and constraints; of a system that is stated otherwise its sizes only.
  const KernelSystem& system() const { return *system_; }
  const std::shared_ptr<const KernelSystem>& shared_system() const { return system_; }
  /// The flow itself, to be put into another.
  const std::shared_ptr<const detail::FlowInterface>& shared_flow() const { return flow_; }
  /// The same motion by another method, for references.
  AnyFlow with_method(Method method) const {
    return {flow_->with_method(std::move(method)), system_};
  }

  Memory memory(const VectorState& s) const { return Memory(flow_->memory(s)); }
  /// The given number of steps in place. When it throws, s is not a state.
  void move(VectorState& s, double h, long count, Memory& memory) const {
    flow_->move(s, h, count, *memory.kept_);
  }
  VectorState step(VectorState s, double h, Memory& memory) const {
    move(s, h, 1, memory);
    return s;
  }
  VectorState operator()(const VectorState& s, double h) const {
    Memory m = memory(s);
    return step(s, h, m);
  }

  /// Whether differentiate() can be called.
  bool differentiable() const { return flow_->differentiable(); }
  /// One step in place, and its derivative, which the memory keeps until the next call. Throws
  /// InvalidArgument for a flow that is not differentiable.
  const StepDerivative& differentiate(VectorState& s, double h, Memory& memory) const;

  /// q̇ at the state; work space is that of the memory.
  void velocity(const VectorState& s, double* v, const Memory& memory) const {
    flow_->velocity(s, v, *memory.kept_);
  }
  /// H, or ⟨p, v⟩ - L with the velocity at the state.
  double energy(const VectorState& s, const double* v) const { return flow_->energy(s, v); }
  FlowLaws laws() const { return flow_->laws(); }
  FlowCost cost() const { return flow_->cost(); }
  /// What steps, velocities and energies call.
  KernelList kernels() const { return flow_->kernels(); }

  /// The flow itself where it is one of stages, with a certificate; else null.
  const StageFlow* stages() const { return flow_->stages(); }
  /// L_d(t, q₀, q₁, h) of a flow that has one beside the certificate tier; else empty.
  detail::FlowInterface::DiscreteLagrangian discrete_lagrangian() const {
    return flow_->discrete_lagrangian();
  }

 private:
  std::shared_ptr<const detail::FlowInterface> flow_;
  std::shared_ptr<const KernelSystem> system_;
};

}  // namespace varia
