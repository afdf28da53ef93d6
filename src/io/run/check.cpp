// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "check_laws.hpp"
#include "flow_of_model.hpp"
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
constexpr double order_tolerance = 0.3;
constexpr double law_tolerance = 1e-10;
constexpr double trial_seconds = 1.0;  // of law_seconds, for one duration

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

/// The figures of so many steps; fewer where they take too much work. They must be possible.
Summary watched(const Model& model, CheckReport& report, CheckWork& work) {
  Recorder recorder(model);
  Figures figures(recorder.columns().size());
  Scales scales(model);
  const auto stepper = make_stepper(model);
  StepCounter counter(model, *stepper, work);
  for (long k = 0; k <= watched_steps; ++k) {
    if (run_has_ended(model, *stepper, k - 1)) break;
    try {
      if (k > 0) stepper->advance(model.step, 1);
      const auto& record = recorder.record(*stepper);
      figures.add(record, recorder.energy(), recorder.position_defect(),
                  recorder.velocity_defect());
      scales.add(recorder.snapshot(), recorder.energy());
      counter.add();
    } catch (const WorkLimit&) {
      report.notes.push_back("momenta and constraints were watched over " + std::to_string(k) +
                             " instead of " + std::to_string(watched_steps) +
                             " steps: the work of a check is bounded");
      break;
    } catch (const Error& error) {
      if (k == 0) throw;
      report.failures.push_back("the steps of the scenario end after " + std::to_string(k - 1) +
                                " of " + std::to_string(watched_steps) + ": " + error.what());
      break;
    }
  }
  Summary summary;
  recorder.fill(summary, figures);
  scales.fill(summary);
  return summary;
}

/// Momenta and constraints along a thousand steps.
void watch(const Model& model, CheckReport& report, CheckWork& work) {
  work.begin("momenta and constraints", law_seconds);
  const Summary summary = watched(model, report, work);
  for (std::size_t i = 0; i < summary.momenta.size(); ++i) {
    const auto& [name, found] = summary.momenta[i];
    if (model.momenta[i].conserved)
      report.momenta.emplace_back(
          name, found.parts > 0.0 ? found.max_abs_error / found.parts : found.max_abs_error);
    else
      report.notes.push_back(model.momenta[i].message);
  }
  if (model.system->d + model.system->e > 0)
    report.constraints = {summary.constraints.relative_position,
                          summary.constraints.relative_velocity};
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

/// Whether the last two slopes of log error against log h agree: else the errors do not follow a power
/// of h yet, or not any more, and say nothing about the order.
template <class Size>
bool settled(const std::vector<double>& errors, const std::vector<Size>& sizes) {
  const std::size_t k = errors.size();
  const auto slope = [&](std::size_t i) {
    return std::log(errors[i] / errors[i + 1]) /
           std::log(static_cast<double>(sizes[i]) / static_cast<double>(sizes[i + 1]));
  };
  return std::abs(slope(k - 3) - slope(k - 2)) <= order_tolerance;
}

constexpr const char* unsettled = "the errors do not follow a power of the step: it is too large";

/// (certify): steps must be long enough to stand out of round-off and short enough to be solved.
void certify(const Model& model, const AnyFlow& flow, const VectorState& start, CheckReport& report,
             CheckWork& work) {
  if (!model.system->on_vector_space() || (!flow.stages() && !flow.discrete_lagrangian())) return;
  work.begin("certified order", law_seconds);
  std::string last;
  for (const double factor : {8.0, 32.0, 2.0}) {
    try {
      work.begin_trial(trial_seconds);
      const CertifiedOrder order = certify_order(flow, start, factor * std::abs(model.step));
      const bool passes = std::abs(order.measured - order.declared) <= order_tolerance;
      if (!passes && !settled(order.errors, order.steps)) throw InvalidArgument(unsettled);
      report.certified = CheckReport::Certified{order.declared, order.measured, order.by_steps};
      return;
    } catch (const Error& error) {
      last = error.what();
    }
  }
  report.notes.push_back(
      "the order of Ld was not measured against the exact discrete Lagrangian: " + last);
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
        "measured where constraints are independent only");
    return;
  }
  if (model.system->n > largest_checked) {
    report.notes.push_back("symplecticity and p0 = -D1 Ld are measured up to " +
                           std::to_string(largest_checked) + " degrees of freedom only");
    return;
  }
  if (laws.symplectic)
    try_to_measure("symplecticity", report, [&] {
      work.begin("symplecticity", law_seconds);
      report.symplecticity = check_symplectic(flow, start, model.step, units_of(model)).defect;
    });
  if (laws.action)
    try_to_measure("p0 = -D1 Ld", report, [&] {
      work.begin("p0 = -D1 Ld", law_seconds);
      report.action = check_action(*flow.stages(), start, model.step);
      const double size = std::max(
          {1.0, start.p.cwiseAbs().maxCoeff(), flow(start, model.step).p.cwiseAbs().maxCoeff()});
      report.action->p0_defect /= size;
      report.action->p1_defect /= size;
    });
  certify(model, flow, start, report, work);
}

/// The laws that the flow names.
void check_flow(const Model& model, CheckReport& report, CheckWork& work) {
  const AnyFlow flow = counted(flow_of(model, true), work);
  const VectorState start = start_of(model);
  const FlowLaws laws = flow.laws();
  if (laws.order)
    measure_order(model.step, report, work, [&](double duration) {
      const OrderReport found = check_order(flow, start, duration);
      if (!found.passes(order_tolerance) && !settled(found.errors, found.steps))
        throw InvalidArgument(unsettled);
      return found;
    });
  if (laws.reversible)
    try_to_measure("reversibility", report, [&] {
      work.begin("reversibility", law_seconds);
      report.reversibility = check_reversible(flow, start, model.step).defect;
    });
  report.notes.insert(report.notes.end(), laws.notes.begin(), laws.notes.end());
  check_forms(model, flow, start, report, work);
}

}  // namespace

void try_to_measure(const std::string& law, CheckReport& report,
                    const std::function<void()>& measure) {
  try {
    measure();
  } catch (const NoConvergence& error) {
    report.unmeasured.push_back({law, error.what()});
  } catch (const SingularMass& error) {
    report.unmeasured.push_back({law, error.what()});
  } catch (const DomainError& error) {
    report.unmeasured.push_back({law, error.what()});
  } catch (const WorkLimit& error) {
    report.unmeasured.push_back({law, error.what()});
  }
}

void measure_order(double step, CheckReport& report, CheckWork& work,
                   const std::function<OrderReport(double)>& measure) {
  work.begin("order", law_seconds);
  std::string last;
  double no_reference = std::numeric_limits<double>::infinity();
  for (const double factor : {10.0, 40.0, 2.5, 160.0, 640.0, 0.6, 0.15}) {
    if (factor >= no_reference) continue;
    work.begin_trial(trial_seconds);
    try {
      report.order = measure(factor * step);
      return;
    } catch (const InvalidArgument& error) {
      last = error.what();  // the errors are too large or too small
    } catch (const Error& error) {
      last = error.what();
      no_reference = factor;
    }
  }
  report.unmeasured.push_back({"order", last});
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
