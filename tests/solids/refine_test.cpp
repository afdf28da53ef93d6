// SPDX-License-Identifier: BSD-3-Clause
// Uniform refinement: same body, same boundaries, smaller elements that do not degenerate.
#include "varia/solids/refine.hpp"

#include <gtest/gtest.h>

#include "refusal.hpp"
#include "solids/mesh_laws.hpp"
#include "varia/solids/generate.hpp"

namespace varia::solids::refine_test {
namespace {

TEST(Refine, ChildrenFillTheirParent) {
  for (const Mesh& mesh : {slab(2, 1, 0), l_beam(), blade(BladeShape{}, 1)}) {
    const Mesh fine = refine(mesh);
    const long children = mesh.dimension() == 2 ? 4 : 8;
    ASSERT_EQ(fine.element_count(), children * mesh.element_count());
    expect_solid(fine, total_volume(mesh));
    for (long k = 0; k < mesh.element_count(); ++k)
      for (long c = 0; c < children; ++c)  // all of the same volume
        EXPECT_NEAR(volume(fine, k * children + c), volume(mesh, k) / static_cast<double>(children),
                    1e-12 * volume(mesh, k));
    for (long a = 0; a < mesh.node_count(); ++a)
      for (int d = 0; d < mesh.dimension(); ++d) ASSERT_EQ(fine.node(a)[d], mesh.node(a)[d]);
    ASSERT_EQ(fine.boundaries.size(), mesh.boundaries.size());
    for (std::size_t i = 0; i < fine.boundaries.size(); ++i) {
      EXPECT_EQ(fine.boundaries[i].name, mesh.boundaries[i].name);
      EXPECT_NEAR(face_measure(fine, fine.boundaries[i]), face_measure(mesh, mesh.boundaries[i]),
                  1e-12);
      EXPECT_EQ(fine.boundaries[i].faces.size(),
                mesh.boundaries[i].faces.size() * static_cast<std::size_t>(children) / 2);
    }
  }
}

TEST(Refine, BoundariesStillCover) {
  expect_covered(refine(block({2, 1}, {3, 2}, 3), 2));
  expect_covered(refine(block({2, 1, 1}, {2, 1, 2}, 3), 2));
  expect_covered(refine(block({2, 1, 1}, {2, 1, 2}, 3, 2), 1));
}

TEST(Refine, OuterFacesKeepTheirSense) {
  const Mesh mesh = refine(block({1, 1, 1}, {1, 1, 1}));
  const Boundary& top = boundary(mesh, "top");
  for (std::size_t i = 0; i < top.faces.size(); i += 3)
    EXPECT_GT(area_vector(mesh, top.faces.data() + i)[1], 0);
  const Mesh plane = refine(block({1, 1}, {2, 1}));
  const Boundary& right = boundary(plane, "right");
  for (std::size_t i = 0; i < right.faces.size(); i += 2)
    EXPECT_GT(area_vector(plane, right.faces.data() + i)[0], 0);
}

TEST(Refine, TrianglesStaySimilar) {
  const Mesh mesh = slab(2, 1, 0);
  const Mesh fine = refine(mesh, 3);
  const std::vector<double> coarse = inradii(mesh);
  const std::vector<double> small = inradii(fine);
  for (std::size_t k = 0; k < small.size(); ++k) EXPECT_NEAR(small[k], coarse[k / 64] / 8, 1e-14);
}

TEST(Refine, TetrahedraDoNotDegenerate) {
  Mesh mesh = l_beam();
  const double start = quality(mesh).roundness.smallest;
  mesh = refine(mesh, 2);
  EXPECT_GT(quality(mesh).roundness.smallest, start / 2);
  // A regular one: children at the corners are regular, the inner four never get flatter.
  Mesh regular;
  regular.shape = Shape::tet4;
  regular.X = {0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1};
  regular.elements = {0, 1, 2, 3};
  const double once = quality(refine(regular, 1)).roundness.smallest;
  EXPECT_NEAR(quality(refine(regular, 1)).roundness.largest, 1, 1e-14);
  EXPECT_GT(quality(refine(regular, 5)).roundness.smallest, 0.9 * once);
}

TEST(Refine, TakesTheShortestDiagonal) {
  // Corners on a long thin box: the three inner diagonals differ much.
  Mesh mesh;
  mesh.shape = Shape::tet4;
  for (const auto& X : {Vec{0, 0, 0}, Vec{1, 0, 0}, Vec{0, 10, 0}, Vec{0, 0, 3}})
    mesh.X.insert(mesh.X.end(), X.begin(), X.end());
  for (std::array<int, 4> corner : {std::array<int, 4>{0, 1, 2, 3}, {1, 2, 0, 3}, {2, 0, 1, 3}}) {
    mesh.elements.assign(corner.begin(), corner.end());
    const Mesh fine = refine(mesh);
    const auto edge = [&](long k, int i, int j) {
      return length(minus(at(fine, fine.element(k)[i]), at(fine, fine.element(k)[j])));
    };
    std::vector<double> diagonals;
    for (const auto& [i, j] : {std::pair{0, 5}, {1, 3}, {2, 4}}) {
      const Mesh high = elevate(mesh);
      const int* n = high.element(0);
      diagonals.push_back(length(minus(at(high, n[4 + i]), at(high, n[4 + j]))));
    }
    const double shortest = *std::min_element(diagonals.begin(), diagonals.end());
    for (long k = 4; k < 8; ++k) EXPECT_NEAR(edge(k, 0, 1), shortest, 1e-12);
  }
}

TEST(Refine, KeepsRegionsAndOrder) {
  const Mesh coarse = slivers({1, 1}, {4, 4}, 3, 0.1, 2);
  const Mesh fine = refine(coarse, 2);
  EXPECT_EQ(fine.shape, Shape::t6);
  expect_solid(fine, 1);
  EXPECT_EQ(fine.region_names, coarse.region_names);
  for (long k = 0; k < fine.element_count(); ++k)
    ASSERT_EQ(fine.region[static_cast<std::size_t>(k)],
              coarse.region[static_cast<std::size_t>(k / 16)]);
  const Mesh again = elevate(refine(lower(coarse), 2));
  EXPECT_EQ(fine.X, again.X);
  EXPECT_EQ(fine.elements, again.elements);
  EXPECT_EQ(refine(coarse, 0).elements, coarse.elements);
}

TEST(Refine, KeepsSetsOfNodes) {
  Mesh mesh = block({1, 1}, {2, 2});
  mesh.boundaries.push_back({"point", {}, {3}});
  const Mesh fine = refine(mesh);
  EXPECT_EQ(boundary(fine, "point").nodes, (std::vector<int>{3}));
}

TEST(Refine, Refuses) {
  Mesh curved = block({1, 1}, {2, 2}, 1, 2);
  curved.X[static_cast<std::size_t>(2 * curved.element(3)[3])] += 0.01;
  expect_words(refusal<MeshError>([&] { refine(curved); }), {"curved", "straight"});
  expect_words(refusal([] { refine(block({1, 1}, {1, 1}), -1); }), {"-1"});
  expect_words(refusal<MeshError>([] {
                 refine(block({1, 1}, {1, 1}), 16);
               }),
               {"8589934592", "possible"});
}

}  // namespace
}  // namespace varia::solids::refine_test
