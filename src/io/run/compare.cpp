// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "run_loop.hpp"
#include "varia/io/recorder.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io {

namespace {

constexpr long energy_samples = 600;  // of the energy along a run

/// A model whose kernels are its own: native code for them is not seen by others.
Model detached(Model model) {
  const auto copy = [](auto& shared) {
    if (shared) shared = std::make_shared<std::decay_t<decltype(*shared)>>(*shared);
  };
  model.explicit_loop = nullptr;
  copy(model.system);
  copy(model.hamiltonian);
  copy(model.discrete);
  copy(model.acceleration);
  return model;
}

/// The model with another method, over the same span: the step is rounded so that it divides it.
/// Kernels are shared with the given model, which learns what the method needs.
Model with(Model& model, const std::string& method, double step) {
  set_method(model, parse_method(method));
  Model m = model;
  m.steps = std::max(1L, std::lround(std::abs(model.span / step)));
  m.step = model.span / static_cast<double>(m.steps);
  for (Term& term : m.terms) term.step *= m.step / model.step;  // all steps in proportion
  return m;
}

double distance(const Snapshot& a, const Snapshot& b) {
  double worst = 0.0;
  const auto look = [&](const std::vector<double>& x, const std::vector<double>& y) {
    double size = 1.0;
    for (const double value : y) size = std::max(size, std::abs(value));
    for (std::size_t i = 0; i < x.size(); ++i)
      worst = std::max(worst, std::abs(x[i] - y[i]) / size);
  };
  look(a.q, b.q);
  look(a.p, b.p);
  return worst;
}

/// A short run is timed several times more, and the fastest counts.
double fastest(const Model& m, double first) {
  constexpr double short_run = 0.05;
  for (int i = 0; i < 5 && first < short_run; ++i) {
    const auto stepper = make_stepper(m);
    const auto begin = RunClock::now();
    stepper->advance(m.step, m.steps);
    first = std::min(first, seconds_since(begin));
  }
  return first;
}

/// The run itself: stepping is timed, recording is not.
Snapshot go(const Model& m, ComparisonRow& row) {
  const auto stepper = make_stepper(m);
  Recorder recorder(m);
  Figures figures(recorder.columns().size());
  const long every = std::max(1L, m.steps / energy_samples);
  long done = 0;
  while (true) {
    const auto& record = recorder.record(*stepper);
    figures.add(record, recorder.energy(), 0.0, 0.0);
    const double first = figures.energy().first;
    row.t.push_back(recorder.snapshot().t);
    row.energy.push_back((recorder.energy() - first) / (first != 0.0 ? std::abs(first) : 1.0));
    if (done == m.steps) break;
    const long count = std::min(every, m.steps - done);
    const auto begin = RunClock::now();
    stepper->advance(m.step, count);
    row.seconds += seconds_since(begin);
    done += count;
  }
  Summary summary;
  recorder.fill(summary, figures);
  row.seconds = fastest(m, row.seconds);
  row.energy_error = summary.energy.max_rel_error;
  row.energy_drift = summary.energy.drift_per_time;
  return recorder.seen();
}

/// Gauss (Lobatto with constraints) of high order with half the smallest step, then every method with
/// every step; with native code that is compiled once for all of them.
std::vector<Model> runs_of(const Model& model, const std::vector<std::string>& methods,
                           const std::vector<double>& steps) {
  Model own = detached(model);
  const double smallest = *std::min_element(steps.begin(), steps.end());
  std::vector<Model> runs;
  runs.push_back(
      with(own, model.system->d + model.system->e > 0 ? "lobatto(6)" : "gauss(6)", 0.5 * smallest));
  for (const auto& method : methods)
    for (const double step : steps) {
      runs.push_back(with(own, method, step));
      if (step == steps.front()) make_stepper(runs.back());  // does the method fit?
    }
  prepare_evaluation(runs);
  return runs;
}

ComparisonRow row_of(const Model& m, const Snapshot& exact) {
  ComparisonRow row;
  row.method = m.method.name();
  row.variational = m.method.variational();
  row.step = std::abs(m.step);
  row.steps = m.steps;
  const auto fail = [&row](const Error& error) {
    row.message = error.what();
    row.error = row.energy_error = row.energy_drift = std::numeric_limits<double>::quiet_NaN();
  };
  try {
    row.error = distance(go(m, row), exact);
  } catch (const NoConvergence& error) {
    fail(error);
  } catch (const SingularMass& error) {
    fail(error);
  } catch (const DomainError& error) {
    fail(error);  // beyond the stable step energies leave the finite numbers
  }
  return row;
}

}  // namespace

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : list) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth == 0)
      items.emplace_back();
    else
      items.back() += c;
  }
  for (std::string& item : items) {
    const auto first = item.find_first_not_of(" \t");
    const auto last = item.find_last_not_of(" \t");
    item = first == std::string::npos ? "" : item.substr(first, last - first + 1);
    if (item.empty()) throw InvalidArgument("the list '" + list + "' has an empty entry");
  }
  return items;
}

Comparison compare(const Model& model, const std::vector<std::string>& methods,
                   const std::vector<double>& steps,
                   const std::function<bool(const std::string&)>& watch) {
  Comparison result;
  if (model.variable) {
    const Run& run = model.scenario.run;
    throw ScenarioError(run.pace ? *run.pace : *run.keep_energy,
                        "compare measures steps of fixed length; leave this out of the scenario");
  }
  const std::vector<Model> runs = runs_of(model, methods, steps);
  if (!watch("reference")) return result;
  const Model& best = runs.front();
  result.reference = best.method.name() + " with step " + varia::to_text(std::abs(best.step));
  ComparisonRow unused;
  const Snapshot exact = go(best, unused);
  auto run = runs.begin();
  for (const auto& method : methods)
    for (const double step : steps) {
      if (!watch(method + ", step " + varia::to_text(step))) return result;
      result.rows.push_back(row_of(*++run, exact));
    }
  return result;
}

}  // namespace varia::io
