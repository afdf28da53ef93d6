// SPDX-License-Identifier: BSD-3-Clause
// Steps of elements: the Courant step, and the largest stable one against a dense eigenvalue.
#include "varia/solids/steps.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "../refusal.hpp"
#include "one_element.hpp"
#include "varia/solids/lumping.hpp"
#include "varia/solids/quality.hpp"

namespace varia::solids::steps_test {
namespace {

/// 2/ω from all eigenvalues; the stiffness by differences of the gradient, one column at a time.
template <int D>
double dense_step(const terms::Family<D>& family, int k, std::vector<double> x,
                  const std::vector<double>& masses) {
  const int n = static_cast<int>(x.size());
  Eigen::MatrixXd K(n, n);
  std::vector<double> up(x.size()), down(x.size());
  for (int j = 0; j < n; ++j) {
    const double at = x[j], h = 1e-6;
    x[j] = at + h;
    family.gradient(k, x.data(), 0.0, up.data());
    x[j] = at - h;
    family.gradient(k, x.data(), 0.0, down.data());
    x[j] = at;
    for (int i = 0; i < n; ++i)
      K(i, j) = (up[i] - down[i]) / (2 * h) / std::sqrt(masses[i / D] * masses[j / D]);
  }
  const Eigen::MatrixXd symmetric = 0.5 * (K + K.transpose());
  return 2.0 /
         std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly)
                       .eigenvalues()
                       .maxCoeff());
}

template <int D> void against_dense(Shape shape) {
  Random random(41);
  for (const Material& material : test_materials()) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      Mesh mesh = pair_of(shape, 0.04, seed);
      // From round to flat: squeezed along one axis by up to a hundred.
      const double squeeze = std::pow(10.0, -2.0 * (seed % 3) / 2.0);
      for (std::size_t i = 0; i < mesh.X.size(); i += D) mesh.X[i] *= squeeze;
      const auto family = make_elements<D>(mesh, {0, 1}, material);
      const auto masses = lumped_masses(mesh, 1, material.density);
      const auto X = positions<D>(mesh, 1);
      const auto x = deformed<D>(X, random_gradient<D>(random, 0.1), 0.0, random);
      for (const auto& at : {X, x}) {
        const double step = stable_step<D>(*family, 1, at.data(), masses.data());
        EXPECT_NEAR(step / dense_step<D>(*family, 1, at, masses), 1.0, 1e-3)
            << info(shape).name << " " << material.model << " " << seed;
      }
    }
  }
}

TEST(StableStep, IsThatOfTheDenseEigenvalue) {
  against_dense<2>(Shape::t3);
  against_dense<2>(Shape::t6);
  against_dense<3>(Shape::tet4);
  against_dense<3>(Shape::tet10);
}

/// An equilateral triangle has a double top eigenvalue, a start in its symmetry would miss it.
TEST(StableStep, SymmetricElements) {
  Mesh mesh;
  mesh.shape = Shape::t3;
  mesh.X = {0, 0, 1, 0, 0.5, std::sqrt(0.75)};
  mesh.elements = {0, 1, 2};
  for (const Material& material : test_materials()) {
    const auto family = make_elements<2>(mesh, {0}, material);
    const auto masses = lumped_masses(mesh, 0, 1.0);
    const double step = stable_step<2>(*family, 0, mesh.X.data(), masses.data());
    EXPECT_NEAR(step / dense_step<2>(*family, 0, mesh.X, masses), 1.0, 1e-4);
  }
}

/// Two masses on a spring of length 1, along a line: ω² = 2k/m.
struct Spring : terms::FamilyOf<Spring, 1, 2> {
  explicit Spring(double stiffness) : FamilyOf({{0, 1}}), k(stiffness) {}
  const char* kind() const override { return "spring"; }
  double energy_of(int, const double* x, double) const {
    return 0.5 * k * (x[1] - x[0] - 1) * (x[1] - x[0] - 1);
  }
  void gradient_of(int, const double* x, double, double* g) const {
    g[1] = k * (x[1] - x[0] - 1);
    g[0] = -g[1];
  }
  double k;
};

TEST(StableStep, OfASpring) {
  const double X[2] = {3, 4}, masses[2] = {0.5, 0.5};
  EXPECT_NEAR(stable_step<1>(Spring(100.0), 0, X, masses), 2.0 / std::sqrt(2 * 100.0 / 0.5), 1e-6);
  EXPECT_TRUE(std::isinf(stable_step<1>(Spring(0.0), 0, X, masses)));
  EXPECT_TRUE(std::isinf(stable_step<1>(Spring(-1.0), 0, X, masses)));
  const double none[2] = {0.5, 0.0};
  expect_words(refusal([&] { stable_step<1>(Spring(1.0), 0, X, none); }), {"mass of node 1"});
}

TEST(StableStep, GoesWithTheRootOfTheMass) {
  const Mesh mesh = pair_of(Shape::tet10, 0.0);
  const auto family = make_elements<3>(mesh, {0}, test_materials()[0]);
  const auto X = positions<3>(mesh, 0);
  auto masses = lumped_masses(mesh, 0, 1.0);
  const double one = stable_step<3>(*family, 0, X.data(), masses.data());
  for (double& m : masses) m *= 4.0;
  EXPECT_NEAR(stable_step<3>(*family, 0, X.data(), masses.data()) / one, 2.0, 1e-6);
}

/// f = 1/10 is well inside for every shape, flat ones included; f = 3 is outside.
TEST(CourantStep, IsBelowTheStableOne) {
  for (const Shape shape : all_shapes) {
    for (unsigned seed = 1; seed < 10; ++seed) {
      const Mesh mesh = pair_of(shape, 0.0, seed);
      const Material material = test_materials()[0];
      const auto masses = lumped_masses(mesh, 0, material.density);
      const double c = wave_speed(material);
      const double stable = mesh.dimension() == 2
                                ? stable_step<2>(*make_elements<2>(mesh, {0}, material), 0,
                                                 positions<2>(mesh, 0).data(), masses.data())
                                : stable_step<3>(*make_elements<3>(mesh, {0}, material), 0,
                                                 positions<3>(mesh, 0).data(), masses.data());
      EXPECT_LT(courant_step(mesh, 0, c, 0.1), stable);
      EXPECT_GT(courant_step(mesh, 0, c, 3.0), stable);
      EXPECT_NEAR(courant_step(mesh, 0, c, 0.1), 0.1 * inradius(mesh, 0) / c, 1e-16);
    }
  }
}

TEST(CourantStep, WrongNumbersAreRefused) {
  const Mesh mesh = pair_of(Shape::t3, 0.0);
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    expect_words(refusal([&] { courant_step(mesh, 0, bad, 0.1); }), {"wave speed"});
    expect_words(refusal([&] { courant_step(mesh, 0, 1.0, bad); }), {"fraction"});
  }
}

}  // namespace
}  // namespace varia::solids::steps_test
