// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// First-order jet: a number and its derivatives in N directions, in one pass (forward mode).
//
//   (jet)   x = v + d₁ε₁ + … + d_N ε_N,   εᵢεⱼ = 0,   f(x) = f(v) + f′(v) Σ dᵢεᵢ
//
// The scalar S may be a jet again: Jet<Jet<double, M>, N> carries mixed second derivatives.
// Every value is the one that plain double arithmetic gives, bit for bit (integer powers aside).
// Comparisons look at the value only.
#include <compare>

#include "varia/ad/arithmetic.hpp"
#include "varia/ad/binary.hpp"
#include "varia/ad/elementary.hpp"
#include "varia/ad/power.hpp"
#include "varia/ad/scalar.hpp"

namespace varia {

template <class S, int N> struct Jet {
  static_assert(N > 0, "a jet needs at least one direction");
  using Inner = S;
  static constexpr int directions = N;

  S v;     ///< value
  S d[N];  ///< derivatives

  [[gnu::always_inline]] constexpr Jet() : v(), d{} {}
  [[gnu::always_inline]] explicit Jet(detail::NoInit) {}
  template <ConstantFor<Jet> T>
  [[gnu::always_inline]] constexpr Jet(const T& constant) : v(static_cast<S>(constant)), d{} {}

  /// The coordinate x_k: derivative 1 in direction k, 0 in all others.
  [[gnu::always_inline]] static Jet variable(const S& value, int k) {
    Jet x(value);
    x.d[k] = S(1.0);
    return x;
  }

  /// p holds for every derivative.
  template <class P> bool all_derivatives(const P& p) const {
    bool all = true;
    for (int i = 0; i < N; ++i) all = all && p(d[i]);
    return all;
  }

  /// c x for a constant c of any type that S can be multiplied with.
  template <class T> [[gnu::always_inline]] Jet scaled(const T& c) const {
    Jet r(detail::NoInit{});
    r.v = v * c;
    detail::fill(r.d, [&](int i) { return d[i] * c; });
    return r;
  }

  /// f(x), given f and f′ at v.
  [[gnu::always_inline]] Jet chain(const S& f, const S& f1) const {
    Jet r(detail::NoInit{});
    r.v = f;
    detail::fill(r.d, [&](int i) { return f1 * d[i]; });
    return r;
  }

  /// f(a, b), given f and its partial derivatives at (a.v, b.v).
  [[gnu::always_inline]] static Jet chain(const Jet& a, const Jet& b, const S& f, const S& fa,
                                          const S& fb) {
    Jet r(detail::NoInit{});
    r.v = f;
    detail::fill(r.d, [&](int i) { return fa * a.d[i] + fb * b.d[i]; });
    return r;
  }

  [[gnu::always_inline]] Jet& operator+=(const Jet& b) {
    v += b.v;
    detail::fill(d, [&](int i) { return d[i] + b.d[i]; });
    return *this;
  }
  [[gnu::always_inline]] Jet& operator-=(const Jet& b) {
    v -= b.v;
    detail::fill(d, [&](int i) { return d[i] - b.d[i]; });
    return *this;
  }

  [[gnu::always_inline]] friend Jet operator+(const Jet& a) { return a; }
  [[gnu::always_inline]] friend Jet operator-(const Jet& a) {
    Jet r(detail::NoInit{});
    r.v = -a.v;
    detail::fill(r.d, [&](int i) { return -a.d[i]; });
    return r;
  }
  [[gnu::always_inline]] friend Jet operator+(const Jet& a, const Jet& b) {
    Jet r(detail::NoInit{});
    r.v = a.v + b.v;
    detail::fill(r.d, [&](int i) { return a.d[i] + b.d[i]; });
    return r;
  }
  [[gnu::always_inline]] friend Jet operator-(const Jet& a, const Jet& b) {
    Jet r(detail::NoInit{});
    r.v = a.v - b.v;
    detail::fill(r.d, [&](int i) { return a.d[i] - b.d[i]; });
    return r;
  }
  [[gnu::always_inline]] friend Jet operator*(const Jet& a, const Jet& b) {
    return chain(a, b, a.v * b.v, b.v, a.v);
  }
  [[gnu::always_inline]] friend Jet operator/(const Jet& a, const Jet& b) {
    detail::check_quotient(a, b);
    const S inverse = 1.0 / b.v;
    const S q = a.v / b.v;
    Jet r(detail::NoInit{});
    r.v = q;
    detail::fill(r.d, [&](int i) { return (a.d[i] - q * b.d[i]) * inverse; });
    return r;
  }

  friend bool operator==(const Jet& a, const Jet& b) { return value_of(a) == value_of(b); }
  friend bool operator==(const Jet& a, double b) { return value_of(a) == b; }
  friend auto operator<=>(const Jet& a, const Jet& b) { return value_of(a) <=> value_of(b); }
  friend auto operator<=>(const Jet& a, double b) { return value_of(a) <=> b; }
};

}  // namespace varia
