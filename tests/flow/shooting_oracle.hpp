// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shooting-based and Taylor discrete Lagrangians as functions of (q₀, q₁, h), generic in the scalar:
// an oracle for ShootingFlow, with which it shares no derivative.
//
//   (EL)         q̇ = v,   v̇ = a(q, v),   ∂²L/∂v² a = ∂L/∂q - ∂²L/∂v∂q v                      [MW01]
//   (shooting)   L_d(q₀, q₁, h) = h Σᵢ bᵢ L(qⁱ, vⁱ),  (qⁱ⁺¹, vⁱ⁺¹) = Ψ_{(cᵢ₊₁-cᵢ)h}(qⁱ, vⁱ)       [Leok15]
//   (taylor)     q₁ = Σ_{k ≤ R} q⁽ᵏ⁾hᵏ/k!,  v₁ = Σ_{k ≤ R} v⁽ᵏ⁾hᵏ/k!,  derivatives from (EL)    [Leok15]
//
// v₀ is found by Newton's method over doubles; over jets the same iteration with the same matrix then
// gains one order of derivatives a time, because the matrix is the exact derivative where the jets are
// expanded.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "ad/series.hpp"
#include "varia/ad/derivative.hpp"
#include "varia/core/error.hpp"
#include "varia/core/linear.hpp"
#include "varia/core/round_off.hpp"
#include "varia/methods/explicit_tableau.hpp"
#include "varia/methods/quadrature.hpp"

namespace varia {

/// A point of TQ.
template <class T, int N> struct Motion { Vector<T, N> q, v; };

namespace detail {

/// A⁻¹b over any scalar, by elimination with pivots chosen by value.
template <class T, int N> Vector<T, N> solve_over(Matrix<T, N> a, Vector<T, N> b) {
  const Eigen::Index n = b.size();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index best = k;
    for (Eigen::Index i = k + 1; i < n; ++i)
      if (std::abs(value_of(a(i, k))) > std::abs(value_of(a(best, k)))) best = i;
    if (!(std::abs(value_of(a(best, k))) > 0.0))
      throw SingularMass(
          "one-step method on TQ: d2L/dv2 has a null direction, so that accelerations are not "
          "determined; use a Lagrangian that is regular in the velocities");
    if (best != k) {
      for (Eigen::Index j = 0; j < n; ++j) std::swap(a(k, j), a(best, j));
      std::swap(b[k], b[best]);
    }
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const T factor = a(i, k) / a(k, k);
      for (Eigen::Index j = k + 1; j < n; ++j) a(i, j) -= factor * a(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    for (Eigen::Index j = i + 1; j < n; ++j) b[i] -= a(i, j) * b[j];
    b[i] = b[i] / a(i, i);
  }
  return b;
}

/// a(q, v) of (EL) for L(q, v), n known at compile time.
template <class L, class T, int N>
Vector<T, N> acceleration_over(const L& l, const Vector<T, N>& q, const Vector<T, N>& v) {
  static_assert(N != Dynamic, "one-step methods on TQ need the number of coordinates in the type");
  using Inner = Jet<T, 2 * N>;  // directions q, v
  using J = Jet<Inner, N>;      // directions v again
  Vector<J, N> x;
  Vector<J, N> u;
  for (int i = 0; i < N; ++i) {
    x[i] = J(Inner::variable(q[i], i));
    u[i] = J::variable(Inner::variable(v[i], N + i), i);
  }
  const J value = l(x, u);
  Matrix<T, N> mass;
  Vector<T, N> rhs;
  for (int i = 0; i < N; ++i) {
    rhs[i] = value.v.d[i];
    for (int j = 0; j < N; ++j) {
      mass(i, j) = value.d[i].d[N + j];
      rhs[i] -= value.d[i].d[j] * v[j];
    }
  }
  return solve_over<T, N>(std::move(mass), std::move(rhs));
}

}  // namespace detail

/// An explicit Runge-Kutta method for (EL).
template <class L> class RungeKuttaStep {
 public:
  RungeKuttaStep(L l, int order) : l_(std::move(l)), tableau_(explicit_tableau(order)) {}

  int order() const { return tableau_.order; }
  const L& lagrangian() const { return l_; }

  template <class T, int N> Motion<T, N> operator()(const Motion<T, N>& z, double h) const {
    const std::size_t s = tableau_.b.size();
    std::vector<Motion<T, N>> rate;
    Motion<T, N> end = z;
    const double* a = tableau_.a.data();
    for (std::size_t i = 0; i < s; ++i) {
      Motion<T, N> stage = z;
      for (std::size_t j = 0; j < i; ++j) add(stage, rate[j], h * *a++);
      rate.push_back({stage.v, detail::acceleration_over<L, T, N>(l_, stage.q, stage.v)});
      add(end, rate.back(), h * tableau_.b[i]);
    }
    return end;
  }

 private:
  template <class T, int N>
  static void add(Motion<T, N>& z, const Motion<T, N>& rate, double factor) {
    if (factor == 0.0) return;
    for (Eigen::Index k = 0; k < z.q.size(); ++k) {
      z.q[k] += rate.q[k] * factor;
      z.v[k] += rate.v[k] * factor;
    }
  }

  L l_;
  ExplicitTableau tableau_;
};

namespace detail {

/// The order of derivatives that a scalar carries, all levels together.
template <class T> inline constexpr int derivative_order = 0;
template <int N> inline constexpr int derivative_order<Jet2<N>> = 2;
template <class S, int N>
inline constexpr int derivative_order<Jet<S, N>> = 1 + derivative_order<S>;

}  // namespace detail

/// Step is Ψ: it offers order(), lagrangian() and (Motion<T, n>, h) ↦ Motion<T, n> for any scalar T.
template <class Step> class ShootingLagrangian {
 public:
  ShootingLagrangian(Step step, Quadrature rule) : step_(std::move(step)), rule_(std::move(rule)) {}

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
    throw NoConvergence("no motion from q0 to q1", 0.0, h, max_iterations, size);
  }

