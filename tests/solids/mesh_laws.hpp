// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What holds for every mesh, counted here with plain sets instead of the library's own tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "varia/solids/mesh.hpp"
#include "varia/solids/quality.hpp"

namespace varia::solids {

/// The unit simplex as a mesh of one element.
inline Mesh reference(Shape shape) {
  Mesh mesh;
  mesh.shape = info(shape).dimension == 2 ? Shape::t3 : Shape::tet4;
  if (mesh.dimension() == 2)
    mesh.X = {0, 0, 1, 0, 0, 1};
  else
    mesh.X = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int i = 0; i <= mesh.dimension(); ++i) mesh.elements.push_back(i);
  return info(shape).order == 2 ? elevate(mesh) : mesh;
}

using Vec = std::array<double, 3>;

inline Vec at(const Mesh& mesh, int a) {
  const double* X = mesh.node(a);
  return {X[0], X[1], mesh.dimension() == 3 ? X[2] : 0.0};
}

inline Vec minus(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

/// Outward area vector of a face given by its corners (2-D: length times normal).
inline Vec area_vector(const Mesh& mesh, const int* corner) {
  const Vec u = minus(at(mesh, corner[1]), at(mesh, corner[0]));
  if (mesh.dimension() == 2) return {u[1], -u[0], 0};
  const Vec v = minus(at(mesh, corner[2]), at(mesh, corner[0]));
  return {(u[1] * v[2] - u[2] * v[1]) / 2, (u[2] * v[0] - u[0] * v[2]) / 2,
          (u[0] * v[1] - u[1] * v[0]) / 2};
}

inline double length(const Vec& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

inline double face_measure(const Mesh& mesh, const Boundary& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.faces.size(); i += info(mesh.shape).face_nodes)
    sum += length(area_vector(mesh, b.faces.data() + i));
  return sum;
}

/// Corners of each face of each element, sorted -> number of elements.
inline std::map<std::vector<int>, int> face_counts(const Mesh& mesh) {
  std::map<std::vector<int>, int> counts;
  for (long k = 0; k < mesh.element_count(); ++k)
    for (int f = 0; f < info(mesh.shape).faces; ++f) {
      std::vector<int> corners;
      for (int i = 0; i < info(mesh.shape).face_corners; ++i)
        corners.push_back(mesh.element(k)[face_nodes(mesh.shape, f)[static_cast<std::size_t>(i)]]);
      std::sort(corners.begin(), corners.end());
      ++counts[corners];
    }
  return counts;
}

/// Vertices - edges + faces (- cells): 1 for a ball or a disc.
inline long euler_characteristic(const Mesh& mesh) {
  const ShapeInfo& s = info(mesh.shape);
  std::set<int> corners;
  std::set<std::pair<int, int>> edges;
  for (long k = 0; k < mesh.element_count(); ++k) {
    const int* n = mesh.element(k);
    for (int i = 0; i < s.corners; ++i) {
      corners.insert(n[i]);
      for (int j = 0; j < i; ++j) edges.insert(std::minmax(n[i], n[j]));
    }
  }
  const auto v = static_cast<long>(corners.size());
  const auto e = static_cast<long>(edges.size());
  if (s.dimension == 2) return v - e + mesh.element_count();
  return v - e + static_cast<long>(face_counts(mesh).size()) - mesh.element_count();
}

inline double total_volume(const Mesh& mesh) {
  double sum = 0;
  for (long k = 0; k < mesh.element_count(); ++k) sum += volume(mesh, k);
  return sum;
}

/// Valid, conforming, without holes or cracks, of that volume; the boundary is closed and its
/// faces point outwards (divergence theorem).
inline void expect_solid(const Mesh& mesh, double expected_volume) {
  ASSERT_NO_THROW(validate(mesh));
  EXPECT_EQ(euler_characteristic(mesh), 1);
  EXPECT_NEAR(total_volume(mesh), expected_volume, 1e-12 * expected_volume);
  long outer = 0;
  for (const auto& [corners, count] : face_counts(mesh)) {
    EXPECT_LE(count, 2);
    outer += count == 1 ? 1 : 0;
  }
  const std::vector<Face> faces = boundary_faces(mesh);
  EXPECT_EQ(static_cast<long>(faces.size()), outer);
  Vec sum{};
  double flux = 0;
  double area = 0;
  for (const Face face : faces) {
    const std::vector<int> nodes = nodes_of(mesh, face);
    const Vec n = area_vector(mesh, nodes.data());
    for (std::size_t d = 0; d < 3; ++d) sum[d] += n[d];
    Vec middle{};
    for (int i = 0; i < mesh.dimension(); ++i)
      for (std::size_t d = 0; d < 3; ++d)
        middle[d] += at(mesh, nodes[static_cast<std::size_t>(i)])[d] / mesh.dimension();
    flux += (middle[0] * n[0] + middle[1] * n[1] + middle[2] * n[2]) / mesh.dimension();
    area += length(n);
  }
  EXPECT_LT(length(sum), 1e-12 * area);
  EXPECT_NEAR(flux, expected_volume, 1e-11 * expected_volume);
}

/// The faces of the boundaries as sorted sets of nodes, with how often they come.
inline std::map<std::vector<int>, int> named_faces(const Mesh& mesh) {
  std::map<std::vector<int>, int> result;
  for (const Boundary& b : mesh.boundaries)
    for (std::size_t i = 0; i < b.faces.size(); i += info(mesh.shape).face_nodes) {
      std::vector<int> face(b.faces.begin() + static_cast<long>(i),
                            b.faces.begin() + static_cast<long>(i) + info(mesh.shape).face_nodes);
      std::sort(face.begin(), face.end());
      ++result[face];
    }
  return result;
}

/// Every face of the boundary is in exactly one named boundary.
inline void expect_covered(const Mesh& mesh) {
  const auto named = named_faces(mesh);
  const std::vector<Face> faces = boundary_faces(mesh);
  EXPECT_EQ(named.size(), faces.size());
  for (const Face face : faces) {
    std::vector<int> nodes = nodes_of(mesh, face);
    std::sort(nodes.begin(), nodes.end());
    const auto found = named.find(nodes);
    ASSERT_NE(found, named.end());
    EXPECT_EQ(found->second, 1);
  }
}

inline std::vector<double> inradii(const Mesh& mesh) {
  std::vector<double> r;
  for (long k = 0; k < mesh.element_count(); ++k) r.push_back(inradius(mesh, k));
  return r;
}

}  // namespace varia::solids
