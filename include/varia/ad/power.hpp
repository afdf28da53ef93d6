// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Powers x^y: integer, real and varying exponent, constant and varying base.
//
// At x = 0 the derivatives that exist are right (x⁰, x¹, x², …, x^2.5) and the others are errors.
#include "varia/ad/arithmetic.hpp"
#include "varia/ad/binary.hpp"
#include "varia/ad/elementary.hpp"
#include "varia/ad/scalar.hpp"

namespace varia {
namespace detail {

/// x^n, n ≥ 0, by repeated squaring.
template <class S> S natural_power(S x, long long n) {
  S r(1.0);
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) r = r * x;
    if (n > 1) x = x * x;
  }
  return r;
}

template <AnyJet J> J integer_power(const J& x, long long n) {
  using S = typename J::Inner;
  if (n == 0) return J(1.0);
  if (n == 1) return x;
  const auto m = static_cast<double>(n);
  if (n > 1) {
    const S p = natural_power(x.v, n - 2);
    const S px = p * x.v;
    return chain(x, S(px * x.v), S(m * px), [&] { return m * (m - 1.0) * p; });
  }
  if (value_of(x) == 0.0) [[unlikely]] {
    no_derivative("pow(x, y)", 0.0, m, "a pole; keep the base away from 0");
  }
  const S inverse = 1.0 / x.v;
  const S f = natural_power(inverse, -n);
  const S f1 = m * f * inverse;
  return chain(x, f, f1, [&] { return (m - 1.0) * f1 * inverse; });
}

/// x^y at x = 0 and constant y: a derivative c x^e is c for e = 0, 0 for e > 0, and 0 if c = 0.
template <AnyJet J> [[gnu::cold, gnu::noinline]] J power_at_zero(const J& x, double y) {
  using S = typename J::Inner;
  const bool exists = y == 0.0 || y >= 1.0;
  const bool twice = y == 0.0 || y == 1.0 || y >= 2.0;
  if (!exists || (jet_order<J> == 2 && !twice)) {
    no_derivative("pow(x, y)", 0.0, y,
                  "no finite derivative of the order asked for; keep the base positive or take "
                  "a larger exponent");
  }
  const auto term = [&x](double c, double e) { return c == 0.0 ? S(0.0) : S(c * pow(x.v, e)); };
  return chain(x, term(1.0, y), term(y, y - 1.0), [&] { return term(y * (y - 1.0), y - 2.0); });
}

[[noreturn, gnu::cold, gnu::noinline]] inline void varying_exponent(double x, double y) {
  no_derivative("pow(x, y)", x, y,
                "a varying exponent needs a base x > 0; keep the base positive or the exponent "
                "constant");
}

/// x^y for a constant y: a number, or the scalar inside J.
template <AnyJet J, class T> J power_constant_exponent(const J& x, const T& y) {
  if (value_of(x) <= 0.0) [[unlikely]] {
    const double e = value_of(y);
    if (!is_number(y)) varying_exponent(value_of(x), e);
    if (value_of(x) == 0.0) return power_at_zero(x, e);
    if (e != std::floor(e)) {
      no_derivative("pow(x, y)", value_of(x), e,
                    "no real power; keep the base positive or the exponent an integer");
    }
  }
  using S = typename J::Inner;
  return chain(x, S(pow(x.v, y)), S(y * pow(x.v, y - 1.0)),
               [&] { return y * (y - 1.0) * pow(x.v, y - 2.0); });
}

/// c^y for a constant c: a number, or the scalar inside J.
template <class T, AnyJet J> J power_constant_base(const T& c, const J& y) {
  if (value_of(c) <= 0.0) [[unlikely]] {
    if (is_zero(c) && value_of(y) > 0.0) return J(0.0);
    if (!is_constant(y)) varying_exponent(value_of(c), value_of(y));
    return J(typename J::Inner(pow(c, y.v)));
  }
  using S = typename J::Inner;
  const S f = pow(c, y.v);
  const S l = log(c);
  const S f1 = f * l;
  return chain(y, f, f1, [&] { return f1 * l; });
}

}  // namespace detail

template <class A, class B>
requires JetPair<A, B> CommonJet<A, B> pow(const A& x, const B& y) {
  using J = CommonJet<A, B>;
  if constexpr (std::integral<B>) {
    return detail::integer_power(x, static_cast<long long>(y));
  } else if constexpr (!std::same_as<B, J>) {
    return detail::power_constant_exponent(x, detail::lift(y));
  } else if constexpr (!std::same_as<A, J>) {
    return detail::power_constant_base(detail::lift(x), y);
  } else {
    if (value_of(x) <= 0.0) [[unlikely]] {
      if (!detail::is_constant(y)) detail::varying_exponent(value_of(x), value_of(y));
      return detail::power_constant_exponent(x, y.v);
    }
    using S = typename J::Inner;
    const S f = pow(x.v, y.v);
    const S p = pow(x.v, y.v - 1.0);
    const S l = log(x.v);
    return detail::chain(x, y, f, S(y.v * p), S(f * l), [&] {
      return detail::SecondPartials<S>{y.v * (y.v - 1.0) * pow(x.v, y.v - 2.0), p * (1.0 + y.v * l),
                                       f * l * l};
    });
  }
}

}  // namespace varia
