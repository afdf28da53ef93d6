// SPDX-License-Identifier: BSD-3-Clause
#include "gmsh_nodes.hpp"

#include <algorithm>
#include <limits>

namespace varia::solids {
namespace {

[[noreturn]] void refuse(long tag) {
  throw MeshError("node " + std::to_string(tag) + " occurs twice");
}

}  // namespace

TagIndex::TagIndex(const std::vector<long>& tags) {
  if (tags.empty()) return;
  if (tags.size() >= static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw MeshError("the file has " + std::to_string(tags.size()) +
                    " nodes; 2147483646 are possible");
  const auto [low, high] = std::minmax_element(tags.begin(), tags.end());
  const auto range = static_cast<unsigned long>(*high) - static_cast<unsigned long>(*low);
  const auto count = static_cast<int>(tags.size());
  if (range / 4 <= tags.size()) {
    first_ = *low;
    dense_.assign(range + 1, -1);
    for (int i = 0; i < count; ++i) {
      int& place = dense_[static_cast<std::size_t>(tags[static_cast<std::size_t>(i)] - first_)];
      if (place >= 0) refuse(tags[static_cast<std::size_t>(i)]);
      place = i;
    }
    return;
  }
  sorted_.reserve(tags.size());
  for (int i = 0; i < count; ++i) sorted_.emplace_back(tags[static_cast<std::size_t>(i)], i);
  std::sort(sorted_.begin(), sorted_.end());
  for (std::size_t i = 1; i < sorted_.size(); ++i)
    if (sorted_[i].first == sorted_[i - 1].first) refuse(sorted_[i].first);
}

long TagIndex::find(long tag) const {
  if (!dense_.empty()) {
    const auto offset = static_cast<unsigned long>(tag) - static_cast<unsigned long>(first_);
    return offset < dense_.size() ? dense_[offset] : -1;
  }
  const auto place = std::lower_bound(
      sorted_.begin(), sorted_.end(), tag,
      [](const std::pair<long, int>& entry, long wanted) { return entry.first < wanted; });
  return place != sorted_.end() && place->first == tag ? place->second : -1;
}

}  // namespace varia::solids
