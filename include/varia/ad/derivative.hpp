// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Exact derivatives of a function f: ℝⁿ → ℝ (gradient, hessian) or ℝⁿ → ℝᵐ (jacobian).
//
// f is generic in the scalar: it takes a Vector<S, n> and returns an S, or a vector of S.
// n known at compile time: one evaluation of f, with Jet<double, n> or Jet2<n>.
// n known at run time: ⌈n/8⌉ evaluations for first derivatives; c(c+1)/2 evaluations with nested
// jets for second ones, c = ⌈n/4⌉, one for each pair of blocks of four directions.
#include <algorithm>
#include <utility>

#include "varia/ad/eigen.hpp"
#include "varia/core/types.hpp"

namespace varia {

template <int N> struct ValueGradientHessian {
  double value;
  Vector<double, N> gradient;
  Matrix<double, N> hessian;
};

namespace detail {

inline constexpr int first_chunk = 8;   ///< directions per evaluation, first derivatives
inline constexpr int second_chunk = 4;  ///< directions per level and evaluation, second derivatives

/// Calls visit(begin, size, delta) for consecutive chunks of n directions, δ_k = ε_{k-begin}.
/// For n = 0 there is one empty chunk, so that f is evaluated at least once.
template <class Visit> void for_each_chunk(int n, const Visit& visit) {
  using J = Jet<double, first_chunk>;
  Vector<J, Dynamic> delta = Vector<J, Dynamic>::Constant(n, J(0.0));
  for (int begin = 0; begin == 0 || begin < n; begin += first_chunk) {
    const int size = std::min(first_chunk, n - begin);
    for (int k = 0; k < size; ++k) delta[begin + k] = J::variable(0.0, k);
    visit(begin, size, delta);
    for (int k = 0; k < size; ++k) delta[begin + k] = J(0.0);
  }
}

/// The coordinates of x as variables, one for each direction of the jet.
template <class J, class X> auto variables(const Eigen::MatrixBase<X>& x) {
  Vector<J, J::directions> y;
#pragma GCC unroll 8
  for (int k = 0; k < J::directions; ++k) y[k] = J::variable(x[k], k);
  return y;
}

/// δ ↦ f(x + δ), evaluated: an expression would refer to a point that is gone.
template <class F, class X> auto shifted(const F& f, const X& x) {
  return [&f, &x](const auto& delta) {
    using J = typename std::decay_t<decltype(delta)>::Scalar;
    const Vector<J, Dynamic> y = x + delta;
    using Y = std::decay_t<decltype(f(y))>;
    if constexpr (std::convertible_to<Y, J>) {
      return J(f(y));
    } else {
      return typename Y::PlainObject(f(y));
    }
  };
}

template <class X>
concept RealVector = std::same_as<typename X::Scalar, double> && X::ColsAtCompileTime == 1;

}  // namespace detail

/// Gradient at δ = 0 of f, which takes a Vector<J, Dynamic> δ of n jets and returns a jet J.
template <class F> Vn chunked_gradient(int n, const F& f) {
  Vn g(n);
  detail::for_each_chunk(n, [&](int begin, int size, const auto& delta) {
    const Jet<double, detail::first_chunk> y = f(delta);
    for (int k = 0; k < size; ++k) g[begin + k] = y.d[k];
  });
  return g;
}

/// Jacobian at δ = 0 of f, which takes a Vector<J, Dynamic> δ of n jets and returns a vector of J.
template <class F> auto chunked_jacobian(int n, const F& f) {
  using Y = typename std::decay_t<decltype(f(
      Vector<Jet<double, detail::first_chunk>, Dynamic>()))>::PlainObject;
  Matrix<double, Y::RowsAtCompileTime, Dynamic> jacobian;
  detail::for_each_chunk(n, [&](int begin, int size, const auto& delta) {
    const Y y = f(delta);
    if (begin == 0) jacobian.resize(y.rows(), n);
    for (int i = 0; i < static_cast<int>(y.rows()); ++i) {
      for (int k = 0; k < size; ++k) jacobian(i, begin + k) = y[i].d[k];
    }
  });
  return jacobian;
}

/// Value, gradient and Hessian at δ = 0 of f, which takes a Vector<J, Dynamic> δ of n jets and
/// returns a jet J. Any chart may hide behind δ: f(x + δ) on ℝⁿ, f(q ⊕ δ) on a manifold.
template <class F> ValueGradientHessian<Dynamic> chunked_hessian(int n, const F& f) {
  constexpr int C = detail::second_chunk;
  using Inner = Jet<double, C>;
  using J = Jet<Inner, C>;
  ValueGradientHessian<Dynamic> r{0.0, Vn(n), Matrix<double, Dynamic>(n, n)};
  Vector<J, Dynamic> delta(n);
  for (int a = 0; a == 0 || a < n; a += C) {
    for (int b = a; b == a || b < n; b += C) {
      for (int k = 0; k < n; ++k) delta[k] = J(0.0);
      for (int i = a; i < std::min(a + C, n); ++i) delta[i].d[i - a] = Inner(1.0);
      for (int j = b; j < std::min(b + C, n); ++j) delta[j].v.d[j - b] = 1.0;
      const J y = f(std::as_const(delta));
      r.value = y.v.v;
      for (int j = b; j < std::min(b + C, n); ++j) r.gradient[j] = y.v.d[j - b];
      for (int i = a; i < std::min(a + C, n); ++i) {
        for (int j = b; j < std::min(b + C, n); ++j) {
          r.hessian(i, j) = r.hessian(j, i) = y.d[i - a].d[j - b];
        }
      }
    }
  }
  return r;
}

// The whole of f is inlined into the evaluation with jets of fixed size, so that they stay in
// registers.

/// ∂f/∂x
template <class F, detail::RealVector X>
requires(X::RowsAtCompileTime != Dynamic)
    [[gnu::flatten]] auto gradient(const F& f, const Eigen::MatrixBase<X>& x) {
  using J = Jet<double, X::RowsAtCompileTime>;
  const J y = f(detail::variables<J>(x));
  return Vector<double, J::directions>(y.d);
}
template <class F, detail::RealVector X>
requires(X::RowsAtCompileTime == Dynamic) Vn gradient(const F& f, const Eigen::MatrixBase<X>& x) {
  return chunked_gradient(static_cast<int>(x.rows()), detail::shifted(f, x.derived()));
}

/// ∂fᵢ/∂xⱼ
template <class F, detail::RealVector X> auto jacobian(const F& f, const Eigen::MatrixBase<X>& x) {
  constexpr int N = X::RowsAtCompileTime;
  if constexpr (N == Dynamic) {
    return chunked_jacobian(static_cast<int>(x.rows()), detail::shifted(f, x.derived()));
  } else {
    using Y = typename std::decay_t<decltype(f(detail::variables<Jet<double, N>>(x)))>::PlainObject;
    const Y y = f(detail::variables<Jet<double, N>>(x));
    Matrix<double, Y::RowsAtCompileTime, N> J(y.rows(), N);
    for (int i = 0; i < static_cast<int>(y.rows()); ++i) {
      for (int k = 0; k < N; ++k) J(i, k) = y[i].d[k];
    }
    return J;
  }
}

/// f, ∂f/∂x and ∂²f/∂x² together; the two others cost nothing once the Hessian is known.
template <class F, detail::RealVector X>
requires(X::RowsAtCompileTime != Dynamic)
    [[gnu::flatten]] auto value_gradient_hessian(const F& f, const Eigen::MatrixBase<X>& x) {
  constexpr int N = X::RowsAtCompileTime;
  const Jet2<N> y = f(detail::variables<Jet2<N>>(x));
  ValueGradientHessian<N> r{y.v, Vector<double, N>(y.g), {}};
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j <= i; ++j) r.hessian(i, j) = r.hessian(j, i) = y.H[Jet2<N>::index(i, j)];
  }
  return r;
}
template <class F, detail::RealVector X>
requires(X::RowsAtCompileTime == Dynamic) ValueGradientHessian<Dynamic> value_gradient_hessian(
    const F& f, const Eigen::MatrixBase<X>& x) {
  return chunked_hessian(static_cast<int>(x.rows()), detail::shifted(f, x.derived()));
}

/// ∂²f/∂x²
template <class F, detail::RealVector X>
Matrix<double, X::RowsAtCompileTime> hessian(const F& f, const Eigen::MatrixBase<X>& x) {
  return value_gradient_hessian(f, x).hessian;
}

}  // namespace varia
