// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/check.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "motion.hpp"
#include "varia/io/refinement.hpp"
#include "varia/io/solid_runner.hpp"
#include "varia/io/verdict.hpp"
#include "varia/solids/field_error.hpp"

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
std::vector<double> end_of(const SolidModel& model, SolidRun run, double factor, double span,
                           long& updates) {
  solids::Problem problem = model.problem;
  problem.courant *= factor;
  const solids::Solid<D> solid = solids::build<D>(problem);
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

/// Told by the share of the updates that is done: those of steps f times as long are 1/f.
class OrderProgress {
 public:
  explicit OrderProgress(const CheckProgress& progress) : progress_(progress) { show(); }
  void finished(double factor) {
    done_ += 1.0 / factor;
    show();
  }

 private:
  void show() {
    const double all = 1.0 / reference_share + std::exp2(levels) - 1.0;
    if (progress_) progress_("order", done_ / all);
  }
  const CheckProgress& progress_;
  double done_ = 0.0;
};

template <int D>
void measure_order(const SolidModel& model, CheckReport& report, const CheckOptions& options) {
  OrderProgress shown(options.progress);
  const double span =
      short_span<D>(model, options.work * most_updates / (1 / reference_share + 16.0));
  report.order.declared = model.run.order();
  long updates = 0;
  SolidRun second_order = model.run;
  second_order.half_kick = true;
  second_order.energy_stationary = false;
  const std::vector<double> exact = end_of<D>(model, second_order, reference_share, span, updates);
  shown.finished(reference_share);
  for (int level = 0; level < levels; ++level) {
    const double factor = std::ldexp(1.0, -level);
    const double error = distance(end_of<D>(model, model.run, factor, span, updates), exact);
    shown.finished(factor);
    report.order.steps.push_back(updates);
    report.order.errors.push_back(error);
  }
  const auto& errors = report.order.errors;
  if (errors.back() < 1e-12) {
    report.order = {};
    report.unmeasured.push_back(
        {"order", "the errors are round-off: nothing moves, or not long enough; --work " +
                      short_number(10.0 * options.work) + " measures over a longer time"});
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
void watch(const SolidModel& model, double span, CheckReport& report,
           const CheckProgress& progress) {
  SolidModel small = model;
  small.run.until = model.problem.t0 + span;
  small.run.steps = 0;
  small.run.records = 100;
  small.run.frames = 0;
  RunOptions options;
  if (progress)
    options.progress = [&](const Progress& p) {
      progress("energy and momenta",
               p.steps > 0 ? static_cast<double>(p.done) / static_cast<double>(p.steps) : 1.0);
    };
  const Summary s = run_solid(small, options);
  report.notes.insert(report.notes.end(), s.warnings.begin(), s.warnings.end());
  for (const Verdict& v : s.verdicts) {
    if (v.name.ends_with("momentum") && v.status != "note")
      report.momenta.emplace_back(v.name, std::stod(v.value));
    if (v.status == "bad") report.failures.push_back(v.name + ": " + v.text);
    if (v.status == "note") report.notes.push_back(v.name + ": " + v.text);
  }
}

template <int D>
void measure(const SolidModel& model, CheckReport& report, const CheckOptions& options) {
  watch(model, short_span<D>(model, options.work * most_updates), report, options.progress);
  if (report.failures.empty())
    measure_order<D>(model, report, options);
  else
    report.unmeasured.push_back({"order", "what failed comes first"});
}

}  // namespace

CheckReport check_solid(const SolidModel& model, const CheckOptions& options) {
  CheckReport report;
  report.method = model.run.method();
  report.notes.emplace_back(
      "symplecticity and reversibility are not measured on solids; see the tests of varia/terms");
  if (model.dimension() == 2)
    measure<2>(model, report, options);
  else
    measure<3>(model, report, options);
  return report;
}

namespace {

/// The deformation at the end of a run.
struct Outcome {
  solids::Mesh mesh;
  std::vector<double> x;
  long updates = 0;
};

template <int D> Outcome finish(const SolidModel& model) {
  const auto solid = solids::build<D>(model.problem);
  const double duration = model.run.until - solid.t0;
  // Newmark ends at the end: a whole number of steps, none larger than the smallest of the elements
  const double smallest = *std::min_element(solid.steps.begin(), solid.steps.end());
  const auto motion = make_motion(solid, model.run, duration / std::ceil(duration / smallest));
  motion->advance(model.run.until);
  Outcome outcome{solid.mesh, motion->at(model.run.until).x, 0};
  for (int k = 0; k < solid.mesh.element_count(); ++k) outcome.updates += motion->updates(k);
  return outcome;
}

Outcome finish(const SolidModel& model) {
  return model.dimension() == 2 ? finish<2>(model) : finish<3>(model);
}

struct Line {
  double slope, intercept;
};

/// Of least squares.
Line fit(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return {xy / xx, my - xy / xx * mx};
}

}  // namespace

double shape_difference(const SolidModel& one, const SolidModel& other) {
  const Outcome a = finish(one), b = finish(other);
  const auto error = solids::field_error({a.mesh, a.x}, {b.mesh, b.x});
  return error.position / std::sqrt(error.volume);
}

std::vector<RefinementRow> Refinement::of(const std::string& method) const {
  std::vector<RefinementRow> found;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(found),
               [&](const RefinementRow& row) { return row.method == method; });
  return found;
}

double Refinement::slope(const std::string& method, double RefinementRow::*error) const {
  std::vector<double> x, y;
  for (const auto& row : of(method)) {
    x.push_back(-row.level);
    y.push_back(std::log2(row.*error));
  }
  return fit(x, y).slope;
}

double Refinement::cost_ratio() const {
  // avi: log of the updates as a piecewise linear function of the log of the error
  std::vector<std::pair<double, double>> avi;
  for (const auto& row : of("avi"))
    avi.emplace_back(std::log(row.displacement), std::log(static_cast<double>(row.updates)));
  std::sort(avi.begin(), avi.end());
  double worst = 0.0;
  for (const auto& row : of("newmark")) {
    const double e = std::log(row.displacement);
    std::size_t i = 1;
    while (i + 1 < avi.size() && avi[i].first < e) ++i;
    const auto [e0, n0] = avi[i - 1];
    const auto [e1, n1] = avi[i];
    const double needed = n0 + (n1 - n0) * (e - e0) / (e1 - e0);
    worst = std::max(worst, std::exp(needed) / static_cast<double>(row.updates));
  }
  return worst;
}

Refinement study_refinement(const RefinementPlan& plan, const ReadModel& read,
                            const std::function<bool()>& interrupted) {
  if (plan.levels.size() < 2 ||
      *std::max_element(plan.levels.begin(), plan.levels.end()) >= plan.reference)
    throw InvalidArgument(
        "reproduce.refinement: at least two levels are needed, all below the reference");
  const auto run = [&](const std::string& method, int level, double courant) {
    std::vector<std::string> overrides{"run.method=" + method,
                                       plan.key + "=" + std::to_string(level)};
    if (courant > 0.0) overrides.push_back("run.courant=" + varia::to_text(courant));
    return finish(read(overrides));
  };
  const Outcome reference = run("newmark", plan.reference, plan.reference_courant);
  Refinement result;
  for (const int level : plan.levels)
    for (const char* method : {"avi", "newmark"}) {
      if (interrupted && interrupted()) return result;
      const Outcome outcome = run(method, level, 0.0);
      const auto error =
          solids::field_error({outcome.mesh, outcome.x}, {reference.mesh, reference.x});
      result.rows.push_back({method, level, outcome.mesh.element_count(), outcome.updates,
                             error.position, error.gradient});
    }
  return result;
}

}  // namespace varia::io
