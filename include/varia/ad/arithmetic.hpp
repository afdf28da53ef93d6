// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Arithmetic of a jet with a constant, the same for all jets: nothing is converted to a jet first.
#include "varia/ad/scalar.hpp"

namespace varia {
namespace detail {

/// Plain numbers enter as double, inner jets as they are.
template <class T>
requires std::is_arithmetic_v<T>
constexpr double lift(T c) { return static_cast<double>(c); }
template <AnyJet J> constexpr const J& lift(const J& c) { return c; }

template <class A, class B>
[[gnu::always_inline]] inline void check_quotient(const A& a, const B& b) {
  if (value_of(b) == 0.0) [[unlikely]] {
    no_derivative("x / y", value_of(a), 0.0,
                  "the quotient does not exist; keep the denominator away from 0");
  }
}

/// f(x), given f and f′ at x.v; second() gives f″ there and is asked only by jets of second order.
template <AnyJet J, class F2>
[[gnu::always_inline]] inline J chain(const J& x, const typename J::Inner& f,
                                      const typename J::Inner& f1, const F2& second) {
  if constexpr (jet_order<J> == 2) {
    return x.chain(f, f1, second());
  } else {
    return x.chain(f, f1);
  }
}

}  // namespace detail

template <AnyJet J, ConstantFor<J> T>
[[gnu::always_inline]] inline J& operator+=(J& a, const T& c) {
  a.v += detail::lift(c);
  return a;
}
template <AnyJet J, ConstantFor<J> T>
[[gnu::always_inline]] inline J& operator-=(J& a, const T& c) {
  a.v -= detail::lift(c);
  return a;
}
template <AnyJet J, ConstantFor<J> T>
[[gnu::always_inline]] inline J& operator*=(J& a, const T& c) {
  return a = a.scaled(detail::lift(c));
}
template <AnyJet J, ConstantFor<J> T>
[[gnu::always_inline]] inline J& operator/=(J& a, const T& c) {
  return a = a / c;
}
template <AnyJet J> [[gnu::always_inline]] inline J& operator*=(J& a, const J& b) {
  return a = a * b;
}
template <AnyJet J> [[gnu::always_inline]] inline J& operator/=(J& a, const J& b) {
  return a = a / b;
}

template <AnyJet J, ConstantFor<J> T>
[[gnu::always_inline]] inline J operator+(const J& a, const T& c) {
  J r = a;
  r.v += detail::lift(c);
  return r;
}
template <AnyJet J, ConstantFor<J> T>
[[gnu::always_inline]] inline J operator+(const T& c, const J& a) {
  return a + c;
}
template <AnyJet J, ConstantFor<J> T>
[[gnu::always_inline]] inline J operator-(const J& a, const T& c) {
  J r = a;
  r.v -= detail::lift(c);
  return r;
}
template <AnyJet J, ConstantFor<J> T>
[[gnu::always_inline]] inline J operator-(const T& c, const J& a) {
  J r = -a;
  r.v = detail::lift(c) - a.v;
  return r;
}
template <AnyJet J, ConstantFor<J> T>
[[gnu::always_inline]] inline J operator*(const J& a, const T& c) {
  return a.scaled(detail::lift(c));
}
template <AnyJet J, ConstantFor<J> T>
[[gnu::always_inline]] inline J operator*(const T& c, const J& a) {
  return a.scaled(detail::lift(c));
}
template <AnyJet J, ConstantFor<J> T>
[[gnu::always_inline]] inline J operator/(const J& a, const T& c) {
  detail::check_quotient(a, c);
  J r = a.scaled(1.0 / detail::lift(c));
  r.v = a.v / detail::lift(c);  // rounded as in plain arithmetic
  return r;
}
template <AnyJet J, ConstantFor<J> T>
[[gnu::always_inline]] inline J operator/(const T& c, const J& a) {
  using S = typename J::Inner;
  detail::check_quotient(c, a);
  const S inverse = 1.0 / a.v;
  const S q = detail::lift(c) / a.v;
  const S f1 = -((detail::lift(c) * inverse) * inverse);
  return detail::chain(a, q, f1, [&] { return -2.0 * f1 * inverse; });
}

}  // namespace varia
