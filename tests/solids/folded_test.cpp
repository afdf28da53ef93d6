// SPDX-License-Identifier: BSD-3-Clause
// Quadratic elements whose Jacobian is negative at the middle of one edge and positive at the corners,
// at the centre and at the points of the quadrature: no force would ever see the fold.
#include <gtest/gtest.h>

#include "mesh_laws.hpp"
#include "one_element.hpp"
#include "refusal.hpp"

namespace varia::solids::folded_test {
namespace {

/// det ∂X/∂r of the one element of a mesh.
template <int D> double jacobian(const Mesh& mesh, const std::array<double, 3>& r) {
  std::vector<double> X;
  for (int i = 0; i < mesh.nodes_per_element(); ++i)
    X.insert(X.end(), mesh.node(mesh.element(0)[i]), mesh.node(mesh.element(0)[i]) + D);
  const auto T = tangent<D>(unit_derivatives<D>(mesh.shape, {r, 0.0}), X.data());
  if constexpr (D == 2) return T[0] * T[3] - T[1] * T[2];
  if constexpr (D == 3) return det3(T.data());
}

std::array<double, 3> corner(int i) {
  std::array<double, 3> r{};
  if (i > 0) r[static_cast<std::size_t>(i - 1)] = 1.0;
  return r;
}

std::array<double, 3> middle(Shape shape, int edge) {
  const auto [i, j] = edge_corners(shape, edge);
  const auto p = corner(i), q = corner(j);
  return {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2};
}

/// How far the mid node of an edge of the unit simplex is moved along an axis.
struct Shift {
  int edge, axis;
  double by;
};

template <int D> Mesh shifted(const std::vector<Shift>& shifts, double factor) {
  Mesh mesh = reference(shape_of(D, 2));
  for (const Shift& s : shifts)
    mesh.X[static_cast<std::size_t>(mesh.element(0)[D + 1 + s.edge] * D + s.axis)] += factor * s.by;
  return mesh;
}

template <int D> void expect_seen(const std::vector<Shift>& shifts, int folded_edge) {
  const Mesh mesh = shifted<D>(shifts, 1.0);
  for (int i = 0; i <= D; ++i) EXPECT_GT(jacobian<D>(mesh, corner(i)), 0.0) << "corner " << i;
  for (const UnitPoint& point : unit_points(mesh.shape)) EXPECT_GT(jacobian<D>(mesh, point.r), 0.0);
  const double c = 1.0 / (D + 1);
  EXPECT_GT(jacobian<D>(mesh, {c, c, D == 3 ? c : 0.0}), 0.0) << "centre";
  for (int e = 0; e < info(mesh.shape).edges; ++e)
    EXPECT_EQ(jacobian<D>(mesh, middle(mesh.shape, e)) < 0.0, e == folded_edge) << "edge " << e;
  expect_words(refusal<MeshError>([&] { validate(mesh); }), {"element 1", "folded"});
  EXPECT_NO_THROW(validate(shifted<D>(shifts, 0.5)));
}

TEST(Folded, TrianglesAtTheMiddleOfAnEdge) {
  expect_seen<2>({{0, 1, 0.2}, {2, 0, -0.4}, {2, 1, -0.4}}, 0);
}

TEST(Folded, TetrahedraAtTheMiddleOfAnEdge) { expect_seen<3>({{0, 0, 0.3}, {1, 1, -0.3}}, 1); }

}  // namespace
}  // namespace varia::solids::folded_test
