// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/shape.hpp"

#include <algorithm>

#include "varia/core/counted.hpp"

namespace varia::expr {

std::size_t entries_of(const Shape& shape) {
  std::size_t count = 1;
  for (const Extent& extent : shape) count *= static_cast<std::size_t>(extent.count);
  return count;
}

bool same_counts(const Shape& a, const Shape& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Extent& x, const Extent& y) { return x.count == y.count; });
}

std::string shape_text(const Shape& shape) {
  if (shape.empty()) return "a number";
  if (shape.size() == 1) return "a vector of length " + std::to_string(shape[0].count);
  if (shape.size() == 2)
    return "a matrix with " + counted(shape[0].count, "row") + " and " +
           counted(shape[1].count, "column");
  return "an array of " + std::to_string(shape[0].count) + " matrices";
}

std::string index_text(const Shape& shape, std::size_t k) {
  std::string text;
  for (std::size_t d = shape.size(); d-- > 0;) {
    const auto count = static_cast<std::size_t>(shape[d].count);
    const auto index = static_cast<std::size_t>(shape[d].first) + k % count;
    text.insert(0, "[" + std::to_string(index) + "]");
    k /= count;
  }
  return text;
}

}  // namespace varia::expr
