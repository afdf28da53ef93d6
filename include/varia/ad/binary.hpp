// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Elementary functions of two arguments (atan2, hypot, pow, min, max), one table for all jets.
//
// Either argument may be a constant: a number, or the scalar inside the jet.
#include "varia/ad/arithmetic.hpp"
#include "varia/ad/elementary.hpp"
#include "varia/ad/scalar.hpp"

namespace varia {
namespace detail {

/// The scalar inside a jet; a constant is its own.
template <class J, class T> decltype(auto) inner(const T& x) {
  if constexpr (std::same_as<J, T>) {
    return (x.v);
  } else {
    return lift(x);
  }
}

template <class S> struct SecondPartials { S aa, ab, bb; };

/// f(a, b), given f, ∂f/∂a, ∂f/∂b; second() gives the second partial derivatives on request.
template <class A, class B, class S, class F2>
CommonJet<A, B> chain(const A& a, const B& b, const S& f, const S& fa, const S& fb,
                      const F2& second) {
  using J = CommonJet<A, B>;
  if constexpr (!std::same_as<A, J>) {
    return chain(b, f, fb, [&] { return second().bb; });
  } else if constexpr (!std::same_as<B, J>) {
    return chain(a, f, fa, [&] { return second().aa; });
  } else if constexpr (jet_order<J> == 2) {
    const auto s = second();
    return J::chain(a, b, f, fa, fb, s.aa, s.ab, s.bb);
  } else {
    return J::chain(a, b, f, fa, fb);
  }
}

}  // namespace detail

/// The angle of (x, y); note the order of the arguments, that of <cmath>.
template <class A, class B>
requires JetPair<A, B> CommonJet<A, B> atan2(const A& y, const B& x) {
  using J = CommonJet<A, B>;
  using S = typename J::Inner;
  if (value_of(x) == 0.0 && value_of(y) == 0.0) [[unlikely]] {
    detail::no_derivative("atan2(y, x)", 0.0, 0.0,
                          "the origin has no angle; keep the point away from it");
  }
  const auto& yv = detail::inner<J>(y);
  const auto& xv = detail::inner<J>(x);
  const S inverse = 1.0 / hypot(xv, yv);  // scaled by the radius: no overflow in between
  const S c = xv * inverse;
  const S s = yv * inverse;
  return detail::chain(y, x, S(atan2(yv, xv)), S(c * inverse), S(-s * inverse), [&] {
    const S i2 = inverse * inverse;
    const S aa = -2.0 * s * c * i2;
    return detail::SecondPartials<S>{aa, (s - c) * (s + c) * i2, -aa};
  });
}

template <class A, class B>
requires JetPair<A, B> CommonJet<A, B> hypot(const A& x, const B& y) {
  using J = CommonJet<A, B>;
  using S = typename J::Inner;
  if (value_of(x) == 0.0 && value_of(y) == 0.0) [[unlikely]] {
    detail::no_derivative("hypot(x, y)", 0.0, 0.0,
                          "a cone tip, no derivative; keep the point away from the origin, or "
                          "use x*x + y*y");
  }
  const auto& xv = detail::inner<J>(x);
  const auto& yv = detail::inner<J>(y);
  const S r = hypot(xv, yv);
  const S inverse = 1.0 / r;
  const S c = xv * inverse;
  const S s = yv * inverse;
  return detail::chain(x, y, r, c, s, [&] {
    return detail::SecondPartials<S>{s * s * inverse, -(c * s) * inverse, c * c * inverse};
  });
}

// Minimum and maximum: a tie has a derivative only if both arguments have the same. ----------------

namespace detail {

template <class J> J choose(const char* call, const J& a, const J& b, bool first) {
  if (value_of(a) == value_of(b) && !is_zero(a - b)) [[unlikely]] {
    no_derivative(call, value_of(a), value_of(b),
                  "a kink, no derivative; use a smooth transition between the two");
  }
  return first ? a : b;
}

}  // namespace detail

template <class A, class B>
requires JetPair<A, B> CommonJet<A, B> min(const A& x, const B& y) {
  return detail::choose<CommonJet<A, B>>("min(x, y)", x, y, value_of(x) <= value_of(y));
}
template <class A, class B>
requires JetPair<A, B> CommonJet<A, B> max(const A& x, const B& y) {
  return detail::choose<CommonJet<A, B>>("max(x, y)", x, y, value_of(x) >= value_of(y));
}
// With `using std::min` in sight two equal types prefer std::min; these are more constrained.
template <AnyJet J> J min(const J& x, const J& y) {
  return detail::choose<J>("min(x, y)", x, y, value_of(x) <= value_of(y));
}
template <AnyJet J> J max(const J& x, const J& y) {
  return detail::choose<J>("max(x, y)", x, y, value_of(x) >= value_of(y));
}

}  // namespace varia
