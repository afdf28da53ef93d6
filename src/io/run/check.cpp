// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/check.hpp"

#include <algorithm>
#include <cmath>

#include "check_flow.hpp"
#include "stepper_of.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/flow/hamiltonian_flow.hpp"
#include "varia/flow/newmark_flow.hpp"
#include "varia/flow/shooting_flow.hpp"
#include "varia/io/asynchronous.hpp"
#include "varia/io/recorder.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/verdict.hpp"
#include "varia/mechanics/dependent_constraints.hpp"
#include "varia/terms/tangent.hpp"
#include "varia/verify/certify_discrete.hpp"
#include "varia/verify/certify_flat.hpp"
#include "varia/verify/certify_order.hpp"
#include "varia/verify/certify_shooting.hpp"

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

namespace {

/// The start as a state of FlatFlow, with the checks that make_stepper makes.
FlatState start_of(const Model& model) {
  Snapshot s;
  make_stepper(model)->snapshot(s);
  using V = Vector<double, Dynamic>;
  auto state = detail::make_state<V, Dynamic>(
      s.t, V(Eigen::Map<const V>(s.q.data(), model.system->entries)),
      V(Eigen::Map<const V>(s.p.data(), model.system->n)), model.system->d);
  for (int a = 0; a < model.system->d; ++a) state.lambda[a] = s.lambda[static_cast<std::size_t>(a)];
  return state;
}

/// The order of a flow without a discrete Lagrangian on (q, p).
template <class F>
void check_other(const Model& model, const F& flow, const FlatState& start, CheckReport& report) {
  const FlatFlow reference(gauss(7), model.system);
  report.order = measured_order(model.step, [&](double duration) {
    return check_order(flow, start, duration, reference_state(reference, start, duration),
                       model.method.order());
  });
}

void check_baseline(const Model& model, const FlatState& start, CheckReport& report) {
  const BaselineFlow flow(model.method, model.system);
  check_other(model, flow, start, report);
  report.symplecticity = check_symplectic(flow, start, model.step).defect;
  report.notes.push_back(model.method.name() + " is a baseline: not variational");
}

void check_newmark(const Model& model, const FlatState& start, CheckReport& report) {
  const NewmarkFlow flow(model.method, model.system, model.options);
  check_other(model, flow, start, report);
  if (model.method.symmetric() && !model.system->forced)
    report.reversibility = check_reversible(flow, start, model.step).defect;
  report.notes.push_back(model.method.name() +
                         (model.method.newmark()->gamma == 0.5
                              ? " keeps a two-form and momenta of its own, not those of (q, p)"
                              : " is not variational: gamma is not 1/2"));
}

void check_hamiltonian(const Model& model, const FlatState& start, CheckReport& report) {
  const HamiltonianFlow flow(model.method, model.hamiltonian, model.options);
  report.order = measured_order(
      model.step, [&](double duration) { return check_order(flow, start, duration); });
  if (model.method.symmetric())
    report.reversibility = check_reversible(flow, start, model.step).defect;
  if (model.system->n <= largest_checked)
    report.symplecticity = check_symplectic(flow, start, model.step).defect;
}

/// The order of a Lagrangian that is linear in the velocities, and that p = θ(q) was kept.
void check_one_form(const Model& model, const FlatState& start, CheckReport& report) {
  const OneFormFlow flow = one_form_flow(model);
  const bool projected = flow.projection() == OneFormProjection::symmetric;
  if (projected)
    report.order = measured_order(
        model.step, [&](double duration) { return check_order(flow, start, duration); });
  else
    report.notes.emplace_back(
        "without the symmetric projection the order falls; it is not promised, nor measured");
  if (projected) report.reversibility = check_reversible(flow, start, model.step).defect;
  report.notes.emplace_back(
      "the Lagrangian is linear in the velocities: its two-form is d theta, not that of (q, p)");
}

/// (certify): steps must be long enough to stand out of round-off and short enough to be solved.
template <class Measure>
void certify(const Model& model, CheckReport& report, const Measure& measure) {
  if (!model.system->flat() || model.system->n > largest_checked ||
      has_dependent_constraints(model))
    return;
  std::string last;
  for (const double factor : {8.0, 32.0, 2.0}) {
    try {
      const CertifiedOrder order = measure(factor * std::abs(model.step));
      report.certified = CheckReport::Certified{order.declared, order.measured, order.by_steps};
      return;
    } catch (const InvalidArgument& error) {
      last = error.what();
    } catch (const NoConvergence& error) {
      last = error.what();
    } catch (const DomainError& error) {
      last = error.what();
    }
  }
  report.notes.push_back(
      "the order of Ld was not measured against the exact discrete Lagrangian: " + last);
}

/// A flow of (q, p) that has a discrete Lagrangian of its own making.
template <class F, class Measure>
void check_own(const Model& model, const F& flow, const FlatState& start, CheckReport& report,
               const Measure& measure) {
  check_other(model, flow, start, report);
  if (model.system->n <= largest_checked)
    report.symplecticity = check_symplectic(flow, start, model.step, units_of(model)).defect;
  certify(model, report, measure);
}

void check_shooting(const Model& model, const FlatState& start, CheckReport& report) {
  const ShootingFlow flow(model.method, model.system, accelerations(model), model.options);
  check_own(model, flow, start, report, [&](double h) { return certify_order(flow, start, h); });
}

void check_discrete(const Model& model, const FlatState& start, CheckReport& report) {
  const DiscreteLagrangianFlow flow = own_flow(model);
  const FlatFlow exact(gauss(2), model.system, model.options);
  check_own(model, flow, start, report,
            [&](double h) { return certify_order(exact, flow, start, h, model.method.order()); });
}

}  // namespace

