// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Your own discrete Lagrangian: any callable L_d(q₀, q₁, h), generic in the scalar, is a flow.
//
//   (pm-)   p₀ = -D₁L_d(q₀, q₁, h) - f_d⁻(q₀, q₁, h) - h G(q₀)ᵀλ₀,   φ(q₁) = 0    (solved for q₁, λ₀)
//   (pm+)   p₁ =  D₂L_d(q₀, q₁, h) + f_d⁺(q₀, q₁, h)                                       [MW01]
//
// Discrete forces and holonomic constraints are optional. L_d alone knows no velocities, so with
// constraints the momentum is that of SHAKE: not projected, the positions are those of RATTLE.
#include <tuple>
#include <type_traits>
#include <utility>

#include "varia/flow/flow.hpp"
#include "varia/space/chart.hpp"

namespace varia {

/// Discrete forces f_d⁻(q₀, q₁, h) at q₀ and f_d⁺(q₀, q₁, h) at q₁, generic in the scalar.
template <class Minus, class Plus> struct DiscreteForce {
  Minus minus;
  Plus plus;
};
template <class Minus, class Plus> DiscreteForce(Minus, Plus) -> DiscreteForce<Minus, Plus>;

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

/// L_d with its slot derivatives at (q₀, q₁).
template <Point Q> struct DiscreteDerivatives {
  double value = 0.0;
  Tangent<Q> d1, d2;
  TangentMap<Q> d1d2;
};

/// D₁L_d, D₂L_d and D₁D₂L_d, left-trivialised at q₀ and q₁.
template <class Ld, Point Q>
DiscreteDerivatives<Q> slot_derivatives(const Ld& ld, const Q& q0, const Q& q1, double h) {
  constexpr int n = dof<Q>;
  DiscreteDerivatives<Q> d;
  if constexpr (n == Dynamic) {
    const int size = Space<Q>::dim(q0);
    const auto all = chunked_hessian(2 * size, [&](const auto& delta) {
      using J = typename std::decay_t<decltype(delta)>::Scalar;
      using X = Vector<J, Dynamic>;
      return J(ld(Space<Q>::template displace<J>(q0, X(delta.head(size))),
                  Space<Q>::template displace<J>(q1, X(delta.tail(size))), h));
    });
    d.value = all.value;
    d.d1 = all.gradient.head(size);
    d.d2 = all.gradient.tail(size);
    d.d1d2 = all.hessian.topRightCorner(size, size);
  } else {
    using J = Jet2<2 * n>;
    const J value = ld(Space<Q>::template seed<J>(q0, 0), Space<Q>::template seed<J>(q1, n), h);
    d.value = value.v;
    for (int i = 0; i < n; ++i) {
      d.d1[i] = value.g[i];
      d.d2[i] = value.g[n + i];
      for (int j = 0; j < n; ++j) d.d1d2(i, j) = value.hess(i, n + j);
    }
  }
  return d;
}

namespace detail {

template <class T> inline constexpr bool is_discrete_force = false;
template <class A, class B> inline constexpr bool is_discrete_force<DiscreteForce<A, B>> = true;

}  // namespace detail

template <class Ld, class... Parts> class DiscreteFlow {
  static_assert(((detail::is_discrete_force<Parts> || detail::is_a<Holonomic, Parts>)&&...),
                "a part of a DiscreteFlow is a DiscreteForce or a Holonomic");

 public:
  static constexpr bool forced = (static_cast<int>(detail::is_discrete_force<Parts>) + ... + 0) > 0;
  static constexpr bool constrained = detail::count_of<Holonomic, Parts...> > 0;

  explicit DiscreteFlow(Ld ld, Parts... parts) : ld_(std::move(ld)), parts_(std::move(parts)...) {}

  template <Point Q> struct Memory {
    NewtonWorkspace newton;
    Predictor predictor;
    FlowStatistics statistics;
  };

  const Ld& discrete_lagrangian() const { return ld_; }

  template <Point Q, int M> Memory<Q> memory(const State<Q, M>& s) const {
    const int n = Space<Q>::dim(s.q);
    const int d = static_cast<int>(s.lambda.size());
    Memory<Q> memory;
    memory.newton.resize(n + d, n);
    memory.predictor.resize(n + d);
    if constexpr (may_constrain<M>) {
      const Vector<double, M> phi = constraint()(s.t, s.q);
      detail::require_count(phi.size(), d);
      const double off = d > 0 ? phi.cwiseAbs().maxCoeff() : 0.0;
      if (!(off <= start_tolerance))
        throw InvalidArgument("the start is off the constraint: |phi(q)| = " + to_text(off) +
                              "; correct q");
    }
    return memory;
  }

  template <Point Q, int M> State<Q, M> operator()(const State<Q, M>& s, double h) const {
    auto m = memory(s);
    return step(s, h, m);
  }

  template <Point Q, int M>
  State<Q, M> step(const State<Q, M>& s, double h, Memory<Q>& memory) const {
    static_assert((M != 0) == constrained,
                  "the state must have one multiplier for each constraint");
    detail::require_step(h);
    auto& w = memory.newton;
    DiscreteDerivatives<Q> d;
    if (!memory.predictor.predict(h, w.x)) w.x.assign(w.x.size(), 0.0);
    const auto equations = [&](NewtonWorkspace& work, bool fresh) {
      evaluate(s, h, work, fresh, d);
    };
    NewtonReport report = solve(newton_, w, equations);
    if (!report.converged) {
      w.x.assign(w.x.size(), 0.0);
      report = solve(newton_, w, equations);
    }
    if (!report.converged) fail(s, h, report);
    memory.predictor.push(h, w.x);
    ++memory.statistics.steps;
    memory.statistics.iterations += report.iterations;
    memory.statistics.max_iterations =
        std::max(memory.statistics.max_iterations, report.iterations);
    evaluate(s, h, w, false, d);
    return finish(s, h, w, d);
  }

 private:
  const auto& constraint() const {
    return std::apply(
        [](const auto&... p) -> const auto& { return detail::part_of<Holonomic>(p...); }, parts_);
  }
  const auto& force() const { return find_force(std::make_index_sequence<sizeof...(Parts)>{}); }
  template <std::size_t First, std::size_t... Rest>
  const auto& find_force(std::index_sequence<First, Rest...>) const {
    if constexpr (detail::is_discrete_force<std::tuple_element_t<First, std::tuple<Parts...>>>)
      return std::get<First>(parts_);
    else
      return find_force(std::index_sequence<Rest...>{});
  }

  /// The unknowns: the mean velocity (q₁ ⊖ q₀)/h, then λ₀.
  template <Point Q> static Tangent<Q> displacement(const NewtonWorkspace& w, double h, int n) {
    Tangent<Q> xi(n);
    for (int i = 0; i < n; ++i) xi[i] = h * w.x[static_cast<std::size_t>(i)];
    return xi;
  }

  template <Point Q, int M>
  void evaluate(const State<Q, M>& s, double h, NewtonWorkspace& w, bool fresh,
                DiscreteDerivatives<Q>& d) const {
    using X = Space<Q>;
    const int n = X::dim(s.q);
    const Tangent<Q> xi = displacement<Q>(w, h, n);
    const Q q1 = X::retract(s.q, xi);
    d = slot_derivatives(ld_, s.q, q1, h);
    Tangent<Q> residual = s.p + (s.p_rest + d.d1);
    TangentMap<Q> jacobian = d.d1d2;
    if constexpr (forced) add_force(s.q, q1, h, residual, jacobian);
    if (fresh) {
      w.jacobian.set_zero();
      const TangentMap<Q> block = h * (jacobian * AtPoint<Q>::dtau(s.q, xi, default_retraction));
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) w.jacobian(i, j) = block(i, j);
    }
    if constexpr (may_constrain<M>) add_constraint(s, h, q1, xi, w, fresh, residual);
    for (int i = 0; i < n; ++i) w.residual[static_cast<std::size_t>(i)] = residual[i];
    w.magnitude = std::max(s.p.cwiseAbs().maxCoeff(), d.d1.cwiseAbs().maxCoeff());
  }

