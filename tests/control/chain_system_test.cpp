// SPDX-License-Identifier: BSD-3-Clause
// The block recursion against the whole matrix. Also chain_values.hpp.
#include "src/control/chain_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "problems/chains.hpp"
#include "src/control/chain_values.hpp"

namespace varia::detail {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using problems::QuadraticChain;

/// Steps of different sizes: without inputs, without states, with held rows.
QuadraticChain chain(double definite, unsigned seed, int start_rows = 2, int end_rows = 2) {
  return {{{3, 0, 1, 0}, {2, 2, 3, 1}, {4, 3, 0, 0}, {3, 1, 2, 1}, {2, 2, 2, 0}},
          3,
          start_rows,
          end_rows,
          definite,
          seed};
}

/// (kkt) as one matrix and right side; unknowns are x0, then w and y of each step, then multipliers of S, R, ties.
struct Whole {
  explicit Whole(const ChainValues& v, const ChainMultipliers& m) {
    const ChainProblem& p = v.problem();
    Index n = p.sizes(0).x;
    std::vector<Index> first;
    for (int k = 0; k < p.steps(); ++k) {
      first.push_back(n - p.sizes(k).x);  // xₖ stands at the end of yₖ₋₁, before wₖ
      n += p.sizes(k).w + p.sizes(k).y;
    }
    variables = n;
    Index rows = p.start_rows() + v.ties().size();
    for (int k = 0; k < p.steps(); ++k) rows += p.sizes(k).y;
    matrix = MatrixXd::Zero(n + rows, n + rows);
    right = VectorXd::Zero(n + rows);
    ChainResidual r;
    v.residual(m, r);
    const auto put_rows = [&](Index row, Index column, const MatrixXd& slopes) {
      matrix.block(row, column, slopes.rows(), slopes.cols()) += slopes;
      matrix.block(column, row, slopes.cols(), slopes.rows()) += slopes.transpose();
    };
    Index row = n;
    put_rows(row, 0, v.start.jacobian);
    right.segment(row, p.start_rows()) = r.start_rows;
    right.head(p.sizes(0).x) += r.start_gradient;
    row += p.start_rows();
    for (int k = 0; k < p.steps(); ++k) {
      const auto i = static_cast<std::size_t>(k);
      const Index size = p.sizes(k).variables();
      matrix.block(first[i], first[i], size, size) += v.steps[i].hessian;
      right.segment(first[i], size) += r.gradient[i];
      put_rows(row, first[i], v.steps[i].jacobian);
      right.segment(row, p.sizes(k).y) = r.rows[i];
      row += p.sizes(k).y;
    }
    const Index last = n - p.end_size();
    matrix.block(last, last, p.end_size(), p.end_size()) += v.end.hessian;
    right.segment(last, p.end_size()) += r.end_gradient;
    put_rows(row, last, v.end.jacobian);
    right.tail(v.ties().size()) = r.ties;
    for (int k = 0; k < p.steps(); ++k)
      put_rows(row + v.joints()[static_cast<std::size_t>(k)].first,
               first[static_cast<std::size_t>(k)], v.joints()[static_cast<std::size_t>(k)].slopes);
  }
  int negative() const {
    return static_cast<int>(
        (Eigen::SelfAdjointEigenSolver<MatrixXd>(matrix).eigenvalues().array() < 0.0).count());
  }
  MatrixXd matrix;
  VectorXd right;
  Index variables = 0;
};

ChainMultipliers multipliers(const ChainValues& v) {
  ChainMultipliers m;
  for (int k = 0; k < v.count(); ++k) {
    m.rho.emplace_back(VectorXd::LinSpaced(v.problem().sizes(k).y, -0.5, 0.7));
    m.limits.emplace_back(VectorXd(0));
  }
  m.start = VectorXd::LinSpaced(v.problem().start_rows(), 0.2, 0.4);
  m.ties = VectorXd::LinSpaced(v.ties().size(), 0.3, -0.6);
  return m;
}

VectorXd together(const ChainSolution& s) {
  std::vector<double> all;
  const auto add = [&](const VectorXd& x) { all.insert(all.end(), x.begin(), x.end()); };
  add(s.d.x0);
  for (std::size_t k = 0; k < s.d.y.size(); ++k) {
    add(s.d.w[k]);
    add(s.d.y[k]);
  }
  add(s.start);
  for (const VectorXd& rho : s.rho) add(rho);
  add(s.ties);
  return Eigen::Map<VectorXd>(all.data(), static_cast<Index>(all.size()));
}

class Solved {
 public:
  Solved(const QuadraticChain& chain, double weight)
      : values(chain), m(multipliers(values)), system(values) {
    values.evaluate(chain.origin(), m, ChainOrder::all);
    outcome = system.factorise(values, 0.0, VectorXd::Constant(system.ties(), weight));
    ChainResidual r;
    values.residual(m, r);
    if (outcome != ChainSystem::Outcome::singular) system.solve(values, r, solution);
  }
  ChainValues values;
  ChainMultipliers m;
  ChainSystem system;
  ChainSolution solution;
  ChainSystem::Outcome outcome;
};

TEST(ChainSystem, SolvesTheWholeMatrix) {
  for (unsigned seed = 1; seed <= 20; ++seed)
    for (const double weight : {0.0, 3.0}) {
      const QuadraticChain c = chain(8.0, seed, static_cast<int>(seed % 4));
      const Solved s(c, weight);
      const Whole whole(s.values, s.m);
      const VectorXd expected = -whole.matrix.fullPivLu().solve(whole.right);
      EXPECT_LT((together(s.solution) - expected).norm(), 1e-11 * expected.norm())
          << seed << ' ' << weight;
    }
}

/// Also where Hessians are indefinite: the signs of the pivots are those of the matrix.
TEST(ChainSystem, CountsTheSignsOfTheWholeMatrix) {
  int minima = 0, saddles = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const QuadraticChain c = chain(1.0 + 0.02 * seed, seed);
    const Solved s(c, seed % 2 == 0 ? 0.0 : 3.0);
    const Whole whole(s.values, s.m);
    const bool minimum = whole.negative() == whole.matrix.rows() - whole.variables;
    EXPECT_EQ(s.outcome == ChainSystem::Outcome::minimum, minimum) << seed;
    (minimum ? minima : saddles) += 1;
    const VectorXd expected = -whole.matrix.fullPivLu().solve(whole.right);
    EXPECT_LT((together(s.solution) - expected).norm(), 1e-9 * expected.norm()) << seed;
  }
  EXPECT_GT(minima, 20);
  EXPECT_GT(saddles, 20);
}

