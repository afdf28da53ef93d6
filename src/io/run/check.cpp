// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/check.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "check_laws.hpp"
#include "flow_of_model.hpp"
#include "varia/core/counted.hpp"
#include "varia/io/recorder.hpp"
#include "varia/io/scales.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/verdict.hpp"
#include "varia/mechanics/dependent_constraints.hpp"
#include "varia/verify/certify_flow.hpp"
#include "varia/verify/certify_order.hpp"
#include "varia/verify/check_points.hpp"
#include "varia/verify/verify.hpp"

namespace varia::io {

namespace {

constexpr long watched_steps = 1000;
constexpr double law_tolerance = 1e-10;

/// Steps of variable length need not exist beyond the end of the run.
bool run_has_ended(const Model& model, const Stepper& stepper, long done) {
  if (!model.variable) return false;
  if (!model.end) return done >= model.steps;
  return (stepper.time() - *model.end) * model.step >= 0.0;
}

/// Counts the steps that a model makes.
class StepCounter {
 public:
  StepCounter(const Model& model, const Stepper& stepper, CheckWork& work)
      : stepper_(&stepper), work_(&work) {
    if (model.method.asynchronous())
      fixed_ = asynchronous_cost(model, model.step).seconds;
    else
      cost_.emplace(flow_of(model));
  }
  void add() {
    const long iterations = stepper_->statistics().iterations;
    work_->add(cost_ ? cost_->seconds(1, iterations - iterations_) : fixed_, 1);
    iterations_ = iterations;
  }

 private:
  const Stepper* stepper_;
  CheckWork* work_;
  std::optional<StepCost> cost_;
  double fixed_ = 0.0;  ///< of a step with avi
  long iterations_ = 0;
};

/// The figures of as many steps as can be made and may be.
class Watch {
 public:
  Watch(const Model& model, CheckWork& work)
      : model_(&model),
        recorder_(model),
        figures_(recorder_.columns().size()),
        scales_(model),
        stepper_(make_stepper(model)),
        counter_(model, *stepper_, work) {
    add_record();
  }

  /// Why it ends early, if it does, is a note or a failure of the report.
  void walk(CheckReport& report) {
    long done = 0;
    try {
      for (; done < watched_steps && !run_has_ended(*model_, *stepper_, done); ++done) {
        counter_.add();
        stepper_->advance(model_->step, 1);
        add_record();
      }
    } catch (const WorkLimit&) {
      report.notes.push_back("momenta and constraints were watched over " + std::to_string(done) +
                             " instead of " + std::to_string(watched_steps) +
                             " steps: the work of a check is bounded");
    } catch (const Error& error) {
      report.failures.push_back("the steps of the scenario end after " + std::to_string(done) +
                                " of " + std::to_string(watched_steps) + ": " + error.what());
    }
  }

  Summary summary() {
    Summary summary;
    recorder_.fill(summary, figures_);
    scales_.fill(summary);
    return summary;
  }

 private:
  void add_record() {
    const auto& record = recorder_.record(*stepper_);
    figures_.add(record, recorder_.energy(), recorder_.position_defect(),
                 recorder_.velocity_defect());
    scales_.add(recorder_.snapshot(), recorder_.energy());
  }

