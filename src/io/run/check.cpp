// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/check.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "flow_of_model.hpp"
#include "varia/io/asynchronous.hpp"
#include "varia/io/recorder.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/verdict.hpp"
#include "varia/mechanics/dependent_constraints.hpp"
#include "varia/terms/tangent.hpp"
#include "varia/verify/certify_flow.hpp"
#include "varia/verify/certify_order.hpp"
#include "varia/verify/check_points.hpp"
#include "varia/verify/verify.hpp"

namespace varia::io {

namespace {

constexpr long watched_steps = 1000;
constexpr double order_tolerance = 0.3;
constexpr double law_tolerance = 1e-10;
constexpr int largest_checked = 24;  // degrees of freedom for the checks that cost O(n³)

/// Steps of variable length need not exist beyond the end of the run.
bool run_has_ended(const Model& model, const Stepper& stepper, long done) {
  if (!model.variable) return false;
  if (!model.end) return done >= model.steps;
  return (stepper.time() - *model.end) * model.step >= 0.0;
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
  if (model.system->d + model.system->e > 0)
    report.constraints = {summary.constraints.max_position, summary.constraints.max_velocity};
}

/// Tries durations around ten steps until one gives enough step sizes between 2 % and round-off.
OrderReport measured_order(double step, const std::function<OrderReport(double)>& measure) {
  std::string last;
  for (const double factor : {10.0, 40.0, 2.5, 160.0, 640.0}) {
    try {
      return measure(factor * step);
    } catch (const InvalidArgument& error) {
      last = error.what();
    } catch (const NoConvergence& error) {
      last = error.what();
    } catch (const SingularMass& error) {
      last = error.what();
    }
  }
  throw NoConvergence("the order could not be measured: " + last, 0.0, step, 0, 0.0);
}

/// Units of (q, p) for a system whose momenta are far from the size of 1; none for others.
Vn units_of(const Model& model) {
  const KernelSystem& f = *model.system;
  if (!f.on_vector_space() || f.d + f.e > 0 || !f.separable || f.mass_diagonal.empty()) return {};
  const Eigen::Map<const Vn> mass(f.mass_diagonal.data(), f.n);
  const double least = mass.cwiseAbs().minCoeff();
  const double most = mass.cwiseAbs().maxCoeff();
  if (least > 1e-2 && most < 1e2) return {};
  const Eigen::Map<const Vn> q(model.q0.data(), f.n);
  const Eigen::Map<const Vn> rates(model.rates0.data(), f.n);
  Vn speed = rates.cwiseAbs();
  if (model.scenario.start.momenta) speed = speed.cwiseQuotient(mass.cwiseAbs());
  const double length = q.cwiseAbs().maxCoeff();
  Vn units(2 * f.n);
  units.head(f.n).setConstant(length > 0.0 ? 0.1 * length : 1.0);
  units.tail(f.n) = (speed.maxCoeff() > 0.0 ? speed.maxCoeff() : 1.0) * mass.cwiseAbs();
  return units;
}

/// At the start.
bool has_dependent_constraints(const Model& model) {
  return model.system->d > 0 &&
         !dependent_constraints(*model.system, model.q0.data(), model.t0).independent();
}

/// (certify): steps must be long enough to stand out of round-off and short enough to be solved.
void certify(const Model& model, const AnyFlow& flow, const VectorState& start,
             CheckReport& report) {
  if (!model.system->on_vector_space() || (!flow.stages() && !flow.discrete_lagrangian())) return;
  std::string last;
  for (const double factor : {8.0, 32.0, 2.0}) {
    try {
      const CertifiedOrder order = certify_order(flow, start, factor * std::abs(model.step));
      report.certified = CheckReport::Certified{order.declared, order.measured, order.by_steps};
      return;
    } catch (const InvalidArgument& error) {
      last = error.what();
    } catch (const NoConvergence& error) {
      last = error.what();
    } catch (const SingularMass& error) {
      last = error.what();
    } catch (const DomainError& error) {
      last = error.what();
    }
  }
  report.notes.push_back(
      "the order of Ld was not measured against the exact discrete Lagrangian: " + last);
}

/// The laws that the flow names.
void check_flow(const Model& model, CheckReport& report) {
  const AnyFlow flow = flow_of(model, true);
  const VectorState start = start_of(model);
  const FlowLaws laws = flow.laws();
  if (laws.order)
    report.order = measured_order(
        model.step, [&](double duration) { return check_order(flow, start, duration); });
  if (laws.reversible) report.reversibility = check_reversible(flow, start, model.step).defect;
  report.notes.insert(report.notes.end(), laws.notes.begin(), laws.notes.end());
  if (!laws.symplectic && !laws.action) return;
  if (has_dependent_constraints(model)) {
    report.notes.emplace_back(
        "constraints that follow from others were left out: symplecticity and p0 = -D1 Ld are "
        "measured where constraints are independent only");
    return;
  }
  if (model.system->n > largest_checked) {
    report.notes.push_back("symplecticity and p0 = -D1 Ld are measured up to " +
                           std::to_string(largest_checked) + " degrees of freedom only");
    return;
  }
  if (laws.symplectic)
    report.symplecticity = check_symplectic(flow, start, model.step, units_of(model)).defect;
  if (laws.action) report.action = check_action(*flow.stages(), start, model.step);
  certify(model, flow, start, report);
}

// The laws of avi on the terms of a scenario.
//
// All steps of the terms are refined in one proportion. How far a term is from its next time at the
// end of a run differs from one refinement to the next, and the error swings with it: the order is
// the slope of the largest error at several times, over several refinements.

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

OrderReport order_over(const Model& model, const VectorState& start, double duration) {
  const StageFlow reference(gauss(7), model.system);
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

void check_asynchronous(const Model& model, CheckReport& report) {
  Snapshot s;
  make_asynchronous_stepper(model)->snapshot(s);
  const VectorState start = state_of(s);
  report.order = measured_order(
      model.step, [&](double duration) { return order_over(model, start, duration); });
  report.notes.emplace_back(
      "avi with unequal steps is not symmetric: reversibility is not promised");
  report.notes.emplace_back(
      "p0 = -D1 Ld is not measured: a discrete Lagrangian of avi belongs to a term, not to a step");
  if (model.system->n > largest_checked) {
    report.notes.push_back("symplecticity is measured up to " + std::to_string(largest_checked) +
                           " degrees of freedom only");
    return;
  }
  const terms::System<1> system = asynchronous_system(model);
  report.symplecticity =
      terms::symplectic_defect<1>(system, asynchronous_start(model, system), model.t0 + model.step);
}

}  // namespace

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

CheckReport check(Model& model) {
  CheckReport report;
  report.method = model.method.name();
  report.notes = model.notes;
  if (model.variable)
    report.notes.emplace_back(
        "order, symplecticity and reversibility are those of the method with steps of fixed "
        "length; momenta are watched with the steps of the scenario");
  if (model.method.asynchronous())
    check_asynchronous(model, report);
  else
    check_flow(model, report);
  watch(model, report);
  judge(report);
  return report;
}

}  // namespace varia::io
