// SPDX-License-Identifier: BSD-3-Clause
#include "mesh_edges.hpp"

#include <algorithm>
#include <utility>

namespace varia::solids {

EdgeTable::EdgeTable(const Mesh& mesh) {
  const int edges = info(mesh.shape).edges;
  const auto nodes = static_cast<std::size_t>(mesh.node_count());
  const auto visit = [&](const auto& use) {
    for (long k = 0; k < mesh.element_count(); ++k)
      for (int e = 0; e < edges; ++e) {
        const auto corner = edge_corners(mesh.shape, e);
        const int a = mesh.element(k)[corner[0]];
        const int b = mesh.element(k)[corner[1]];
        use(static_cast<std::size_t>(std::min(a, b)), std::max(a, b));
      }
  };
  std::vector<std::size_t> start(nodes + 1, 0);
  visit([&](std::size_t a, int) { ++start[a + 1]; });
  for (std::size_t a = 0; a < nodes; ++a) start[a + 1] += start[a];
  larger_.resize(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  visit([&](std::size_t a, int b) { larger_[next[a]++] = b; });
  begin_.assign(nodes + 1, 0);
  std::size_t kept = 0;
  for (std::size_t a = 0; a < nodes; ++a) {  // each edge once, closed up to the front
    begin_[a] = kept;
    const auto first = larger_.begin() + static_cast<long>(start[a]);
    const auto last = larger_.begin() + static_cast<long>(start[a + 1]);
    std::sort(first, last);
    const auto end = std::unique(first, last);
    kept = static_cast<std::size_t>(
        std::copy(first, end, larger_.begin() + static_cast<long>(kept)) - larger_.begin());
  }
  begin_[nodes] = kept;
  larger_.resize(kept);
}

long EdgeTable::find(int a, int b) const {
  if (a > b) std::swap(a, b);
  const auto row = static_cast<std::size_t>(a);
  const auto first = larger_.begin() + static_cast<long>(begin_[row]);
  const auto last = larger_.begin() + static_cast<long>(begin_[row + 1]);
  const auto place = std::lower_bound(first, last, b);
  if (place == last || *place != b)
    throw MeshError("a boundary has an edge between nodes " + std::to_string(a + 1) + " and " +
                    std::to_string(b + 1) + " that no element has");
  return place - larger_.begin();
}

}  // namespace varia::solids