  const Model* model_;
  Recorder recorder_;
  Figures figures_;
  Scales scales_;
  std::unique_ptr<Stepper> stepper_;
  StepCounter counter_;
};

/// Momenta and constraints along a thousand steps.
void watch(const Model& model, CheckReport& report, CheckWork& work) {
  work.begin("momenta and constraints", law_seconds);
  Watch steps(model, work);
  steps.walk(report);
  const Summary summary = steps.summary();
  for (std::size_t i = 0; i < summary.momenta.size(); ++i) {
    const auto& [name, found] = summary.momenta[i];
    const double share =
        found.parts > 0.0 ? found.max_abs_error / found.parts : found.max_abs_error;
    if (!model.momenta[i].conserved)
      report.notes.push_back(model.momenta[i].message);
    else if (model.momenta[i].exact)
      report.momenta.emplace_back(name, share);
    else
      report.notes.push_back(name +
                             " is kept by the motion, and by steps to their order: it changes by " +
                             short_number(share) + " of its parts");
  }
  if (model.system->d + model.system->e == 0) return;
  report.constraints = {summary.constraints.relative_position,
                        summary.constraints.relative_velocity};
  report.largest_defects = {summary.constraints.max_position, summary.constraints.max_velocity};
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
void certify(const Model& model, const VectorState& start, CheckReport& report, CheckWork& work) {
  const AnyFlow flow = counted(flow_of(model, true), work, exact_point_cost(*model.system));
  if (!model.system->on_vector_space() || (!flow.stages() && !flow.discrete_lagrangian())) return;
  work.begin("certified order", certificate_seconds);
  const double value = certificate_cost(flow.method(), *model.system);
  const double step = std::abs(model.step);
  const auto why = try_durations({8 * step, 32 * step, 2 * step}, work, [&](double largest) {
    const CertifiedOrder order = certify_order(flow, start, largest, [&] { work.add(value, 0); });
    require_settled(order.measured - order.declared, order.errors, order.steps);
    report.certified = CheckReport::Certified{order.declared, order.measured, order.by_steps};
  });
  if (why)
    report.notes.push_back(
        "the order of Ld was not measured against the exact discrete Lagrangian: " + *why);
  else if (report.certified->measured > report.certified->declared + order_tolerance)
    report.notes.emplace_back(
        "the certified order is above the declared one: the leading error of Ld is the same for "
        "all motions that were compared, as on a linear system for those of one energy");
}

/// p₀ = -D₁L_d, p₁ = D₂L_d. L_d is a function of points: where a run leaves them out, those of the same
/// step on the group are taken.
void check_certificate(const Model& model, const AnyFlow& flow, const VectorState& start,
                       CheckReport& report, CheckWork& work) {
  work.begin("p0 = -D1 Ld", law_seconds);
  work.add(certificate_cost(flow.method(), *model.system), 0);
  report.action = check_action(*flow.stages(), start, model.step);
  const double size = std::max(
      {1.0, start.p.cwiseAbs().maxCoeff(), flow(start, model.step).p.cwiseAbs().maxCoeff()});
  report.action->p0_defect /= size;
  report.action->p1_defect /= size;
}

void check_certificate_on_group(const Model& model, CheckReport& report, CheckWork& work) {
  const Model whole = with_points(model);
  check_certificate(whole, flow_of(whole, true), start_of(whole), report, work);
}

/// Symplecticity and the discrete Lagrangian, for systems that are small and have no constraint too
/// many.
void check_forms(const Model& model, const AnyFlow& flow, const VectorState& start,
                 CheckReport& report, CheckWork& work) {
  const FlowLaws laws = flow.laws();
  if (!laws.symplectic && !laws.action) return;
  if (has_dependent_constraints(model)) {
    report.notes.emplace_back(
        "constraints that follow from others were left out: symplecticity and p0 = -D1 Ld are "
        "measured only where constraints are independent");
    return;
  }
  if (model.system->n > largest_checked) {
    report.notes.push_back("symplecticity and p0 = -D1 Ld are measured only up to " +
                           std::to_string(largest_checked) + " degrees of freedom");
    return;
  }
  if (laws.symplectic)
    try_to_measure("symplecticity", report, [&] {
      work.begin("symplecticity", law_seconds);
      report.symplecticity = check_symplectic(flow, start, model.step, units_of(model)).defect;
    });
  if (laws.action)
    try_to_measure("p0 = -D1 Ld", report, [&] {
      if (model.system->space.reduced().empty())
        check_certificate(model, flow, start, report, work);
      else
        check_certificate_on_group(model, report, work);
    });
  certify(model, start, report, work);
}

/// The laws that the flow names.
void check_flow(const Model& model, CheckReport& report, CheckWork& work) {
  const AnyFlow flow = counted(flow_of(model, true), work);
  const VectorState start = start_of(model);
  const FlowLaws laws = flow.laws();
  if (laws.order)
    measure_order(model.step, report, work, [&](double duration) {
      OrderReport found = check_order(flow, start, duration);
      require_settled(found.measured - found.declared, found.errors,
                      {found.steps.begin(), found.steps.end()});
      return found;
    });
  check_multipliers(model, flow, start, report, work);
  check_balance(model, flow, start, report, work);
  if (laws.reversible)
    try_to_measure("reversibility", report, [&] {
      work.begin("reversibility", law_seconds);
      report.reversibility = check_reversible(flow, start, model.step).defect;
    });
  report.notes.insert(report.notes.end(), laws.notes.begin(), laws.notes.end());
  check_forms(model, flow, start, report, work);
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
  demand(r.order.steps.empty() || r.order.passes(order_tolerance),
         "the measured order " + short_number(r.order.measured) + " is not the declared one, " +
             std::to_string(r.order.declared));
  if (r.multipliers)
    demand(r.multipliers->measured >= r.multipliers->declared - order_tolerance,
           "the measured order of the multipliers " + short_number(r.multipliers->measured) +
               " is below the declared one, " + std::to_string(r.multipliers->declared));
  if (r.certified)
    demand(r.certified->measured >= r.certified->declared - order_tolerance,
           "the certified order " + short_number(r.certified->measured) +
               " is below the declared one, " + std::to_string(r.certified->declared));
  if (r.symplecticity) small(*r.symplecticity, "symplectic defect");
  if (r.reversibility) small(*r.reversibility, "reversibility defect");
  if (r.action) {
    small(r.action->p0_defect, "defect of p0 = -D1 Ld");
    small(r.action->p1_defect, "defect of p1 = D2 Ld");
  }
  for (const auto& [name, drift] : r.momenta) small(drift, "drift of the momentum " + name);
  for (const auto& [name, defect] : r.balances) small(defect, "balance of the momentum " + name);
  if (r.constraints) {
    small(r.constraints->first, "constraint defect");
    small(r.constraints->second, "defect of the velocity constraint");
  }
}

CheckReport check(Model& model, const CheckOptions& options) {
  CheckReport report;
  CheckWork work(options);
  report.method = model.method.name();
  report.notes = model.notes;
  if (model.variable)
    report.notes.emplace_back(
        "order, symplecticity and reversibility are those of the method with steps of fixed "
        "length; momenta are watched with the steps of the scenario");
  if (model.method.asynchronous())
    check_asynchronous(model, report, work);
  else
    check_flow(model, report, work);
  watch(model, report, work);
  judge(report);
  return report;
}

}  // namespace varia::io
