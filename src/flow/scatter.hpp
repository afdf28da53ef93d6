// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where the values of a pattern go in a matrix, and which unknowns meet.
#include <vector>

#include "varia/flow/stage_flow.hpp"

namespace varia::detail {

/// Values of a pattern and where they go in the blocks (j, k) of a matrix of stage unknowns.
struct PatternBlock {
  std::vector<int> value;
  std::vector<std::size_t> slot;
  std::vector<int> row, column;  ///< of a block

  void add(double* a, double factor, const double* values) const {
    const std::size_t count = slot.size();
    for (std::size_t e = 0; e < count; ++e)
      a[slot[e]] += factor * values[static_cast<std::size_t>(value[e])];
  }
};

/// Both triangles of a symmetric pattern, for rows and columns in given ranges.
inline std::vector<Scatter> both_triangles(const Pattern& lower, int row0, int column0, int n) {
  std::vector<Scatter> result;
  const auto take = [&](int value, int row, int column) {
    if (row >= row0 && row < row0 + n && column >= column0 && column < column0 + n)
      result.push_back({value, row - row0, column - column0});
  };
  for (int e = 0; e < lower.size(); ++e) {
    const int i = lower.row[static_cast<std::size_t>(e)];
    const int j = lower.column[static_cast<std::size_t>(e)];
    take(e, i, j);
    if (i != j) take(e, j, i);
  }
  return result;
}

/// Its columns in a range.
inline std::vector<Scatter> columns_of(const Pattern& pattern, int column0, int n) {
  std::vector<Scatter> result;
  for (int e = 0; e < pattern.size(); ++e) {
    const int j = pattern.column[static_cast<std::size_t>(e)] - column0;
    if (j >= 0 && j < n) result.push_back({e, pattern.row[static_cast<std::size_t>(e)], j});
  }
  return result;
}

inline void meet(const std::vector<Scatter>& places, Couplings& c) {
  for (const Scatter& s : places) c.meeting.emplace_back(s.row, s.column);
}

}  // namespace varia::detail
