// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Any kind of flow as a FlowInterface. What a kind does not offer is left out or has a default.
#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/flow/any_flow.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia::detail {

template <class F> class FlowOf final : public FlowInterface {
 public:
  FlowOf(Method method, F flow, std::shared_ptr<const KernelSystem> system)
      : method_(std::move(method)), flow_(std::move(flow)), system_(std::move(system)) {}

  const Method& method() const override { return method_; }

  std::unique_ptr<FlowMemory> memory(const VectorState& s) const override {
    return std::make_unique<Kept>(flow_.memory(s));
  }

  void move(VectorState& s, double h, long count, FlowMemory& memory) const override {
    if (!on_branch(s)) return move_freely(s, h, count, memory);
    for (long i = 0; i < count; ++i)
      along_branch(s, h, memory, [&] { move_freely(s, h, 1, memory); });
  }

 private:
  void move_freely(VectorState& s, double h, long count, FlowMemory& memory) const {
    if constexpr (requires(typename F::Memory & m) { flow_.move(s, h, count, m); })
      flow_.move(s, h, count, inner(memory));
    else
      s = flow_.steps(std::move(s), h, count, inner(memory));
  }

  LegendreTransform& legendre(FlowMemory& memory) const {
    auto& made = static_cast<Kept&>(memory).legendre;
    if (!made) made = std::make_unique<LegendreTransform>(*system_);
    return *made;
  }

  /// A Hamiltonian knows the velocity of each momentum.
  static bool on_branch([[maybe_unused]] const VectorState& s) {
    if constexpr (requires(const F& f) { f.hamiltonian(); })
      return false;
    else
      return s.branch.size() > 0;
  }

  /// A step of s, which stays on its branch of FL⁻¹ or ends with it.
  template <class Step>
  void along_branch(VectorState& s, double h, FlowMemory& memory, const Step& step) const {
    VectorState& start = static_cast<Kept&>(memory).start;
    start = s;
    try {
      step();
    } catch (const NoConvergence&) {
      legendre(memory).require_branch_ahead(start, h);
      throw;
    }
    legendre(memory).follow(s, s.branch.data());
  }

 public:
  bool differentiable() const override {
    if constexpr (requires { flow_.differentiable(); })
      return flow_.differentiable();
    else
      return has_derivative;
  }

  const StepDerivative* differentiate([[maybe_unused]] VectorState& s, [[maybe_unused]] double h,
                                      [[maybe_unused]] FlowMemory& memory) const override {
    if constexpr (has_derivative) {
      const StepDerivative* made = nullptr;
      const auto step = [&] { made = &flow_.differentiate(s, h, inner(memory)); };
      on_branch(s) ? along_branch(s, h, memory, step) : step();
      return made;
    } else {
      return nullptr;
    }
  }

  /// By the flow where it knows better than the Legendre transform.
  void velocity(const VectorState& s, double* v, FlowMemory& memory) const override {
    if constexpr (requires { flow_.velocity(s); }) {
      const Vn rate = flow_.velocity(s);
      std::copy(rate.data(), rate.data() + rate.size(), v);
    } else {
      legendre(memory).velocity(s, v);
    }
  }

  double energy([[maybe_unused]] const VectorState& s,
                [[maybe_unused]] const double* v) const override {
    if constexpr (has_energy)
      return flow_.energy(s);
    else
      return varia::energy(*system_, s.t, s.q.data(), v, s.p.data());
  }

  /// What steps of variable length keep is seen along a run.
  FlowLaws laws() const override {
    if constexpr (requires { flow_.laws(); })
      return flow_.laws();
    else
      return {false, false, false, false, {}};
  }

  FlowCost cost() const override {
    FlowCost cost;
    if constexpr (requires { flow_.is_explicit(); }) cost.is_explicit = flow_.is_explicit();
    if constexpr (requires { flow_.unknowns(); }) cost.unknowns = flow_.unknowns();
    if constexpr (requires { flow_.banded(); }) cost.banded = flow_.banded();
    return cost;
  }

  KernelList kernels() const override {
    KernelList list = flow_.kernels();
    if constexpr (!has_energy) list.push_back({system_->value, 0.0, 1.0});
    return list;
  }

  std::shared_ptr<const FlowInterface> with_method(Method method) const override {
    if constexpr (requires { flow_.with_method(method); })
      return shared(method, flow_.with_method(method), system_);
    else
      return shared(method, StageFlow(method, system_), system_);
  }

  const StageFlow* stages() const override {
    if constexpr (std::is_same_v<F, StageFlow>)
      return &flow_;
    else
      return nullptr;
  }

  DiscreteLagrangian discrete_lagrangian() const override {
    if constexpr (requires(const Vn& q) { flow_.discrete_lagrangian(0.0, q, q, 0.0).value; })
      return [flow = flow_](double t, const Vn& q0, const Vn& q1, double h) {
        return flow.discrete_lagrangian(t, q0, q1, h).value;
      };
    else
      return {};
  }

  template <class G>
  static std::shared_ptr<const FlowInterface> shared(Method method, G flow,
                                                     std::shared_ptr<const KernelSystem> system) {
    return std::make_shared<const FlowOf<G>>(std::move(method), std::move(flow), std::move(system));
  }

 private:
  static constexpr bool has_derivative =
      requires(const F& flow, VectorState& s, typename F::Memory& m) {
    flow.differentiate(s, 0.1, m);
  };

  /// Else it is that of the Lagrangian.
  static constexpr bool has_energy = requires(const F& flow, const VectorState& s) {
    flow.energy(s);
  };

  /// With the work space of velocities.
  struct Kept final : F::Memory {
    explicit Kept(typename F::Memory made) : F::Memory(std::move(made)) {}
    std::unique_ptr<LegendreTransform> legendre;
    VectorState start;  ///< of a step on a branch
  };
  static typename F::Memory& inner(FlowMemory& memory) {
    return static_cast<typename F::Memory&>(memory);
  }

  Method method_;
  F flow_;
  std::shared_ptr<const KernelSystem> system_;
};

/// The flow, stepping with the method on the system.
template <class F>
AnyFlow any_flow(const Method& method, F flow, const std::shared_ptr<const KernelSystem>& system) {
  return {std::make_shared<const FlowOf<F>>(method, std::move(flow), system), system};
}

}  // namespace varia::detail
