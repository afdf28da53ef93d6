// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sums over the points of a step that its equations and its end have in common; N is the number of degrees
// of freedom where it is known to the compiler, else 0.
#include "short_sums.hpp"
#include "stages.hpp"

namespace varia::detail {

/// work<n>() where all degrees of freedom meet and are few, else work<0>().
template <class F> void Stages::with_size(const F& work) {
  with_small_size(dense_ != nullptr ? n : 0, work);
}

/// h Σⱼ aⱼxⱼ of so many vectors. h multiplies the sum: h times a coefficient would be rounded alike in
/// every step, and the energy would drift; so it would without the low parts of the coefficients
/// [HMR08].
template <int N>
void Stages::weighted_sum(const SplitArray& a, std::size_t first, const double* x, int count,
                          SplitVector& sum) const {
  const double* const a_hi = &a.hi[first];
  const double* const a_lo = &a.lo[first];
  if constexpr (N > 0) {
    const SplitSum<N> total = SplitSum<N>::of(a_hi, a_lo, 1, x, count);
    for (int b = 0; b < N; ++b) {
      sum.hi[sz(b)] = total.hi[b] * h_;
      sum.lo[sz(b)] = total.lo[b] * h_;
    }
  } else {
    scaled_sum_of(h_, a_hi, 1, x, n, count, n, sum.hi.data());
    if (!keep_low_) scaled_sum_of(h_, a_lo, 1, x, n, count, n, sum.lo.data());
  }
}

/// h Σⱼ aⱼuⱼ
template <int N> void Stages::combine(const SplitArray& a, int row, SplitVector& sum) const {
  weighted_sum<N>(a, at(row, 0), newton.x.data(), r, sum);
}

/// h Σᵢ bᵢ Ad*Nⁱ, with the reaction λ₀.
template <int N> void Stages::sum_impulse() {
  const double* const moved = curved_.empty() ? W_.data() : moved_.data();
  weighted_sum<N>(k.b, 0, moved, m, impulse_);
  if (reactions_at_ends() > 0) add_start_reaction(weight0_, impulse_.lo.data());
}

}  // namespace varia::detail
