// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The first zero of a function of one variable in an interval, by bracketing.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace varia::terms {

/// Where f, of opposite signs at the ends, vanishes: to neighbouring numbers, or the best value seen.
template <class F> double bracketed_root(const F& f, double l, double fl, double r, double fr) {
  if (fr == 0.0) return r;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double wl = fl, wr = fr;  // weights of the secant: an end that stays is halved (Illinois)
  for (int i = 0; i < 200; ++i) {
    if (r - l <= epsilon * std::max(std::abs(l), std::abs(r))) break;
    double c = l - wl * (r - l) / (wr - wl);
    if (i % 8 == 7 || !(c > l && c < r)) c = l + 0.5 * (r - l);
    if (c <= l || c >= r) break;
    const double fc = f(c);
    if (fc == 0.0) return c;
    if ((fc > 0.0) == (fr > 0.0)) {
      r = c, fr = wr = fc;
      wl *= 0.5;
    } else {
      l = c, fl = wl = fc;
      wr *= 0.5;
    }
  }
  return std::abs(fl) < std::abs(fr) ? l : r;
}

/// Where the slope, falling from the left and rising to the right after multiplication with `sign`, vanishes.
template <class S> double turning_point(const S& slope, double sign, double l, double r) {
  for (int i = 0; i < 100 && r - l > 0.0; ++i) {
    const double middle = l + 0.5 * (r - l);
    if (middle <= l || middle >= r) break;
    (sign * slope(middle) < 0.0 ? l : r) = middle;
  }
  return r;
}

/// The first zero of f in [from + a, from + b], looked for in stretches of growing length. Two zeros in
/// one stretch are found if f turns once between them. Where f has no finite value the search ends.
template <class F, class S>
std::optional<double> first_root(const F& f, const S& slope, double from, double a, double b,
                                 int stretches) {
  double l = from + a, fl = f(l);
  if (fl == 0.0) return l;
  if (!std::isfinite(fl)) return std::nullopt;
  const double sign = fl > 0.0 ? 1.0 : -1.0, growth = std::pow(b / a, 1.0 / stretches);
  bool falling = sign * slope(l) < 0.0;  // towards zero
  for (int i = 1; i <= stretches; ++i) {
    a *= growth;
    double r = i == stretches ? from + b : from + a;
    double fr = f(r);
    const bool end = !std::isfinite(fr);
    for (int halving = 0; halving < 50 && !std::isfinite(fr); ++halving) {
      r = l + 0.5 * (r - l);
      fr = f(r);
    }
    if (!std::isfinite(fr)) return std::nullopt;
    if (sign * fr <= 0.0) return bracketed_root(f, l, fl, r, fr);
    const double at_end = sign * slope(r);
    if (falling && at_end > 0.0) {
      const double m = turning_point(slope, sign, l, r), fm = f(m);
      if (sign * fm <= 0.0) return bracketed_root(f, l, fl, m, fm);
    }
    if (end) return std::nullopt;
    falling = at_end < 0.0;
    l = r, fl = fr;
  }
  return std::nullopt;
}

}  // namespace varia::terms
