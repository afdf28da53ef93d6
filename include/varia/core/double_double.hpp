// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A number carried as the unevaluated sum hi + lo of two doubles: about 106 bits, 32 digits.
//
//   two_sum      s + e = a + b exactly,   s = fl(a + b)       (any a, b)
//   two_product  p + e = a · b exactly,   p = fl(a · b)       (one fused multiply-add)
//
// A normalised number has hi = fl(hi + lo), so that hi alone is the nearest double. Each of
// + − × ÷ √ has a relative error of a few 2⁻¹⁰⁶ ≈ 1e-32 as long as no lower part underflows
// (results above 1e-275 or so). Infinities and NaN travel in hi, with lo = 0.
//
// Coefficients of high-order methods are computed in this type once, when a method is made, and
// then rounded to double; nothing of it is in the loop over the steps.
#include <cmath>
#include <compare>

#include "varia/core/error.hpp"

namespace varia {

struct DoubleDouble {
  double hi = 0.0;
  double lo = 0.0;

  constexpr DoubleDouble() = default;
  /// Implicit: every double (and int) is a DoubleDouble, without error.
  constexpr DoubleDouble(double x) : hi(x) {}  // NOLINT(google-explicit-constructor)
  /// The two parts of a normalised number: |low| is at most half a unit in the last place of high.
  constexpr DoubleDouble(double high, double low) : hi(high), lo(low) {}

  constexpr explicit operator double() const { return hi; }

  /// Lexicographic, which is the order of the numbers because both are normalised.
  friend constexpr bool operator==(const DoubleDouble&, const DoubleDouble&) = default;
  friend constexpr std::partial_ordering operator<=>(const DoubleDouble&,
                                                     const DoubleDouble&) = default;
};

/// s = fl(a + b) and the error of that sum, exactly.
inline DoubleDouble two_sum(double a, double b) {
  const double s = a + b;
  const double b_part = s - a;
  const double a_part = s - b_part;
  return {s, (a - a_part) + (b - b_part)};
}

/// two_sum for |a| ≥ |b| or a = 0.
inline DoubleDouble quick_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

/// p = fl(a · b) and the error of that product, exactly.
inline DoubleDouble two_product(double a, double b) {
  const double p = a * b;
  return {p, std::fma(a, b, -p)};
}

inline DoubleDouble operator-(const DoubleDouble& a) { return {-a.hi, -a.lo}; }
inline DoubleDouble operator+(const DoubleDouble& a) { return a; }

inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble s = two_sum(a.hi, b.hi);
  if (!std::isfinite(s.hi)) return s.hi;
  const DoubleDouble t = two_sum(a.lo, b.lo);
  const DoubleDouble u = quick_two_sum(s.hi, s.lo + t.hi);
  return quick_two_sum(u.hi, u.lo + t.lo);
}

inline DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + (-b); }

inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble p = two_product(a.hi, b.hi);
  if (!std::isfinite(p.hi)) return p.hi;
  const double cross = std::fma(a.lo, b.hi, std::fma(a.hi, b.lo, a.lo * b.lo));
  return quick_two_sum(p.hi, p.lo + cross);
}

/// Long division: three digits of 53 bits each, the third one for the rounding of the second.
inline DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double q1 = a.hi / b.hi;
  if (!std::isfinite(q1) || !std::isfinite(b.hi)) return q1;
  const DoubleDouble r1 = a - b * q1;
  const double q2 = r1.hi / b.hi;
  const DoubleDouble r2 = r1 - b * q2;
  const double q3 = r2.hi / b.hi;
  return quick_two_sum(q1, q2) + q3;
}

inline DoubleDouble& operator+=(DoubleDouble& a, const DoubleDouble& b) { return a = a + b; }
inline DoubleDouble& operator-=(DoubleDouble& a, const DoubleDouble& b) { return a = a - b; }
inline DoubleDouble& operator*=(DoubleDouble& a, const DoubleDouble& b) { return a = a * b; }
inline DoubleDouble& operator/=(DoubleDouble& a, const DoubleDouble& b) { return a = a / b; }

inline DoubleDouble abs(const DoubleDouble& a) { return a.hi < 0.0 ? -a : a; }
inline bool isfinite(const DoubleDouble& a) { return std::isfinite(a.hi); }

/// One Newton step √a ≈ r + (a − r²)/(2r) from the double r = √a.hi; a − r² loses no bit.
inline DoubleDouble sqrt(const DoubleDouble& a) {
  if (a.hi < 0.0) {
    throw DomainError("sqrt: the argument is negative; a square root needs a number >= 0");
  }
  const double r = std::sqrt(a.hi);
  if (r == 0.0 || !std::isfinite(r)) return r;
  return quick_two_sum(r, (a - two_product(r, r)).hi / (2.0 * r));
}

}  // namespace varia
