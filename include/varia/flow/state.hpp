// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The state of a discrete flow: time, configuration, momentum, multipliers.
//
// Each of t, q, p carries the remainder that rounding would have lost, so that many steps lose no
// more than round-off theory allows [HMR08].
#include <cmath>
#include <string>

#include "varia/core/error.hpp"
#include "varia/mechanics/legendre.hpp"

namespace varia {

/// M is the number of constraints of the system; Dynamic when it is the size of lambda.
template <Point Q, int M = 0> struct State {
  double t = 0.0;
  Q q;
  Tangent<Q> p;
  Vector<double, M> lambda;  ///< multipliers at t
  double t_rest = 0.0;
  Tangent<Q> q_rest, p_rest;
  /// A velocity on the branch of FL⁻¹ that the state is on; empty where p alone determines q̇.
  Vector<double, Dynamic> branch;
};

template <class S, Point Q> using StateOf = State<Q, S::template multipliers<Q>()>;

/// How far a point may be from φ = 0 and G v + ∂φ/∂t = 0 to count as a start on the manifold.
inline constexpr double start_tolerance = 1e-10;

namespace detail {

template <Point Q, int M>
State<Q, M> make_state(double t, const Q& q, const Tangent<Q>& p, int constraints) {
  State<Q, M> s;
  s.t = t;
  s.q = q;
  s.p = p;
  s.lambda.setZero(constraints);
  s.q_rest.setZero(p.size());
  s.p_rest.setZero(p.size());
  return s;
}

/// What an explicit step changes of a state. A loop over it is that of plain numbers, which one over a
/// State, with the memory of its branch, is not (measured: six bodies, 4 % of a step).
template <Point Q> struct ExplicitState {
  template <int M>
  explicit ExplicitState(const State<Q, M>& s)
      : q(s.q), p(s.p), q_rest(s.q_rest), p_rest(s.p_rest), t(s.t), t_rest(s.t_rest) {}
  template <int M> void put(State<Q, M>& s) const {
    s.t = t;
    s.q = q;
    s.p = p;
    s.t_rest = t_rest;
    s.q_rest = q_rest;
    s.p_rest = p_rest;
  }

  Q q;
  Tangent<Q> p, q_rest, p_rest;
  double t, t_rest;
};

template <class State> void drop_remainders(State& s) {
  s.t_rest = 0.0;
  s.q_rest.setZero();
  s.p_rest.setZero();
}

template <class S, Point Q>
void check_sizes(const S& system, const Q& q, const Tangent<Q>& v, const char* what) {
  const int n = Space<Q>::dim(q);
  if (n == 0) throw InvalidArgument("the configuration has no coordinates");
  if (v.size() != n)
    throw InvalidArgument(std::string(what) + " has " + std::to_string(v.size()) +
                          " components, but the configuration has " + std::to_string(n));
  if constexpr (S::separable) system.lagrangian().mass().check(n);
  if (!Space<Q>::difference(q, q).allFinite())
    throw InvalidArgument("the configuration has a coordinate that is not a finite number");
  if (!v.allFinite())
    throw InvalidArgument(std::string(what) + " has a component that is not a finite number");
}

}  // namespace detail

/// |φ| and |G v + ∂φ/∂t| of a state, largest components; 0 without constraints.
struct ConstraintDefect {
  double position = 0.0;
  double velocity = 0.0;
};

/// v along a flow.
template <class S, Point Q, int M> Tangent<Q> velocity(const S& system, const State<Q, M>& s) {
  if (s.branch.size() > 0) return velocity(system, s.q, s.p, s.t, Tangent<Q>(s.branch));
  return velocity(system, s.q, s.p, s.t);
}

/// E along a flow.
template <class S, Point Q, int M> double energy(const S& system, const State<Q, M>& s) {
  const Tangent<Q> v = velocity(system, s);
  return s.p.dot(v) - system.lagrangian()(s.t, s.q, v);
}

}  // namespace varia
