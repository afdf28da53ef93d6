// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The elementary functions with their derivatives, one table for all jets.
//
// A function gives f and f′ at the value, and f″ on request; detail::chain does the rest. The
// formulas are evaluated in the scalar inside the jet, so that nested jets differentiate them too.
// Where a derivative does not exist a DomainError is thrown; a NaN that comes in goes through.
//
// Inside varia the names also find the functions of <cmath>: sin(x) is right for every scalar.
#include <algorithm>
#include <numbers>

#include "varia/ad/arithmetic.hpp"
#include "varia/ad/scalar.hpp"

namespace varia {

using std::abs, std::fabs, std::sqrt, std::cbrt, std::hypot, std::pow, std::min, std::max;
using std::acos, std::asin, std::atan, std::atan2, std::cos, std::sin, std::tan;
using std::acosh, std::asinh, std::atanh, std::cosh, std::sinh, std::tanh;
using std::exp, std::expm1, std::log, std::log10, std::log1p, std::log2;
using std::isfinite, std::isnan;

// Roots and logarithms ---------------------------------------------------------------------------

template <AnyJet J> [[gnu::always_inline]] inline J sqrt(const J& x) {
  if (value_of(x) <= 0.0) [[unlikely]] {
    detail::no_derivative("sqrt(x)", value_of(x),
                          "no finite derivative for x <= 0; keep x positive, e.g. sqrt(x + c) "
                          "with a small c > 0, or use the square itself");
  }
  const auto r = sqrt(x.v);
  const auto inverse = 1.0 / r;
  // halving x.d instead of 1/r is exact and takes a product off the critical path
  if constexpr (detail::jet_order<J> == 1) return x.scaled(0.5).chain(r, inverse);
  const auto f1 = 0.5 * inverse;
  return detail::chain(x, r, f1, [&] { return -0.5 * f1 * (inverse * inverse); });
}

template <AnyJet J> J cbrt(const J& x) {
  if (value_of(x) == 0.0) [[unlikely]] {
    detail::no_derivative("cbrt(x)", 0.0, "the derivative is infinite; keep x away from 0");
  }
  const auto r = cbrt(x.v);
  const auto inverse = 1.0 / x.v;
  const auto f1 = r * inverse / 3.0;
  return detail::chain(x, r, f1, [&] { return -2.0 / 3.0 * f1 * inverse; });
}

template <AnyJet J> J exp(const J& x) {
  const auto e = exp(x.v);
  return detail::chain(x, e, e, [&] { return e; });
}

template <AnyJet J> J expm1(const J& x) {
  const auto e = exp(x.v);
  return detail::chain(x, expm1(x.v), e, [&] { return e; });
}

template <AnyJet J> J log(const J& x) {
  if (value_of(x) <= 0.0) [[unlikely]] {
    detail::no_derivative("log(x)", value_of(x), "no real logarithm; keep x positive");
  }
  const auto f1 = 1.0 / x.v;
  return detail::chain(x, log(x.v), f1, [&] { return -(f1 * f1); });
}

template <AnyJet J> J log1p(const J& x) {
  if (value_of(x) <= -1.0) [[unlikely]] {
    detail::no_derivative("log1p(x)", value_of(x), "no real logarithm; keep x above -1");
  }
  const auto f1 = 1.0 / (1.0 + x.v);
  return detail::chain(x, log1p(x.v), f1, [&] { return -(f1 * f1); });
}

template <AnyJet J> J log2(const J& x) {
  if (value_of(x) <= 0.0) [[unlikely]] {
    detail::no_derivative("log2(x)", value_of(x), "no real logarithm; keep x positive");
  }
  const auto inverse = 1.0 / x.v;
  const auto f1 = std::numbers::log2e * inverse;
  return detail::chain(x, log2(x.v), f1, [&] { return -(f1 * inverse); });
}

template <AnyJet J> J log10(const J& x) {
  if (value_of(x) <= 0.0) [[unlikely]] {
    detail::no_derivative("log10(x)", value_of(x), "no real logarithm; keep x positive");
  }
  const auto inverse = 1.0 / x.v;
  const auto f1 = std::numbers::log10e * inverse;
  return detail::chain(x, log10(x.v), f1, [&] { return -(f1 * inverse); });
}

// Circular functions -----------------------------------------------------------------------------

template <AnyJet J> J sin(const J& x) {
  const auto s = sin(x.v);
  return detail::chain(x, s, cos(x.v), [&] { return -s; });
}

template <AnyJet J> J cos(const J& x) {
  const auto c = cos(x.v);
  return detail::chain(x, c, -sin(x.v), [&] { return -c; });
}

template <AnyJet J> J tan(const J& x) {
  const auto t = tan(x.v);
  const auto f1 = 1.0 + t * t;
  return detail::chain(x, t, f1, [&] { return 2.0 * t * f1; });
}

template <AnyJet J> J asin(const J& x) {
  if (std::fabs(value_of(x)) >= 1.0) [[unlikely]] {
    detail::no_derivative("asin(x)", value_of(x),
                          "no finite derivative for |x| >= 1; keep |x| < 1, or use atan2");
  }
  const auto f1 = 1.0 / sqrt((1.0 - x.v) * (1.0 + x.v));
  return detail::chain(x, asin(x.v), f1, [&] { return x.v * (f1 * f1 * f1); });
}

template <AnyJet J> J acos(const J& x) {
  if (std::fabs(value_of(x)) >= 1.0) [[unlikely]] {
    detail::no_derivative("acos(x)", value_of(x),
                          "no finite derivative for |x| >= 1; keep |x| < 1, or use atan2");
  }
  const auto f1 = -1.0 / sqrt((1.0 - x.v) * (1.0 + x.v));
  return detail::chain(x, acos(x.v), f1, [&] { return x.v * (f1 * f1 * f1); });
}

template <AnyJet J> J atan(const J& x) {
  const auto f1 = 1.0 / (1.0 + x.v * x.v);
  return detail::chain(x, atan(x.v), f1, [&] { return -2.0 * x.v * (f1 * f1); });
}

// Hyperbolic functions ---------------------------------------------------------------------------

template <AnyJet J> J sinh(const J& x) {
  const auto s = sinh(x.v);
  return detail::chain(x, s, cosh(x.v), [&] { return s; });
}

template <AnyJet J> J cosh(const J& x) {
  const auto c = cosh(x.v);
  return detail::chain(x, c, sinh(x.v), [&] { return c; });
}

template <AnyJet J> J tanh(const J& x) {
  const auto t = tanh(x.v);
  const auto f1 = 1.0 - t * t;
  return detail::chain(x, t, f1, [&] { return -2.0 * t * f1; });
}

template <AnyJet J> J asinh(const J& x) {
  const auto f1 = 1.0 / sqrt(1.0 + x.v * x.v);
  return detail::chain(x, asinh(x.v), f1, [&] { return -x.v * (f1 * f1 * f1); });
}

template <AnyJet J> J acosh(const J& x) {
  if (value_of(x) <= 1.0) [[unlikely]] {
    detail::no_derivative("acosh(x)", value_of(x),
                          "no finite derivative for x <= 1; keep x above 1");
  }
  const auto f1 = 1.0 / sqrt((x.v - 1.0) * (x.v + 1.0));
  return detail::chain(x, acosh(x.v), f1, [&] { return -x.v * (f1 * f1 * f1); });
}

template <AnyJet J> J atanh(const J& x) {
  if (std::fabs(value_of(x)) >= 1.0) [[unlikely]] {
    detail::no_derivative("atanh(x)", value_of(x), "infinite or not real; keep |x| < 1");
  }
  const auto f1 = 1.0 / ((1.0 - x.v) * (1.0 + x.v));
  return detail::chain(x, atanh(x.v), f1, [&] { return 2.0 * x.v * (f1 * f1); });
}

// Absolute value ---------------------------------------------------------------------------------

template <AnyJet J> J abs(const J& x) {
  if (value_of(x) == 0.0) [[unlikely]] {
    detail::no_derivative("abs(x)", 0.0,
                          "a kink, no derivative; use x*x, or sqrt(x*x + c) with a small c > 0");
  }
  return value_of(x) < 0.0 ? -x : x;
}

template <AnyJet J> J fabs(const J& x) { return abs(x); }

// Tests: of the value and all derivatives --------------------------------------------------------

template <AnyJet J> bool isfinite(const J& x) {
  return isfinite(x.v) && x.all_derivatives([](const auto& d) { return isfinite(d); });
}

template <AnyJet J> bool isnan(const J& x) {
  return isnan(x.v) || !x.all_derivatives([](const auto& d) { return !isnan(d); });
}

}  // namespace varia
