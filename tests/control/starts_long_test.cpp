// SPDX-License-Identifier: BSD-3-Clause
// Optima from fifty random guesses each: what is said to be solved is an optimum, by an evaluation of its own, and what is
// not says why.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "control/reverse_sweep.hpp"
#include "problems/optima.hpp"
#include "varia/control/roll_out.hpp"

namespace varia::control_starts_long_test {
namespace {

using namespace problems;
using control_sweep::ReverseSweep;
using control_sweep::Slopes;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using optima::Known;

constexpr int starts = 50;
constexpr int neighbours = 6;
constexpr double near_bound = 1e-4;

class Numbers {
 public:
  explicit Numbers(unsigned seed) : generator_(seed) {}
  /// In [-size, size].
  double operator()(double size) {
    return size * (2.0 * (static_cast<double>(generator_()) / 4294967295.0) - 1.0);
  }

 private:
  std::mt19937 generator_;
};

/// All that may change, as one vector: the inputs, then what the conditions at the start leave free of x₀. An input
/// at a bound stays there.
class FreeNumbers {
 public:
  FreeNumbers(const ControlProblem& problem, const ChainPoint& at) : problem_(problem) {
    for (int k = 0; k < problem.steps(); ++k) {
      const ChainBounds bounds = problem.input_bounds(k);
      const VectorXd& w = at.w[static_cast<std::size_t>(k)];
      for (Eigen::Index i = 0; i < w.size(); ++i)
        if (w[i] > bounds.lower[i] + near_bound && w[i] < bounds.upper[i] - near_bound)
          inputs_.emplace_back(k, static_cast<int>(i));
    }
    ChainEnd start;
    problem.evaluate_start(at, VectorXd::Zero(problem.start_rows()), ChainOrder::slopes, start);
    const Eigen::Index n = problem.sizes(0).x;
    Eigen::ColPivHouseholderQR<MatrixXd> qr(start.jacobian.transpose());
    const MatrixXd q = qr.householderQ() * MatrixXd::Identity(n, n);
    kernel_ = q.rightCols(n - qr.rank());
  }

  Eigen::Index size() const { return static_cast<Eigen::Index>(inputs_.size()) + kernel_.cols(); }
  VectorXd gather(const Slopes& s) const {
    VectorXd x(size());
    Eigen::Index place = 0;
    for (const auto& [k, i] : inputs_) x[place++] = s.inputs[static_cast<std::size_t>(k)][i];
    x.tail(kernel_.cols()) = kernel_.transpose() * s.states[0];
    return x;
  }
  void move(ChainPoint& at, const VectorXd& by) const {
    Eigen::Index place = 0;
    for (const auto& [k, i] : inputs_) at.w[static_cast<std::size_t>(k)][i] += by[place++];
    const VectorXd x0 = at.x0;
    problem_.move_start(x0, kernel_ * by.tail(kernel_.cols()), 1.0, at.x0);
  }

