// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solve/lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rows.hpp"
#include "varia/core/unrolled.hpp"

namespace varia {

namespace {

/// The loops over a matrix of N rows, for which n = N is a constant; N = 0: of any number.
template <int N> struct Rows {
  /// Brings the largest entry of column k at or below the diagonal to row k; false: it is not a pivot.
  static bool exchange(double* a, int* pivots, int n, int k) {
    int best = k;
    double largest = std::abs(a[k * n + k]);
    for (int i = k + 1; i < n; ++i)
      if (const double candidate = std::abs(a[i * n + k]); candidate > largest) {
        largest = candidate;
        best = i;
      }
    if (!(largest > 0.0) || !std::isfinite(largest)) return false;
    pivots[k] = best;
    if (best != k) std::swap_ranges(a + k * n, a + (k + 1) * n, a + best * n);
    return true;
  }

  static bool factor(double* a, int* pivots, int size) {
    if constexpr (N > 0) return factor_from<0>(a, pivots);
    for (int k = 0; k < size; ++k) {
      if (!exchange(a, pivots, size, k)) return false;
      double* const row_k = a + k * size;
      const double inverse = row_k[k] = 1.0 / row_k[k];
      for (int i = k + 1; i < size; ++i) {
        double* const row_i = a + i * size;
        const double factor = row_i[k] *= inverse;
        detail::subtract_multiple(factor, row_k + k + 1, size - k - 1, row_i + k + 1);
      }
    }
    return true;
  }

  /// Columns k, k + 1, …; what is left of row k stays in registers.
  template <int k> static bool factor_from(double* a, int* pivots) {
    if (!exchange(a, pivots, N, k)) return false;
    double* const row_k = a + k * N;
    const double inverse = row_k[k] = 1.0 / row_k[k];
    if constexpr (k + 1 < N) {
      double row[N - k - 1];
      detail::unrolled<N - k - 1>([&](int j) { row[j] = row_k[k + 1 + j]; });
      for (int i = k + 1; i < N; ++i) {
        double* const row_i = a + i * N;
        const double factor = row_i[k] *= inverse;
        detail::unrolled<N - k - 1>([&](int j) { row_i[k + 1 + j] -= factor * row[j]; });
      }
      return factor_from<k + 1>(a, pivots);
    }
    return true;
  }

  static void solve(const double* a, const int* pivots, int size, double* x) {
    const int n = N > 0 ? N : size;
    for (int k = 0; k < n; ++k)
      if (pivots[k] != k) std::swap(x[k], x[pivots[k]]);
    for (int i = 1; i < n; ++i) {
      const double* const row = a + i * n;
      double sum = x[i];
      for (int j = 0; j < i; ++j) sum -= row[j] * x[j];
      x[i] = sum;
    }
    for (int i = n - 1; i >= 0; --i) {
      const double* const row = a + i * n;
      double sum = x[i];
      for (int j = n - 1; j > i; --j) sum -= row[j] * x[j];
      x[i] = sum * row[i];
    }
  }
};

}  // namespace

bool DenseLU::factor() {
  return detail::with_small_size(
      n_, [&]<int N>() { return Rows<N>::factor(a_.data(), pivot_.data(), n_); });
}

void DenseLU::solve(double* x) const {
  detail::with_small_size(n_, [&]<int N>() { Rows<N>::solve(a_.data(), pivot_.data(), n_, x); });
}

void DenseLU::solve_transposed(double* x) const {
  for (int i = 0; i < n_; ++i) {
    const double* const row = a_.data() + at(i, 0);
    x[i] *= row[i];  // the factors hold 1/U(i, i)
    for (int j = i + 1; j < n_; ++j) x[j] -= row[j] * x[i];
  }
  for (int i = n_ - 1; i > 0; --i) {
    const double* const row = a_.data() + at(i, 0);
    for (int j = 0; j < i; ++j) x[j] -= row[j] * x[i];
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const int best = pivot_[static_cast<std::size_t>(k)];
    if (best != k) std::swap(x[k], x[best]);
  }
}

}  // namespace varia