/// The third row of the end is the sum of the others: it is met with them, and its multiplier changes nothing.
TEST(ChainSystem, LeavesRedundantRowsOut) {
  QuadraticChain c = chain(8.0, 5, 2, 3);
  ChainEnd& end = c.end_data();
  end.jacobian.row(2) = end.jacobian.row(0) + end.jacobian.row(1);
  end.rows[2] = end.rows[0] + end.rows[1];
  const Solved s(c, 0.0);
  EXPECT_EQ(s.outcome, ChainSystem::Outcome::minimum);
  const VectorXd x = s.solution.d.y.back().tail(3);
  EXPECT_LT((s.values.end.jacobian * x + s.values.end.rows).norm(), 1e-12);
  QuadraticChain without = chain(8.0, 5, 2, 3);
  without.end_data() = end;
  without.end_data().jacobian = end.jacobian.topRows(2);
  without.end_data().rows = end.rows.head(2);
  const Solved two(without, 0.0);
  EXPECT_LT((two.solution.d.y.back().tail(3) - x).norm(), 1e-12);
}

/// A state that nothing moves, held at the end as it is: such a row is not one that is hard to reach.
TEST(ChainSystem, LeavesOutWhatNothingMoves) {
  QuadraticChain c({{2, 1, 0, 0}, {2, 1, 0, 0}, {2, 1, 0, 0}}, 2, 2, 2, 8.0, 3);
  for (int k = 0; k < 3; ++k) {
    ChainStep& step = c.step_data(k);
    step.jacobian << -1, 0.3, 0.5, 1, 0, 0, 0, 0, 0, 1;  // the second state becomes 0
    step.rows[1] = 0.0;
  }
  c.end_data().jacobian.setIdentity();
  c.end_data().rows[1] = 0.0;
  const Solved s(c, 0.0);
  EXPECT_EQ(s.outcome, ChainSystem::Outcome::minimum);
  EXPECT_LT((s.solution.d.y.back() + s.values.end.rows).norm(), 1e-12);
  EXPECT_EQ(s.solution.ties[1], 0.0);
}

}  // namespace
}  // namespace varia::detail
