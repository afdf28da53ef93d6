// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LU decomposition with row pivoting of a band matrix: O(n (l + u)²) instead of O(n³).
//
// Column j keeps the entries of rows j-u-l..j+l: row exchanges fill at most l further diagonals.
#include <cstddef>
#include <vector>

namespace varia {

class BandLU {
 public:
  /// l diagonals below, u above the main one.
  void resize(int n, int l, int u);
  int size() const { return n_; }
  int lower() const { return l_; }
  double& operator()(int i, int j) { return a_[slot(i, j)]; }
  /// Where entry (i, j), |i - j| within the band, stands in data().
  std::size_t slot(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(height_) +
           static_cast<std::size_t>(l_ + u_ + i - j);
  }
  double* data() { return a_.data(); }
  void set_zero() { a_.assign(a_.size(), 0.0); }

  /// Replaces A by its factors; false when a pivot is zero or not finite.
  bool factor();
  /// x ← A⁻¹ x with the factors.
  void solve(double* x) const;
  /// x ← A⁻ᵀ x
  void solve_transposed(double* x) const;

 private:
  int n_ = 0, l_ = 0, u_ = 0, height_ = 0;
  std::vector<double> a_;
  std::vector<int> pivot_;
};

}  // namespace varia
