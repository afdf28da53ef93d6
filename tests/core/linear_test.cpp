// SPDX-License-Identifier: BSD-3-Clause
#include "varia/core/linear.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace varia::linear_test {
namespace {

using MatrixX = Matrix<double, Dynamic>;
MatrixX random_matrix(std::mt19937& random, int rows, int cols) {
  std::normal_distribution<double> normal;
  return MatrixX::NullaryExpr(rows, cols, [&] { return normal(random); });
}

/// |A x - b| within round-off of |A||x|: the law of a backward stable solver.
template <class A, class X, class B> void expect_solves(const A& a, const X& x, const B& b) {
  const double roundoff =
      8.0 * static_cast<double>(a.rows()) * std::numeric_limits<double>::epsilon();
  const MatrixX scale = a.cwiseAbs() * x.cwiseAbs();
  EXPECT_LE((a * x - b).cwiseAbs().maxCoeff(), roundoff * scale.maxCoeff());
}

TEST(LinearSolver, SolvesRandomSystemsOfEverySize) {
  std::mt19937 random(1);
  for (int n = 1; n <= 20; ++n)
    for (int k = 0; k < 5; ++k) {
      const MatrixX a = random_matrix(random, n, n);
      const Vn b = random_matrix(random, n, 1);
      const Vn x = LinearSolver<Dynamic>(a).solve(b);
      expect_solves(a, x, b);
      const Vn reference = a.fullPivLu().solve(b);
      EXPECT_LE((x - reference).norm(), 1e-10 * reference.norm()) << n;
    }
}

TEST(LinearSolver, StaticAndDynamicSizesGiveTheSameNumbers) {
  std::mt19937 random(2);
  const MatrixX a = random_matrix(random, 5, 5);
  const MatrixX b = random_matrix(random, 5, 3);
  const Matrix<double, 5, 3> fixed = LinearSolver<5>(a).solve(Matrix<double, 5, 3>(b));
  EXPECT_EQ(MatrixX(fixed), LinearSolver<Dynamic>(a).solve(b));
}

TEST(LinearSolver, SeveralColumnsAreSolvedAsEachAlone) {
  std::mt19937 random(3);
  const Matrix<double, 4> a = random_matrix(random, 4, 4);
  const Matrix<double, 4> b = random_matrix(random, 4, 4);
  const LinearSolver<4> lu(a);
  const Matrix<double, 4> x = lu.solve(b);
  for (int c = 0; c < 4; ++c) EXPECT_EQ(lu.solve(b.col(c)), x.col(c));
  expect_solves(a, x, b);
}

TEST(LinearSolver, AcceptsExpressions) {
  const Matrix<double, 2> a{{4.0, 1.0}, {2.0, 3.0}};
  const Vector<double, 2> b(1.0, 2.0);
  const Vector<double, 2> x = LinearSolver<2>(a).solve(2.0 * b - b);
  EXPECT_NEAR(x[0], 0.1, 1e-16);
  EXPECT_NEAR(x[1], 0.6, 1e-15);
}

TEST(LinearSolver, PivotsWhereTheDiagonalIsZeroOrTiny) {
  const Matrix<double, 3> permutation{{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  const Vector<double, 3> b(1.0, 2.0, 3.0);
  EXPECT_EQ(LinearSolver<3>(permutation).solve(b), permutation.transpose() * b);
  const Matrix<double, 2> tiny{{1e-20, 1.0}, {1.0, 1.0}};
  const Vector<double, 2> x = LinearSolver<2>(tiny).solve(Vector<double, 2>(1.0, 2.0));
  EXPECT_NEAR(x[0], 1.0, 1e-15);
  EXPECT_NEAR(x[1], 1.0, 1e-15);
}

TEST(LinearSolver, OfASingularMatrixIsNotFinite) {
  const Matrix<double, 2> singular{{1.0, 2.0}, {2.0, 4.0}};
  EXPECT_FALSE(LinearSolver<2>(singular).solve(Vector<double, 2>(1.0, 1.0)).allFinite());
  EXPECT_FALSE(LinearSolver<Dynamic>(MatrixX::Zero(1, 1)).solve(Vn::Ones(1)).allFinite());
  EXPECT_FALSE(
      LinearSolver<3>(Matrix<double, 3>::Zero()).solve(Vector<double, 3>::Ones()).allFinite());
}

}  // namespace
}  // namespace varia::linear_test
