// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The one derivative bundle: whatever the user states becomes L with its gradient and Hessian.
//
// A Lagrangian is a callable L(q, v) or L(t, q, v), generic in the scalar. It is differentiated in
// one pass of a jet with respect to (δ, v), where q exp(δ) is the displaced point; on ℝⁿ δ = dq.
// Integrators see only the structs below, never the callable.
#include <type_traits>
#include <utility>

#include "varia/ad/derivative.hpp"
#include "varia/space/space.hpp"

namespace varia {

/// ∂L/∂q and ∂L/∂v, left-trivialised.
template <int N> struct Gradient { Vector<double, N> q, v; };

/// Second derivatives of L in (δ, v); qv(i, j) = ∂²L/∂qᵢ∂vⱼ.
template <int N> struct Hessian { Matrix<double, N> qq, qv, vv; };

template <class Q> using GradientOf = Gradient<dof<Q>>;
template <class Q> using HessianOf = Hessian<dof<Q>>;

namespace detail {

/// f(t, x…) or f(x…), whichever the callable offers.
template <class F, class... X> auto call(const F& f, double t, const X&... x) {
  if constexpr (std::is_invocable_v<const F&, double, const X&...>)
    return f(t, x...);
  else
    return f(x...);
}

/// The jet variables k, k+1, … with the values of x.
template <class J, int N> Vector<J, N> jet_variables(const Vector<double, N>& x, int k) {
  return Space<Vector<double, N>>::template seed<J>(x, k);
}

}  // namespace detail

/// A Lagrangian stated as one callable.
template <class F> class Lagrangian {
 public:
  static constexpr bool separable = false;
  template <class Q>
  static constexpr bool uses_time =
      std::is_invocable_v<const F&, double, const Q&, const Tangent<Q>&>;

  explicit Lagrangian(F f) : f_(std::move(f)) {}

  /// L at a point; S may be a jet.
  template <class Q, class V> auto operator()(double t, const Q& q, const V& v) const {
    return detail::call(f_, t, q, v);
  }

  template <Point Q>
  void gradient(double t, const Q& q, const Tangent<Q>& v, GradientOf<Q>& g) const {
    constexpr int n = dof<Q>;
    if constexpr (n == Dynamic) {
      const int size = Space<Q>::dim(q);
      const auto both = chunked_gradient(2 * size, on_displacement(t, q, v));
      g.q = both.head(size);
      g.v = both.tail(size);
    } else {
      using J = Jet<double, 2 * n>;
      const J value = evaluate<J>(t, q, v);
      for (int i = 0; i < n; ++i) {
        g.q[i] = value.d[i];
        g.v[i] = value.d[n + i];
      }
    }
  }

  template <Point Q>
  void hessian(double t, const Q& q, const Tangent<Q>& v, GradientOf<Q>& g, HessianOf<Q>& h) const {
    constexpr int n = dof<Q>;
    if constexpr (n == Dynamic) {
      const int size = Space<Q>::dim(q);
      const auto d = chunked_hessian(2 * size, on_displacement(t, q, v));
      g.q = d.gradient.head(size);
      g.v = d.gradient.tail(size);
      h.qq = d.hessian.topLeftCorner(size, size);
      h.qv = d.hessian.topRightCorner(size, size);
      h.vv = d.hessian.bottomRightCorner(size, size);
    } else {
      using J = Jet2<2 * n>;
      const J value = evaluate<J>(t, q, v);
      for (int i = 0; i < n; ++i) {
        g.q[i] = value.g[i];
        g.v[i] = value.g[n + i];
        for (int j = 0; j < n; ++j) {
          h.qq(i, j) = value.hess(i, j);
          h.qv(i, j) = value.hess(i, n + j);
          h.vv(i, j) = value.hess(n + i, n + j);
        }
      }
    }
  }

 private:
  template <class J, class Q> J evaluate(double t, const Q& q, const Tangent<Q>& v) const {
    constexpr int n = dof<Q>;
    return detail::call(f_, t, Space<Q>::template seed<J>(q, 0), detail::jet_variables<J, n>(v, n));
  }

  template <class Q> auto on_displacement(double t, const Q& q, const Tangent<Q>& v) const {
    return [this, t, &q, &v](const auto& delta) {
      using J = typename std::decay_t<decltype(delta)>::Scalar;
      using X = Vector<J, Dynamic>;
      const int n = Space<Q>::dim(q);
      const X u = delta.tail(n) + v.template cast<J>();
      return J(detail::call(f_, t, Space<Q>::template displace<J>(q, X(delta.head(n))), u));
    };
  }

  F f_;
};

}  // namespace varia
