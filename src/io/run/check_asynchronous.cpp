// SPDX-License-Identifier: BSD-3-Clause
// The laws of avi on the terms of a scenario.
//
// All steps of the terms are refined in one proportion. How far a term is from its next time at the
// end of a run differs from one refinement to the next, and the error swings with it: the order is
// the slope of the largest error at several times, over several refinements.
#include <algorithm>
#include <cmath>

#include "check_laws.hpp"
#include "flow_of_model.hpp"
#include "varia/core/counted.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/io/asynchronous.hpp"
#include "varia/io/stepper.hpp"
#include "varia/terms/tangent.hpp"
#include "varia/verify/verify.hpp"

namespace varia::io {

namespace {

constexpr int times = 8;                    // at which states are compared
constexpr int coarsest = -1, finest = 7;    // steps of the terms times 2^-level
constexpr double largest_error = 2e-2;      // above, errors are not yet in the asymptotic range
constexpr double round_off = 1e-11;         // and below they are round-off
constexpr std::size_t used = 5, least = 3;  // refinements of the slope

/// The largest error at the times of the exact states, and the updates it took.
double error_of(const Model& model, const std::vector<VectorState>& exact, double spacing,
                long& updates) {
  const auto stepper = make_asynchronous_stepper(model);
  Snapshot s;
  double worst = 0.0;
  for (const VectorState& state : exact) {
    stepper->advance(spacing, 1);
    stepper->snapshot(s);
    worst = std::max(worst, detail::distance(state_of(s), state));
  }
  updates = 0;
  for (const long count : stepper->updates()) updates += count;
  return worst;
}

/// The slope of log error against log of the step, by least squares over the finest refinements.
double slope(const std::vector<double>& errors) {
  const std::size_t m = std::min(errors.size(), used), from = errors.size() - m;
  const double middle = 0.5 * static_cast<double>(m - 1);
  double xy = 0.0, xx = 0.0;
  for (std::size_t i = 0; i < m; ++i) {
    const double x = static_cast<double>(i) - middle;
    xy -= x * std::log2(errors[from + i]);
    xx += x * x;
  }
  return xy / xx;
}

OrderReport order_over(const Model& model, const VectorState& start, double duration,
                       CheckWork& work) {
  const AnyFlow reference = counted(StageFlow(gauss(7), model.system), work);
  const double spacing = duration / times;
  std::vector<VectorState> exact{start};
  for (int k = 0; k < times; ++k)
    exact.push_back(reference_state(reference, exact.back(), spacing));
  exact.erase(exact.begin());
  OrderReport report;
  report.declared = model.method.order();
  for (int level = coarsest; level <= finest; ++level) {
    Model refined = model;
    for (Term& term : refined.terms) term.step = std::ldexp(term.step, -level);
    const AsynchronousCost cost = asynchronous_cost(refined, duration);
    if (report.errors.size() >= least && !work.allows(cost.seconds)) break;
    work.add(cost.seconds, std::lround(cost.updates));
    long updates = 0;
    double error = 0.0;
    try {
      error = error_of(refined, exact, spacing, updates);
    } catch (const NoConvergence&) {
      continue;  // steps too large to be stable are not part of the measurement
    }
    if (error > largest_error) continue;
    if (error < round_off) break;
    report.steps.push_back(updates);
    report.errors.push_back(error);
  }
  if (report.errors.size() < least)
    throw InvalidArgument("fewer than three refinements lie between 2% error and round-off");
  report.measured = slope(report.errors);
  return report;
}

}  // namespace

void check_asynchronous(const Model& model, CheckReport& report, CheckWork& work) {
  Snapshot s;
  make_asynchronous_stepper(model)->snapshot(s);
  const VectorState start = state_of(s);
  measure_order(model.step, report, work,
                [&](double duration) { return order_over(model, start, duration, work); });
  report.notes.emplace_back(
      "avi with unequal steps is not symmetric: reversibility is not promised");
  report.notes.emplace_back(
      "p0 = -D1 Ld is not measured: a discrete Lagrangian of avi belongs to a term, not to a step");
  if (model.system->n > largest_checked) {
    report.notes.push_back("symplecticity is measured only up to " +
                           std::to_string(largest_checked) + " degrees of freedom");
    return;
  }
  try_to_measure("symplecticity", report, [&] {
    work.begin("symplecticity", law_seconds);
    const AsynchronousCost cost = asynchronous_cost(model, model.step);
    work.add(2.0 * model.system->n * cost.seconds, std::lround(cost.updates));
    const terms::System<1> system = asynchronous_system(model);
    report.symplecticity = terms::symplectic_defect<1>(system, asynchronous_start(model, system),
                                                       model.t0 + model.step);
  });
}

}  // namespace varia::io
