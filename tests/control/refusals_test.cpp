// SPDX-License-Identifier: BSD-3-Clause
// Problems of optimal control that cannot be: an error that says why, or the status of the search.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "problems/controlled.hpp"
#include "problems/optima.hpp"
#include "refusal.hpp"

namespace varia::control_refusals_test {
namespace {

using namespace problems;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A mass on a line, from 0 to 1 and from rest to rest.
ControlTexts mass() {
  ControlTexts c;
  c.name = "mass";
  c.system = {{"x"}, "x_dot^2/2", {"u"}, {}, vector({0}), vector({0})};
  c.cost = "u^2/2";
  c.start = {"x", "x_dot"};
  c.end = {"x - 1", "x_dot"};
  c.time = {0.0, 1.0, 10, {}};
  return c;
}

ControlGuess to_one() {
  ControlGuess guess;
  guess.q = [](double t, double* q) { q[0] = t; };
  return guess;
}

std::string refused(const ControlTexts& texts, const Method& method = gauss(2)) {
  return refusal([&] { control_problem(texts, method); });
}

Optimum answer(const ControlTexts& texts, const ControlGuess& guess) {
  const ControlProblem problem = control_problem(texts, gauss(2));
  return optimise(problem, problem.guess(guess));
}

void expect_status(OptimumStatus status, const Optimum& o,
                   std::initializer_list<const char*> words) {
  EXPECT_EQ(to_string(o.status), to_string(status)) << o.message;
  expect_words(o.message, words);
  EXPECT_TRUE(o.gains.empty());
}

TEST(ControlRefusals, TheProblemItselfIsSolved) {
  const Optimum o = answer(mass(), to_one());
  EXPECT_EQ(o.status, OptimumStatus::solved);
  EXPECT_NEAR(o.cost, 6.0, 1e-9);
}

TEST(ControlRefusals, AnInputThatOccursNowhere) {
  ControlTexts c = mass();
  c.inputs.push_back({"idle"});
  expect_words(refused(c), {"'idle'", "moves nothing"});
  c.cost = "u^2/2 + idle^2";
  expect_words(refused(c), {"'idle'", "moves nothing"});
  c.inputs.clear();
  c.system.force = {"-x"};
  c.cost = "x^2";
  expect_words(refused(c), {"at least one input"});
}

/// It occurs, and still does nothing.
TEST(ControlRefusals, AnInputThatIsMultipliedByZero) {
  ControlTexts c = mass();
  c.inputs.push_back({"idle"});
  c.system.force = {"u + 0*idle"};
  c.cost = "u^2/2 + idle^2";
  expect_words(refused(c), {"'idle'"});
}

/// Where it does nothing by cancellation, which no formula shows, the optimum is not spoiled.
TEST(ControlRefusals, AnInputWithoutCostOrEffect) {
  ControlTexts c = mass();
  c.inputs.push_back({"w"});
  c.system.force = {"u + w - w"};
  const Optimum o = answer(c, to_one());
  if (o.status == OptimumStatus::solved)
    EXPECT_NEAR(o.cost, 6.0, 1e-9);
  else
    EXPECT_FALSE(o.message.empty());
}

TEST(ControlRefusals, MoreEndConditionsThanNumbers) {
  ControlTexts c = mass();
  c.end.emplace_back("x*x_dot");
  expect_words(refused(c), {"3 conditions", "end", "2 numbers"});
  c = mass();
  c.start.emplace_back("x + x_dot");
  expect_words(refused(c), {"3 conditions", "start", "2 numbers"});
}

TEST(ControlRefusals, BoundsThatContradictEachOther) {
  ControlTexts c = mass();
  c.inputs = {{"u", 1.0, -1.0}};
  expect_words(refused(c), {"'u'", "contradict", "1", "-1"});
  c = mass();
  c.inputs = {{"u", nan, 1.0}};
  expect_words(refused(c), {"'u'"});
  c = mass();
  c.parameters = {{"k", 2.0, 1.0}};
  c.system.lagrangian = "k*x_dot^2/2";
  expect_words(refused(c), {"'k'", "contradict"});
  c = mass();
  c.path = {{"x_dot", 2.0, 1.0}};
  expect_words(refused(c), {"'x_dot'", "contradict"});
  c = mass();
  c.time.free_end = ControlRange{"T", 3.0, 1.0};
  expect_words(refused(c), {"'T'", "contradict"});
}

TEST(ControlRefusals, MethodsThatCannotHoldThem) {
  expect_words(refused(mass(), rk4()), {"rk4", "stages"});
  expect_words(refused(controlled::rod(), gauss(2)), {"gauss(2)", "holonomic"});
  expect_words(refused(controlled::unicycle(), gauss(2)), {"gauss(2)", "nonholonomic"});
}

TEST(ControlRefusals, AnEndOutOfReach) {
  ControlTexts c = mass();  // needs 4
  c.inputs = {{"u", -3.0, 3.0}};
  expect_status(OptimumStatus::infeasible, answer(c, to_one()), {"no motion", "'x - 1'"});
  c.inputs = {{"u", -4.5, 4.5}};
  EXPECT_EQ(answer(c, to_one()).status, OptimumStatus::solved);
  c = mass();
  c.path = {{"x_dot", -1.0, 0.9}};
  EXPECT_EQ(answer(c, to_one()).status, OptimumStatus::infeasible);
}

/// A second mass that no input moves.
TEST(ControlRefusals, AnEndThatNoInputChanges) {
  ControlTexts c = mass();
  c.system = {{"x", "y"}, "(x_dot^2 + y_dot^2)/2", {"u", "0"}, {}, vector({0, 0}), vector({0, 0})};
  c.start = {"x", "x_dot", "y", "y_dot"};
  c.end = {"x - 1", "x_dot", "y - 1"};
  ControlGuess guess;
  guess.q = [](double t, double* q) { q[0] = q[1] = t; };
  const Optimum o = answer(c, guess);
  EXPECT_TRUE(o.status == OptimumStatus::infeasible || o.status == OptimumStatus::dependent)
      << to_string(o.status);
  expect_words(o.message, {"'y - 1'"});
}

/// As many as there may be, and still too many.
TEST(ControlRefusals, EndsThatContradictEachOther) {
  ControlTexts c = mass();
  c.end = {"x - 1", "x - 2"};
  const Optimum o = answer(c, to_one());
  EXPECT_TRUE(o.status == OptimumStatus::infeasible || o.status == OptimumStatus::dependent)
      << to_string(o.status);
  expect_words(o.message, {"'x - "});
  c = mass();
  c.start = {"x", "x - 1"};
  const Optimum start = answer(c, to_one());
  EXPECT_NE(start.status, OptimumStatus::solved);
  EXPECT_FALSE(start.message.empty());
}

/// Off the rod: the constraint and the end contradict each other.
TEST(ControlRefusals, AnEndOffTheConstraint) {
  ControlTexts c = controlled::rod();
  c.system.constraints = {"x^2 + y^2 - 1"};
  c.system.force = {"u", "0"};
  c.start = {"x - 0.6", "x_dot"};
  c.end = {"x - 1.5"};
  ControlGuess guess;
  guess.q = [](double, double* q) {
    q[0] = 0.6;
    q[1] = -0.8;
  };
  const ControlProblem problem = control_problem(c, lobatto(3));
  const Optimum o = optimise(problem, problem.guess(guess));
  EXPECT_EQ(o.status, OptimumStatus::infeasible) << to_string(o.status) << " " << o.message;
  EXPECT_FALSE(o.message.empty());
}

/// Rows that say the same are no fault.
TEST(ControlRefusals, EndsThatAgreeAreAccepted) {
  ControlTexts c = mass();
  c.end = {"x - 1", "2*x - 2"};
  const Optimum o = answer(c, to_one());
  EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
  EXPECT_NEAR(o.cost, 1.5, 1e-9);
}

TEST(ControlRefusals, ACostThatFallsWithoutEnd) {
  ControlTexts c = mass();
  c.cost = "-u^2/2";
  EXPECT_NE(answer(c, to_one()).status, OptimumStatus::solved);
  c.cost = "x";
  c.end = {"x_dot"};
  expect_status(OptimumStatus::unbounded, answer(c, to_one()), {"without end", "bound"});
}

TEST(ControlRefusals, ACostWithoutAValue) {
  ControlTexts c = mass();
  for (const char* cost : {"sqrt(x - 5)", "log(x - 5)", "u^2/0"}) {
    SCOPED_TRACE(cost);
    c.cost = cost;
    expect_status(OptimumStatus::no_value, answer(c, to_one()), {"no value", "guess"});
  }
  c = mass();
  c.final_cost = "log(-x)";
  expect_status(OptimumStatus::no_value, answer(c, to_one()), {"no value"});
  c = mass();
  c.system.force = {"u + sqrt(x - 5)"};
  expect_status(OptimumStatus::no_value, answer(c, to_one()), {"no value"});
  c = mass();
  c.end = {"log(-x)"};
  expect_status(OptimumStatus::no_value, answer(c, to_one()), {"no value"});
}

/// At the guess there is a value, and beyond there is none: what is found is right, or said not to be.
TEST(ControlRefusals, ACostWithoutAValueSomewhere) {
  ControlTexts c = mass();
  c.cost = "u^2/2 - log(1.2 - u/5)/100";
  const Optimum o = answer(c, to_one());
  if (o.status == OptimumStatus::solved)
    EXPECT_TRUE(std::isfinite(o.cost));
  else
    EXPECT_FALSE(o.message.empty());
}

TEST(ControlRefusals, GuessesThatCannotBe) {
  const ControlProblem problem = control_problem(mass(), gauss(2));
  ControlGuess guess;
  expect_words(refusal([&] { problem.guess(guess); }), {"guess", "q(t)"});
  guess = to_one();
  guess.parameters = {1.0};
  expect_words(refusal([&] { problem.guess(guess); }), {"1 parameters", "0"});
  guess = to_one();
  guess.u = [](double, double* u) { u[0] = nan; };
  expect_status(OptimumStatus::no_value, optimise(problem, problem.guess(guess)), {"no value"});
}

TEST(ControlRefusals, AGuessOffTheSpace) {
  const optima::Known turn = optima::turn_of_a_ball();
  const ControlProblem problem = optima::problem_of(turn, gauss(2));
  ControlGuess guess = optima::line_of(turn);
  guess.q = [](double, double* q) { std::fill_n(q, 9, 0.3); };
  expect_words(refusal([&] { problem.guess(guess); }), {"rotation"});
  guess.q = [](double, double* q) { std::fill_n(q, 9, nan); };
  EXPECT_NE(refusal([&] { problem.guess(guess); }), "");
  guess.q = [](double, double* q) {  // a mirror
    std::fill_n(q, 9, 0.0);
    q[0] = q[4] = 1.0;
    q[8] = -1.0;
  };
  EXPECT_NE(refusal([&] { problem.guess(guess); }), "");
}

}  // namespace
}  // namespace varia::control_refusals_test
