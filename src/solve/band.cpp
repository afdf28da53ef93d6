// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solve/band.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rows.hpp"

namespace varia {

void BandLU::resize(int n, int l, int u) {
  n_ = n;
  l_ = l;
  u_ = u;
  height_ = 2 * l + u + 1;
  a_.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(height_), 0.0);
  pivot_.assign(static_cast<std::size_t>(n), 0);
}

bool BandLU::factor() {
  const auto stride =
      static_cast<std::ptrdiff_t>(height_) - 1;  // one column to the right, same row
  for (int k = 0; k < n_; ++k) {
    double* const diagonal = &a_[slot(k, k)];
    const int below = std::min(l_, n_ - 1 - k);
    int best = 0;
    for (int i = 1; i <= below; ++i)
      if (std::abs(diagonal[i]) > std::abs(diagonal[best])) best = i;
    const double pivot = diagonal[best];
    if (pivot == 0.0 || !std::isfinite(pivot)) return false;
    pivot_[static_cast<std::size_t>(k)] = k + best;
    const int right = std::min(l_ + u_, n_ - 1 - k);
    if (best != 0)
      for (int j = 0; j <= right; ++j) std::swap(diagonal[j * stride], diagonal[best + j * stride]);
    const double inverse = 1.0 / pivot;
    for (int i = 1; i <= below; ++i) diagonal[i] *= inverse;
    for (int j = 1; j <= right; ++j) {
      double* const column = diagonal + j * stride;
      const double factor = column[0];
      if (factor == 0.0) continue;
      detail::subtract_multiple(factor, diagonal + 1, below, column + 1);
    }
  }
  return true;
}

void BandLU::solve(double* x) const {
  for (int k = 0; k < n_; ++k) {
    const int best = pivot_[static_cast<std::size_t>(k)];
    if (best != k) std::swap(x[k], x[best]);
    const double* const diagonal = &a_[slot(k, k)];
    const int below = std::min(l_, n_ - 1 - k);
    for (int i = 1; i <= below; ++i) x[k + i] -= diagonal[i] * x[k];
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const double* const diagonal = &a_[slot(k, k)];
    x[k] /= diagonal[0];
    const int above = std::min(l_ + u_, k);
    for (int i = 1; i <= above; ++i) x[k - i] -= diagonal[-i] * x[k];
  }
}

void BandLU::solve_transposed(double* x) const {
  for (int k = 0; k < n_; ++k) {
    const double* const diagonal = &a_[slot(k, k)];
    const int above = std::min(l_ + u_, k);
    double sum = x[k];
    for (int i = 1; i <= above; ++i) sum -= diagonal[-i] * x[k - i];
    x[k] = sum / diagonal[0];
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const double* const diagonal = &a_[slot(k, k)];
    const int below = std::min(l_, n_ - 1 - k);
    for (int i = 1; i <= below; ++i) x[k] -= diagonal[i] * x[k + i];
    const int best = pivot_[static_cast<std::size_t>(k)];
    if (best != k) std::swap(x[k], x[best]);
  }
}

}  // namespace varia
