// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// From the numbers that a file gives its nodes to their places in the file.
#include <string>
#include <utility>
#include <vector>

#include "varia/solids/mesh.hpp"

namespace varia::solids {

class TagIndex {
 public:
  /// A tag that occurs twice is a MeshError.
  explicit TagIndex(const std::vector<long>& tags);

  /// The place of a tag in the list; -1 if it is not there.
  long find(long tag) const;

 private:
  long first_ = 0;
  std::vector<int> dense_;                    // by tag - first_, when tags leave few gaps
  std::vector<std::pair<long, int>> sorted_;  // otherwise
};

}  // namespace varia::solids
