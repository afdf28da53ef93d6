// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The checks that need the type of the flow.
#include <cmath>
#include <functional>

#include "varia/io/check.hpp"
#include "varia/verify/check_points.hpp"
#include "varia/verify/verify.hpp"

namespace varia::io {

inline constexpr double order_tolerance = 0.3;
inline constexpr double law_tolerance = 1e-10;
inline constexpr int largest_checked = 24;  ///< degrees of freedom for the checks that cost O(n³)

/// Tries durations around ten steps until one gives enough step sizes between 2 % and round-off.
inline OrderReport measured_order(double step, const std::function<OrderReport(double)>& measure) {
  std::string last;
  for (const double factor : {10.0, 40.0, 2.5, 160.0, 640.0}) {
    try {
      return measure(factor * step);
    } catch (const InvalidArgument& error) {
      last = error.what();
    } catch (const NoConvergence& error) {
      last = error.what();
    }
  }
  throw NoConvergence("the order could not be measured: " + last, 0.0, step, 0, 0.0);
}

/// Units of (q, p) for a system whose momenta are far from the size of 1; none for others.
inline Eigen::VectorXd units_of(const Model& model) {
  const FlatSystem& f = *model.system;
  if (!f.flat() || f.d > 0 || !f.separable || f.mass_diagonal.empty()) return {};
  const Eigen::Map<const Eigen::VectorXd> mass(f.mass_diagonal.data(), f.n);
  const double least = mass.cwiseAbs().minCoeff();
  const double most = mass.cwiseAbs().maxCoeff();
  if (least > 1e-2 && most < 1e2) return {};
  const Eigen::Map<const Eigen::VectorXd> q(model.q0.data(), f.n);
  const Eigen::Map<const Eigen::VectorXd> rates(model.rates0.data(), f.n);
  Eigen::VectorXd speed = rates.cwiseAbs();
  if (model.scenario.start.momenta) speed = speed.cwiseQuotient(mass.cwiseAbs());
  const double length = q.cwiseAbs().maxCoeff();
  Eigen::VectorXd units(2 * f.n);
  units.head(f.n).setConstant(length > 0.0 ? 0.1 * length : 1.0);
  units.tail(f.n) = (speed.maxCoeff() > 0.0 ? speed.maxCoeff() : 1.0) * mass.cwiseAbs();
  return units;
}

/// At the start.
bool has_dependent_constraints(const Model& model);

template <class F, class StateT>
void check_variational(const Model& model, const F& flow, const StateT& start,
                       CheckReport& report) {
  const double h = model.step;
  const Method& method = model.method;
  report.order =
      measured_order(h, [&](double duration) { return check_order(flow, start, duration); });
  const bool groups = !model.system->flat();
  if (groups ? method.symmetric_on_groups() && model.options.retraction != Retraction::cayley
             : method.symmetric())
    report.reversibility = check_reversible(flow, start, h).defect;
  else
    report.notes.push_back(method.name() + " is not symmetric here: reversibility is not promised");
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
  if (model.system->forced)
    report.notes.emplace_back("forces act: the flow is not symplectic");
  else
    report.symplecticity = check_symplectic(flow, start, h, units_of(model)).defect;
  report.action = check_action(flow, start, h);
}

void check_flat(const Model& model, CheckReport& report);
void check_asynchronous(const Model& model, CheckReport& report);

}  // namespace varia::io
