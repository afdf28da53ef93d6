// SPDX-License-Identifier: BSD-3-Clause
// The picture of a mesh: complete, each line once, seen from outside.
#include "varia/io/drawing.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "varia/solids/generate.hpp"

namespace varia::io::drawing_test {
namespace {

using solids::Mesh;
using Three = std::array<double, 3>;

Three place(const Mesh& mesh, const Drawing& drawing, int node) {
  Three x{};
  for (int c = 0; c < mesh.dimension(); ++c) x[c] = mesh.node(drawing.nodes[node])[c];
  return x;
}

/// Of all triangles in the plane.
double area(const Mesh& mesh, const Drawing& d) {
  double sum = 0.0;
  for (std::size_t i = 0; i < d.triangles.size(); i += 3) {
    const Three a = place(mesh, d, d.triangles[i]), b = place(mesh, d, d.triangles[i + 1]),
                c = place(mesh, d, d.triangles[i + 2]);
    sum += 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
  }
  return sum;
}

/// Enclosed by the triangles: Σ a·(b × c)/6.
double volume(const Mesh& mesh, const Drawing& d) {
  double sum = 0.0;
  for (std::size_t i = 0; i < d.triangles.size(); i += 3) {
    const Three a = place(mesh, d, d.triangles[i]), b = place(mesh, d, d.triangles[i + 1]),
                c = place(mesh, d, d.triangles[i + 2]);
    sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
            a[2] * (b[0] * c[1] - b[1] * c[0])) /
           6.0;
  }
  return sum;
}

/// Every side of a triangle as a line, and how many triangles have it.
std::map<std::set<int>, int> sides(const Drawing& d) {
  std::map<std::set<int>, int> count;
  for (std::size_t i = 0; i < d.triangles.size(); i += 3)
    for (std::size_t j = 0; j < 3; ++j) ++count[{d.triangles[i + j], d.triangles[i + (j + 1) % 3]}];
  return count;
}

void expect_lines(const Drawing& d, bool all_sides) {
  std::set<std::set<int>> lines;
  for (std::size_t i = 0; i < d.edges.size(); i += 2)
    EXPECT_TRUE(lines.insert({d.edges[i], d.edges[i + 1]}).second) << "twice";
  const auto count = sides(d);
  for (const auto& line : lines) EXPECT_TRUE(count.count(line)) << "not a side";
  if (all_sides) {
    EXPECT_EQ(lines.size(), count.size());
  }
}

TEST(Drawing, CoversThePlane) {
  for (const int order : {1, 2}) {
    const Mesh mesh = solids::block({2, 1}, {4, 3}, 3, order);
    const Drawing d = draw(mesh, 100000);
    EXPECT_EQ(d.triangle_count(), 24U * (order == 1 ? 1 : 4));
    EXPECT_EQ(d.nodes.size(), static_cast<std::size_t>(mesh.node_count()));
    EXPECT_NEAR(area(mesh, d), 2.0, 1e-12);
    expect_lines(d, order == 1);
    EXPECT_TRUE(d.note.empty());
    for (const int k : d.element) EXPECT_LT(k, mesh.element_count());
  }
}

TEST(Drawing, IsTheClosedSurfaceInSpace) {
  for (const int order : {1, 2}) {
    const Mesh mesh = solids::block({2, 1, 1}, {3, 3, 3}, 2, order);
    const Drawing d = draw(mesh, 100000);
    EXPECT_EQ(d.triangle_count(), 6U * 9 * 2 * (order == 1 ? 1 : 4));
    EXPECT_LT(d.nodes.size(), static_cast<std::size_t>(mesh.node_count()));
    EXPECT_NEAR(volume(mesh, d), 2.0, 1e-12);
    for (const auto& [side, count] : sides(d)) EXPECT_EQ(count, 2);
    expect_lines(d, order == 1);
  }
}

TEST(Drawing, OfAFineMeshIsCoarser) {
  const Mesh plane = solids::block({2, 1}, {60, 60});
  const Drawing d = draw(plane, 1000);
  EXPECT_LE(d.triangle_count(), 1000U);
  EXPECT_GE(d.triangle_count(), 200U);
  EXPECT_NEAR(area(plane, d), 2.0, 0.2);
  expect_lines(d, true);
  EXPECT_NE(d.note.find("7200"), std::string::npos) << d.note;
  const Mesh space = solids::block({1, 1, 1}, {12, 12, 12});
  const Drawing s = draw(space, 500);
  EXPECT_LE(s.triangle_count(), 500U);
  EXPECT_NEAR(volume(space, s), 1.0, 0.3);
}

}  // namespace
}  // namespace varia::io::drawing_test
