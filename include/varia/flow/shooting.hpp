// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shooting-based discrete Lagrangians: a symplectic method from any one-step method and quadrature.
//
//   (shooting)   L_d(q₀, q₁, h) = h Σᵢ bᵢ L(qⁱ, vⁱ),  (qⁱ⁺¹, vⁱ⁺¹) = Ψ_{(cᵢ₊₁-cᵢ)h}(qⁱ, vⁱ)       [Leok15]
//
// from (q₀, v₀) at the time 0, v₀ such that the motion ends at q₁. The order is min(p, q) of Ψ and
// the rule; nodes need not include 0 and 1. The result is a callable for DiscreteFlow:
//
//   const DiscreteFlow flow(shooting_lagrangian(L, 4, lobatto_quadrature(3)));
//
// L(q, v) is the user's own callable, on ℝⁿ and without time. v₀ is found by Newton's method over
// doubles; over jets the same iteration with the same matrix then gains one order of derivatives a
// time, because the matrix is the exact derivative where the jets are expanded.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "varia/ad/derivative.hpp"
#include "varia/core/linear.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/one_step.hpp"
#include "varia/methods/quadrature.hpp"

namespace varia {

namespace detail {

/// The order of derivatives that a scalar carries, all levels together.
template <class T> inline constexpr int derivative_order = 0;
template <int N> inline constexpr int derivative_order<Jet2<N>> = 2;
template <class S, int N>
inline constexpr int derivative_order<Jet<S, N>> = 1 + derivative_order<S>;

[[noreturn]] void no_shot(double h, int iterations, double miss);
void require_rule(const Quadrature& rule);

}  // namespace detail

/// Step is Ψ: it offers order(), lagrangian() and (Motion<T, n>, h) ↦ Motion<T, n> for any scalar T.
template <class Step> class ShootingLagrangian {
 public:
  ShootingLagrangian(Step step, Quadrature rule) : step_(std::move(step)), rule_(std::move(rule)) {
    detail::require_rule(rule_);
  }

  int order() const { return std::min(step_.order(), rule_.order); }

  /// (shooting), generic in the scalar.
  template <class T, int N>
  T operator()(const Vector<T, N>& q0, const Vector<T, N>& q1, double h) const {
    Vector<double, N> a(q0.size());
    Vector<double, N> b(q1.size());
    for (Eigen::Index i = 0; i < a.size(); ++i) {
      a[i] = value_of(q0[i]);
      b[i] = value_of(q1[i]);
    }
    const auto [v, derivative] = shoot<N>(a, b, h);
    Motion<T, N> start{q0, v.template cast<T>()};
    const LinearSolver<N> solver(derivative);
    const Matrix<double, N> inverse =
        solver.solve(Matrix<double, N>(Matrix<double, N>::Identity(a.size(), a.size())));
    for (int k = 0; k < detail::derivative_order<T>; ++k) {
      const Vector<T, N> miss = path(start, h, [](double, const auto&) {}).q - q1;
      for (Eigen::Index i = 0; i < a.size(); ++i)
        for (Eigen::Index j = 0; j < a.size(); ++j) start.v[i] -= miss[j] * inverse(i, j);
    }
    T sum(0.0);
    path(start, h, [&](double weight, const Motion<T, N>& z) {
      sum += step_.lagrangian()(z.q, z.v) * weight;
    });
    return sum;
  }

 private:
  /// Calls visit(h bᵢ, point) at the nodes; gives the point at the end.
  template <class T, int N, class Visit>
  Motion<T, N> path(const Motion<T, N>& start, double h, const Visit& visit) const {
    Motion<T, N> z = start;
    double at = 0.0;
    for (std::size_t i = 0; i < rule_.c.size(); ++i) {
      const double c = rule_.c[i].hi;
      if (c != at) z = step_(z, (c - at) * h);
      at = c;
      visit(rule_.b[i].hi * h, std::as_const(z));
    }
    if (at != 1.0) z = step_(z, (1.0 - at) * h);
    return z;
  }

  template <int N> struct Shot {
    Vector<double, N> v;
    Matrix<double, N> derivative;  ///< ∂q₁/∂v₀
  };

  /// v₀ to round-off, by Newton's method from the straight line.
  template <int N>
  Shot<N> shoot(const Vector<double, N>& q0, const Vector<double, N>& q1, double h) const {
    using detail::eps;
    constexpr int max_iterations = 50;
    using J = Jet<double, N>;
    Shot<N> shot{(q1 - q0) / h, Matrix<double, N>::Identity(q0.size(), q0.size())};
    double last = std::numeric_limits<double>::infinity();
    double size = last;
    for (int k = 0; k < max_iterations; ++k) {
      Motion<J, N> start{q0.template cast<J>(), Vector<J, N>(q0.size())};
      for (int i = 0; i < N; ++i) start.v[i] = J::variable(shot.v[i], i);
      const Motion<J, N> end = path(start, h, [](double, const auto&) {});
      Vector<double, N> miss(q0.size());
      double scale = 0.0;
      for (int i = 0; i < N; ++i) {
        miss[i] = end.q[i].v - q1[i];
        scale = std::max({scale, std::abs(q0[i]), std::abs(q1[i]), std::abs(h * shot.v[i])});
        for (int j = 0; j < N; ++j) shot.derivative(i, j) = end.q[i].d[j];
      }
      size = miss.cwiseAbs().maxCoeff();
      if (size <= 2.0 * eps * scale || (size >= 0.5 * last && size <= 100.0 * eps * scale))
        return shot;
      const Vector<double, N> change = LinearSolver<N>(shot.derivative).solve(miss);
      if (!change.allFinite()) break;
      shot.v -= change;
      last = size;
    }
    detail::no_shot(h, max_iterations, size);
  }

  Step step_;
  Quadrature rule_;
};

/// With an explicit Runge-Kutta method of order p = 1, …, 4.
template <class L> auto shooting_lagrangian(L l, int p, const Quadrature& rule) {
  return ShootingLagrangian(RungeKuttaStep<L>(std::move(l), p), rule);
}

}  // namespace varia
