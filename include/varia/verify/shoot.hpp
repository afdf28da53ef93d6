// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The boundary-value problem of mechanics: which start at q₀ ends at q₁ after the time h?
//
//   (shoot)   v₀ ∈ T_{q₀}N  with  q(t + h; q₀, v₀) = q₁                                      [MW01]
//
// N is the constraint manifold, or all of Q. The unknowns are the components c of v₀ = B₀c + w₀ in an
// orthonormal basis B₀ of the tangent space; w₀ is the least velocity that follows N where N moves, the equations those of B₁ᵀ(q(t + h) ⊖ q₁) = 0: as many.
// Any map of states may be shot with, the exact motion or the flow of a method.
#include <algorithm>
#include <functional>
#include <string>

#include "varia/flow/start.hpp"

namespace varia {

/// Orthonormal columns that span the null space of g. Throws InvalidArgument when the rows of g are
/// not independent.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& g);

/// An orthonormal basis of the tangent space of φ(t, ·) = 0 at q; the identity without constraints.
template <class S, Point Q>
Eigen::MatrixXd tangent_basis(const S& system, const Q& q, [[maybe_unused]] double t = 0.0) {
  constexpr int d = S::template constraints<Q>();
  if constexpr (may_constrain<d>) {
    Vector<double, d> phi;
    Matrix<double, d, dof<Q>> g;
    system.constraint().jacobian(t, q, phi, g);
    if (phi.size() > 0) return null_space(Eigen::MatrixXd(g));
  }
  return Eigen::MatrixXd::Identity(Space<Q>::dim(q), Space<Q>::dim(q));
}

namespace detail {

/// What Newton's method of shooting works on and keeps for the next time.
struct Shooting {
  std::function<Vn(const Vn&)> miss;  ///< c ↦ B₁ᵀ(q(t + h) ⊖ q₁)
  double t = 0.0, h = 0.0;
  double size = 1.0;         ///< of the configurations, for what round-off is
  Vn c;                      ///< guess, then solution
  Eigen::MatrixXd jacobian;  ///< ∂miss/∂c of an earlier solution, or empty
  int iterations = 0;
  /// Solves to round-off; throws NoConvergence.
  void solve();
};

/// The size of configurations: their largest coordinate, 1 where they are not numbers.
template <Point Q> double size_of(const Q& q) {
  if constexpr (Space<Q>::is_vector_space && requires { q.cwiseAbs(); })
    return q.cwiseAbs().maxCoeff();
  else
    return 1.0;
}

/// The least velocity with G v + ∂φ/∂t = 0.
template <class S, Point Q>
Tangent<Q> following_velocity(const S& system, const Q& q, [[maybe_unused]] double t) {
  constexpr int d = S::template constraints<Q>();
  if constexpr (may_constrain<d>) {
    Vector<double, d> phi;
    Matrix<double, d, dof<Q>> g;
    system.constraint().jacobian(t, q, phi, g);
    const Vector<double, d> rate = constraint_rate<d>(system.constraint(), t, q, phi.size());
    if (!rate.isZero(0.0)) return -g.transpose() * LinearSolver<d>(g * g.transpose()).solve(rate);
  }
  return Tangent<Q>::Zero(Space<Q>::dim(q));
}

/// q₁ at the time t₁.
template <class S, Point Q>
void require_ends(const S& system, const Q& q0, const Q& q1, [[maybe_unused]] double t1,
                  const char* who) {
  if (Space<Q>::dim(q0) != Space<Q>::dim(q1))
    throw InvalidArgument(std::string(who) + ": the end points have " +
                          std::to_string(Space<Q>::dim(q0)) + " and " +
                          std::to_string(Space<Q>::dim(q1)) + " coordinates; they must be equal");
  const Tangent<Q> zero = Tangent<Q>::Zero(Space<Q>::dim(q1));
  check_sizes(system, q1, zero, "the velocity");
  if constexpr (S::constrained) {
    const auto phi = system.constraint()(t1, q1);
    if (phi.size() > 0) require_position(phi.cwiseAbs().maxCoeff());
  }
}

/// (shoot) for a callable arrive(state) that gives the state after the time h. Of `shooting` the
/// solution and derivative of an earlier call are used, and replaced.
template <class S, class Arrive, Point Q>
StateOf<S, Q> shoot(const S& system, const Arrive& arrive, const Q& q0, const Q& q1, double t,
                    double h, Shooting& shooting) {
  const Eigen::MatrixXd b0 = tangent_basis(system, q0, t);
  const Eigen::MatrixXd b1 = tangent_basis(system, q1, t + h);
  const Tangent<Q> following = following_velocity(system, q0, t);
  const Vn way = Space<Q>::difference(q0, q1);
  const auto start = [&](const Vn& c) {
    return initial(system, q0, Tangent<Q>(b0 * c + following), t);
  };
  shooting.miss = [&](const Vn& c) {
    const Vn off = Space<Q>::difference(q1, arrive(start(c)).q);
    return Vn(b1.transpose() * off);
  };
  shooting.t = t;
  shooting.h = h;
  shooting.size = std::max(size_of(q0), size_of(q1));
  if (shooting.c.size() == 0) shooting.c = b0.transpose() * way / h;
  shooting.solve();
  shooting.miss = nullptr;
  return start(shooting.c);
}

}  // namespace detail
}  // namespace varia
