// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The discrete flow of a system by a method: a pure function (State, h) ↦ State, h of either sign.
//
//   const Flow flow(gauss(3), system);   auto next = flow(state, h);
//
// step(state, h, memory) is the same function with a memory that lives from step to step: it holds
// the work space (no allocation inside a step for static sizes), the extrapolated starting guess
// and the last force. The map does not depend on it beyond round-off.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"
#include "varia/flow/flow_options.hpp"
#include "varia/flow/stage_equations.hpp"
#include "varia/methods/legs.hpp"
#include "varia/space/euclidean.hpp"

namespace varia {

namespace detail {

/// t + rest ← t + rest + h
template <class State> void advance_time(State& s, double h) {
  const double y = h + s.t_rest;
  const double sum = s.t + y;
  s.t_rest = y - (sum - s.t);
  s.t = sum;
}

template <class State> void drop_remainders(State& s) {
  s.t_rest = 0.0;
  s.q_rest.setZero();
  s.p_rest.setZero();
}

}  // namespace detail

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
    detail::StageMemory<Q> stages;
    std::vector<std::unique_ptr<Memory>> parts;  ///< one for each substep of a composition
    LastGradient<Q> last_gradient;
    std::optional<Legs> legs;  ///< of an explicit method or composition
    FlowStatistics statistics;
  };

  Flow(Method method, S system, FlowOptions options = {})
      : method_(std::move(method)), system_(std::move(system)), options_(options) {
    if (options_.newton.max_iterations < 1)
      throw InvalidArgument("newton.max_iterations must be at least 1, got " +
                            std::to_string(options_.newton.max_iterations));
    if (method_.baseline())
      throw InvalidArgument(method_.name() +
                            " is not variational: it has no discrete Lagrangian for a Flow; "
                            "baselines are for comparison only");
    if (method_.has_own_flow())
      throw InvalidArgument(method_.name() + " is a map of its own; use " + method_.flow_name());
    if (method_.needs_separable()) require_separable();
    if constexpr (S::constrained)
      if (declared_constraint_count(system_) != 0 && method_.constrained_order() == 0)
        detail::refuse_constraints(method_.name(), method_.order());
  }

  /// The same system and options with another method.
  Flow with_method(Method method) const { return Flow(std::move(method), system_, options_); }

  const Method& method() const { return method_; }
  const S& system() const { return system_; }
  const FlowOptions& options() const { return options_; }

  /// Whether steps on points of type Q need no nonlinear solve.
  template <Point Q> bool is_explicit() const {
    return is_explicit<Q>(method_, declared_constraint_count(system_).value_or(1));
  }

  /// One step with fresh memory.
  template <Point Q, int M> State<Q, M> operator()(const State<Q, M>& s, double h) const {
    auto m = memory(s);
    return step(s, h, m);
  }

  /// The memory for a trajectory that starts at s; checks that s is a state of the system.
  template <Point Q, int M> Memory<Q> memory(const State<Q, M>& s) const {
    static_assert(M == S::template constraints<Q>(),
                  "the state has another number of multipliers than the system has constraints");
    detail::check_sizes(system_, s.q, s.p, "the momentum");
    if constexpr (!Space<Q>::flat) {
      if (method_.needs_separable())
        detail::refuse_not_separable(method_.name(), "this system is on a Lie group");
      require_symmetric_parts(method_);
    }
    if constexpr (may_constrain<M>) check_constraints_of(s);
    return make_memory<Q>(method_, Space<Q>::dim(s.q), static_cast<int>(s.lambda.size()));
  }

  /// One step with memory.
  template <Point Q, int M>
  State<Q, M> step(const State<Q, M>& s, double h, Memory<Q>& memory) const {
    return steps(s, h, 1, memory);
  }

  /// The given number of steps with memory: to the bit what so many calls of step() give.
  template <Point Q, int M>
  State<Q, M> steps(const State<Q, M>& s, double h, long count, Memory<Q>& memory) const {
    detail::require_step(h);
    State<Q, M> next = s;
    if constexpr (may_be_explicit<Q>)
      if (memory.legs) {
        explicit_steps(*memory.legs, next, h, count, memory.last_gradient);
        memory.statistics.steps += count;
        return next;
      }
    for (long k = 0; k < count; ++k) {
      advance(method_, next, h, memory, memory.last_gradient);
      if (!options_.compensated) detail::drop_remainders(next);
      ++memory.statistics.steps;
    }
    return next;
  }

 private:
  template <Point Q, int M> void check_constraints_of(const State<Q, M>& s) const {
    [[maybe_unused]] const int count = detail::checked_count(system_, s.q);
    if constexpr (M == Dynamic) {
      if (s.lambda.size() != count)
        throw InvalidArgument("the state has " + std::to_string(s.lambda.size()) +
                              " multipliers, but the system has " + std::to_string(count) +
                              " constraints; make the state with initial(system, q, v)");
      if (count == 0) return;
    }
    detail::check_constraints_hold(system_, s.q, velocity(system_, s.q, s.p, s.t));
  }

  void require_separable() const {
    if constexpr (!S::separable)
      detail::refuse_not_separable(method_.name(), "this Lagrangian is not declared Separable");
    else if constexpr (S::forced)
      detail::refuse_not_separable(method_.name(), "this system has a force");
    else if constexpr (S::constrained)
      if (declared_constraint_count(system_) != 0)
        detail::refuse_not_separable(method_.name(), "this system has constraints");
  }

  /// On a curved space parts that a composition takes for symmetric may not be.
  void require_symmetric_parts(const Method& method) const {
    const bool pairs = method.rests_on() == RestsOn::adjoint_pairs;
    for (const auto& [part, fraction] : method.substeps()) {
      if (method.rests_on_symmetry() &&
          (options_.retraction == Retraction::cayley || !(pairs || part.symmetric_on_groups())))
        throw InvalidArgument(method.name() + " cannot have order " +
                              std::to_string(method.order()) + " on a Lie group: " + part.name() +
                              (pairs ? " has another adjoint there" : " is not symmetric there") +
                              ". Use midpoint, trapezoid or verlet with "
                              "the exponential retraction, or gauss(s) and lobatto(s) directly");
      require_symmetric_parts(part);
    }
  }

  template <Point Q>
  static constexpr bool may_be_explicit =
      S::separable && !S::forced && S::template constraints<Q>() <= 0 &&
      std::is_same_v<Q, Tangent<Q>>;  // a run-time number of constraints may be 0

  template <Point Q> bool is_explicit(const Method& method, int constraints) const {
    if constexpr (!may_be_explicit<Q>) return false;
    if (!options_.prefer_explicit || constraints > 0) return false;
    if (method.substeps().empty()) return method.explicit_alpha().has_value();
    return std::all_of(method.substeps().begin(), method.substeps().end(),
                       [&](const auto& part) { return is_explicit<Q>(part.first, constraints); });
  }

  /// For n degrees of freedom.
  template <Point Q> Memory<Q> make_memory(const Method& method, int n, int constraints) const {
    Memory<Q> memory;
    const auto add_part = [&](const Method& part) {
      memory.parts.push_back(std::make_unique<Memory<Q>>(make_memory<Q>(part, n, constraints)));
    };
    if (is_explicit<Q>(method, constraints)) {
      memory.legs = explicit_legs(method);
    } else if (needs_inverse<Q>(method)) {
      add_part(*method.adjoint_of());
      add_part(*method.adjoint_of());
    } else if (const StageCoefficients* k = method.stages()) {
      auto& stages = memory.stages;
      const int size = detail::StageEquations<S, Q>::unknowns(*k, n, constraints);
      stages.newton.resize(size, k->unknowns * n);
      stages.predictor.resize(size);
      stages.u.assign(static_cast<std::size_t>(k->unknowns), Tangent<Q>::Zero(n));
      stages.P.assign(static_cast<std::size_t>(k->points), Tangent<Q>::Zero(n));
      stages.W = stages.P;
      if constexpr (!Space<Q>::flat)
        stages.dm.assign(static_cast<std::size_t>(k->unknowns), TangentMap<Q>::Zero(n, n));
    } else {
      for (const auto& [part, fraction] : method.substeps()) add_part(part);
    }
    return memory;
  }

  /// On a curved space the adjoint of a stage method is not a stage method.
  template <Point Q> static bool needs_inverse(const Method& method) {
    return !Space<Q>::flat && method.adjoint_of() != nullptr &&
           method.adjoint_of()->stages() != nullptr;
  }

  template <Point Q, int M>
  void advance(const Method& method, State<Q, M>& s, double h, Memory<Q>& memory,
               LastGradient<Q>& last_gradient) const {
    if constexpr (may_be_explicit<Q>)
      if (memory.legs) return explicit_steps(*memory.legs, s, h, 1, last_gradient);
    if (needs_inverse<Q>(method)) {
      if constexpr (!Space<Q>::flat) inverse_step(*method.adjoint_of(), s, h, memory);
    } else if (const StageCoefficients* k = method.stages()) {
      stage_step(method, *k, s, h, memory);
    } else {
      for (std::size_t i = 0; i < memory.parts.size(); ++i) {
        const auto& [part, fraction] = method.substeps()[i];
        advance(part, s, fraction * h, *memory.parts[i], last_gradient);
        collect(memory, *memory.parts[i]);
      }
    }
  }

  template <class M> static void collect(M& memory, const M& part) {
    memory.statistics.iterations += part.stages.iterations;
    memory.statistics.max_iterations =
        std::max(memory.statistics.max_iterations, part.stages.iterations);
  }

  template <Point Q, int M>
  void explicit_steps(const Legs& legs, State<Q, M>& s, double h, long count,
                      LastGradient<Q>& last) const {
    if (legs.kicks_first() && (!last.known || last.t != s.t || last.q != s.q))
      system_.lagrangian().potential().gradient(s.t, s.q, last.g);
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
    const auto& l = system_.lagrangian();
    const double first = h * legs.kicks[0];
    const double second = h * legs.kicks[1];
    State<Q, M> s = state;
    Tangent<Q> g = gradient;
    for (long k = 0; k < count; ++k) {
      // q₁ = (q₀ + rest - hM⁻¹kick) + hM⁻¹p₀: the kick joins the remainders, then the sums are short
      const Tangent<Q> kick = first * g;
      s.p_rest -= kick;
      s.q_rest -= l.mass().drift(h, kick);
      detail::compensated_add(s.q, s.q_rest, l.mass().drift(h, s.p));
      detail::advance_time(s, h);
      l.potential().gradient(s.t, s.q, g);
      detail::compensated_add(s.p, s.p_rest, Tangent<Q>(-second * g));
      if (!options_.compensated) detail::drop_remainders(s);
      if (!((s.q - s.q).sum() + (s.p - s.p).sum() == 0.0)) detail::overflow(s.t - h, h);
    }
    state = s;
    gradient = g;
  }

  /// (kick-drift) with the kicks of a step summed apart: they join p at its end, so that p is rounded
  /// once a step. The time of a step is h, not the sum of rounded fractions of it.
  template <Point Q, int M>
  [[gnu::flatten]] void many_legs(const Legs& legs, State<Q, M>& state, double h, long count,
                                  Tangent<Q>& gradient) const {
    const auto& l = system_.lagrangian();
    const std::size_t last_leg = legs.drifts.size() - 1;
    const double last_kick = h * legs.kicks.back();
    const bool gradient_last = legs.gradient_last();
    State<Q, M> s = state;
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
        if (i == last_leg) detail::advance_time(s, h);
        if (i < last_leg || gradient_last)
          l.potential().gradient(i < last_leg ? s.t + t : s.t, s.q, g);
      }
      s.p_rest += kicks;
      detail::compensated_add(s.p, s.p_rest, Tangent<Q>(-last_kick * g));
      if (!options_.compensated) detail::drop_remainders(s);
      if (!((s.q - s.q).sum() + (s.p - s.p).sum() == 0.0)) detail::overflow(s.t - h, h);
    }
    state = s;
    gradient = g;
  }

  template <Point Q, int M>
  void stage_step(const Method& method, const StageCoefficients& k, State<Q, M>& s, double h,
                  Memory<Q>& memory) const {
    auto& stages = memory.stages;
    detail::StageEquations<S, Q> equations(system_, k, options_.retraction, s, h, stages);
    NewtonReport report;
    const bool predicted = stages.predictor.predict(h, stages.newton.x);
    if (predicted) report = solve(options_.newton, stages.newton, equations);
    if (!report.converged) {
      equations.guess(velocity(system_, s.q, s.p, s.t));
      report = solve(options_.newton, stages.newton, equations);
    }
    stages.iterations = report.iterations;
    collect(memory, memory);
    if (!report.converged) detail::not_solved(method.name(), s.t, h, report);
    stages.predictor.push(h, stages.newton.x);
    equations.finish(report.last_update);
    s.q_rest += equations.xi().lo;
    s.p_rest += equations.impulse().lo;
    finish(s, h, equations.xi().hi, equations.impulse().hi, equations.end_weight());
  }

  /// (pm+)  q₁ = q₀ ⊕ ξ, p₁ = Ad*_{τ(ξ)}(p₀ + impulse), then (hidden).
  template <Point Q, int M>
  void finish(State<Q, M>& s, double h, const Tangent<Q>& xi, const Tangent<Q>& impulse,
              double weight) const {
    using X = Space<Q>;
    const Retraction tau = options_.retraction;
    if constexpr (requires { X::update(s.q, s.q_rest, s.p, s.p_rest, xi, impulse, tau); }) {
      X::update(s.q, s.q_rest, s.p, s.p_rest, xi, impulse, tau);
    } else {
      X::advance(s.q, s.q_rest, xi, tau);
      X::transport(s.p, s.p_rest, impulse, xi, tau);
    }
    detail::advance_time(s, h);
    if constexpr (may_constrain<M>)
      if (s.lambda.size() > 0) make_tangent(s, h, Tangent<Q>(xi / h), weight);
    if (!s.p.allFinite()) detail::overflow(s.t - h, h);
  }

  /// (hidden)  p₁ ← p₁ + w Gᵀλ₁ with G v₁ = 0
  template <Point Q, int M>
  void make_tangent(State<Q, M>& s, double h, Tangent<Q> v, double weight) const {
    constexpr int n = dof<Q>;
    constexpr int max_iterations = 20;
    using detail::eps;
    Vector<double, M> phi;
    Matrix<double, M, n> g;
    detail::constraint_jacobian(system_.constraint(), s.q, static_cast<int>(s.lambda.size()), phi,
                                g);
    Vector<double, M> lambda = s.lambda;
    GradientOf<Q> gradient;
    HessianOf<Q> hessian;
    double last = 0.0;
    for (int i = 0; i < max_iterations; ++i) {
      system_.lagrangian().hessian(s.t, s.q, v, gradient, hessian);
      const LinearSolver<n> mass(hessian.vv);
      const Matrix<double, n, M> reaction = mass.solve(weight * g.transpose());
      const Tangent<Q> target = s.p + (s.p_rest + weight * (g.transpose() * lambda)) - gradient.v;
      const Tangent<Q> dv = mass.solve(target);
      const Vector<double, M> dlambda =
          LinearSolver<M>(Matrix<double, M>(g * reaction)).solve(-(g * (v + dv)));
      lambda += dlambda;
      const Tangent<Q> change = dv + reaction * dlambda;
      v += change;
      last = change.cwiseAbs().maxCoeff();
      if (!std::isfinite(last)) break;
      if (last <= 4 * eps * v.cwiseAbs().maxCoeff() ||
          (i > 0 && last < 1e-14 * (1.0 + v.cwiseAbs().maxCoeff()))) {
        s.lambda = lambda;
        Tangent<Q> impulse = weight * (g.transpose() * lambda);
        s.p_rest += impulse;
        const Tangent<Q> sum = s.p + s.p_rest;
        s.p_rest -= sum - s.p;
        s.p = sum;
        return;
      }
    }
    detail::not_tangent(s.t - h, h, max_iterations, last);
  }

  /// The adjoint on a curved space: z₁ with F⁻ʰ(z₁) = z₀. Since Fʰ F⁻ʰ = id + O(h^{r+1}), the
  /// iteration z₁ ← z₁ ⊕ (Fʰ(z₀) ⊖ Fʰ(F⁻ʰ(z₁))) gains r+1 powers of h each time.
  template <Point Q, int M>
  void inverse_step(const Method& forward, State<Q, M>& s, double h, Memory<Q>& memory) const {
    if (s.lambda.size() > 0)
      throw InvalidArgument(
          "the adjoint of " + forward.name() +
          " on a Lie group with constraints is not available; use the method itself");
    if constexpr (M <= 0) {
      using detail::eps;
      using X = Space<Q>;
      State<Q, M> target = s;
      advance(forward, target, h, *memory.parts[0], memory.last_gradient);
      State<Q, M> z = target;
      double last = std::numeric_limits<double>::infinity();
      for (int i = 1; i <= options_.newton.max_iterations; ++i) {
        State<Q, M> image = z;
        advance(forward, image, -h, *memory.parts[1], memory.last_gradient);
        advance(forward, image, h, *memory.parts[0], memory.last_gradient);
        const Tangent<Q> dq = X::difference(image.q, target.q, options_.retraction);
        const Tangent<Q> dp = (target.p - image.p) + (target.p_rest - image.p_rest);
        z.q = X::retract(z.q, dq, options_.retraction);
        z.p += dp;
        const double change = std::max(
            dq.cwiseAbs().maxCoeff(), dp.cwiseAbs().maxCoeff() / (1.0 + z.p.cwiseAbs().maxCoeff()));
        if (change <= 4 * eps || (change >= 0.5 * last && change < 1e-12)) {
          s = z;
          return;
        }
        if (!std::isfinite(change)) break;
        last = change;
      }
      throw NoConvergence("adjoint(" + forward.name() +
                              "): the inverse step did not converge; try a "
                              "smaller step",
                          s.t, h, options_.newton.max_iterations, last);
    }
  }

  Method method_;
  S system_;
  FlowOptions options_;
};

}  // namespace varia
