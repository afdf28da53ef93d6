// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LU decomposition with row pivoting, in place, for the small dense systems of one step.
//
// No allocation after the first use with a given size.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace varia {

/// A square system A x = b whose storage is kept between steps.
class DenseLU {
 public:
  void resize(int n) {
    n_ = n;
    a_.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0);
    pivot_.assign(static_cast<std::size_t>(n), 0);
  }
  int size() const { return n_; }
  double& operator()(int i, int j) { return a_[at(i, j)]; }
  double operator()(int i, int j) const { return a_[at(i, j)]; }
  void set_zero() { a_.assign(a_.size(), 0.0); }
  /// Where entry (i, j) stands in data().
  std::size_t slot(int i, int j) const { return at(i, j); }
  double* data() { return a_.data(); }

  /// Replaces A by its factors; false when a pivot is zero or not finite. A matrix that is singular
  /// only to working precision gives huge solutions, which end Newton's method without convergence.
  bool factor() {
    for (int k = 0; k < n_; ++k) {
      int best = k;
      double largest = std::abs((*this)(k, k));
      for (int i = k + 1; i < n_; ++i)
        if (const double candidate = std::abs((*this)(i, k)); candidate > largest) {
          largest = candidate;
          best = i;
        }
      if (!(largest > 0.0) || !std::isfinite(largest)) return false;
      pivot_[static_cast<std::size_t>(k)] = best;
      double* const row_k = &a_[at(k, 0)];
      if (best != k) std::swap_ranges(row_k, row_k + n_, &a_[at(best, 0)]);
      const double inverse = 1.0 / row_k[k];
      row_k[k] = inverse;
      for (int i = k + 1; i < n_; ++i) {
        double* const row_i = &a_[at(i, 0)];
        const double factor = row_i[k] * inverse;
        row_i[k] = factor;
        for (int j = k + 1; j < n_; ++j) row_i[j] -= factor * row_k[j];
      }
    }
    return true;
  }

  /// x ← A⁻¹ x with the factors.
  void solve(double* x) const {
    for (int k = 0; k < n_; ++k) {
      const int best = pivot_[static_cast<std::size_t>(k)];
      if (best != k) std::swap(x[k], x[best]);
    }
    for (int i = 1; i < n_; ++i) {
      const double* const row = &a_[at(i, 0)];
      double sum = x[i];
      for (int j = 0; j < i; ++j) sum -= row[j] * x[j];
      x[i] = sum;
    }
    for (int i = n_ - 1; i >= 0; --i) {
      const double* const row = &a_[at(i, 0)];
      double sum = x[i];
      for (int j = n_ - 1; j > i; --j) sum -= row[j] * x[j];
      x[i] = sum * row[i];
    }
  }

 private:
  std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(j);
  }

  int n_ = 0;
  std::vector<double> a_;
  std::vector<int> pivot_;
};

}  // namespace varia
