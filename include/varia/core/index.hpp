// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Indices: signed in the mathematics, unsigned in the standard containers.
#include <cstddef>
#include <vector>

namespace varia::detail {

constexpr std::size_t sz(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }

/// first, first + 1, …: so many indices.
inline std::vector<int> range(int first, int count) {
  std::vector<int> result;
  result.reserve(sz(count));
  for (int i = 0; i < count; ++i) result.push_back(first + i);
  return result;
}

}  // namespace varia::detail
