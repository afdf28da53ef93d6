// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solids/ordering.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace varia::solids {
namespace {

constexpr int bits_per_axis = 20;

using Cell = std::array<std::uint32_t, 3>;

// The cube around the mesh: one scale for all axes, so that cells of the curve are cubes.
struct Grid {
  std::array<double, 3> origin{};
  double scale = 0;

  explicit Grid(const Mesh& mesh) {
    const std::vector<double> box = bounding_box(mesh);
    double extent = 0;
    for (std::size_t d = 0; 2 * d < box.size(); ++d) {
      origin[d] = box[2 * d];
      extent = std::max(extent, box[2 * d + 1] - box[2 * d]);
    }
    if (extent > 0 && std::isfinite(extent)) scale = ((1 << bits_per_axis) - 1) / extent;
  }
};

Cell cell_of(const Mesh& mesh, long k, const Grid& grid) {
  const ShapeInfo& s = info(mesh.shape);
  Cell cell{};
  for (int d = 0; d < s.dimension; ++d) {
    const auto axis = static_cast<std::size_t>(d);
    double sum = 0;
    for (int i = 0; i < s.corners; ++i) sum += mesh.node(mesh.element(k)[i])[d] - grid.origin[axis];
    const double place = sum / s.corners * grid.scale;
    cell[axis] = static_cast<std::uint32_t>(
        std::clamp(place, 0.0, static_cast<double>((1 << bits_per_axis) - 1)));
  }
  return cell;
}

bool is_permutation_of(const std::vector<int>& order, long count) {
  if (static_cast<long>(order.size()) != count) return false;
  std::vector<bool> seen(order.size(), false);
  for (const int i : order) {
    if (i < 0 || i >= count || seen[static_cast<std::size_t>(i)]) return false;
    seen[static_cast<std::size_t>(i)] = true;
  }
  return true;
}

template <class T>
std::vector<T> permuted(const std::vector<T>& old, const std::vector<int>& order) {
  std::vector<T> result;
  if (old.empty()) return result;  // optional lists
  result.reserve(order.size());
  for (const int i : order) result.push_back(old[static_cast<std::size_t>(i)]);
  return result;
}

}  // namespace

// Skilling's form of the curve: from the largest square (cube) down, undo the reflection and the
// exchange of axes that the curve has inside each; what remains is a Gray code, bit by bit.
std::uint64_t hilbert(Cell x, int dimension, int bits) {
  const auto n = static_cast<std::size_t>(dimension);
  for (std::uint32_t q = 1U << (bits - 1); q > 1; q >>= 1) {
    const std::uint32_t below = q - 1;
    for (std::size_t i = 0; i < n; ++i) {
      if ((x[i] & q) != 0) {
        x[0] ^= below;
      } else {
        const std::uint32_t t = (x[0] ^ x[i]) & below;
        x[0] ^= t;
        x[i] ^= t;
      }
    }
  }
  for (std::size_t i = 1; i < n; ++i) x[i] ^= x[i - 1];
  std::uint32_t flips = 0;
  for (std::uint32_t q = 1U << (bits - 1); q > 1; q >>= 1)
    if ((x[n - 1] & q) != 0) flips ^= q - 1;
  std::uint64_t place = 0;
  for (int b = bits - 1; b >= 0; --b)
    for (std::size_t i = 0; i < n; ++i) place = (place << 1) | (((x[i] ^ flips) >> b) & 1U);
  return place;
}

Order spatial_order(const Mesh& mesh) {
  const Grid grid(mesh);
  const long count = mesh.element_count();
  std::vector<std::pair<std::uint64_t, int>> keys;
  keys.reserve(static_cast<std::size_t>(count));
  for (long k = 0; k < count; ++k)
    keys.emplace_back(hilbert(cell_of(mesh, k, grid), mesh.dimension(), bits_per_axis),
                      static_cast<int>(k));
  std::sort(keys.begin(), keys.end());

  Order order;
  order.elements.reserve(keys.size());
  order.nodes.reserve(static_cast<std::size_t>(mesh.node_count()));
  std::vector<bool> seen(static_cast<std::size_t>(mesh.node_count()), false);
  const auto take = [&](int a) {
    if (seen[static_cast<std::size_t>(a)]) return;
    seen[static_cast<std::size_t>(a)] = true;
    order.nodes.push_back(a);
  };
  for (const auto& key : keys) {
    order.elements.push_back(key.second);
    for (int i = 0; i < mesh.nodes_per_element(); ++i) take(mesh.element(key.second)[i]);
  }
  for (int a = 0; a < mesh.node_count(); ++a) take(a);  // nodes of no element come last
  return order;
}

Mesh reorder(const Mesh& mesh, const Order& order) {
  if (!is_permutation_of(order.elements, mesh.element_count()) ||
      !is_permutation_of(order.nodes, mesh.node_count()))
    throw InvalidArgument("an order of a mesh must name each of its " +
                          std::to_string(mesh.element_count()) + " elements and " +
                          std::to_string(mesh.node_count()) + " nodes once");
  std::vector<int> place(order.nodes.size());
  for (std::size_t i = 0; i < order.nodes.size(); ++i)
    place[static_cast<std::size_t>(order.nodes[i])] = static_cast<int>(i);
  const auto moved = [&](int a) { return place[static_cast<std::size_t>(a)]; };

  Mesh result;
  result.shape = mesh.shape;
  result.X.reserve(mesh.X.size());
  for (const int a : order.nodes)
    result.X.insert(result.X.end(), mesh.node(a), mesh.node(a) + mesh.dimension());
  result.elements.reserve(mesh.elements.size());
  for (const int k : order.elements)
    for (int i = 0; i < mesh.nodes_per_element(); ++i)
      result.elements.push_back(moved(mesh.element(k)[i]));
  result.region = permuted(mesh.region, order.elements);
  result.region_names = mesh.region_names;
  result.element_tag = permuted(mesh.element_tag, order.elements);
  result.node_tag = permuted(mesh.node_tag, order.nodes);
  result.boundaries = mesh.boundaries;
  for (Boundary& b : result.boundaries) {
    std::transform(b.faces.begin(), b.faces.end(), b.faces.begin(), moved);
    std::transform(b.nodes.begin(), b.nodes.end(), b.nodes.begin(), moved);
    std::sort(b.nodes.begin(), b.nodes.end());
  }
  return result;
}

}  // namespace varia::solids
