// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Taylor integrators of any order on TQ, and Taylor discrete Lagrangians.
//
//   (taylor)   q₁ = Σ_{k ≤ R} q⁽ᵏ⁾hᵏ/k!,  v₁ = Σ_{k ≤ R} v⁽ᵏ⁾hᵏ/k!,  derivatives from (EL)    [Leok15]
//
// The derivatives are coefficients of power series: with v known to order k, a(q(t), v(t)) is known to
// order k and gives v to order k + 1. With a quadrature they make a discrete Lagrangian of order
// min(R, q), (shooting).
#include <utility>

#include "varia/flow/shooting.hpp"

namespace varia {

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
