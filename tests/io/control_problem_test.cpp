// SPDX-License-Identifier: BSD-3-Clause
// The control problem of a scenario is the one that its formulas state, on every kind of space.
#include "varia/io/control_problem.hpp"

#include <gtest/gtest.h>

#include "problems/controlled.hpp"
#include "refusal.hpp"
#include "varia/control/optimise.hpp"

namespace varia::io::control_problem_test {

namespace {

using Eigen::VectorXd;
using problems::ControlTexts;

/// Largest difference of all functions of two problems somewhere near the guess.
double difference(const ControlProblem& a, const ControlProblem& b, const ControlGuess& guess) {
  ChainPoint at = a.guess(guess);
  const ChainPoint from = at;
  a.move(from, problems::random_direction(a, 0.3, 7), 1.0, at);
  double largest = 0.0;
  const auto compare = [&](const auto& x, const auto& y) {
    ASSERT_EQ(x.size(), y.size());
    if (x.size() > 0) largest = std::max(largest, (x - y).cwiseAbs().maxCoeff());
  };
  EXPECT_EQ(a.steps(), b.steps());
  for (int k = 0; k < a.steps(); ++k) {
    const ChainStepSizes s = a.sizes(k);
    ChainStep x, y;
    a.evaluate(k, at, VectorXd::Ones(s.y), VectorXd::Ones(s.g), ChainOrder::all, x);
    b.evaluate(k, at, VectorXd::Ones(s.y), VectorXd::Ones(s.g), ChainOrder::all, y);
    compare(x.rows, y.rows);
    compare(x.inequalities, y.inequalities);
    compare(x.hessian, y.hessian);
    largest = std::max(largest, std::abs(x.cost - y.cost));
    compare(a.input_bounds(k).lower.cwiseMax(-1e9), b.input_bounds(k).lower.cwiseMax(-1e9));
    compare(a.inequality_bounds(k).upper.cwiseMin(1e9), b.inequality_bounds(k).upper.cwiseMin(1e9));
  }
  for (const bool end : {false, true}) {
    ChainEnd x, y;
    const auto evaluate = [&](const ControlProblem& p, ChainEnd& out) {
      const VectorXd nu = VectorXd::Ones(end ? p.end_rows() : p.start_rows());
      if (end)
        p.evaluate_end(at, nu, ChainOrder::all, out);
      else
        p.evaluate_start(at, nu, ChainOrder::all, out);
    };
    evaluate(a, x);
    evaluate(b, y);
    compare(x.rows, y.rows);
    compare(x.hessian, y.hessian);
    largest = std::max(largest, std::abs(x.cost - y.cost));
  }
  return largest;
}

ControlStatement statement(const std::string& text) {
  return build_control(parse_scenario(text, "test.toml"));
}

const std::string everything = R"~([system]
coordinates = ["x", "y"]
parameters = { half = "1/2", k = 1.0, twice = "2*k" }
lagrangian = "(1 + 0.3*sin(t))*(x_dot^2 + y_dot^2)/2 + 0.1*x_dot^4 + 0.2*x^2*y_dot^2 + k*x*y_dot/5 - twice^2*x^4/16 - y^2/2 - x*cos(2*t)"
force = { x = "push - 0.1*x_dot", y = "w + 0.2*u^2 + m*y - t*k" }
let = { push = "u*cos(x)" }
[control]
inputs = ["u", "w"]
cost = "(u^2 + w^2)/2 + x^2*y_dot + m^2 + t*k"
final_cost = "x*x_p + y_dot^2 + m*k + t^2"
state = { m = "-m*u + x_dot*k + t" }
bounds = { u = [-2, 2], y_dot = { at_least = "-6*half", at_most = 3 } }
path = [{ g = "x^2 + u*m", at_most = 4 }]
optimise = { k = [0.5, 2] }
until = { free = [0.4, 3], guess = 0.8 }
[start]
t = 0.2
x = "half"
m = 0.1
conditions = ["y*y_dot + 0.24"]
[end]
conditions = ["x + y_p*m - k", "t*y"]
[run]
method = "gauss(2)"
steps = 3
)~";

TEST(ControlProblemOfAScenario, HasAllThatAProblemMayHave) {
  ControlTexts texts = problems::controlled::everything();
  texts.path = {{"y_dot", -3.0, 3.0}, {"x^2 + u*m", -problems::unbounded, 4.0}};
  texts.start = {"x - 1/2", "m - 0.1", "y*y_dot + 0.24"};
  const ControlProblem stated = problems::control_problem(texts, gauss(2));
  const ControlStatement s = statement(everything);
  ControlGuess guess = problems::guess_at_start(texts);
  guess.parameters = {1.0};
  EXPECT_LT(difference(make_problem(s), stated, guess), 1e-12);
  EXPECT_EQ(s.time.end, 0.8);
  EXPECT_EQ(s.search.parameters, std::vector<double>{1.0});
}

TEST(ControlProblemOfAScenario, FixesPointsOfGroups) {
  const std::string text = R"~([system]
coordinates = [{ name = "R", space = "SO3" }]
lagrangian = "(R_w1^2 + 2*R_w2^2 + 3*R_w3^2)/2"
force = { R_1 = "u", R_2 = "v", R_3 = "w" }
[control]
inputs = ["u", "v", "w"]
cost = "(u^2 + v^2 + w^2)/2"
[start]
R = { angle_axis = [0, 0, 0] }
R_w1 = 0
R_w2 = 0
R_w3 = 0
[end]
R = { angle_axis = ["2/sqrt(3)", "2/sqrt(3)", "2/sqrt(3)"] }
R_w = [0, 0, 0]
[run]
method = "gauss(2)"
until = 5
steps = 20
)~";
  const ControlStatement s = statement(text);
  const ControlProblem problem = make_problem(s);
  EXPECT_EQ(problem.start_rows(), 6);
  EXPECT_EQ(problem.end_rows(), 6);
  const Optimum optimum = optimise(problem, problem.guess(stated_guess(s)));
  ASSERT_EQ(optimum.status, OptimumStatus::solved) << optimum.message;
  EXPECT_NEAR(optimum.cost, 0.728528295061, 1e-5) << "indirect shooting";
}

