// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// erf, floor, mod and the smooth step, for numbers and jets.
#include <cmath>
#include <numbers>

#include "varia/ad/binary.hpp"
#include "varia/ad/elementary.hpp"

namespace varia {

using std::erf;

template <AnyJet J> J erf(const J& x) {
  const auto f1 = 2.0 * std::numbers::inv_sqrtpi * exp(-(x.v * x.v));
  return detail::chain(x, erf(x.v), f1, [&] { return -2.0 * x.v * f1; });
}

/// a - b floor(a/b) without rounding of the quotient; it has the sign of b.
inline double mod(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0.0 && (rest < 0.0) != (b < 0.0) ? rest + b : rest;
}

template <AnyJet J> J mod(const J& a, const J& b) {
  using S = typename J::Inner;
  const S f = mod(a.v, b.v);
  const S turns(std::floor(value_of(a) / value_of(b)));
  return detail::chain(a, b, f, S(1.0), S(-turns), [] {
    return detail::SecondPartials<S>{S(0.0), S(0.0), S(0.0)};
  });
}

/// 0 up to u = 0, 1 from u = 1 on, between them 10 u^3 - 15 u^4 + 6 u^5: two derivatives are continuous.
template <class S> S smoothstep(const S& u) {
  if (value_of(u) <= 0.0) return S(0.0);
  if (1.0 <= value_of(u)) return S(1.0);
  return u * u * u * (u * (u * 6.0 - 15.0) + 10.0);
}

}  // namespace varia
