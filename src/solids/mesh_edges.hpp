// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The edges between the corners of a mesh, numbered from 0 by smaller corner, then by larger.
#include <vector>

#include "varia/solids/mesh.hpp"

namespace varia::solids {

class EdgeTable {
 public:
  explicit EdgeTable(const Mesh& mesh);

  long count() const { return static_cast<long>(larger_.size()); }

  /// The number of the edge between nodes a and b; MeshError if no element has it.
  long find(int a, int b) const;

  /// Calls use(a, b, number) for every edge, a < b.
  template <class Use> void for_each(const Use& use) const {
    for (std::size_t a = 0; a + 1 < begin_.size(); ++a)
      for (std::size_t i = begin_[a]; i < begin_[a + 1]; ++i)
        use(static_cast<int>(a), larger_[i], static_cast<long>(i));
  }

 private:
  std::vector<std::size_t> begin_;  // of the edges whose smaller corner is a
  std::vector<int> larger_;
};

}  // namespace varia::solids