  Step step_;
  Quadrature rule_;
};

/// With an explicit Runge-Kutta method of order p = 1, …, 4.
template <class L> auto shooting_lagrangian(L l, int p, const Quadrature& rule) {
  return ShootingLagrangian(RungeKuttaStep<L>(std::move(l), p), rule);
}

template <class L, int R> class TaylorStep {
  static_assert(R >= 1, "a Taylor integrator has order 1 at least");

 public:
  explicit TaylorStep(L l) : l_(std::move(l)) {}

  int order() const { return R; }
  const L& lagrangian() const { return l_; }

  /// (taylor)
  template <class T, int N> Motion<T, N> operator()(const Motion<T, N>& z, double h) const {
    using X = Series<T, R>;
    Vector<X, N> q;
    Vector<X, N> v;
    for (Eigen::Index i = 0; i < z.q.size(); ++i) {
      q[i].coefficient(0) = z.q[i];
      v[i].coefficient(0) = z.v[i];
      q[i].coefficient(1) = z.v[i];
    }
    for (int k = 0; k < R; ++k) {
      const Vector<X, N> a = detail::acceleration_over<L, X, N>(l_, q, v);
      for (Eigen::Index i = 0; i < z.q.size(); ++i) {
        v[i].coefficient(k + 1) = a[i].coefficient(k) * (1.0 / (k + 1));
        if (k + 2 <= R) q[i].coefficient(k + 2) = v[i].coefficient(k + 1) * (1.0 / (k + 2));
      }
    }
    Motion<T, N> end = z;
    for (Eigen::Index i = 0; i < z.q.size(); ++i) {
      end.q[i] = sum(q[i], h);
      end.v[i] = sum(v[i], h);
    }
    return end;
  }

 private:
  /// Horner's rule.
  template <class T> static T sum(const Series<T, R>& x, double h) {
    T y = x.coefficient(R);
    for (int k = R - 1; k >= 0; --k) y = y * h + x.coefficient(k);
    return y;
  }

  L l_;
};

/// The Taylor discrete Lagrangian of order min(R, order of the rule).
template <int R, class L> auto taylor_lagrangian(L l, const Quadrature& rule) {
  return ShootingLagrangian(TaylorStep<L, R>(std::move(l)), rule);
}

}  // namespace varia