  template <Point Q>
  void add_force(const Q& q0, const Q& q1, double h, Tangent<Q>& residual,
                 TangentMap<Q>& jacobian) const {
    const int n = Space<Q>::dim(q0);
    residual += Tangent<Q>(force().minus(q0, q1, h));
    jacobian += chunked_jacobian(n, [&](const auto& delta) {
      using J = typename std::decay_t<decltype(delta)>::Scalar;
      const Vector<J, dof<Q>> step = delta;
      return Vector<J, Dynamic>(force().minus(Space<Q>::template cast<J>(q0),
                                              Space<Q>::template displace<J>(q1, step), h));
    });
  }

  template <Point Q, int M>
  void add_constraint(const State<Q, M>& s, double h, const Q& q1, const Tangent<Q>& xi,
                      NewtonWorkspace& w, bool fresh, Tangent<Q>& residual) const {
    const int n = Space<Q>::dim(s.q);
    const int d = static_cast<int>(s.lambda.size());
    if (d == 0) return;
    const Vector<double, M> lambda = Eigen::Map<const Vector<double, M>>(&w.x[w.x.size() - d], d);
    Vector<double, M> phi;
    Matrix<double, M, dof<Q>> g0;
    Matrix<double, M, dof<Q>> g1;
    detail::constraint_jacobian(constraint(), s.t, s.q, d, phi, g0);
    detail::constraint_jacobian(constraint(), s.t + h, q1, d, phi, g1);
    residual += h * (g0.transpose() * lambda);
    for (int a = 0; a < d; ++a)
      w.residual[static_cast<std::size_t>(n) + static_cast<std::size_t>(a)] = phi[a];
    if (!fresh) return;
    const Matrix<double, M, dof<Q>> push = h * (g1 * AtPoint<Q>::dtau(s.q, xi, default_retraction));
    for (int a = 0; a < d; ++a)
      for (int i = 0; i < n; ++i) {
        w.jacobian(i, n + a) = h * g0(a, i);
        w.jacobian(n + a, i) = push(a, i);
      }
  }

