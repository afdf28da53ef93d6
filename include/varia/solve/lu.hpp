// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LU decomposition with row pivoting, in place, for the small dense systems of one step.
//
// No allocation after the first use with a given size.
#include <cstddef>
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
  bool factor();

  /// x ← A⁻¹ x with the factors.
  void solve(double* x) const;
  /// x ← A⁻ᵀ x
  void solve_transposed(double* x) const;

 private:
  std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(j);
  }

  int n_ = 0;
  std::vector<double> a_;
  std::vector<int> pivot_;
};

}  // namespace varia
