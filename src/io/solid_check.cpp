// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/solid_check.hpp"

#include <algorithm>
#include <cmath>

#include "solid_motion.hpp"
#include "varia/io/solid_runner.hpp"
#include "varia/io/verdict.hpp"

namespace varia::io {

namespace {

constexpr double most_updates = 4e6;  // of all runs for the order together
constexpr int levels = 4;             // courant f, f/2, f/4, f/8; the reference_share has f/64
constexpr double reference_share = 1.0 / 64;
constexpr double order_tolerance = 0.5;  // clocks meet the end differently at each level

double updates_per_time(const std::vector<double>& steps) {
  double sum = 0.0;
  for (const double step : steps) sum += 1.0 / step;
  return sum;
}

/// Positions at the end of a run with steps scaled by a factor, and the updates it took.
template <int D>
std::vector<double> end_of(const SolidModel& model, double factor, double span, long& updates) {
  solids::Problem problem = model.problem;
  problem.courant *= factor;
  const solids::Solid<D> solid = solids::build<D>(problem);
  SolidRun run = model.run;
  run.local_energy = LocalEnergy::none;
  const double smallest = *std::min_element(solid.steps.begin(), solid.steps.end());
  const double step = span / std::ceil(span / (run.step > 0.0 ? run.step * factor : smallest));
  const auto motion = make_motion(solid, run, step);
  motion->advance(solid.t0 + span);
  updates = 0;
  for (int k = 0; k < solid.system.term_count(); ++k) updates += motion->updates(k);
  return motion->at(solid.t0 + span).x;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return largest / size;
}

/// A time that takes the given number of updates at the courant of the scenario, at most.
template <int D> double short_span(const SolidModel& model, double updates) {
  const std::vector<double> steps = solids::build<D>(model.problem).steps;
  const double span = updates / updates_per_time(steps);
  return model.run.steps > 0 ? span : std::min(model.run.until - model.problem.t0, span);
}

template <int D> void measure_order(const SolidModel& model, CheckReport& report) {
  const double span = short_span<D>(model, most_updates / (1 / reference_share + 16.0));
  report.order.declared = model.run.order();
  long updates = 0;
  const std::vector<double> exact = end_of<D>(model, reference_share, span, updates);
  for (int level = 0; level < levels; ++level) {
    const double error = distance(end_of<D>(model, std::ldexp(1.0, -level), span, updates), exact);
    report.order.steps.push_back(updates);
    report.order.errors.push_back(error);
  }
  const auto& errors = report.order.errors;
  if (errors.back() < 1e-12) {
    report.order.measured = report.order.declared;
    report.notes.emplace_back("the errors are round-off: nothing moves, or not long enough");
    return;
  }
  report.order.measured = std::log2(errors.front() / errors.back()) / (levels - 1);
  // from rest without stress a start of first order is one of second order
  if (report.order.measured < report.order.declared - order_tolerance)
    report.failures.push_back("the measured order " + short_number(report.order.measured) +
                              " is below the declared one, " +
                              std::to_string(report.order.declared));
}

/// Whatever a short run says is bad is a failure.
void watch(const SolidModel& model, double span, CheckReport& report) {
  SolidModel small = model;
  small.run.until = model.problem.t0 + span;
  small.run.steps = 0;
  small.run.records = 100;
  small.run.frames = 0;
  const Summary s = run_solid(small, {});
  report.notes.insert(report.notes.end(), s.warnings.begin(), s.warnings.end());
  for (const Verdict& v : s.verdicts) {
    if (v.name.ends_with("momentum") && v.status != "note")
      report.momenta.emplace_back(v.name, std::stod(v.value));
    if (v.status == "bad") report.failures.push_back(v.name + ": " + v.text);
    if (v.status == "note") report.notes.push_back(v.name + ": " + v.text);
  }
}

template <int D> void measure(const SolidModel& model, CheckReport& report) {
  watch(model, short_span<D>(model, most_updates), report);
  if (report.failures.empty()) measure_order<D>(model, report);
}

}  // namespace

CheckReport check_solid(const SolidModel& model) {
  CheckReport report;
  report.method = model.run.method();
  report.notes.emplace_back(
      "symplecticity and reversibility are not measured on solids; see the tests of varia/terms");
  if (model.dimension() == 2)
    measure<2>(model, report);
  else
    measure<3>(model, report);
  return report;
}

}  // namespace varia::io
