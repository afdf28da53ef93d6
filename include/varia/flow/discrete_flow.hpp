// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Your own discrete Lagrangian: any callable L_d(q₀, q₁, h), generic in the scalar, is a flow.
//
//   (pm-)   p₀ = -D₁L_d(q₀, q₁, h) - f_d⁻(q₀, q₁, h) - h G(q₀)ᵀλ₀,   φ(q₁) = 0    (solved for q₁, λ₀)
//   (pm+)   p₁ =  D₂L_d(q₀, q₁, h) + f_d⁺(q₀, q₁, h)                                       [MW01]
//
// Discrete forces and holonomic constraints are optional. L_d alone knows no velocities, so with
// constraints the momentum is that of SHAKE: not projected, the positions are those of RATTLE.
//
// The typed face of DiscreteLagrangianFlow, which gets the kernels of the callables.
#include <memory>
#include <tuple>
#include <utility>

#include "varia/flow/discrete_kernels.hpp"
#include "varia/flow/discrete_lagrangian_flow.hpp"
#include "varia/flow/flow.hpp"

namespace varia {

/// A state from a configuration and a momentum, for flows without a System. The number of
/// constraints is needed when M is Dynamic.
template <int M = 0, Point Q>
State<Q, M> make_state(const Q& q, const Tangent<Q>& p, double t = 0.0,
                       int constraints = std::max(M, 0)) {
  if (constraints < 0 || (M != Dynamic && constraints != M))
    throw InvalidArgument("a state cannot have " + std::to_string(constraints) + " multipliers");
  if (p.size() != Space<Q>::dim(q))
    throw InvalidArgument("the momentum has " + std::to_string(p.size()) +
                          " components, but the configuration has " +
                          std::to_string(Space<Q>::dim(q)));
  if (!p.allFinite())
    throw InvalidArgument("the momentum has a component that is not a finite number");
  return detail::make_state<Q, M>(t, q, p, constraints);
}

namespace detail {

template <class T> inline constexpr bool is_discrete_force = false;
template <class A, class B> inline constexpr bool is_discrete_force<DiscreteForce<A, B>> = true;

/// The first part of the kind, or NoPart.
template <class Kind> const NoPart& part_or_none(const Kind&) {
  static const NoPart none;
  return none;
}
template <class Kind, class First, class... Rest>
const auto& part_or_none(const Kind& kind, const First& first, const Rest&... rest) {
  if constexpr (Kind::template is<First>)
    return first;
  else
    return part_or_none(kind, rest...);
}
struct ForceKind {
  template <class T> static constexpr bool is = is_discrete_force<T>;
};
struct ConstraintKind {
  template <class T> static constexpr bool is = is_a<Holonomic, T>;
};

}  // namespace detail

template <class Ld, class... Parts> class DiscreteFlow {
  static_assert(((detail::is_discrete_force<Parts> || detail::is_a<Holonomic, Parts>)&&...),
                "a part of a DiscreteFlow is a DiscreteForce or a Holonomic");

 public:
  static constexpr bool constrained = detail::count_of<Holonomic, Parts...> > 0;

  explicit DiscreteFlow(Ld ld, Parts... parts) : ld_(std::move(ld)), parts_(std::move(parts)...) {}

  template <Point Q> struct Memory {
    DiscreteLagrangianFlow flow;
    DiscreteLagrangianFlow::Memory memory;
    VectorState state;
    FlowStatistics statistics;
  };

  const Ld& discrete_lagrangian() const { return ld_; }

  /// Throws InvalidArgument for a state that does not fit or is off the constraint.
  template <Point Q, int M> Memory<Q> memory(const State<Q, M>& s) const {
    static_assert((M != 0) == constrained,
                  "the state must have one multiplier for each constraint");
    Memory<Q> memory{DiscreteLagrangianFlow(kernels(s)), {}, {}, {}};
    detail::to_vectors(s, memory.state);
    memory.memory = memory.flow.memory(memory.state);
    return memory;
  }

  template <Point Q, int M> State<Q, M> operator()(const State<Q, M>& s, double h) const {
    auto m = memory(s);
    return step(s, h, m);
  }

  template <Point Q, int M>
  State<Q, M> step(const State<Q, M>& s, double h, Memory<Q>& memory) const {
    State<Q, M> next = s;
    detail::to_vectors(s, memory.state);
    memory.state = memory.flow.step(memory.state, h, memory.memory);
    detail::from_vectors(memory.state, next);
    memory.statistics = memory.memory.statistics;
    return next;
  }

 private:
  template <Point Q, int M>
  std::shared_ptr<const DiscreteLagrangianSystem> kernels(const State<Q, M>& s) const {
    return std::apply(
        [&](const Parts&... parts) {
          const auto& force = detail::part_or_none(detail::ForceKind{}, parts...);
          const auto& constraint = detail::part_or_none(detail::ConstraintKind{}, parts...);
          using Callables = detail::DiscreteCallables<Ld, std::decay_t<decltype(force)>,
                                                      std::decay_t<decltype(constraint)>, Q, M>;
          const int d = static_cast<int>(s.lambda.size());
          if constexpr (may_constrain<M>)
            detail::require_count(Vector<double, M>(constraint(s.t, s.q)).size(), d);
          return std::make_shared<const DiscreteLagrangianSystem>(Callables::kernels(
              std::make_shared<const Callables>(ld_, force, constraint, s.q, d)));
        },
        parts_);
  }

  Ld ld_;
  std::tuple<Parts...> parts_;
};

}  // namespace varia
