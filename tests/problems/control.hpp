// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Problems of optimal control from text, as a scenario would state them.
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "problems/builders.hpp"
#include "problems/states.hpp"
#include "varia/control/control_problem.hpp"
#include "varia/methods/methods.hpp"

namespace varia::problems {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

struct AuxiliaryText {
  std::string name, rate;
};
struct LimitText {
  std::string g;
  double lower, upper;
};

/// The momenta are p[1], p[2], …; what starts or ends somewhere vanishes there.
struct ControlTexts {
  std::string name;
  Texts system;  ///< with the inputs in its force
  std::vector<ControlRange> inputs = {{"u", -unbounded, unbounded}};
  std::string cost = "0", final_cost = "0";
  std::vector<AuxiliaryText> states = {};
  std::vector<ControlRange> parameters = {};
  std::vector<LimitText> path = {};
  std::vector<std::string> start = {}, end = {};
  ControlTime time = {};
  Multipliers multipliers = Multipliers::propagate;
};

/// With what its formulas stand in. The graph lives as long as the statement.
struct ControlStatement {
  std::shared_ptr<expr::Graph> graph = std::make_shared<expr::Graph>();
  ControlFormulas formulas;
};

inline ControlStatement statement_of(const ControlTexts& texts) {
  ControlStatement s;
  expr::Graph& g = *s.graph;
  expr::Scope scope;
  ControlFormulas& f = s.formulas;
  f.system.space = declare(g, scope, texts.system.coordinates);
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  const ControlVariables names(f.system.space, count(texts.states), count(texts.inputs),
                               count(texts.parameters));
  declare_array(g, scope, "p", names.p, f.system.space.dof());
  const auto add = [&](int first, const auto& list) {
    for (const auto& item : list) scope.add(item.name, g.variable(first++));
  };
  add(names.a, texts.states);
  add(names.u, texts.inputs);
  add(names.theta, texts.parameters);

  const auto formula = [&](const std::string& text) { return expr::parse(g, scope, text); };
  f.system.lagrangian = formula(texts.system.lagrangian);
  for (const auto& text : texts.system.force) f.system.force.push_back(formula(text));
  for (const auto& text : texts.system.constraints) f.system.constraints.push_back(formula(text));
  for (const auto& text : texts.system.nonholonomic) f.system.nonholonomic.push_back(formula(text));
  for (const auto& state : texts.states) f.rates.push_back(formula(state.rate));
  f.inputs = texts.inputs;
  f.parameters = texts.parameters;
  f.cost = formula(texts.cost);
  f.final_cost = formula(texts.final_cost);
  for (const auto& limit : texts.path)
    f.path.push_back({formula(limit.g), limit.lower, limit.upper, limit.g});
  for (const auto& row : texts.start) f.start.push_back({formula(row), row});
  for (const auto& row : texts.end) f.end.push_back({formula(row), row});
  f.multipliers = texts.multipliers;
  return s;
}

inline ControlProblem control_problem(const ControlTexts& texts, const Method& method,
                                      Retraction tau = default_retraction) {
  const ControlStatement s = statement_of(texts);
  return ControlProblem(*s.graph, s.formulas, method, texts.time, tau);
}

/// At rest at the start, with nothing done.
inline ControlGuess guess_at_start(const ControlTexts& texts) {
  ControlGuess guess;
  guess.q = [q = texts.system.q](double, double* out) { std::copy(q.begin(), q.end(), out); };
  return guess;
}

/// A direction with numbers in [-size, size].
inline ChainDirection random_direction(const ChainProblem& problem, double size, unsigned seed) {
  std::mt19937 generator(seed);
  const auto fill = [&](int count) {
    Eigen::VectorXd x(count);
    for (double& number : x)
      number = size * (2.0 * (static_cast<double>(generator()) / 4294967295.0) - 1.0);
    return x;
  };
  ChainDirection d;
  d.x0 = fill(problem.sizes(0).x);
  for (int k = 0; k < problem.steps(); ++k) {
    d.w.push_back(fill(problem.sizes(k).w));
    d.y.push_back(fill(problem.sizes(k).y));
  }
  return d;
}

}  // namespace varia::problems
