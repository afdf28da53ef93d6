// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The turns of a loop over one index or two, and what a turn reads.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace varia::expr {

/// i = first … last; with an inner index also j = from + from_step i … to + to_step i, never empty.
struct IndexSet {
  long first = 0, last = 0;
  bool inner = false;
  long from = 0, from_step = 0, to = 0, to_step = 0;

  long inner_first(long i) const { return inner ? from + from_step * i : 0; }
  long inner_last(long i) const { return inner ? to + to_step * i : 0; }
  long turns() const {
    const long outer = std::max(0L, last - first + 1);
    if (!inner) return outer;
    return (inner_last(first) - inner_first(first) + inner_last(last) - inner_first(last) + 2) *
           outer / 2;
  }
};

/// start + by_outer i + by_inner j
struct LoopPlace {
  long start = 0, by_outer = 0, by_inner = 0;

  long at(long i, long j) const { return start + by_outer * i + by_inner * j; }
  bool operator==(const LoopPlace&) const = default;
};

/// The least and the greatest place of all turns.
inline std::pair<long, long> range_of(const IndexSet& set, const LoopPlace& place) {
  std::pair<long, long> range{place.at(set.first, set.inner_first(set.first)),
                              place.at(set.first, set.inner_first(set.first))};
  for (const long i : {set.first, set.last})
    for (const long j : {set.inner_first(i), set.inner_last(i)}) {
      range.first = std::min(range.first, place.at(i, j));
      range.second = std::max(range.second, place.at(i, j));
    }
  return range;
}

/// What a variable of a body is in a turn: an input, a number of a list, or an index.
struct LoopSlot {
  enum class Kind { input, number, outer, inner };
  Kind kind = Kind::input;
  LoopPlace place = {};
  std::shared_ptr<const std::vector<double>> numbers = nullptr;
};

}  // namespace varia::expr
