// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/check.hpp"

#include <cmath>

#include "check_flow.hpp"
#include "varia/io/asynchronous.hpp"
#include "varia/io/recorder.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/verdict.hpp"

namespace varia::io {

namespace {

constexpr long watched_steps = 1000;

/// Steps of variable length need not exist beyond the end of the run.
bool run_has_ended(const Model& model, const Stepper& stepper, long done) {
  if (!model.variable) return false;
  if (!model.variable->until) return done >= model.steps;
  return (stepper.time() - *model.variable->until) * model.step >= 0.0;
}

/// Momenta and constraints along a thousand steps.
void watch(const Model& model, CheckReport& report) {
  const auto stepper = make_stepper(model);
  Recorder recorder(model);
  Figures figures(recorder.columns().size());
  for (long k = 0; k <= watched_steps; ++k) {
    if (run_has_ended(model, *stepper, k - 1)) break;
    if (k > 0) stepper->advance(model.step, 1);
    const auto& record = recorder.record(*stepper);
    figures.add(record, recorder.energy(), recorder.position_defect(), recorder.velocity_defect());
  }
  Summary summary;
  recorder.fill(summary, figures);
  for (std::size_t i = 0; i < summary.momenta.size(); ++i)
    if (model.momenta[i].conserved)
      report.momenta.emplace_back(summary.momenta[i].first,
                                  summary.momenta[i].second.max_abs_error /
                                      std::max(1.0, std::abs(summary.momenta[i].second.initial)));
    else
      report.notes.push_back(model.momenta[i].message);
  if (model.system->d > 0)
    report.constraints = {summary.constraints.max_position, summary.constraints.max_velocity};
}

void judge(CheckReport& r) {
  const auto demand = [&](bool holds, const std::string& what) {
    if (!holds) r.failures.push_back(what);
  };
  const auto small = [&](double x, const std::string& what) {
    demand(x <= law_tolerance,
           what + " " + short_number(x) + " is above " + short_number(law_tolerance));
  };
  demand(r.order.passes(order_tolerance), "the measured order " + short_number(r.order.measured) +
                                              " is not the declared one, " +
                                              std::to_string(r.order.declared));
  if (r.certified)
    demand(std::abs(r.certified->measured - r.certified->declared) <= order_tolerance,
           "the certified order " + short_number(r.certified->measured) +
               " is not the declared one, " + std::to_string(r.certified->declared));
  if (r.symplecticity) small(*r.symplecticity, "symplectic defect");
  if (r.reversibility) small(*r.reversibility, "reversibility defect");
  if (r.action) {
    small(r.action->p0_defect, "defect of p0 = -D1 Ld");
    small(r.action->p1_defect, "defect of p1 = D2 Ld");
  }
  for (const auto& [name, drift] : r.momenta) small(drift, "drift of the momentum " + name);
  if (r.constraints) {
    small(r.constraints->first, "constraint defect");
    small(r.constraints->second, "defect of the velocity constraint");
  }
}

}  // namespace

CheckReport check(Model& model) {
  CheckReport report;
  report.method = model.method.name();
  report.notes = model.notes;
  if (model.variable)
    report.notes.emplace_back(
        "order, symplecticity and reversibility are those of the method with steps of fixed "
        "length; momenta are watched with the steps of the scenario");
  if (is_asynchronous(model.method))
    check_asynchronous(model, report);
  else
    check_flat(model, report);
  watch(model, report);
  judge(report);
  return report;
}

}  // namespace varia::io
