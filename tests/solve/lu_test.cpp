// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solve/lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <random>

namespace varia::lu_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void load(DenseLU& lu, const MatrixXd& a) {
  lu.resize(static_cast<int>(a.rows()));
  for (int i = 0; i < lu.size(); ++i)
    for (int j = 0; j < lu.size(); ++j) lu(i, j) = a(i, j);
}

bool factors(const MatrixXd& a) {
  DenseLU lu;
  load(lu, a);
  return lu.factor();
}

MatrixXd random_matrix(std::mt19937& random, int n) {
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(n, n, [&] { return normal(random); });
}

TEST(DenseLU, SolvesRandomSystemsLikeEigen) {
  std::mt19937 random(4);
  DenseLU lu;  // one workspace for all sizes, as in a run
  for (int n = 1; n <= 20; ++n)
    for (int k = 0; k < 10; ++k) {
      const MatrixXd a = random_matrix(random, n);
      const VectorXd b = random_matrix(random, n).col(0);
      load(lu, a);
      ASSERT_TRUE(lu.factor());
      VectorXd x = b;
      lu.solve(x.data());
      const VectorXd scale = a.cwiseAbs() * x.cwiseAbs();
      EXPECT_LE((a * x - b).cwiseAbs().maxCoeff(),
                8 * n * std::numeric_limits<double>::epsilon() * scale.maxCoeff());
      const VectorXd reference = a.partialPivLu().solve(b);
      EXPECT_LE((x - reference).norm(), 1e-10 * reference.norm()) << n;
    }
}

TEST(DenseLU, FactorsServeManyRightHandSides) {
  std::mt19937 random(5);
  const MatrixXd a = random_matrix(random, 6);
  DenseLU lu;
  load(lu, a);
  ASSERT_TRUE(lu.factor());
  MatrixXd inverse = MatrixXd::Identity(6, 6);
  for (int c = 0; c < 6; ++c) lu.solve(inverse.col(c).data());
  EXPECT_LE((a * inverse - MatrixXd::Identity(6, 6)).cwiseAbs().maxCoeff(), 1e-13);
}

/// Every permutation of four rows: pivoting moves the right-hand side with the rows.
TEST(DenseLU, SolvesPermutationsExactly) {
  int order[] = {0, 1, 2, 3};
  do {
    MatrixXd a = MatrixXd::Zero(4, 4);
    for (int i = 0; i < 4; ++i) a(i, order[i]) = 1.0;
    DenseLU lu;
    load(lu, a);
    ASSERT_TRUE(lu.factor());
    const VectorXd b = Eigen::Vector4d(1.0, 2.0, 3.0, 4.0);
    VectorXd x = b;
    lu.solve(x.data());
    EXPECT_EQ(x, a.transpose() * b);
  } while (std::next_permutation(order, order + 4));
}

TEST(DenseLU, PivotsOnTheLargest) {
  DenseLU lu;
  load(lu, Eigen::Matrix2d{{1e-20, 1.0}, {1.0, 1.0}});
  ASSERT_TRUE(lu.factor());
  double x[] = {1.0, 2.0};
  lu.solve(x);
  EXPECT_NEAR(x[0], 1.0, 1e-15);
  EXPECT_NEAR(x[1], 1.0, 1e-15);
}

TEST(DenseLU, SeesExactSingularity) {
  EXPECT_FALSE(factors(MatrixXd::Zero(1, 1)));
  EXPECT_FALSE(factors(MatrixXd::Zero(5, 5)));
  EXPECT_FALSE(factors(Eigen::Matrix2d{{1.0, 2.0}, {2.0, 4.0}}));
  MatrixXd column = MatrixXd::Identity(4, 4);
  column(2, 2) = 0.0;
  EXPECT_FALSE(factors(column));
  EXPECT_TRUE(factors(1e-200 * MatrixXd::Identity(4, 4)));  // small is not singular
}

/// "false when A is singular to working precision": rank one less than full, in rounded numbers.
TEST(DenseLU, RankDeficiencyIsRefusedOrGivesHugeSolutions) {
  std::mt19937 random(6);
  for (int n = 2; n <= 8; ++n) {
    MatrixXd a = random_matrix(random, n);
    a.row(n - 1) = a.topRows(n - 1).colwise().sum() / 3.0;
    DenseLU lu;
    load(lu, a);
    if (!lu.factor()) continue;
    Eigen::VectorXd x = random_matrix(random, n).col(0);
    lu.solve(x.data());
    EXPECT_GT(x.norm(), 1e12) << n;
  }
}

TEST(DenseLU, RefusesWhatIsNotFinite) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()})
    for (int n = 1; n <= 4; ++n)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          std::mt19937 random(7);
          MatrixXd a = random_matrix(random, n);
          a(i, j) = bad;
          EXPECT_FALSE(factors(a)) << bad << " at " << i << " " << j << " of " << n;
        }
}

TEST(DenseLU, SetZeroForgetsTheFactors) {
  DenseLU lu;
  load(lu, Eigen::Matrix2d{{4.0, 1.0}, {2.0, 3.0}});
  ASSERT_TRUE(lu.factor());
  lu.set_zero();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) EXPECT_EQ(lu(i, j), 0.0);
}

}  // namespace
}  // namespace varia::lu_test
