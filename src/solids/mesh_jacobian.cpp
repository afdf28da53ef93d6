// SPDX-License-Identifier: BSD-3-Clause
#include "mesh_jacobian.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace varia::solids {
namespace {

using Barycentric = std::array<double, 4>;

std::vector<Barycentric> test_points(const ShapeInfo& s) {
  std::vector<Barycentric> points;
  const auto n = static_cast<std::size_t>(s.corners);
  const auto peaked = [&](double at, double others) {  // one point per corner
    for (std::size_t i = 0; i < n; ++i) {
      Barycentric l{};
      std::fill_n(l.begin(), n, others);
      l[i] = at;
      points.push_back(l);
    }
  };
  peaked(1, 0);
  for (int e = 0; e < s.edges; ++e) {
    Barycentric l{};
    for (const int corner : edge_corners(s.dimension == 2 ? Shape::t6 : Shape::tet10, e))
      l[static_cast<std::size_t>(corner)] = 0.5;
    points.push_back(l);
  }
  // Degree 2: (4 + ...)/6 in the plane, (5 + 3 sqrt 5)/20 in space.
  if (s.dimension == 2) peaked(2.0 / 3, 1.0 / 6);
  if (s.dimension == 3) peaked((5 + 3 * std::sqrt(5.0)) / 20, (5 - std::sqrt(5.0)) / 20);
  Barycentric centre{};
  std::fill_n(centre.begin(), n, 1.0 / s.corners);
  points.push_back(centre);
  return points;
}

const std::vector<Barycentric>& points_of(const ShapeInfo& s) {
  static const std::array<std::vector<Barycentric>, 2> points{test_points(info(Shape::t6)),
                                                              test_points(info(Shape::tet10))};
  return points[s.dimension == 2 ? 0 : 1];
}

using Gradients = std::array<std::array<double, 3>, 4>;  // dX_d / dL_i as row i

// X = sum L_i (2 L_i - 1) X_i + sum 4 L_i L_j X_ij
Gradients barycentric_gradient(const Mesh& mesh, const int* node, const Barycentric& l) {
  const ShapeInfo& s = info(mesh.shape);
  Gradients g{};
  const auto add = [&](std::size_t i, double factor, int a) {
    for (int d = 0; d < s.dimension; ++d)
      g[i][static_cast<std::size_t>(d)] += factor * mesh.node(a)[d];
  };
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.corners); ++i)
    add(i, 4 * l[i] - 1, node[i]);
  for (int e = 0; e < s.edges; ++e) {
    const auto ends = edge_corners(mesh.shape, e);
    const auto i = static_cast<std::size_t>(ends[0]);
    const auto j = static_cast<std::size_t>(ends[1]);
    add(i, 4 * l[j], node[s.corners + e]);
    add(j, 4 * l[i], node[s.corners + e]);
  }
  return g;
}

double determinant(const Gradients& g, int dimension) {  // of the rows i minus row 0
  std::array<std::array<double, 3>, 3> m{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t d = 0; d < 3; ++d) m[i][d] = g[i + 1][d] - g[0][d];
  if (dimension == 2) return m[0][0] * m[1][1] - m[0][1] * m[1][0];
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

}  // namespace

double longest_edge(const Mesh& mesh, long element) {
  const ShapeInfo& s = info(mesh.shape);
  const int* node = mesh.element(element);
  double longest = 0;
  for (int e = 0; e < s.edges; ++e) {
    const auto ends = edge_corners(mesh.shape, e);
    const double* p = mesh.node(node[ends[0]]);
    const double* q = mesh.node(node[ends[1]]);
    double square = 0;
    for (int d = 0; d < s.dimension; ++d) square += (q[d] - p[d]) * (q[d] - p[d]);
    longest = std::max(longest, square);
  }
  return std::sqrt(longest);
}

double smallest_jacobian(const Mesh& mesh, long element) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Barycentric& l : points_of(info(mesh.shape))) {
    const double j =
        determinant(barycentric_gradient(mesh, mesh.element(element), l), mesh.dimension());
    if (!(j >= smallest)) smallest = j;  // a NaN stays and is refused
    if (std::isnan(smallest)) break;
  }
  return smallest;
}

}  // namespace varia::solids
