// SPDX-License-Identifier: BSD-3-Clause
#include "check_flow.hpp"
#include "stepper_of.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/flow/hamiltonian_flow.hpp"
#include "varia/flow/newmark_flow.hpp"
#include "varia/flow/shooting_flow.hpp"
#include "varia/io/stepper.hpp"
#include "varia/mechanics/dependent_constraints.hpp"
#include "varia/verify/certify_discrete.hpp"
#include "varia/verify/certify_flat.hpp"
#include "varia/verify/certify_order.hpp"
#include "varia/verify/certify_shooting.hpp"

namespace varia::io {

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
         !dependent_constraints(*model.system, model.q0.data()).independent();
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

}  // namespace varia::io
