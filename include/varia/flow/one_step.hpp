// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One-step methods on TQ = ℝⁿ × ℝⁿ for the Euler-Lagrange field of a Lagrangian, over any scalar.
//
//   (EL)   q̇ = v,   v̇ = a(q, v),   ∂²L/∂v² a = ∂L/∂q - ∂²L/∂v∂q v                          [MW01]
//
// The scalar may be a jet or a series, so that motions can be differentiated in their start and
// expanded in time. These methods are not symplectic; ShootingLagrangian makes symplectic ones of them.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "varia/ad/series.hpp"
#include "varia/core/error.hpp"

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

/// Coefficients of an explicit Runge-Kutta method, row after row below the diagonal.
struct ExplicitTableau {
  std::vector<double> a, b;
  int order = 0;
};

/// Euler's method, the midpoint rule, Kutta's of third and the classical one of fourth order.
ExplicitTableau explicit_tableau(int order);

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

}  // namespace varia
