// SPDX-License-Identifier: BSD-3-Clause
// The curve that orders elements, and that a new order changes nothing but numbers.
#include "varia/solids/ordering.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "refusal.hpp"
#include "solids/mesh_laws.hpp"
#include "varia/solids/generate.hpp"

namespace varia::solids::ordering_test {
namespace {

// All cells of the grid in the order of the curve.
std::vector<std::array<std::uint32_t, 3>> walk(int dimension, int bits) {
  const std::uint32_t n = 1U << bits;
  std::vector<std::array<std::uint32_t, 3>> cells(std::size_t{1} << (dimension * bits), {n, n, n});
  for (std::uint32_t z = 0; z < (dimension == 3 ? n : 1); ++z)
    for (std::uint32_t y = 0; y < n; ++y)
      for (std::uint32_t x = 0; x < n; ++x) {
        const std::uint64_t place = hilbert({x, y, z}, dimension, bits);
        EXPECT_LT(place, cells.size());
        if (place < cells.size()) cells[place] = {x, y, z};
      }
  return cells;
}

TEST(Hilbert, VisitsEveryCellAndGoesToANeighbour) {
  for (const auto& [dimension, bits] : {std::pair{2, 1}, {2, 2}, {2, 5}, {3, 1}, {3, 2}, {3, 4}}) {
    const auto cells = walk(dimension, bits);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      ASSERT_LT(cells[i][0], 1U << bits) << "place " << i << " has no cell";
      if (i == 0) continue;
      int distance = 0;
      for (std::size_t d = 0; d < 3; ++d)
        distance += std::abs(static_cast<int>(cells[i][d]) - static_cast<int>(cells[i - 1][d]));
      ASSERT_EQ(distance, 1) << "dimension " << dimension << ", place " << i;
    }
  }
}

Mesh shuffled(const Mesh& mesh, unsigned seed) {
  std::mt19937 random(seed);
  Order order;
  order.elements.resize(static_cast<std::size_t>(mesh.element_count()));
  order.nodes.resize(static_cast<std::size_t>(mesh.node_count()));
  std::iota(order.elements.begin(), order.elements.end(), 0);
  std::iota(order.nodes.begin(), order.nodes.end(), 0);
  std::shuffle(order.elements.begin(), order.elements.end(), random);
  std::shuffle(order.nodes.begin(), order.nodes.end(), random);
  return reorder(mesh, order);
}

// Elements by the coordinates of their nodes, in local order, with region and number.
std::multiset<std::vector<double>> content(const Mesh& mesh) {
  std::multiset<std::vector<double>> result;
  for (long k = 0; k < mesh.element_count(); ++k) {
    std::vector<double> row;
    for (int i = 0; i < mesh.nodes_per_element(); ++i)
      for (int d = 0; d < mesh.dimension(); ++d) row.push_back(mesh.node(mesh.element(k)[i])[d]);
    const auto at = static_cast<std::size_t>(k);
    row.push_back(mesh.region.at(at));
    row.push_back(static_cast<double>(mesh.element_tag[at]));
    result.insert(row);
  }
  for (const Boundary& b : mesh.boundaries)
    for (std::size_t i = 0; i < b.faces.size(); i += info(mesh.shape).face_nodes) {
      std::vector<double> row(b.name.begin(), b.name.end());
      for (int j = 0; j < info(mesh.shape).face_nodes; ++j)
        row.push_back(mesh.node(b.faces[i + j])[0] + 3 * mesh.node(b.faces[i + j])[1]);
      result.insert(row);
    }
  return result;
}

/// With numbers, and with regions that alternate; every third element has none.
Mesh numbered(Mesh mesh) {
  mesh.region_names = {"first", "second"};
  mesh.region.clear();
  for (long k = 0; k < mesh.element_count(); ++k)
    mesh.region.push_back(static_cast<int>(k % 3) - 1);
  for (long k = 0; k < mesh.element_count(); ++k) mesh.element_tag.push_back(1000 + k);
  for (long a = 0; a < mesh.node_count(); ++a) mesh.node_tag.push_back(5000 + a);
  return mesh;
}

TEST(Ordering, KeepsTheMesh) {
  for (const Mesh& plain :
       {slab(2, 1, 1, 2), blade(BladeShape{}, 1), slivers({1, 1}, {6, 6}, 3, 0.1)}) {
    const Mesh whole = numbered(plain);
    const Mesh mesh = shuffled(whole, 5);
    EXPECT_EQ(content(mesh), content(whole));
    const Order order = spatial_order(mesh);
    std::vector<int> sorted = order.elements;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], static_cast<int>(i));
    const Mesh result = reorder(mesh, order);
    ASSERT_NO_THROW(validate(result));
    EXPECT_EQ(content(result), content(whole));
    EXPECT_EQ(result.region_names, whole.region_names);
    for (std::size_t i = 0; i < order.nodes.size(); ++i)
      ASSERT_EQ(result.node_tag[i], mesh.node_tag[static_cast<std::size_t>(order.nodes[i])]);
    int highest = -1;  // nodes by first use: never a gap
    for (const int a : result.elements) {
      ASSERT_LE(a, highest + 1);
      highest = std::max(highest, a);
    }
    EXPECT_EQ(reorder(result, spatial_order(result)).elements, result.elements);  // a fixed point
  }
}

// How far apart in memory elements are that share a face.
double mean_distance(const Mesh& mesh) {
  std::map<std::vector<int>, long> first;
  double sum = 0;
  double count = 0;
  for (long k = 0; k < mesh.element_count(); ++k)
    for (int f = 0; f < info(mesh.shape).faces; ++f) {
      std::vector<int> face = nodes_of(mesh, {static_cast<int>(k), f});
      std::sort(face.begin(), face.end());
      const auto [place, is_new] = first.try_emplace(face, k);
      if (is_new) continue;
      sum += static_cast<double>(k - place->second);
      ++count;
    }
  return sum / count;
}

TEST(Ordering, NeighboursComeClose) {
  const Mesh mesh = shuffled(block({1, 1}, {60, 60}), 7);
  const double random = mean_distance(mesh);
  const double ordered = mean_distance(reorder(mesh, spatial_order(mesh)));
  EXPECT_GT(random, 1000);  // a third of the number of elements
  EXPECT_LT(ordered, 100);
}

TEST(Ordering, RefusesWhatIsNoPermutation) {
  const Mesh mesh = block({1, 1}, {2, 1});
  const Order good = spatial_order(mesh);
  const auto text = [&](const auto& change) {
    Order order = good;
    change(order);
    return refusal([&] { reorder(mesh, order); });
  };
  expect_words(text([](Order& o) { o.elements.pop_back(); }), {"4 elements", "6 nodes", "once"});
  expect_words(text([](Order& o) { o.elements[0] = o.elements[1]; }), {"once"});
  expect_words(text([](Order& o) { o.nodes[0] = 6; }), {"once"});
  expect_words(text([](Order& o) { o.nodes[0] = -1; }), {"once"});
}

TEST(Ordering, OneElementAndEqualCentroids) {
  Mesh mesh;
  mesh.X = {0, 0, 1, 0, 0, 1};
  mesh.elements = {0, 1, 2, 1, 2, 0, 2, 0, 1};  // the same triangle three times: ties
  EXPECT_EQ(spatial_order(mesh).elements, (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace varia::solids::ordering_test
