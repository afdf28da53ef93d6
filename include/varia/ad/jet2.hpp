// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Second-order jet: a number with its gradient and Hessian in N directions, in one pass.
//
//   (jet2)   f(x):  g ← f′g,   H ← f′H + f″ g gᵀ
//
// The Hessian is symmetric and stored once, as the rows of its lower triangle, so that the inner
// loops run over contiguous numbers. This is the scalar of all implicit integrators.
#include <compare>

#include "varia/ad/arithmetic.hpp"
#include "varia/ad/binary.hpp"
#include "varia/ad/elementary.hpp"
#include "varia/ad/power.hpp"
#include "varia/ad/scalar.hpp"

namespace varia {

template <int N> struct Jet2 {
  static_assert(N > 0, "a jet needs at least one direction");
  using Inner = double;
  static constexpr int directions = N;
  static constexpr int packed = N * (N + 1) / 2;

  double v;          ///< value
  double g[N];       ///< gradient
  double H[packed];  ///< Hessian: element (i, j), i ≥ j, at index(i, j)

  [[gnu::always_inline]] constexpr Jet2() : v(0.0), g{}, H{} {}
  [[gnu::always_inline]] explicit Jet2(detail::NoInit) {}
  template <ConstantFor<Jet2> T>
  [[gnu::always_inline]] constexpr Jet2(const T& constant)
      : v(static_cast<double>(constant)), g{}, H{} {}

  /// The coordinate x_k: gradient e_k, no Hessian.
  [[gnu::always_inline]] static Jet2 variable(double value, int k) {
    Jet2 x(value);
    x.g[k] = 1.0;
    return x;
  }

  static constexpr int index(int i, int j) { return i * (i + 1) / 2 + j; }

  double hess(int i, int j) const { return i >= j ? H[index(i, j)] : H[index(j, i)]; }
  double& hess(int i, int j) { return i >= j ? H[index(i, j)] : H[index(j, i)]; }

  /// p holds for every derivative.
  template <class P> bool all_derivatives(const P& p) const {
    bool all = true;
    for (int i = 0; i < N; ++i) all = all && p(g[i]);
    for (int k = 0; k < packed; ++k) all = all && p(H[k]);
    return all;
  }

  /// c x for a constant c.
  [[gnu::always_inline]] Jet2 scaled(double c) const {
    Jet2 r(detail::NoInit{});
    r.v = v * c;
    detail::fill(r.g, [&](int i) { return g[i] * c; });
    detail::fill(r.H, [&](int k) { return H[k] * c; });
    return r;
  }

  /// (jet2)  f(x), given f, f′, f″ at v.
  [[gnu::always_inline]] Jet2 chain(double f, double f1, double f2) const {
    Jet2 r(detail::NoInit{});
    r.v = f;
    detail::fill(r.g, [&](int i) { return f1 * g[i]; });
    fill_hessian(r, [&](int i) {
      const double f2gi = f2 * g[i];
      return [this, f1, f2gi](int k, int j) { return f1 * H[k] + f2gi * g[j]; };
    });
    return r;
  }

  /// f(a, b), given f and its partial derivatives at (a.v, b.v).
  [[gnu::always_inline]] static Jet2 chain(const Jet2& a, const Jet2& b, double f, double fa,
                                           double fb, double faa, double fab, double fbb) {
    Jet2 r(detail::NoInit{});
    r.v = f;
    detail::fill(r.g, [&](int i) { return fa * a.g[i] + fb * b.g[i]; });
    fill_hessian(r, [&](int i) {
      const double ai = faa * a.g[i] + fab * b.g[i];
      const double bi = fab * a.g[i] + fbb * b.g[i];
      return [&a, &b, fa, fb, ai, bi](int k, int j) {
        return (fa * a.H[k] + fb * b.H[k]) + (ai * a.g[j] + bi * b.g[j]);
      };
    });
    return r;
  }

  [[gnu::always_inline]] Jet2& operator+=(const Jet2& b) {
    v += b.v;
    detail::fill(g, [&](int i) { return g[i] + b.g[i]; });
    detail::fill(H, [&](int k) { return H[k] + b.H[k]; });
    return *this;
  }
  [[gnu::always_inline]] Jet2& operator-=(const Jet2& b) {
    v -= b.v;
    detail::fill(g, [&](int i) { return g[i] - b.g[i]; });
    detail::fill(H, [&](int k) { return H[k] - b.H[k]; });
    return *this;
  }

  [[gnu::always_inline]] friend Jet2 operator+(const Jet2& a) { return a; }
  [[gnu::always_inline]] friend Jet2 operator-(const Jet2& a) {
    Jet2 r(detail::NoInit{});
    r.v = -a.v;
    detail::fill(r.g, [&](int i) { return -a.g[i]; });
    detail::fill(r.H, [&](int k) { return -a.H[k]; });
    return r;
  }
  [[gnu::always_inline]] friend Jet2 operator+(const Jet2& a, const Jet2& b) {
    Jet2 r(detail::NoInit{});
    r.v = a.v + b.v;
    detail::fill(r.g, [&](int i) { return a.g[i] + b.g[i]; });
    detail::fill(r.H, [&](int k) { return a.H[k] + b.H[k]; });
    return r;
  }
  [[gnu::always_inline]] friend Jet2 operator-(const Jet2& a, const Jet2& b) {
    Jet2 r(detail::NoInit{});
    r.v = a.v - b.v;
    detail::fill(r.g, [&](int i) { return a.g[i] - b.g[i]; });
    detail::fill(r.H, [&](int k) { return a.H[k] - b.H[k]; });
    return r;
  }
  [[gnu::always_inline]] friend Jet2 operator*(const Jet2& a, const Jet2& b) {
    Jet2 r(detail::NoInit{});
    r.v = a.v * b.v;
    detail::fill(r.g, [&](int i) { return b.v * a.g[i] + a.v * b.g[i]; });
    fill_hessian(r, [&](int i) {
      return [&a, &b, ai = a.g[i], bi = b.g[i]](int k, int j) {
        return (b.v * a.H[k] + a.v * b.H[k]) + (bi * a.g[j] + ai * b.g[j]);
      };
    });
    return r;
  }
  [[gnu::always_inline]] friend Jet2 operator/(const Jet2& a, const Jet2& b) {
    detail::check_quotient(a, b);
    const double inverse = 1.0 / b.v;
    const double q = a.v / b.v;
    Jet2 r(detail::NoInit{});
    r.v = q;
    detail::fill(r.g, [&](int i) { return (a.g[i] - q * b.g[i]) * inverse; });
    fill_hessian(r, [&](int i) {
      return [&, q, inverse, ri = r.g[i], bi = b.g[i]](int k, int j) {
        return ((a.H[k] - q * b.H[k]) - (bi * r.g[j] + ri * b.g[j])) * inverse;
      };
    });
    return r;
  }

  friend bool operator==(const Jet2& a, const Jet2& b) { return a.v == b.v; }
  friend bool operator==(const Jet2& a, double b) { return a.v == b; }
  friend auto operator<=>(const Jet2& a, const Jet2& b) { return a.v <=> b.v; }
  friend auto operator<=>(const Jet2& a, double b) { return a.v <=> b; }

 private:
  /// r.H[k] = row(i)(k, j), k = index(i, j), for all rows i and columns j ≤ i.
  template <class Row> [[gnu::always_inline]] static void fill_hessian(Jet2& r, const Row& row) {
    if constexpr (N <= 8) {
#pragma GCC unroll 8
      for (int i = 0; i < N; ++i) {
        const auto element = row(i);
#pragma GCC unroll 8
        for (int j = 0; j <= i; ++j) r.H[index(i, j)] = element(index(i, j), j);
      }
    } else {
      for (int i = 0; i < N; ++i) {
        const auto element = row(i);
        double* const to = r.H + index(i, 0);
        for (int j = 0; j <= i; ++j) to[j] = element(index(i, 0) + j, j);
      }
    }
  }
};

}  // namespace varia
