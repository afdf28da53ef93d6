// SPDX-License-Identifier: BSD-3-Clause
// The functions of a control problem: their derivatives, and the motion they describe. Also roll_out.hpp and
// chain_problem.hpp.
#include "varia/control/control_problem.hpp"

#include <gtest/gtest.h>

#include "problems/controlled.hpp"
#include "refusal.hpp"
#include "varia/control/roll_out.hpp"

namespace varia::control_problem_test {
namespace {

using namespace problems;
using controlled::Case;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string name_of(const Case& c) { return c.texts.name + ", " + c.method.name(); }

/// Somewhere that is nothing special.
ChainPoint some_point(const ControlProblem& problem, const ControlTexts& texts) {
  ControlGuess guess = guess_at_start(texts);
  guess.parameters.assign(texts.parameters.size(), 1.0);
  const ChainPoint at = problem.guess(guess);
  ChainPoint out = at;
  problem.move(at, random_direction(problem, 0.3, 7), 1.0, out);
  return out;
}

VectorXd random_numbers(Eigen::Index count, unsigned seed) {
  std::mt19937 generator(seed);
  VectorXd x(count);
  for (double& number : x) number = 2.0 * (static_cast<double>(generator()) / 4294967295.0) - 1.0;
  return x;
}

/// f′(0) by differences of the fourth order.
template <class F> auto slope_of(const F& f) {
  const double h = 2e-3;
  return ((8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)).eval();
}

/// The variables of step k in a direction.
VectorXd along(const ControlProblem& problem, const ChainDirection& d, int k) {
  const ChainStepSizes s = problem.sizes(k);
  const auto at = static_cast<std::size_t>(k);
  VectorXd x(s.variables());
  x << (k == 0 ? d.x0 : d.y[at - 1].tail(s.x)), d.w[at], d.y[at];
  return x;
}

/// Cost, rows, inequalities of a step, and the slope of its Lagrangian in the direction.
VectorXd values(const ControlProblem& problem, int k, const ChainPoint& at, const VectorXd& rho,
                const VectorXd& z, const VectorXd& direction) {
  ChainStep out;
  problem.evaluate(k, at, rho, z, ChainOrder::slopes, out);
  VectorXd all(out.rows.size() + out.inequalities.size() + 2);
  const VectorXd slope =
      out.gradient + out.jacobian.transpose() * rho + out.inequality_slopes.transpose() * z;
  all << out.cost, out.rows, out.inequalities, slope.dot(direction);
  return all;
}

/// Along q exp(εδ) the velocity of the point is δ in its own frame, so that the slope of a slope is dᵀH d.
TEST(ControlProblem, DerivativesAreThoseOfTheFunctions) {
  for (const Case& c : controlled::cases()) {
    SCOPED_TRACE(name_of(c));
    const ControlProblem problem = control_problem(c.texts, c.method, c.tau);
    const ChainPoint at = some_point(problem, c.texts);
    for (int k = 0; k < problem.steps(); ++k) {
      const ChainStepSizes s = problem.sizes(k);
      const VectorXd rho = random_numbers(s.y, 1), z = random_numbers(s.g, 2);
      ChainStep here;
      problem.evaluate(k, at, rho, z, ChainOrder::all, here);
      ASSERT_EQ(here.hessian, here.hessian.transpose());
      for (unsigned seed = 11; seed < 14; ++seed) {
        const ChainDirection d = random_direction(problem, 1.0, seed);
        const VectorXd direction = along(problem, d, k);
        const VectorXd measured = slope_of([&](double epsilon) {
          ChainPoint there = at;
          problem.move(at, d, epsilon, there);
          return values(problem, k, there, rho, z, direction);
        });
        VectorXd exact(measured.size());
        exact << here.gradient.dot(direction), here.jacobian * direction,
            here.inequality_slopes * direction, direction.dot(here.hessian * direction);
        const double scale = 1.0 + exact.cwiseAbs().maxCoeff();
        EXPECT_LT((measured - exact).cwiseAbs().maxCoeff(), 1e-10 * scale)
            << "step " << k << "\n"
            << (measured - exact).transpose();
      }
    }
  }
}

TEST(ControlProblem, DerivativesOfEndsAreThoseOfTheFunctions) {
  for (const Case& c : {Case{controlled::everything(), gauss(2)},
                        Case{controlled::body(), gauss(2)}, Case{controlled::rod(), lobatto(3)}}) {
    SCOPED_TRACE(name_of(c));
    const ControlProblem problem = control_problem(c.texts, c.method, c.tau);
    const ChainPoint at = some_point(problem, c.texts);
    const ChainDirection d = random_direction(problem, 1.0, 5);
    const auto compare = [&](int rows, const VectorXd& direction, const auto& evaluate) {
      const VectorXd nu = random_numbers(rows, 3);
      ChainEnd here;
      evaluate(at, nu, here);
      ASSERT_EQ(here.hessian, here.hessian.transpose());
      const VectorXd measured = slope_of([&](double epsilon) {
        ChainPoint there = at;
        problem.move(at, d, epsilon, there);
        ChainEnd out;
        evaluate(there, nu, out);
        VectorXd all(rows + 2);
        all << out.cost, out.rows, (out.gradient + out.jacobian.transpose() * nu).dot(direction);
        return all;
      });
      VectorXd exact(rows + 2);
      exact << here.gradient.dot(direction), here.jacobian * direction,
          direction.dot(here.hessian * direction);
      EXPECT_LT((measured - exact).cwiseAbs().maxCoeff(), 1e-10 * (1.0 + exact.norm()));
    };
    compare(problem.start_rows(), d.x0,
            [&](const ChainPoint& p, const VectorXd& nu, ChainEnd& out) {
              problem.evaluate_start(p, nu, ChainOrder::all, out);
            });
    compare(problem.end_rows(), d.y.back().tail(problem.end_size()),
            [&](const ChainPoint& p, const VectorXd& nu, ChainEnd& out) {
              problem.evaluate_end(p, nu, ChainOrder::all, out);
            });
  }
}

/// With inputs that are constant the motion is that of the integrator, on every space.
TEST(ControlProblem, TheMotionIsThatOfTheIntegrator) {
  for (const Case& c : controlled::cases()) {
    if (!c.texts.states.empty()) continue;
    SCOPED_TRACE(name_of(c));
    const ControlProblem problem = control_problem(c.texts, c.method, c.tau);
    ChainPoint at = problem.guess(guess_at_start(c.texts));
    std::vector<std::pair<std::string, double>> inputs;
    double value = 0.7;
    for (const ControlRange& input : c.texts.inputs) inputs.emplace_back(input.name, value -= 0.2);
    for (VectorXd& w : at.w)
      for (Eigen::Index i = 0; i < w.size(); ++i)
        w[i] = inputs[static_cast<std::size_t>(i) % inputs.size()].second;
    const auto system = system_of(c.texts.system, c.tau, inputs);
    at.x0.segment(system->entries, system->n) = c.texts.system.v;
    const RollOut rolled = roll_out(problem, at);
    ASSERT_TRUE(rolled.solved) << "step " << rolled.step;

    FlowOptions options;
    options.retraction = c.tau;
    options.multipliers = c.texts.multipliers;
    const ControlTime& time = c.texts.time;
    const VectorState end = walk(StageFlow(c.method, system, options),
                                 initial(*system, c.texts.system.q, c.texts.system.v, time.start),
                                 (time.end - time.start) / time.steps, time.steps);
    const VectorXd& last = rolled.point.y[static_cast<std::size_t>(time.steps)];
    const VectorXd node = last.tail(problem.sizes(time.steps + 1).x_entries);
    EXPECT_LT((node.head(system->entries) - end.q).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((node.segment(system->entries, system->n) - end.p).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_GT((end.q - c.texts.system.q).cwiseAbs().maxCoeff(), 0.01);
  }
}

}  // namespace
}  // namespace varia::control_problem_test
