// SPDX-License-Identifier: BSD-3-Clause
// Lumped masses: positive, add up to the mass of the element, and the known shares.
#include "varia/solids/lumping.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "../refusal.hpp"
#include "one_element.hpp"
#include "varia/solids/quality.hpp"

namespace varia::solids::lumping_test {
namespace {

double sum(const std::vector<double>& m) { return std::accumulate(m.begin(), m.end(), 0.0); }

TEST(Lumping, SharesOfStraightElements) {
  const struct {
    Shape shape;
    double corner, mid;
  } known[] = {{Shape::t3, 1.0 / 3, 0},
               {Shape::tet4, 0.25, 0},
               {Shape::t6, 1.0 / 19, 16.0 / 57},
               {Shape::tet10, 1.0 / 36, 4.0 / 27}};
  for (const auto& k : known) {
    const ShapeInfo& s = info(k.shape);
    const Mesh mesh = pair_of(k.shape, 0.0);
    for (const long e : {0L, 1L}) {
      const double mass = 7800 * volume(mesh, e);
      const auto m = lumped_masses(mesh, e, 7800);
      ASSERT_EQ(static_cast<int>(m.size()), s.nodes);
      for (int a = 0; a < s.nodes; ++a)
        EXPECT_NEAR(m[a], mass * (a < s.corners ? k.corner : k.mid), 1e-14 * mass) << s.name;
      EXPECT_NEAR(sum(m), mass, 1e-14 * mass);
    }
  }
}

/// An edge bent by a height h into a parabola adds ⅔ h L to the area.
TEST(Lumping, CurvedTriangleHasItsOwnArea) {
  Mesh mesh;
  mesh.shape = Shape::t6;
  mesh.X = {0, 0, 1, 0, 0, 1, 0.5, -0.1, 0.5, 0.5, 0, 0.5};
  mesh.elements = {0, 1, 2, 3, 4, 5};
  const auto m = lumped_masses(mesh, 0, 3.0);
  EXPECT_NEAR(sum(m), 3.0 * (0.5 + 2.0 / 3 * 0.1), 1e-14);
  for (const double mass : m) EXPECT_GT(mass, 0.0);
  EXPECT_GT(m[3], m[5]);  // more matter on the side that bulges
}

/// The mass does not depend on the rule that gives V_K: the volumes of the elements agree.
TEST(Lumping, CurvedElementsHaveTheVolumeOfTheirFamily) {
  for (const Shape shape : {Shape::t6, Shape::tet10}) {
    const Mesh mesh = pair_of(shape, 0.05);
    ASSERT_FALSE(straight(mesh, 1));
    const auto m = lumped_masses(mesh, 1, 2.0);
    const double family = mesh.dimension() == 2
                              ? make_elements<2>(mesh, {1}, test_materials()[0])->volume(0)
                              : make_elements<3>(mesh, {1}, test_materials()[0])->volume(0);
    // The Jacobian of a tetrahedron is of degree 3, of a triangle 2: four points are not exact.
    EXPECT_NEAR(sum(m), 2.0 * family, mesh.dimension() == 2 ? 1e-14 : 1e-4);
    for (const double mass : m) EXPECT_GT(mass, 0.0);
    EXPECT_GT(std::abs(sum(m) - 2.0 * volume(mesh, 1)), 1e-3);
  }
}

TEST(Lumping, WrongRequestsAreRefused) {
  Mesh mesh = pair_of(Shape::t3, 0.0);
  for (const double density : {0.0, -1.0, std::nan("")})
    expect_words(refusal([&] { lumped_masses(mesh, 0, density); }), {"density", "positive"});
  std::swap(mesh.elements[0], mesh.elements[1]);
  expect_words(refusal<MeshError>([&] { lumped_masses(mesh, 0, 1.0); }), {"element 17", "mass"});
}

}  // namespace
}  // namespace varia::solids::lumping_test