TEST(ControlProblemOfAScenario, FixesUnitVectorsAndTheirVelocities) {
  const std::string text = R"~([system]
coordinates = [{ name = "n", space = "S2" }]
lagrangian = "(n1_dot^2 + n2_dot^2 + n3_dot^2)/2"
force = { n1 = "u", n2 = "v", n3 = "w" }
[control]
inputs = ["u", "v", "w"]
cost = "(u^2 + v^2 + w^2)/2"
[start]
n = [1, 0, 0]
n_dot = [0, 0, 0]
[end]
n = [0, 1, 0]
n_dot = [0, 0, 0]
[run]
method = "gauss(2)"
until = 2
steps = 20
)~";
  const ControlStatement s = statement(text);
  const ControlProblem problem = make_problem(s);
  EXPECT_EQ(problem.end_rows(), 4);
  const Optimum optimum = optimise(problem, problem.guess(stated_guess(s)));
  ASSERT_EQ(optimum.status, OptimumStatus::solved) << optimum.message;
  const double angle = std::acos(-1.0) / 2.0;
  EXPECT_NEAR(optimum.cost, 6.0 * angle * angle / 8.0, 1e-6) << "along a great circle";
}

TEST(ControlProblemOfAScenario, TheGuessIsAsStated) {
  std::string text = everything;
  text.replace(text.find("[start]"), 7,
               "guess = { x = \"3*t\", u = \"cos(t)\", m = \"t^2\" }\n[start]");
  const ControlStatement s = statement(text);
  std::vector<double> q(2), u(2), a(1);
  s.search.q(0.5, q.data());
  s.search.u(0.5, u.data());
  s.search.a(0.5, a.data());
  EXPECT_EQ(q, (std::vector<double>{1.5, 0.0}));
  EXPECT_EQ(u, (std::vector<double>{std::cos(0.5), 0.0}));
  EXPECT_EQ(a, std::vector<double>{0.25});
}

/// A motion that is stretched to another time is the same at its ends and on the way.
TEST(ControlProblemOfAScenario, AMotionIsAGuessInAnotherTime) {
  const ControlStatement s = statement(everything);
  ControlMotion motion;
  motion.t = {0.0, 1.0, 2.0};
  motion.c = {0.5};
  for (const double t : motion.t) {
    motion.q.emplace_back(Eigen::Vector2d(t, -t));
    motion.a.emplace_back(Vn::Constant(1, 2.0 * t));
  }
  motion.u = {{Eigen::Vector2d(1, 2)}, {Eigen::Vector2d(3, 4)}};
  motion.parameters = Vn::Constant(1, 1.5);
  const ControlGuess guess = guess_along(s, motion);
  std::vector<double> q(2), u(2), a(1);
  guess.q(s.time.start + 0.75 * (s.time.end - s.time.start), q.data());
  guess.a(s.time.end, a.data());
  guess.u(s.time.end, u.data());
  EXPECT_NEAR(q[0], 1.5, 1e-14);
  EXPECT_NEAR(q[1], -1.5, 1e-14);
  EXPECT_NEAR(a[0], 4.0, 1e-14);
  EXPECT_EQ(u, (std::vector<double>{3.0, 4.0}));
  EXPECT_EQ(guess.parameters, std::vector<double>{1.5});
}

}  // namespace

}  // namespace varia::io::control_problem_test
