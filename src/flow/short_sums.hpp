// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sums over the few points of a step: up to four terms without a loop.
#include <Eigen/Core>
#include <cstddef>

#include "varia/core/unrolled.hpp"

namespace varia::detail {

/// Σᵢ aᵢ xᵢ; the numbers of a and of x stand so far apart.
inline double dot(const double* a, std::ptrdiff_t step, const double* x, std::ptrdiff_t stride,
                  int count) {
  switch (count) {
    case 1:
      return a[0] * x[0];
    case 2:
      return a[0] * x[0] + a[step] * x[stride];
    case 3:
      return a[0] * x[0] + a[step] * x[stride] + a[2 * step] * x[2 * stride];
    case 4:
      return a[0] * x[0] + a[step] * x[stride] + a[2 * step] * x[2 * stride] +
             a[3 * step] * x[3 * stride];
    default:
      double sum = 0.0;
      for (int i = 0; i < count; ++i) sum += a[i * step] * x[i * stride];
      return sum;
  }
}

/// Σᵢ aᵢ xᵢ of vectors of N numbers, one after the other, with coefficients a = hi + lo.
template <int N> struct SplitSum {
  double hi[N], lo[N];

  SplitSum(double a_hi, double a_lo, const double* x) {
    unrolled<N>([&](int b) {
      hi[b] = a_hi * x[b];
      lo[b] = a_lo * x[b];
    });
  }
  void add(double a_hi, double a_lo, const double* x) {
    unrolled<N>([&](int b) {
      hi[b] += a_hi * x[b];
      lo[b] += a_lo * x[b];
    });
  }
  static SplitSum of(const double* a_hi, const double* a_lo, std::ptrdiff_t step, const double* x,
                     int count) {
    SplitSum sum(a_hi[0], a_lo[0], x);
    for (int i = 1; i < count; ++i) sum.add(a_hi[i * step], a_lo[i * step], x + i * N);
    return sum;
  }
};

/// n numbers as an array.
inline Eigen::Map<Eigen::ArrayXd> array(double* x, int n) { return {x, n}; }
inline Eigen::Map<const Eigen::ArrayXd> array(const double* x, int n) { return {x, n}; }

/// Numbers b..b+W-1 of Σᵢ aᵢ xᵢ, see sum_of.
template <int W>
[[gnu::always_inline]] inline Eigen::Array<double, W, 1> part_of_sum(
    const double* a, std::ptrdiff_t step, const double* x, std::ptrdiff_t stride, int count) {
  using Part = Eigen::Array<double, W, 1>;
  Part sum = a[0] * Eigen::Map<const Part>(x);
  for (int i = 1; i < count; ++i) sum += a[i * step] * Eigen::Map<const Part>(x + i * stride);
  return sum;
}

/// out = f(Σᵢ aᵢ xᵢ) of vectors of n numbers, a stride apart; the coefficients stand a step apart. f is
/// given some numbers of the sum and where they begin.
template <class F>
void function_of_sum(const double* a, std::ptrdiff_t step, const double* x, std::ptrdiff_t stride,
                     int count, int n, double* out, const F& f) {
  const auto part = [&]<int W>(int b) {
    Eigen::Map<Eigen::Array<double, W, 1>>(out + b) =
        f(part_of_sum<W>(a, step, x + b, stride, count), b);
  };
  int b = 0;
  for (; b + 8 <= n; b += 8) part.template operator()<8>(b);
  for (; b + 2 <= n; b += 2) part.template operator()<2>(b);
  if (b < n) part.template operator()<1>(b);
}

/// out = Σᵢ aᵢ xᵢ, and out = h Σᵢ aᵢ xᵢ.
inline void sum_of(const double* a, std::ptrdiff_t step, const double* x, std::ptrdiff_t stride,
                   int count, int n, double* out) {
  function_of_sum(a, step, x, stride, count, n, out, [](const auto& sum, int) { return sum; });
}
inline void scaled_sum_of(double h, const double* a, std::ptrdiff_t step, const double* x,
                          std::ptrdiff_t stride, int count, int n, double* out) {
  function_of_sum(a, step, x, stride, count, n, out,
                  [h](const auto& sum, int) { return (sum * h).eval(); });
}

/// out = A x and out = Aᵀ x for a k × k matrix, row by row.
template <int k> void multiply_of(const double* a, const double* x, double* out) {
  for (int i = 0; i < k; ++i) out[i] = dot(a + i * k, 1, x, 1, k);
}
template <int k> void multiply_transposed_of(const double* a, const double* x, double* out) {
  for (int i = 0; i < k; ++i) out[i] = dot(a + i, k, x, 1, k);
}
inline void multiply(const double* a, const double* x, int k, double* out) {
  if (k == 3) return multiply_of<3>(a, x, out);
  for (int i = 0; i < k; ++i) out[i] = dot(a + i * k, 1, x, 1, k);
}
inline void multiply_transposed(const double* a, const double* x, int k, double* out) {
  if (k == 3) return multiply_transposed_of<3>(a, x, out);
  for (int i = 0; i < k; ++i) out[i] = dot(a + i, k, x, 1, k);
}

}  // namespace varia::detail
