// SPDX-License-Identifier: BSD-3-Clause
// Where the search for an optimum begins.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "../model/builder.hpp"
#include "../scenario/expressions.hpp"
#include "varia/control/conditions.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/derivative.hpp"
#include "vectors.hpp"

namespace varia::io {

using detail::sz;

/// A formula of t and parameters.
expr::Id ModelBuilder::in_time(const Text& text) {
  expr::Scope scope = parameters_;
  scope.add("t", graph_->variable(0));
  return parse(scope, text);
}

namespace {

/// Coordinates and points that are functions of t.
class StatedMotion {
 public:
  struct Number {
    int entry;
    expr::Kernel f;
  };
  struct Point {
    FactorPtr factor;
    int entry;
    std::size_t form;
    expr::Kernel f;
    int count;
  };
  void put(double t, double* q) const {
    for (const Number& number : numbers) number.f(&t, q + number.entry);
    for (const Point& point : points) {
      std::vector<double> x(sz(point.count));
      point.f(&t, x.data());
      point.factor->read_point(point.form, x.data(), q + point.entry);
    }
  }
  std::vector<Number> numbers;
  std::vector<Point> points;
};

/// A coordinate that is fixed at one end only stays there.
void complete(const std::vector<char>& known, const std::vector<double>& from,
              const std::vector<char>& missing, std::vector<double>& to) {
  for (std::size_t i = 0; i < to.size(); ++i)
    if (known[i] != 0 && missing[i] == 0) to[i] = from[i];
}

}  // namespace

std::function<void(double, double*)> ModelBuilder::guess_of_motion(const ControlEnd& start,
                                                                   const ControlEnd& end,
                                                                   const ControlTime& time) {
  std::vector<double> from = start.q, to = end.q;
  complete(start.known, start.q, end.known, to);
  complete(end.known, end.q, start.known, from);
  told_at({"", scenario_.control->place, "control.guess"},
          [&] { reach_without_turn(model_, from.data(), to.data()); });
  const auto line = straight_line(model_.system->space, vector_of(from), vector_of(to), time).q;
  const Start& given = scenario_.control->guess.motion;
  auto stated = std::make_shared<StatedMotion>();
  expr::Scope scope = parameters_;
  scope.add("t", graph_->variable(0));
  std::unordered_map<std::string, std::pair<FactorPtr, int>> points;
  for (const auto& b : layout_.blocks)
    for (int k = 0; k < b.count; ++k)
      points[b.point(k)] = {b.factor, b.entry + k * b.factor->entries()};
  ComponentFormulas formulas(scenario_.text, *graph_, scope);
  for_entries(given.positions, [&](const Component& c) {
    stated->numbers.push_back({points.at(c.component).second, kernel({formulas.of(c)}, 1)});
  });
  EntryScope entries(scope);
  for (const PointStart& point : given.points) {
    std::vector<Id> numbers;
    for (const Text& text : point.numbers)
      numbers.push_back(parse(entries.at(point.index, point.indexed, point.second), text));
    const auto& [factor, entry] = points.at(point.name);
    stated->points.push_back(
        {factor, entry, point.form, kernel(numbers, 1), static_cast<int>(numbers.size())});
  }
  return [line, stated](double t, double* q) {
    line(t, q);
    stated->put(t, q);
  };
}

/// Inputs or states by name: as given, else between the values at the ends.
std::function<void(double, double*)> ModelBuilder::guess_of_numbers(
    const std::vector<std::string>& names, const Named& given,
    const std::vector<std::pair<double, double>>& ends, const ControlTime& time) {
  std::vector<std::pair<std::size_t, expr::Kernel>> stated;
  for (const auto& [name, text] : given) {
    const auto at = std::find(names.begin(), names.end(), name);
    stated.emplace_back(sz(at - names.begin()), kernel({in_time(text)}, 1));
  }
  return [stated, ends, time](double t, double* x) {
    const double part = (t - time.start) / (time.end - time.start);
    for (std::size_t k = 0; k < ends.size(); ++k)
      x[k] = ends[k].first + part * (ends[k].second - ends[k].first);
    for (const auto& [k, f] : stated) f(&t, x + k);
  };
}

ControlSearch ModelBuilder::control_search(const ControlEnd& start, const ControlEnd& end,
                                           const ControlTime& time) {
  const ControlText& control = *scenario_.control;
  std::vector<std::string> inputs, states;
  for (const Text& input : control.inputs) inputs.push_back(input.value);
  std::vector<std::pair<double, double>> ends;
  for (std::size_t k = 0; k < control.states.size(); ++k) {
    states.push_back(control.states[k].name);
    const double from = start.states[k].value_or(end.states[k].value_or(0.0));
    ends.emplace_back(from, end.states[k].value_or(from));
  }
  const std::vector<std::pair<double, double>> zeros(inputs.size(), {0.0, 0.0});
  ControlSearch search{guess_of_motion(start, end, time),
                       guess_of_numbers(states, control.guess.states, ends, time),
                       guess_of_numbers(inputs, control.guess.inputs, zeros, time),
                       {},
                       start.v};
  for (const BoundsText& one : control.optimise)
    search.parameters.push_back(model_.parameters.at(one.name));
  return search;
}

ControlGuess stated_guess(const ControlStatement& s) {
  const GuessText& text = s.model.scenario.control->guess;
  if (!text.file) return {s.search.q, s.search.a, s.search.u, s.search.parameters};
  return told_at(*text.file, [&] {
    return guess_along(s, recorded_motion(s, path_beside(s.model.scenario, text.file->value)));
  });
}

namespace {

/// The part of a motion that has passed where so much of its time has: a number of its steps, and a rest of one.
struct Moment {
  std::size_t step;
  double part;
};

Moment moment_at(const ControlMotion& m, double share) {
  const double t = m.t.front() + share * (m.t.back() - m.t.front());
  const auto behind = std::upper_bound(m.t.begin(), m.t.end(), t);
  const auto last = static_cast<long>(m.t.size()) - 2;
  const long k = std::clamp(static_cast<long>(std::distance(m.t.begin(), behind)) - 1, 0L, last);
  return {sz(k), (t - m.t[sz(k)]) / (m.t[sz(k) + 1] - m.t[sz(k)])};
}

}  // namespace

/// The motion in the time of the problem: where the times differ it is stretched.
ControlGuess guess_along(const ControlStatement& s, const ControlMotion& motion) {
  const auto m = std::make_shared<const ControlMotion>(motion);
  const ControlTime time = s.time;
  const auto share = [time](double t) { return (t - time.start) / (time.end - time.start); };
  ControlGuess guess;
  guess.q = [m, share, space = s.model.system->space](double t, double* q) {
    const Moment at = moment_at(*m, share(t));
    Vn way(space.dof());
    space.difference(m->q[at.step].data(), m->q[at.step + 1].data(), Retraction::exponential,
                     way.data());
    way *= at.part;
    space.retract(m->q[at.step].data(), way.data(), Retraction::exponential, q);
  };
  guess.a = [m, share](double t, double* a) {
    const Moment at = moment_at(*m, share(t));
    for (Eigen::Index k = 0; k < m->a[at.step].size(); ++k)
      a[k] = m->a[at.step][k] + at.part * (m->a[at.step + 1][k] - m->a[at.step][k]);
  };
  guess.u = [m, share](double t, double* u) {
    const Moment at = moment_at(*m, share(t));
    const std::vector<double> weights = interpolation_weights(m->c, at.part);
    std::fill_n(u, m->u[at.step].front().size(), 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i)
      for (Eigen::Index k = 0; k < m->u[at.step][i].size(); ++k)
        u[k] += weights[i] * m->u[at.step][i][k];
  };
  guess.parameters.assign(m->parameters.begin(), m->parameters.end());
  return guess;
}

/// Numbers that have no value are told by the formula they belong to.
void require_values(const ControlStatement& s, const ControlGuess& guess) {
  const KernelSystem& f = *s.model.system;
  const ControlVariables names(f.space, static_cast<int>(s.states.size()),
                               static_cast<int>(s.inputs.size()),
                               static_cast<int>(s.parameters.size()));
  expr::NameList variables = s.model.variable_names;
  for (const auto* list : {&s.states, &s.inputs, &s.parameters}) variables.append(*list);
  const double h = (s.time.end - s.time.start) / s.time.steps;
  const auto point = [&](double t) {
    std::vector<double> x(sz(names.end), 0.0);
    x[0] = t;
    guess.q(t, x.data() + names.q);
    std::vector<double> before(sz(f.entries)), after(sz(f.entries));
    guess.q(std::max(t - 0.5 * h, s.time.start), before.data());
    guess.q(std::min(t + 0.5 * h, s.time.end), after.data());
    f.space.difference(before.data(), after.data(), Retraction::exponential, x.data() + names.v);
    for (int i = 0; i < f.n; ++i) x[sz(names.v + i)] /= h;
    if (guess.a) guess.a(t, x.data() + names.a);
    if (guess.u) guess.u(t, x.data() + names.u);
    std::copy(guess.parameters.begin(), guess.parameters.end(), x.begin() + names.theta);
    return x;
  };
  for (const auto& [text, id] : s.texts) {
    const expr::Kernel kernel(
        std::make_shared<const expr::Tape>(*s.model.graph, std::vector<expr::Id>{id}, names.end));
    for (int k = 0; k < s.time.steps; ++k) {
      const std::vector<double> x = point(s.time.start + (k + 0.5) * h);
      double value = 0.0;
      kernel(x.data(), &value);
      if (!std::isfinite(value))
        throw ScenarioError(text, "has no value along the guess, at t = " + varia::to_text(x[0]) +
                                      ": " + kernel.non_finite(x.data(), variables) +
                                      ". State another guess in [control]");
    }
  }
}

}  // namespace varia::io