bool has_dependent_constraints(const Model& model) {
  return model.system->d > 0 &&
         !dependent_constraints(*model.system, model.q0.data(), model.t0).independent();
}

void check_flat(const Model& model, CheckReport& report) {
  const FlatState start = start_of(model);
  if (model.hamiltonian)
    check_hamiltonian(model, start, report);
  else if (model.one_form)
    check_one_form(model, start, report);
  else if (model.method.shooting())
    check_shooting(model, start, report);
  else if (model.method.own_lagrangian())
    check_discrete(model, start, report);
  else if (model.method.baseline())
    check_baseline(model, start, report);
  else if (model.method.newmark())
    check_newmark(model, start, report);
  else {
    const FlatFlow flow(model.method, model.system, model.options);
    check_variational(model, flow, start, report);
    certify(model, report, [&](double h) { return certify_order(flow, start, h); });
  }
}

// The laws of avi on the terms of a scenario.
//
// All steps of the terms are refined in one proportion. How far a term is from its next time at the
// end of a run differs from one refinement to the next, and the error swings with it: the order is
// the slope of the largest error at several times, over several refinements.

namespace {

using V = Vector<double, Dynamic>;

constexpr int times = 8;                    // at which states are compared
constexpr int coarsest = -1, finest = 7;    // steps of the terms times 2^-level
constexpr double largest_error = 2e-2;      // above, errors are not yet in the asymptotic range
constexpr double round_off = 1e-11;         // and below they are round-off
constexpr std::size_t used = 5, least = 3;  // refinements of the slope

FlatState flat_state(const Snapshot& s) {
  const auto n = static_cast<Eigen::Index>(s.q.size());
  return detail::make_state<V, Dynamic>(s.t, V(Eigen::Map<const V>(s.q.data(), n)),
                                        V(Eigen::Map<const V>(s.p.data(), n)), 0);
}

/// The largest error at the times of the exact states, and the updates it took.
double error_of(const Model& model, const std::vector<FlatState>& exact, double spacing,
                long& updates) {
  const auto stepper = make_asynchronous_stepper(model);
  Snapshot s;
  double worst = 0.0;
  for (const FlatState& state : exact) {
    stepper->advance(spacing, 1);
    stepper->snapshot(s);
    worst = std::max(worst, detail::distance(flat_state(s), state));
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

OrderReport order_over(const Model& model, const FlatState& start, double duration) {
  const FlatFlow reference(gauss(7), model.system);
  const double spacing = duration / times;
  std::vector<FlatState> exact{start};
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

}  // namespace

void check_asynchronous(const Model& model, CheckReport& report) {
  Snapshot s;
  make_asynchronous_stepper(model)->snapshot(s);
  const FlatState start = flat_state(s);
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

}  // namespace varia::io
