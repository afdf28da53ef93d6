// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Starts and accelerations of a system on points of any type, by its kernels: flow/kernel_start.hpp.
#include <type_traits>
#include <utility>

#include "varia/flow/kernel_start.hpp"
#include "varia/mechanics/kernels.hpp"

namespace varia {

namespace detail {

/// A point as numbers, and back.
template <Point Q> Vn entries_of(const Q& q) {
  Vn x(Entries<Q>::count(q));
  Entries<Q>::write(q, x.data());
  return x;
}

/// The same state with its point as numbers, and back.
template <Point Q, int M> void to_vectors(const State<Q, M>& s, VectorState& f) {
  f.t = s.t;
  f.t_rest = s.t_rest;
  f.q.resize(Entries<Q>::count(s.q));
  Entries<Q>::write(s.q, f.q.data());
  f.p = s.p;
  f.lambda = s.lambda;
  f.q_rest = s.q_rest;
  f.p_rest = s.p_rest;
  f.branch = s.branch;
}
template <Point Q, int M> void from_vectors(const VectorState& f, State<Q, M>& s) {
  s.t = f.t;
  s.t_rest = f.t_rest;
  Entries<Q>::read(f.q.data(), s.q);
  s.p = f.p;
  s.lambda = f.lambda;
  s.q_rest = f.q_rest;
  s.p_rest = f.p_rest;
  s.branch = f.branch;
}

template <Point Q, int M> VectorState vector_state(const State<Q, M>& s) {
  VectorState f;
  to_vectors(s, f);
  return f;
}

/// Stated for points of any type, not as arrays.
template <class S>
concept Typed = !std::is_convertible_v<const S&, const KernelSystem&>;

}  // namespace detail

/// The state with configuration q and velocity v at time t; checks what a start must satisfy.
template <detail::Typed S, Point Q>
StateOf<S, Q> initial(const S& system, const Q& q, const Tangent<Q>& v, double t = 0.0) {
  detail::check_sizes(system, q, v, "the velocity");
  StateOf<S, Q> s;
  s.q = q;
  detail::from_vectors(initial(*kernels_of(system, q), detail::entries_of(q), v, t), s);
  return s;
}

/// The state with configuration q and momentum p at time t.
template <detail::Typed S, Point Q>
StateOf<S, Q> initial_momentum(const S& system, const Q& q, const Tangent<Q>& p, double t = 0.0) {
  detail::check_sizes(system, q, p, "the momentum");
  return initial(system, q, velocity(system, q, p, t), t);
}

/// A configuration and velocity on the constraint manifold near the given ones.
template <detail::Typed S, Point Q>
std::pair<Q, Tangent<Q>> project(const S& system, const Q& q, const Tangent<Q>& v, double t = 0.0) {
  detail::check_sizes(system, q, v, "the velocity");
  std::pair<Q, Tangent<Q>> result(q, v);
  const auto [on, along] = project(*kernels_of(system, q), detail::entries_of(q), v, t);
  Entries<Q>::read(on.data(), result.first);
  result.second = along;
  return result;
}

template <Point Q, int D> struct Acceleration {
  Tangent<Q> a;
  Vector<double, D> lambda;
};

/// (EL): the acceleration, and the multipliers that keep constraints.
template <detail::Typed S, Point Q>
auto acceleration(const S& system, double t, const Q& q, const Tangent<Q>& v) {
  const auto found = acceleration(*kernels_of(system, q), t, detail::entries_of(q), v);
  return Acceleration<Q, S::template multipliers<Q>()>{found.a, found.lambda};
}

template <detail::Typed S, Point Q, int M>
ConstraintDefect constraint_defect(const S& system, const State<Q, M>& s) {
  return constraint_defect(*kernels_of(system, s.q), detail::vector_state(s));
}

}  // namespace varia
