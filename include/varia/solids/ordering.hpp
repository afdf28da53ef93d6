// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An order of elements and nodes in which neighbours in space are neighbours in memory.
#include <array>
#include <cstdint>
#include <vector>

#include "varia/solids/mesh.hpp"

namespace varia::solids {

/// New position -> old number, for elements and nodes.
struct Order {
  std::vector<int> elements;
  std::vector<int> nodes;
};

/// Elements along the Hilbert curve through their centroids, nodes by their first use.
/// Same mesh, same order: ties keep the old order.
Order spatial_order(const Mesh& mesh);

/// The same elements, nodes, regions and boundaries under new numbers. The numbers of the file go
/// along. InvalidArgument if the order is not two permutations.
Mesh reorder(const Mesh& mesh, const Order& order);

/// The place of a cell of the grid 2^bits x 2^bits (x 2^bits) on the Hilbert curve; cells with
/// consecutive places share a side. dimension 2 or 3, dimension * bits <= 63.
std::uint64_t hilbert(std::array<std::uint32_t, 3> cell, int dimension, int bits);

}  // namespace varia::solids
