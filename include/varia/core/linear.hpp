// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Small dense linear systems A X = B by elimination with row pivoting, of static or dynamic size.
#include <cmath>
#include <utility>

#include "varia/core/types.hpp"

namespace varia {

/// A factored once, solved many times. A singular matrix gives non-finite solutions.
template <int N> class LinearSolver {
 public:
  explicit LinearSolver(Matrix<double, N> a) : lu_(std::move(a)), row_(lu_.rows()) {
    const Eigen::Index n = lu_.rows();
    for (Eigen::Index k = 0; k < n; ++k) {
      Eigen::Index best = k;
      for (Eigen::Index i = k + 1; i < n; ++i)
        if (std::abs(lu_(i, k)) > std::abs(lu_(best, k))) best = i;
      row_[k] = static_cast<int>(best);
      if (best != k)
        for (Eigen::Index j = 0; j < n; ++j) std::swap(lu_(k, j), lu_(best, j));
      for (Eigen::Index i = k + 1; i < n; ++i) {
        lu_(i, k) /= lu_(k, k);
        for (Eigen::Index j = k + 1; j < n; ++j) lu_(i, j) -= lu_(i, k) * lu_(k, j);
      }
    }
  }

  /// A⁻¹ b for one or several columns.
  template <class B>
  Matrix<double, N, B::ColsAtCompileTime> solve(const Eigen::MatrixBase<B>& b) const {
    Matrix<double, N, B::ColsAtCompileTime> x = b;
    const Eigen::Index n = lu_.rows();
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
      for (Eigen::Index k = 0; k < n; ++k)
        if (N != 1 && row_[k] != k) std::swap(x(k, c), x(row_[k], c));
      for (Eigen::Index i = 1; i < n; ++i)
        for (Eigen::Index j = 0; j < i; ++j) x(i, c) -= lu_(i, j) * x(j, c);
      for (Eigen::Index i = n - 1; i >= 0; --i) {
        for (Eigen::Index j = i + 1; j < n; ++j) x(i, c) -= lu_(i, j) * x(j, c);
        x(i, c) /= lu_(i, i);
      }
    }
    return x;
  }

 private:
  Matrix<double, N> lu_;
  Vector<int, N> row_;
};

}  // namespace varia