  template <Point Q, int M>
  State<Q, M> finish(const State<Q, M>& s, double h, const NewtonWorkspace& w,
                     const DiscreteDerivatives<Q>& d) const {
    const int n = Space<Q>::dim(s.q);
    State<Q, M> next = s;
    const Tangent<Q> xi = displacement<Q>(w, h, n);
    Space<Q>::advance(next.q, next.q_rest, xi, default_retraction);
    next.p = d.d2;
    next.p_rest.setZero();
    if constexpr (forced) next.p += Tangent<Q>(force().plus(s.q, Space<Q>::retract(s.q, xi), h));
    for (int a = 0; a < next.lambda.size(); ++a)
      next.lambda[a] = w.x[static_cast<std::size_t>(n) + static_cast<std::size_t>(a)];
    detail::compensated_add(next.t, next.t_rest, h);
    return next;
  }

  template <class StateT>
  [[noreturn]] static void fail(const StateT& s, double h, const NewtonReport& report) {
    throw NoConvergence(
        "discrete Lagrangian: the step from t = " + to_text(s.t) + " with h = " + to_text(h) +
            (report.singular ? " has a singular D1 D2 Ld: the discrete Lagrangian does not "
                               "determine q1 there"
                             : " was not solved by Newton's method; try a smaller step"),
        s.t, h, report.iterations, report.last_update);
  }

  Ld ld_;
  std::tuple<Parts...> parts_;
  Newton newton_;
};

}  // namespace varia
