// SPDX-License-Identifier: BSD-3-Clause
#include "dense_sum.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/index.hpp"
#include "varia/core/unrolled.hpp"

namespace varia::detail {

void DenseSum::weigh(const StageCoefficients& k, const SplitArray& row_W, double h) {
  stages_ = k.unknowns;
  points_ = k.points;
  for (Terms* terms : {&all_, &unmixed_}) {
    terms->list.clear();  // keeps the room
    terms->ends.clear();
  }
  for (int j = 0; j < stages_; ++j)
    for (int l = 0; l < stages_; ++l) {
      for (int i = 0; i < k.points; ++i) {
        const double p = k.row_P.hi[sz(i * stages_ + j)];
        const double c = h * row_W.hi[sz(i * stages_ + j)];
        const double x = h * k.A.hi[sz(i * stages_ + l)];
        const double y = k.B.hi[sz(i * stages_ + l)];
        const double factors[] = {p * x, p * y, c * x, c * y};
        for (int block = 0; block < 4; ++block) {
          if (factors[block] == 0.0) continue;
          const Term term{(4 * i + block) * n_ * n_, factors[block]};
          all_.list.push_back(term);
          if (block == 1 || block == 2) unmixed_.list.push_back(term);
        }
      }
      for (Terms* terms : {&all_, &unmixed_})
        terms->ends.push_back(static_cast<int>(terms->list.size()));
    }
}

/// Whether the first or the last of the four blocks of a point is not zero.
template <int N> bool has_mixed(const double* blocks, int points) {
  double sizes[N * N] = {};
  for (int i = 0; i < points; ++i, blocks += 4 * N * N)
    unrolled<N * N>(
        [&](int e) { sizes[e] += std::abs(blocks[e]) + std::abs(blocks[3 * N * N + e]); });
  return std::any_of(sizes, sizes + N * N, [](double x) { return x != 0.0; });
}

template <int N> void DenseSum::sum(const double* blocks, double* jacobian) {
  mixed_ = may_mix_ && has_mixed<N>(blocks, points_);
  const Terms& terms = mixed_ ? all_ : unmixed_;
  const Term* term = terms.list.data();
  for (int j = 0; j < stages_; ++j)
    for (int l = 0; l < stages_; ++l) {
      const Term* const end = terms.list.data() + terms.ends[sz(j * stages_ + l)];
      double sum[N * N] = {};
      for (; term != end; ++term) {
        const double factor = term->factor;
        const double* const block = blocks + term->first;
        unrolled<N * N>([&](int e) { sum[e] += factor * block[e]; });
      }
      double* const place = jacobian + (j * columns_ + l) * N;
      for (int a = 0; a < N; ++a)
        for (int b = 0; b < N; ++b) place[a * columns_ + b] = sum[a * N + b];
    }
}

template void DenseSum::sum<1>(const double*, double*);
template void DenseSum::sum<2>(const double*, double*);
template void DenseSum::sum<3>(const double*, double*);
template void DenseSum::sum<4>(const double*, double*);
template void DenseSum::sum<5>(const double*, double*);
template void DenseSum::sum<6>(const double*, double*);

}  // namespace varia::detail
