// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The state of a discrete flow: time, configuration, momentum, multipliers.
//
// Each of t, q, p carries the remainder that rounding would have lost, so that many steps lose no
// more than round-off theory allows [HMR08].
#include <cmath>
#include <string>

#include "varia/core/error.hpp"
#include "varia/mechanics/euler_lagrange.hpp"

namespace varia {

/// M is the number of constraints of the system; Dynamic when it is the size of lambda.
template <Point Q, int M = 0> struct State {
  double t = 0.0;
  Q q;
  Tangent<Q> p;
  Vector<double, M> lambda;  ///< multipliers at t
  double t_rest = 0.0;
  Tangent<Q> q_rest, p_rest;
};

template <class S, Point Q> using StateOf = State<Q, S::template constraints<Q>()>;

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

/// The number of constraints of the system at q; throws when there are more than coordinates.
template <class S, Point Q> int checked_count(const S& system, const Q& q) {
  const int count = constraint_count(system, q);
  if constexpr (S::template constraints<Q>() == Dynamic)
    if (const int n = Space<Q>::dim(q); count > n)
      throw InvalidArgument("the system has " + std::to_string(count) + " constraints on " +
                            std::to_string(n) + " degrees of freedom; at most " +
                            std::to_string(n) + " can be independent");
  return count;
}

/// |φ| at the start must vanish.
inline void require_position(double position) {
  if (!(position <= start_tolerance))
    throw InvalidArgument("the start is off the constraint: |phi(q)| = " + to_text(position) +
                          "; correct q, or use project(system, q, v) to move it onto phi = 0");
}

/// (hidden) at the start, given G v and ∂φ/∂t, which are zeros where φ does not depend on t.
template <class Rate> void require_rate(const Rate& gv, const Rate& phi_t, double speed) {
  Eigen::Index worst = 0;
  const double defect = (gv + phi_t).cwiseAbs().maxCoeff(&worst);
  if (defect <= start_tolerance * (1.0 + speed)) return;
  if (phi_t.isZero(0.0))
    throw InvalidArgument("the start velocity leaves the constraint: |G v| = " + to_text(defect) +
                          "; correct v, or use project(system, q, v) to make it tangent");
  throw InvalidArgument(
      "the start velocity does not follow the constraint, which moves: |G v + dphi/dt| = " +
      to_text(defect) + "; G v of constraint " + std::to_string(worst + 1) + " must be " +
      to_text(-phi_t[worst]) + " and is " + to_text(gv[worst]) +
      "; correct v, or use project(system, q, v, t) to make it follow");
}

/// Throws when (q, v) is not on the constraint manifold.
template <class S, Point Q>
void check_constraints_hold(const S& system, const Q& q, const Tangent<Q>& v, double t) {
  constexpr int d = S::template constraints<Q>();
  Vector<double, d> phi;
  Matrix<double, d, dof<Q>> g;
  system.constraint().jacobian(t, q, phi, g);
  if (phi.size() == 0) return;
  require_position(phi.cwiseAbs().maxCoeff());
  const Vector<double, d> gv = g * v;
  require_rate(gv, constraint_rate<d>(system.constraint(), t, q, phi.size()), v.norm());
}

}  // namespace detail

/// A configuration and velocity on the constraint manifold near the given ones: q is moved along
/// reactions M⁻¹Gᵀ until φ = 0, then v is projected onto (hidden), orthogonally in the kinetic metric.
template <class S, Point Q>
std::pair<Q, Tangent<Q>> project(const S& system, Q q, Tangent<Q> v, double t = 0.0) {
  constexpr int d = S::template constraints<Q>();
  if constexpr (may_constrain<d>) {
    const int count = detail::checked_count(system, q);
    if (count == 0) return {q, v};
    const LinearSolver<dof<Q>> mass(mass_matrix(system, q, v, t));
    Vector<double, d> phi;
    Matrix<double, d, dof<Q>> g;
    Matrix<double, dof<Q>, d> reaction;
    Matrix<double, d> schur;
    constexpr int max_iterations = 50;
    double last = 0.0;
    for (int k = 0; k < max_iterations; ++k) {
      detail::constraint_jacobian(system.constraint(), t, q, count, phi, g);
      reaction = mass.solve(g.transpose());
      schur = g * reaction;
      last = phi.cwiseAbs().maxCoeff();
      if (last <= 1e-15) break;
      q = Space<Q>::retract(q, Tangent<Q>(-reaction * LinearSolver<d>(schur).solve(phi)));
    }
    if (!(last <= start_tolerance))
      throw NoConvergence(
          "project: no point of phi = 0 was found near the start; give a closer one", t, 0.0,
          max_iterations, last);
    v -= reaction *
         LinearSolver<d>(schur).solve(detail::hidden_defect(system.constraint(), t, q, g, v));
  }
  return {q, v};
}

/// The state with configuration q and velocity v at time t; checks what a start must satisfy.
template <class S, Point Q>
StateOf<S, Q> initial(const S& system, const Q& q, const Tangent<Q>& v, double t = 0.0) {
  if (!std::isfinite(t))
    throw InvalidArgument("the start time must be a finite number, got " + to_text(t));
  detail::check_sizes(system, q, v, "the velocity");
  check_regular(system, q, v, t);
  auto s = detail::make_state<Q, S::template constraints<Q>()>(t, q, momentum(system, q, v, t),
                                                               detail::checked_count(system, q));
  if (!s.p.allFinite())
    throw InvalidArgument("the momentum at the start is not finite; check L at the start point");
  if constexpr (S::constrained) {
    detail::check_constraints_hold(system, q, v, t);
    s.lambda = acceleration(system, t, q, v).lambda;
  }
  return s;
}

/// The state with configuration q and momentum p at time t.
template <class S, Point Q>
StateOf<S, Q> initial_momentum(const S& system, const Q& q, const Tangent<Q>& p, double t = 0.0) {
  detail::check_sizes(system, q, p, "the momentum");
  return initial(system, q, velocity(system, q, p, t), t);
}

/// |φ| and |G v + ∂φ/∂t| of a state, largest components; 0 without constraints.
struct ConstraintDefect {
  double position = 0.0;
  double velocity = 0.0;
};
template <class S, Point Q, int M>
ConstraintDefect constraint_defect(const S& system, const State<Q, M>& s) {
  ConstraintDefect defect;
  if constexpr (may_constrain<M>) {
    Vector<double, M> phi;
    Matrix<double, M, dof<Q>> g;
    system.constraint().jacobian(s.t, s.q, phi, g);
    if (phi.size() > 0) {
      const Tangent<Q> v = velocity(system, s.q, s.p, s.t);
      const Vector<double, M> drift = detail::hidden_defect(system.constraint(), s.t, s.q, g, v);
      defect.position = phi.cwiseAbs().maxCoeff();
      defect.velocity = drift.cwiseAbs().maxCoeff();
    }
  }
  return defect;
}

/// E along a flow.
template <class S, Point Q, int M> double energy(const S& system, const State<Q, M>& s) {
  return hamiltonian(system, s.q, s.p, s.t);
}

/// v along a flow.
template <class S, Point Q, int M> Tangent<Q> velocity(const S& system, const State<Q, M>& s) {
  return velocity(system, s.q, s.p, s.t);
}

}  // namespace varia
