// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The discrete flow of a system by a method: a pure function (State, h) ↦ State, h of either sign.
//
//   const Flow flow(gauss(3), system);   auto next = flow(state, h);
//
// step(state, h, memory) is the same function with a memory that lives from step to step: it holds
// the work space (no allocation inside a step for static sizes), the extrapolated starting guess
// and the last force. The map does not depend on it beyond round-off.
//
// The typed face of StageFlow, which gets the kernels of the system. Explicit steps of separable
// systems are compiled here, with everything inlined.
#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "varia/flow/failure.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/flow/start.hpp"
#include "varia/methods/legs.hpp"

namespace varia {

template <class S> class Flow {
 public:
  template <Point Q> using StateType = StateOf<S, Q>;

  /// ∂V/∂q at (t, q), where the last explicit step ended.
  template <Point Q> struct LastGradient {
    Tangent<Q> g;
    double t = 0.0;
    Q q;
    bool known = false;
  };

  /// Lives from step to step of one trajectory.
  template <Point Q> struct Memory {
    struct Engine {
      StageFlow flow;
      StageFlow::Memory memory;
      VectorState state;
    };
    std::unique_ptr<Engine> engine;
    std::optional<Legs> legs;  ///< of an explicit method or composition
    LastGradient<Q> last_gradient;
    FlowStatistics statistics;

    /// The unknown velocities of the last step of a stage method.
    std::vector<Tangent<Q>> velocities() const {
      const auto n = engine->state.p.size();
      const std::vector<double> all = engine->memory.velocities();
      std::vector<Tangent<Q>> u;
      for (auto at = all.begin(); at != all.end(); at += n)
        u.push_back(Eigen::Map<const Tangent<Q>>(&*at, n));
      return u;
    }
  };

  Flow(Method method, S system, FlowOptions options = {})
      : Flow(std::move(method), std::make_shared<const S>(std::move(system)), options) {}
  Flow(Method method, std::shared_ptr<const S> system, FlowOptions options = {})
      : method_(std::move(method)), system_(std::move(system)), options_(options) {
    detail::require_discrete_flow(method_, options_);
    if (method_.needs_separable()) require_separable();
    if constexpr (S::constrained)
      if (declared_constraint_count(*system_) != 0 && method_.constrained_order() == 0)
        detail::refuse_constraints(method_.name(), method_.order());
    if (S::rolls && !method_.holds_nonholonomic()) detail::refuse_nonholonomic(method_.name());
  }

  /// The same system and options with another method.
  Flow with_method(Method method) const { return Flow(std::move(method), system_, options_); }

  const Method& method() const { return method_; }
  const S& system() const { return *system_; }
  const FlowOptions& options() const { return options_; }

  /// Whether steps on points of type Q need no nonlinear solve.
  template <Point Q> bool is_explicit() const {
    return is_explicit<Q>(method_, declared_constraint_count(*system_).value_or(1));
  }

  /// The engine on points like q.
  template <Point Q> StageFlow stage_flow(const Q& like) const {
    return StageFlow(method_, kernels_of(system_, like), options_);
  }

  /// One step with fresh memory.
  template <Point Q, int M> State<Q, M> operator()(const State<Q, M>& s, double h) const {
    auto m = memory(s);
    return step(s, h, m);
  }

  /// The memory for a trajectory that starts at s; checks that s is a state of the system.
  template <Point Q, int M> Memory<Q> memory(const State<Q, M>& s) const {
    static_assert(M == S::template multipliers<Q>(),
                  "the state has another number of multipliers than the system has constraints");
    detail::check_sizes(*system_, s.q, s.p, "the momentum");
    if constexpr (may_constrain<M>) check_constraints_of(s);
    Memory<Q> memory;
    if (is_explicit<Q>(method_, static_cast<int>(s.lambda.size()))) {
      memory.legs = explicit_legs(method_);
      return memory;
    }
    using Engine = typename Memory<Q>::Engine;
    memory.engine = std::make_unique<Engine>(Engine{stage_flow(s.q), {}, {}});
    detail::to_vectors(s, memory.engine->state);
    memory.engine->memory = memory.engine->flow.memory(memory.engine->state);
    return memory;
  }

  /// One step with memory.
  template <Point Q, int M>
  State<Q, M> step(const State<Q, M>& s, double h, Memory<Q>& memory) const {
    return steps(s, h, 1, memory);
  }

  /// The given number of steps with memory: to the bit what so many calls of step() give.
  template <Point Q, int M>
  State<Q, M> steps(const State<Q, M>& s, double h, long count, Memory<Q>& memory) const {
    State<Q, M> next = s;
    if constexpr (may_be_explicit<Q>)
      if (memory.legs) {
        detail::require_step(h);
        explicit_steps(*memory.legs, next, h, count, memory.last_gradient);
        memory.statistics.steps += count;
        return next;
      }
    auto& engine = *memory.engine;
    detail::to_vectors(s, engine.state);
    engine.flow.move(engine.state, h, count, engine.memory);
    detail::from_vectors(engine.state, next);
    memory.statistics = engine.memory.statistics;
    return next;
  }

 private:
  template <Point Q, int M> void check_constraints_of(const State<Q, M>& s) const {
    const auto kernels = kernels_of(system_, s.q);
    if (s.lambda.size() != kernels->d + kernels->e)
      throw InvalidArgument("the state has " + std::to_string(s.lambda.size()) +
                            " multipliers, but the system has " +
                            std::to_string(kernels->d + kernels->e) +
                            " constraints; make the state with initial(system, q, v)");
    detail::require_on_constraint(*kernels, s.t, detail::entries_of(s.q), velocity(*system_, s));
  }

  void require_separable() const {
    if constexpr (!S::separable)
      detail::refuse_not_separable(method_.name(), "this Lagrangian is not declared Separable");
    else if constexpr (S::forced)
      detail::refuse_not_separable(method_.name(), "this system has a force");
    else if constexpr (S::constrained)
      if (declared_constraint_count(*system_) != 0)
        detail::refuse_not_separable(method_.name(), "this system has constraints");
  }

  template <Point Q>
  static constexpr bool may_be_explicit =
      S::separable && !S::forced && !S::rolls && S::template constraints<Q>() <= 0 &&
      std::is_same_v<Q, Tangent<Q>>;  // a run-time number of constraints may be 0

  template <Point Q> bool is_explicit(const Method& method, int constraints) const {
    if constexpr (!may_be_explicit<Q>) return false;
    if (!options_.prefer_explicit || constraints > 0) return false;
    if (method.substeps().empty()) return method.explicit_alpha().has_value();
    return std::all_of(method.substeps().begin(), method.substeps().end(),
                       [&](const auto& part) { return is_explicit<Q>(part.first, constraints); });
  }

  template <Point Q, int M>
  void explicit_steps(const Legs& legs, State<Q, M>& s, double h, long count,
                      LastGradient<Q>& last) const {
    if (legs.kicks_first() && (!last.known || last.t != s.t || last.q != s.q))
      system_->lagrangian().potential().gradient(s.t, s.q, last.g);
    else if (!last.known)
      last.g.setZero(s.q.size());
    if (legs.count() == 1)
      one_leg(legs, s, h, count, last.g);
    else
      many_legs(legs, s, h, count, last.g);
    last.t = s.t;
    last.q = s.q;
    last.known = legs.gradient_last();
  }

  /// (verlet)  q₁ = q₀ + h M⁻¹(p₀ - h(1-α)∇V(q₀)),  p₁ = p₀ - h((1-α)∇V(q₀) + α∇V(q₁))   [West04]
  ///
  /// One function with everything inlined, the state in local variables: the loop a person writes.
  template <Point Q, int M>
  [[gnu::flatten]] void one_leg(const Legs& legs, State<Q, M>& state, double h, long count,
                                Tangent<Q>& gradient) const {
    const auto& l = system_->lagrangian();
    const double first = h * legs.kicks[0];
    const double second = h * legs.kicks[1];
    detail::ExplicitState<Q> s(state);
    Tangent<Q> g = gradient;
    for (long k = 0; k < count; ++k) {
      // q₁ = (q₀ + rest - hM⁻¹kick) + hM⁻¹p₀: the kick joins the remainders, then the sums are short
      const Tangent<Q> kick = first * g;
      s.p_rest -= kick;
      s.q_rest -= l.mass().drift(h, kick);
      detail::compensated_add(s.q, s.q_rest, l.mass().drift(h, s.p));
      detail::compensated_add(s.t, s.t_rest, h);
      l.potential().gradient(s.t, s.q, g);
      detail::compensated_add(s.p, s.p_rest, Tangent<Q>(-second * g));
      if (!options_.compensated) detail::drop_remainders(s);
      if (!((s.q - s.q).sum() + (s.p - s.p).sum() == 0.0)) detail::overflow(s.t - h, h);
    }
    s.put(state);
    gradient = g;
  }

  /// (kick-drift) with the kicks of a step summed apart: they join p at its end, so that p is rounded
  /// once a step. The time of a step is h, not the sum of rounded fractions of it.
  template <Point Q, int M>
  [[gnu::flatten]] void many_legs(const Legs& legs, State<Q, M>& state, double h, long count,
                                  Tangent<Q>& gradient) const {
    const auto& l = system_->lagrangian();
    const std::size_t last_leg = legs.drifts.size() - 1;
    const double last_kick = h * legs.kicks.back();
    const bool gradient_last = legs.gradient_last();
    detail::ExplicitState<Q> s(state);
    Tangent<Q> g = gradient;
    Tangent<Q> kicks = Tangent<Q>::Zero(g.size());
    for (long k = 0; k < count; ++k) {
      kicks.setZero();
      double t = 0.0;
      for (std::size_t i = 0; i <= last_leg; ++i) {
        const double drift = h * legs.drifts[i];
        kicks -= (h * legs.kicks[i]) * g;
        s.q_rest += l.mass().drift(drift, kicks);
        detail::compensated_add(s.q, s.q_rest, l.mass().drift(drift, s.p));
        t += drift;
        if (i == last_leg) detail::compensated_add(s.t, s.t_rest, h);
        if (i < last_leg || gradient_last)
          l.potential().gradient(i < last_leg ? s.t + t : s.t, s.q, g);
      }
      s.p_rest += kicks;
      detail::compensated_add(s.p, s.p_rest, Tangent<Q>(-last_kick * g));
      if (!options_.compensated) detail::drop_remainders(s);
      if (!((s.q - s.q).sum() + (s.p - s.p).sum() == 0.0)) detail::overflow(s.t - h, h);
    }
    s.put(state);
    gradient = g;
  }

  Method method_;
  std::shared_ptr<const S> system_;
  FlowOptions options_;
};

}  // namespace varia
