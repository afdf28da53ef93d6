// SPDX-License-Identifier: BSD-3-Clause
// (load): resultants and moments of tractions and body forces, on every shape.
#include "varia/solids/loads.hpp"

#include <gtest/gtest.h>

#include "varia/solids/generate.hpp"

namespace varia::loads_test {
namespace {

using namespace solids;

/// Length or area of the right side X = 1 of a block of unit cells, by its faces.
template <int D> Problem block_problem(int order) {
  Problem problem;
  problem.mesh =
      D == 2 ? block({1, 2}, {3, 4}, 2, order, 0.3) : block({1, 2, 3}, {2, 3, 2}, 2, order, 0.3);
  Region region{"all", {}, {"neo_hookean", {{"lambda", 3.0}, {"mu", 2.0}}, 5.0}};
  for (int k = 0; k < problem.mesh.element_count(); ++k) region.elements.push_back(k);
  problem.regions.push_back(region);
  return problem;
}

std::vector<Face> right_side(const Mesh& mesh) {
  std::vector<Face> faces;
  for (const Face face : boundary_faces(mesh)) {
    bool all = true;
    for (const int a : nodes_of(mesh, face)) all = all && std::abs(mesh.node(a)[0] - 1) < 1e-12;
    if (all) faces.push_back(face);
  }
  return faces;
}

/// -∂V/∂x of the undeformed body: only loads are left.
template <int D> std::vector<double> nodal_forces(const Solid<D>& solid, double t) {
  std::vector<double> f(solid.mesh.X.size(), 0.0);
  std::array<double, terms::max_nodes * D> x{}, g{};
  const auto& family = *solid.system.families().front();
  for (int k = 0; k < family.size(); ++k) {
    const int* nodes = family.nodes(k);
    for (int a = 0; a < family.nodes_per_term(); ++a)
      for (int c = 0; c < D; ++c) x[a * D + c] = solid.mesh.node(nodes[a])[c];
    family.gradient(k, x.data(), t, g.data());
    for (int a = 0; a < family.nodes_per_term(); ++a)
      for (int c = 0; c < D; ++c) f[static_cast<std::size_t>(nodes[a]) * D + c] -= g[a * D + c];
  }
  return f;
}

/// Σ f_a and Σ Y_a f_a.
template <int D> std::array<double, 2> resultant(const Solid<D>& solid, double t, int c) {
  const auto f = nodal_forces(solid, t);
  std::array<double, 2> sum{};
  for (long a = 0; a < solid.mesh.node_count(); ++a) {
    sum[0] += f[static_cast<std::size_t>(a * D + c)];
    sum[1] += solid.mesh.node(a)[1] * f[static_cast<std::size_t>(a * D + c)];
  }
  return sum;
}

template <int D> void check_traction(int order) {
  Problem problem = block_problem<D>(order);
  const double depth = D == 2 ? 1.0 : 3.0;
  // T_x = (1 + Y) cos t: ∫ over 0 < Y < 2 is 4, its first moment ∫ Y (1 + Y) = 2 + 8/3
  Traction traction;
  traction.faces = right_side(problem.mesh);
  traction.traction[0] = {[](const double* X, double t) { return (1 + X[1]) * std::cos(t); },
                          [](const double* X, double t) { return -(1 + X[1]) * std::sin(t); }};
  traction.traction[1] = constant(7.0);
  problem.tractions.push_back(traction);
  const auto solid = build<D>(problem);
  for (const double t : {0.0, 1.0}) {
    const auto x = resultant<D>(solid, t, 0);
    EXPECT_NEAR(x[0], 4 * depth * std::cos(t), 1e-12 * depth);
    EXPECT_NEAR(x[1], (2 + 8.0 / 3) * depth * std::cos(t), 1e-12 * depth);
    EXPECT_NEAR(resultant<D>(solid, t, 1)[0], 14 * depth, 1e-11);
  }
}

TEST(Loads, TractionHasItsResultantAndMoment) {
  for (const int order : {1, 2}) {
    check_traction<2>(order);
    check_traction<3>(order);
  }
}

template <int D> void check_body_force(int order) {
  Problem problem = block_problem<D>(order);
  problem.body_force[1] = constant(-9.81);
  const auto solid = build<D>(problem);
  const double mass = 5.0 * (D == 2 ? 2.0 : 6.0);
  EXPECT_NEAR(solid.total_mass, mass, 1e-12 * mass);
  EXPECT_NEAR(resultant<D>(solid, 0.0, 1)[0], -9.81 * mass, 1e-11 * mass);
  EXPECT_NEAR(resultant<D>(solid, 0.0, 0)[0], 0.0, 1e-12 * mass);
}

TEST(Loads, WeightIsMassTimesGravity) {
  for (const int order : {1, 2}) {
    check_body_force<2>(order);
    check_body_force<3>(order);
  }
}

TEST(Loads, EnergyAndItsRateAreThoseOfTheForces) {
  Problem problem = block_problem<2>(2);
  problem.body_force[0] = {[](const double* X, double t) { return X[0] * t * t; },
                           [](const double* X, double t) { return 2 * X[0] * t; }};
  problem.body_force[1] = constant(3.0);
  const auto solid = build<2>(problem);
  const auto& family = *solid.system.families().front();
  std::array<double, 12> x{}, g{};
  const int k = 5;
  for (int a = 0; a < 6; ++a)
    for (int c = 0; c < 2; ++c)
      x[a * 2 + c] = solid.mesh.node(family.nodes(k)[a])[c] + 0.01 * std::sin(a + c);
  const double t = 0.7, h = 1e-5;
  family.gradient(k, x.data(), t, g.data());
  for (int i = 0; i < 12; ++i) {
    auto up = x, down = x;
    up[i] += h;
    down[i] -= h;
    EXPECT_NEAR((family.energy(k, up.data(), t) - family.energy(k, down.data(), t)) / (2 * h), g[i],
                1e-7);
  }
  EXPECT_NEAR((family.energy(k, x.data(), t + h) - family.energy(k, x.data(), t - h)) / (2 * h),
              family.energy_rate(k, x.data(), t), 1e-9);
}

}  // namespace
}  // namespace varia::loads_test
