// SPDX-License-Identifier: BSD-3-Clause
#include "stage_weights.hpp"

#include <algorithm>

#include "short_sums.hpp"

namespace varia::detail {

void StageWeights::add(std::size_t offset, const std::vector<double>& factors) {
  const auto nonzero = [](double x) { return x != 0.0; };
  const auto first = std::find_if(factors.begin(), factors.end(), nonzero);
  const auto last = std::find_if(factors.rbegin(), factors.rend(), nonzero).base();
  if (first == factors.end()) return;
  terms_.push_back(
      {offset, static_cast<int>(first - factors.begin()), static_cast<int>(last - first)});
  factors_.insert(factors_.end(), first, last);
}

namespace {

/// The sums over `count` points; count = 0: over `any` points.
template <int count>
void add_sums(const PatternBlock& block, const double* factor, const double* values,
              std::ptrdiff_t stride, int any, double* place) {
  const std::size_t* const slot = block.slot.data();
  const int* const value = block.value.data();
  for (std::size_t e = 0; e < block.slot.size(); ++e)
    place[slot[e]] += dot(factor, 1, values + value[e], stride, count > 0 ? count : any);
}

}  // namespace

void StageWeights::scatter(const PatternBlock& block, const double* values, std::ptrdiff_t stride,
                           double* jacobian) const {
  if (block.slot.empty()) return;
  const double* factor = factors_.data();
  for (const Term& term : terms_) {
    double* const place = jacobian + term.offset;
    const double* const at_first = values + term.first * stride;
    if (term.count == 1)
      add_sums<1>(block, factor, at_first, stride, 1, place);
    else
      add_sums<0>(block, factor, at_first, stride, term.count, place);
    factor += term.count;
  }
}

}  // namespace varia::detail