 private:
  const ControlProblem& problem_;
  std::vector<std::pair<int, int>> inputs_;
  MatrixXd kernel_;
};

/// ∂E/∂(free numbers), row by row.
MatrixXd end_slopes(const ReverseSweep& sweep, const FreeNumbers& free) {
  MatrixXd slopes(sweep.end.rows.size(), free.size());
  for (Eigen::Index i = 0; i < slopes.rows(); ++i)
    slopes.row(i) = free.gather(sweep(sweep.end.jacobian.row(i).transpose(), false)).transpose();
  return slopes;
}

bool within_bounds(const ControlProblem& problem, const ChainPoint& at, double margin) {
  for (int k = 0; k < problem.steps(); ++k) {
    const ChainBounds bounds = problem.input_bounds(k);
    const VectorXd& w = at.w[static_cast<std::size_t>(k)];
    for (Eigen::Index i = 0; i < w.size(); ++i)
      if (w[i] < bounds.lower[i] - margin || w[i] > bounds.upper[i] + margin) return false;
    ChainStep step;
    problem.evaluate(k, at, {}, {}, ChainOrder::values, step);
    const ChainBounds limits = problem.inequality_bounds(k);
    for (Eigen::Index i = 0; i < step.inequalities.size(); ++i)
      if (step.inequalities[i] < limits.lower[i] - margin ||
          step.inequalities[i] > limits.upper[i] + margin)
        return false;
  }
  return true;
}

/// A motion near `at` that meets all conditions: other inputs, and the ends by Newton's method with the least change.
bool make_feasible(const ControlProblem& problem, const FreeNumbers& free, ChainPoint& at) {
  for (int i = 0; i < 20; ++i) {
    const RollOut rolled = roll_out(problem, at);
    if (!rolled.solved) return false;
    at = rolled.point;
    const ReverseSweep sweep(problem, at);
    if (sweep.end.rows.cwiseAbs().maxCoeff() < 1e-11) return within_bounds(problem, at, 0.0);
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> qr;
    qr.setThreshold(1e-9);
    qr.compute(end_slopes(sweep, free));
    free.move(at, -qr.solve(sweep.end.rows));
  }
  return false;
}

/// What the point of an optimum misses of the first conditions; the multipliers of the end are found anew.
void expect_stationary(const ControlProblem& problem, const ReverseSweep& sweep,
                       const FreeNumbers& free, const ChainPoint& at) {
  const Eigen::Index rows = sweep.end.rows.size();
  const Slopes cost = sweep(VectorXd::Zero(problem.end_size()), true);
  const VectorXd g = free.gather(cost);
  const MatrixXd E = end_slopes(sweep, free);
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> qr;
  qr.setThreshold(1e-9);
  qr.compute(E.transpose());
  const VectorXd nu = -qr.solve(g);
  const double size = 1.0 + g.cwiseAbs().maxCoeff();
  EXPECT_LT((g + E.transpose() * nu).cwiseAbs().maxCoeff(), 1e-6 * size) << rows << " rows";

  // at a bound the slope presses against it
  const Slopes all = sweep(sweep.end.jacobian.transpose() * nu, true);
  for (int k = 0; k < problem.steps(); ++k) {
    const ChainBounds bounds = problem.input_bounds(k);
    const auto step = static_cast<std::size_t>(k);
    for (Eigen::Index i = 0; i < at.w[step].size(); ++i) {
      const bool up = at.w[step][i] >= bounds.upper[i] - near_bound;
      const bool down = at.w[step][i] <= bounds.lower[i] + near_bound;
      const double slope = all.inputs[step][i];
      EXPECT_FALSE((up && slope > 1e-6 * size) || (down && slope < -1e-6 * size))
          << "input " << i << " of step " << k << ": " << slope;
    }
  }
}

/// The number of feasible neighbours that were found.
int expect_no_better_neighbour(const ControlProblem& problem, const FreeNumbers& free,
                               const Optimum& o, unsigned seed) {
  Numbers random(seed);
  int found = 0;
  for (int i = 0; i < neighbours; ++i) {
    // smooth and rough changes, small and larger ones
    const double size = i % 2 == 0 ? 0.03 : 0.003;
    VectorXd by(free.size());
    const double phase = random(3.0), wave = random(0.3);
    for (Eigen::Index j = 0; j < by.size(); ++j)
      by[j] = i < neighbours / 2 ? random(size)
                                 : size * std::sin(phase + wave * static_cast<double>(j));
    by.tail(by.size() > 0 ? 1 : 0) *= 0.1;  // an end time, where it is free
    ChainPoint at = o.point;
    free.move(at, by);
    if (!make_feasible(problem, free, at)) continue;
    ++found;
    const ReverseSweep there(problem, at);
    EXPECT_GT(there.cost, o.cost - 1e-9 * (1.0 + std::abs(o.cost))) << "neighbour " << i;
  }
  return found;
}

/// The guess of the problem, with waves on motion and inputs; every other one with all unknowns astray.
ChainPoint random_guess(const ControlProblem& problem, const Known& known, double scale,
                        unsigned seed) {
  Numbers random(seed);
  const double size = scale * std::pow(10.0, random(1.0));
  const ControlGuess line = optima::line_of(known);
  expr::Graph graph;
  expr::Scope scope;
  const ProductSpace space = declare(graph, scope, known.texts.system.coordinates);
  const double T = known.texts.time.end;
  VectorXd waves(space.dof()), inputs(static_cast<Eigen::Index>(known.texts.inputs.size()));
  for (double& x : waves) x = random(0.3 * size);
  for (double& x : inputs) x = random(size);
  const double turns = 1.0 + std::floor(2.0 + random(2.0));
  ControlGuess guess = line;
  guess.q = [=](double t, double* q) {
    line.q(t, q);
    const Vn delta = waves * std::sin(3.14159265358979 * turns * t / T);
    Vn moved(space.entries());
    space.retract(q, delta.data(), Retraction::exponential, moved.data());
    std::copy(moved.begin(), moved.end(), q);
  };
  guess.u = [=](double t, double* u) {
    if (line.u)
      line.u(t, u);
    else
      std::fill_n(u, inputs.size(), 0.0);
    for (Eigen::Index i = 0; i < inputs.size(); ++i)
      u[i] += inputs[i] * std::cos(turns * t / T + static_cast<double>(i));
  };
  ChainPoint at = problem.guess(guess);
  if (seed % 2 == 1) {
    const ChainPoint from = at;
    problem.move(from, random_direction(problem, 0.1 * size, seed), 1.0, at);
  }
  return at;
}

/// `scale`: of what is random in the guesses.
void expect_right_answers(const Known& known, const Method& method, int least_solved,
                          double scale = 1.0) {
  const ControlProblem problem = optima::problem_of(known, method);
  std::map<std::string, int> counts;
  std::map<long, int> costs;
  int found = 0;
  for (unsigned seed = 1; seed <= starts; ++seed) {
    SCOPED_TRACE("start " + std::to_string(seed));
    const Optimum o = optimise(problem, random_guess(problem, known, scale, seed));
    ++counts[to_string(o.status)];
    if (o.status != OptimumStatus::solved) {
      EXPECT_FALSE(o.message.empty());
      EXPECT_NE(o.status, OptimumStatus::interrupted);
      continue;
    }
    ++costs[std::lround(o.cost * 1e4)];
    EXPECT_TRUE(o.message.empty());
    const ReverseSweep sweep(problem, o.point);
    EXPECT_LT(sweep.largest_row, 1e-8);
    EXPECT_LT(sweep.start.rows.cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LT(sweep.end.rows.cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_NEAR(sweep.cost, o.cost, 1e-12 * (1.0 + std::abs(o.cost)));
    EXPECT_TRUE(within_bounds(problem, o.point, 1e-8));
    const FreeNumbers free(problem, o.point);
    expect_stationary(problem, sweep, free, o.point);
    found += expect_no_better_neighbour(problem, free, o, seed);
  }
  std::string text = known.texts.name + ":";
  for (const auto& [status, count] : counts) text += " " + status + " " + std::to_string(count);
  text += "; costs";
  for (const auto& [cost, count] : costs)
    text +=
        " " + std::to_string(static_cast<double>(cost) * 1e-4) + " (" + std::to_string(count) + ")";
  text += "; feasible neighbours " + std::to_string(found);
  std::printf("%s\n", text.c_str());
  EXPECT_GE(counts["solved"], least_solved);
  EXPECT_GE(found, 2 * counts["solved"]);
}

TEST(RandomStarts, OfACartPole) {
  Known k = optima::cart_pole();
  k.texts.inputs = {{"u", -12.0, 12.0}};
  expect_right_answers(k, gauss(2), 25);
}

TEST(RandomStarts, OfANonholonomicParticle) {
  expect_right_answers(optima::sato(), nh_lobatto(3), 25);
}

TEST(RandomStarts, OfABodyTurned) { expect_right_answers(optima::turn_of_a_body(), gauss(2), 25); }

TEST(RandomStarts, OfAUnicycle) { expect_right_answers(optima::parking(), nh_lobatto(3), 25); }

TEST(RandomStarts, OfARocket) { expect_right_answers(optima::goddard(), gauss(2), 10, 0.02); }

}  // namespace
}  // namespace varia::control_starts_long_test
