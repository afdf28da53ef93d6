// SPDX-License-Identifier: BSD-3-Clause
// Shapes, the tables of a mesh, what is refused, and the change of order.
// Of shape.hpp too.
#include "varia/solids/mesh.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "refusal.hpp"
#include "solids/mesh_laws.hpp"
#include "varia/solids/generate.hpp"

namespace varia::solids::mesh_test {
namespace {

Mesh two_triangles() {
  Mesh mesh;
  mesh.X = {0, 0, 1, 0, 1, 1, 0, 1};
  mesh.elements = {0, 1, 2, 0, 2, 3};
  return mesh;
}

TEST(Shape, CountsFit) {
  for (const Shape shape : all_shapes) {
    const ShapeInfo& s = info(shape);
    EXPECT_EQ(s.corners, s.dimension + 1);
    EXPECT_EQ(s.faces, s.corners);
    EXPECT_EQ(s.face_corners, s.dimension);
    EXPECT_EQ(s.edges, s.corners * (s.corners - 1) / 2);
    EXPECT_EQ(s.nodes, s.corners + (s.order == 2 ? s.edges : 0));
    EXPECT_EQ(shape_of(s.dimension, s.order), shape);
    for (int f = 0; f < s.faces; ++f)
      EXPECT_EQ(static_cast<int>(face_nodes(shape, f).size()), s.face_nodes);
  }
  EXPECT_EQ(info(Shape::t3).vtk, 5);
  EXPECT_EQ(info(Shape::t6).vtk, 22);
  EXPECT_EQ(info(Shape::tet4).vtk, 10);
  EXPECT_EQ(info(Shape::tet10).vtk, 24);
  expect_words(refusal([] { shape_of(2, 3); }), {"order 3", "order 1 or 2"});
  expect_words(refusal([] { shape_of(1, 1); }), {"dimension 1"});
}

TEST(Shape, FacesPointOutwardsAndCarryTheirMidNodes) {
  for (const Shape shape : all_shapes) {
    const Mesh mesh = reference(shape);
    const ShapeInfo& s = info(shape);
    std::set<std::set<int>> corners_seen;
    for (int f = 0; f < s.faces; ++f) {
      const std::vector<int> nodes = nodes_of(mesh, {0, f});
      const Vec n = area_vector(mesh, nodes.data());
      const Vec centre{1.0 / s.corners, 1.0 / s.corners, s.dimension == 3 ? 0.25 : 0.0};
      const Vec out = minus(at(mesh, nodes[0]), centre);
      EXPECT_GT(out[0] * n[0] + out[1] * n[1] + out[2] * n[2], 0) << s.name << " face " << f;
      corners_seen.insert(std::set<int>(nodes.begin(), nodes.begin() + s.face_corners));
      for (int i = s.face_corners; i < s.face_nodes; ++i) {
        const int e = i - s.face_corners;
        const Vec p = at(mesh, nodes[static_cast<std::size_t>(e)]);
        const Vec q = at(mesh, nodes[static_cast<std::size_t>((e + 1) % s.face_corners)]);
        const Vec m = at(mesh, nodes[static_cast<std::size_t>(i)]);
        for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(m[d], (p[d] + q[d]) / 2) << s.name;
      }
    }
    EXPECT_EQ(static_cast<int>(corners_seen.size()), s.faces);
    for (int e = 0; s.order == 2 && e < s.edges; ++e) {
      const auto ends = edge_corners(shape, e);
      for (int d = 0; d < s.dimension; ++d)
        EXPECT_EQ(mesh.node(mesh.element(0)[s.corners + e])[d],
                  (mesh.node(ends[0])[d] + mesh.node(ends[1])[d]) / 2);
    }
  }
}

TEST(Mesh, BoundaryOfBlocks) {
  for (const int order : {1, 2}) {
    expect_solid(block({2, 1}, {5, 4}, 3, order), 2);
    expect_solid(block({2, 1, 3}, {3, 4, 2}, 3, order), 6);
  }
}

TEST(Mesh, ElevateAndLowerAreInverse) {
  for (const Mesh& mesh : {block({2, 1}, {5, 4}, 3), block({1, 1, 2}, {2, 3, 2}, 2)}) {
    const Mesh high = elevate(mesh);
    EXPECT_EQ(info(high.shape).order, 2);
    expect_covered(high);
    for (long k = 0; k < high.element_count(); ++k) EXPECT_TRUE(straight(high, k));
    const Mesh low = lower(high);
    EXPECT_EQ(low.X, mesh.X);
    EXPECT_EQ(low.elements, mesh.elements);
    ASSERT_EQ(low.boundaries.size(), mesh.boundaries.size());
    for (std::size_t i = 0; i < low.boundaries.size(); ++i) {
      EXPECT_EQ(low.boundaries[i].faces, mesh.boundaries[i].faces);
      EXPECT_EQ(low.boundaries[i].nodes, mesh.boundaries[i].nodes);
    }
    EXPECT_EQ(elevate(high).elements, high.elements);  // nothing more to do
    EXPECT_EQ(lower(low).elements, low.elements);
    const long edges = high.node_count() - mesh.node_count();
    if (mesh.dimension() == 2) {  // Euler
      EXPECT_EQ(edges, mesh.node_count() + mesh.element_count() - 1);
    }
  }
}

TEST(Mesh, ElevateKeepsNumbersOfTheFile) {
  Mesh mesh = two_triangles();
  mesh.element_tag = {70, 80};
  mesh.node_tag = {5, 9, 2, 7};
  const Mesh high = elevate(mesh);
  EXPECT_EQ(high.element_tag, mesh.element_tag);
  EXPECT_EQ(std::vector<long>(high.node_tag.begin(), high.node_tag.begin() + 4), mesh.node_tag);
  EXPECT_EQ(std::set<long>(high.node_tag.begin(), high.node_tag.end()).size(), 9U);
}

TEST(Mesh, ValidateNamesWhatIsWrong) {
  const auto text = [](const auto& change) {
    Mesh mesh = two_triangles();
    mesh.element_tag = {101, 102};
    mesh.node_tag = {11, 12, 13, 14};
    EXPECT_NO_THROW(validate(mesh));
    change(mesh);
    return refusal<MeshError>([&] { validate(mesh); });
  };
  expect_words(text([](Mesh& m) { m.elements.clear(); }), {"no elements"});
  expect_words(text([](Mesh& m) { m.X.push_back(0); }), {"coordinates"});
  expect_words(text([](Mesh& m) { m.elements.push_back(0); }), {"does not fit"});
  expect_words(text([](Mesh& m) { m.region = {0}; }), {"region"});
  expect_words(text([](Mesh& m) { m.region = {0, 0}; }), {"region"});
  expect_words(text([](Mesh& m) { m.element_tag = {1}; }), {"element tags"});
  expect_words(text([](Mesh& m) { m.node_tag = {1}; }), {"node tags"});
  expect_words(text([](Mesh& m) { m.elements[5] = 4; }), {"element 102", "index 4", "0 to 3"});
  expect_words(text([](Mesh& m) { m.elements[5] = -1; }), {"element 102", "-1"});
  expect_words(text([](Mesh& m) { m.elements[5] = 2; }), {"element 102", "node 13 twice"});
  expect_words(text([](Mesh& m) { m.X[4] = std::numeric_limits<double>::quiet_NaN(); }),
               {"node 13", "nan"});
  expect_words(text([](Mesh& m) { m.X[4] = std::numeric_limits<double>::infinity(); }), {"inf"});
  expect_words(text([](Mesh& m) { m.X[4] = m.X[2] = 1e200, m.X[5] = 1e200; }), {"too large"});
  expect_words(text([](Mesh& m) { std::swap(m.elements[3], m.elements[4]); }),
               {"element 102 (T3)", "-0.5", "inverted"});
  expect_words(text([](Mesh& m) { m.X[6] = m.X[7] = 0.5; }), {"element 102", "flat"});
  expect_words(text([](Mesh& m) {
                 m.X.insert(m.X.end(), {5, 5}), m.node_tag.push_back(77);
               }),
               {"node 77", "in no element", "1 such"});
  expect_words(text([](Mesh& m) { m.boundaries = {{"b", {0, 1, 2}, {}}}; }), {"'b'", "T3"});
  expect_words(text([](Mesh& m) { m.boundaries = {{"b", {0, 9}, {}}}; }), {"'b'", "not have"});
  expect_words(text([](Mesh& m) { m.boundaries = {{"b", {}, {-1}}}; }), {"'b'", "not have"});
  expect_words(text([](Mesh& m) { m.boundaries = {{"b", {1, 3}, {}}}; }), {"'b'", "no element"});
}

TEST(Mesh, ValidateFindsOverlap) {
  Mesh fold = two_triangles();  // the second triangle is laid onto the first
  fold.X[6] = 0.9;
  fold.X[7] = 0.1;
  fold.elements = {0, 1, 2, 0, 3, 2};
  expect_words(refusal<MeshError>([&] { validate(fold); }), {"elements 1 and 2", "overlap"});
  Mesh three = two_triangles();
  three.X.insert(three.X.end(), {-1, 3});
  three.elements.insert(three.elements.end(), {0, 2, 4});
  expect_words(refusal<MeshError>([&] { validate(three); }), {"1, 2 and 3", "at most two"});
  expect_words(refusal<MeshError>([&] { boundary_faces(three); }), {"at most two"});
}

TEST(Mesh, SliversAreValidButZeroVolumeIsNot) {
  Mesh mesh = two_triangles();
  mesh.X[6] = 0.5 - 1e-9;
  mesh.X[7] = 0.5 + 1e-9;
  EXPECT_NO_THROW(validate(mesh));
  Mesh flat = reference(Shape::tet4);
  flat.X[11] = 0;
  expect_words(refusal<MeshError>([&] { validate(flat); }), {"element 1 (Tet4)", "volume 0"});
}

TEST(Mesh, CurvedElements) {
  for (const Shape shape : {Shape::t6, Shape::tet10}) {
    const int d = info(shape).dimension;
    Mesh mesh = reference(shape);
    const int mid = mesh.element(0)[d + 1];  // of edge 01, at (0.5, 0, ...)
    double& y = mesh.X[static_cast<std::size_t>(mid * d + 1)];
    EXPECT_TRUE(straight(mesh, 0));
    y = -0.1;
    EXPECT_FALSE(straight(mesh, 0));
    EXPECT_NO_THROW(validate(mesh));  // a little bent outwards
    y = 0.6;
    expect_words(refusal<MeshError>([&] { validate(mesh); }), {"element 1", "folded"});
    y = 0;
    double& x = mesh.X[static_cast<std::size_t>(mid * d)];
    x = 0.3;  // the quarter point is the limit
    EXPECT_NO_THROW(validate(mesh));
    x = 0.2;
    expect_words(refusal<MeshError>([&] { validate(mesh); }), {"folded"});
  }
}

TEST(Mesh, NamedBoundaries) {
  Mesh mesh = block({2, 1}, {4, 3});
  const std::vector<Face> faces = boundary_faces(mesh);
  name_boundary(mesh, "half", faces, [](const double* X) { return X[0] <= 1 && X[1] == 0; });
  EXPECT_DOUBLE_EQ(face_measure(mesh, boundary(mesh, "half")), 1);
  EXPECT_EQ(boundary(mesh, "half").nodes.size(), 3U);
  expect_words(refusal<MeshError>([&] {
                 name_boundary(mesh, "none", faces, [](const double* X) { return X[0] > 7; });
               }),
               {"'none'", "no face", "X from 0 to 2", "Y from 0 to 1"});
  expect_words(refusal<MeshError>([&] { boundary(mesh, "rigth"); }),
               {"'rigth'", "'right'", "left", "half"});
  expect_words(refusal<MeshError>([] { boundary(two_triangles(), "x"); }), {"no named"});
}

}  // namespace
}  // namespace varia::solids::mesh_test
