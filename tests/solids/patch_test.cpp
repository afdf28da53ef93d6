// SPDX-License-Identifier: BSD-3-Clause
// The patch test: a body whose particles move by x = A X + b has the same stress everywhere, and
// nothing pulls at its inner nodes, whatever the mesh looks like.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "laws.hpp"
#include "varia/solids/elements.hpp"
#include "varia/solids/generate.hpp"

namespace varia::solids::patch_test {
namespace {

enum class Edges { straight, one_direction, any_direction };

/// A block with inner nodes moved at random; mid nodes stay in the middle or leave it.
template <int D> Mesh distorted(int order, Edges edges) {
  Random random(31);
  Mesh mesh = D == 2 ? block({1, 1.2}, {4, 4}) : block({1, 1.2, 0.9}, {3, 3, 3});
  std::set<int> outer;
  for (const Face face : boundary_faces(mesh))
    for (const int a : nodes_of(mesh, face)) outer.insert(a);
  for (int a = 0; a < mesh.node_count(); ++a)
    for (int c = 0; c < D && outer.count(a) == 0; ++c)
      mesh.X[static_cast<std::size_t>(a * D + c)] += 0.05 * random();
  if (order == 1) return mesh;
  const long corners = mesh.node_count();
  mesh = elevate(mesh);
  for (long a = corners; a < mesh.node_count() && edges != Edges::straight; ++a) {
    const double length = 0.02 * random();
    for (int c = 0; c < D; ++c)
      mesh.X[static_cast<std::size_t>(a * D + c)] +=
          edges == Edges::one_direction ? length * (1.0 + 0.5 * c) : 0.02 * random();
  }
  return mesh;
}

struct Patch {
  double inner = 0.0;   ///< largest force at an inner node
  double outer = 0.0;   ///< largest force at any node
  double spread = 0.0;  ///< of the stress over the elements
  double stress = 0.0;
  double energy = 0.0, expected_energy = 0.0;
};

template <int D> Patch patch(const Mesh& mesh, const Material& material, Plane plane) {
  std::vector<int> all(static_cast<std::size_t>(mesh.element_count()));
  std::iota(all.begin(), all.end(), 0);
  const auto family = make_elements<D>(mesh, all, material, plane);
  Random random(32);
  const auto A = random_gradient<D>(random, 0.2);
  const auto place = [&](int a, int c) {
    double x = 0.4 - c;
    for (int j = 0; j < D; ++j) x += A[c * D + j] * mesh.node(a)[j];
    return x;
  };
  std::vector<double> total(mesh.X.size(), 0.0),
      x(static_cast<std::size_t>(D * family->nodes_per_term())), g(x.size());
  double first[6], sigma[6], volume = 0.0;
  Patch result;
  for (int k = 0; k < family->size(); ++k) {
    const int n = family->nodes_per_term();
    for (int i = 0; i < n * D; ++i) x[i] = place(family->nodes(k)[i / D], i % D);
    family->gradient(k, x.data(), 0.0, g.data());
    family->cauchy(k, x.data(), 0.0, k == 0 ? first : sigma);
    for (int i = 0; i < 6 && k > 0; ++i)
      result.spread = std::max(result.spread, std::abs(sigma[i] - first[i]));
    for (int i = 0; i < n * D; ++i) total[family->nodes(k)[i / D] * D + i % D] += g[i];
    result.energy += family->energy(k, x.data(), 0.0);
    volume += family->volume(k);
  }
  for (const double s : first) result.stress = std::max(result.stress, std::abs(s));
  std::set<int> outer;
  for (const Face face : boundary_faces(mesh))
    for (const int a : nodes_of(mesh, face)) outer.insert(a);
  for (int i = 0; i < static_cast<int>(total.size()); ++i) {
    double& place_of = outer.count(i / D) > 0 ? result.outer : result.inner;
    place_of = std::max(place_of, std::abs(total[i]));
  }
  result.expected_energy =
      volume *
      std::visit(
          [&](const auto& m) {
            if constexpr (D == 2) {
              if (plane == Plane::stress)
                return PlaneStress<std::decay_t<decltype(m)>>{m}.template energy<2>(A.data());
            }
            return m.template energy<D>(A.data());
          },
          law(material));
  return result;
}

void holds(const Patch& p) {
  EXPECT_GT(p.outer, 1e-3);
  EXPECT_GT(p.stress, 1e-2);
  EXPECT_LT(p.inner, 1e-13 * p.outer);
  EXPECT_LT(p.spread, 1e-12 * p.stress);
  EXPECT_NEAR(p.energy, p.expected_energy, 1e-13 * p.expected_energy);
}

TEST(Patch, StraightElements) {
  for (const Material& material : test_materials()) {
    for (const int order : {1, 2}) {
      SCOPED_TRACE(material.model + " order " + std::to_string(order));
      for (const Plane plane : {Plane::strain, Plane::stress})
        holds(patch<2>(distorted<2>(order, Edges::straight), material, plane));
      holds(patch<3>(distorted<3>(order, Edges::straight), material, Plane::strain));
    }
  }
}

TEST(Patch, CurvedTriangles) {
  for (const Material& material : test_materials())
    for (const Plane plane : {Plane::strain, Plane::stress})
      holds(patch<2>(distorted<2>(2, Edges::any_direction), material, plane));
}

/// With mid nodes moved in one direction the integrand is a polynomial of degree 2. Otherwise it is
/// of degree 3, and the four points of a tetrahedron leave a small force: less than 1 % here.
TEST(Patch, CurvedTetrahedra) {
  for (const Material& material : test_materials()) {
    holds(patch<3>(distorted<3>(2, Edges::one_direction), material, Plane::strain));
    const Patch p = patch<3>(distorted<3>(2, Edges::any_direction), material, Plane::strain);
    EXPECT_LT(p.spread, 1e-12 * p.stress);
    EXPECT_GT(p.inner, 1e-9 * p.outer);
    EXPECT_LT(p.inner, 1e-2 * p.outer);
  }
}

}  // namespace
}  // namespace varia::solids::patch_test
