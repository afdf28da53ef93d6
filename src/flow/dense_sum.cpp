// SPDX-License-Identifier: BSD-3-Clause
#include "dense_sum.hpp"

#include "varia/core/index.hpp"
#include "varia/core/unrolled.hpp"

namespace varia::detail {

void DenseSum::weigh(const StageCoefficients& k, const SplitArray& row_W, double h) {
  stages_ = k.unknowns;
  terms_.clear();
  ends_.clear();
  for (int j = 0; j < stages_; ++j)
    for (int l = 0; l < stages_; ++l) {
      for (int i = 0; i < k.points; ++i) {
        const double p = k.row_P.hi[sz(i * stages_ + j)];
        const double c = h * row_W.hi[sz(i * stages_ + j)];
        const double x = h * k.A.hi[sz(i * stages_ + l)];
        const double y = k.B.hi[sz(i * stages_ + l)];
        int block = 4 * i;
        for (const double factor : {p * x, p * y, c * x, c * y}) {
          if (factor != 0.0) terms_.push_back({block * n_ * n_, factor});
          ++block;
        }
      }
      ends_.push_back(static_cast<int>(terms_.size()));
    }
}

template <int N> void DenseSum::sum(const double* blocks, double* jacobian) const {
  const int n = N > 0 ? N : n_;
  const Term* term = terms_.data();
  for (int j = 0; j < stages_; ++j)
    for (int l = 0; l < stages_; ++l) {
      const Term* const end = terms_.data() + ends_[sz(j * stages_ + l)];
      double sum[N > 0 ? N * N : most * most] = {};
      for (; term != end; ++term) {
        const double factor = term->factor;
        const double* const block = blocks + term->first;
        if constexpr (N > 0)
          unrolled<N * N>([&](int e) { sum[e] += factor * block[e]; });
        else
          for (int e = 0; e < n * n; ++e) sum[e] += factor * block[e];
      }
      double* const place = jacobian + (j * columns_ + l) * n;
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) place[a * columns_ + b] = sum[a * n + b];
    }
}

template void DenseSum::sum<0>(const double*, double*) const;
template void DenseSum::sum<1>(const double*, double*) const;
template void DenseSum::sum<2>(const double*, double*) const;
template void DenseSum::sum<3>(const double*, double*) const;
template void DenseSum::sum<6>(const double*, double*) const;

}  // namespace varia::detail
