// SPDX-License-Identifier: BSD-3-Clause
// The order of the multipliers of nonholonomic constraints at the end of a motion.
//
// Propagated from step to step with s Lobatto points they have the order s or s - 1, whichever is even;
// computed anew, or by (dla), they have that of the method [Sato19]. They are compared with those of the equations of motion
// at the end of a reference solution.
#include <algorithm>
#include <cmath>
#include <vector>

#include "check_laws.hpp"
#include "varia/flow/kernel_start.hpp"
#include "varia/verify/check_order.hpp"

namespace varia::io {

namespace {

int declared_order(const Model& model) {
  return model.options.multipliers == Multipliers::recompute ? model.method.order()
                                                             : model.method.propagated_order();
}

/// Of the nonholonomic constraints at a state of the motion.
Vn multipliers_at(const AnyFlow& flow, const VectorState& s) {
  Vn v = Vn::Zero(flow.system().n);
  auto memory = flow.memory(s);
  flow.velocity(s, v.data(), memory);
  return acceleration(flow.system(), s.t, s.q, v).lambda.tail(flow.system().e);
}

CheckReport::Certified measured_over(double duration, const Model& model, const AnyFlow& flow,
                                     const VectorState& start) {
  constexpr double too_coarse = 0.1;
  constexpr double round_off_of_impulses = 1e-10;  // the round-off of an impulse, divided by a step
  const Vn exact = multipliers_at(flow, reference_state(flow, start, duration));
  const double scale = std::max(1e-3, exact.cwiseAbs().maxCoeff());
  std::vector<double> errors;
  std::vector<double> sizes;
  for (long n = 8; n <= 512;
       n *= 2) {  // even numbers: with s even the error changes its sign in each step
    const VectorState end = advance(flow, start, duration / static_cast<double>(n), n);
    const double error = (end.lambda.tail(exact.size()) - exact).cwiseAbs().maxCoeff() / scale;
    if (error > too_coarse) continue;
    if (error < round_off_of_impulses) break;
    errors.push_back(error);
    sizes.push_back(static_cast<double>(n));
  }
  const std::size_t k = errors.size();
  if (k < 3) throw InvalidArgument("fewer than three errors lie between 10 % and round-off");
  CheckReport::Certified order;
  order.declared = declared_order(model);
  order.measured = std::log2(errors[k - 2] / errors[k - 1]);
  require_settled(order.measured - order.declared, errors, sizes);
  return order;
}

}  // namespace

void check_multipliers(const Model& model, const AnyFlow& flow, const VectorState& start,
                       CheckReport& report, CheckWork& work) {
  if (model.system->e == 0 || model.method.stages() == nullptr) return;
  work.begin("order of the multipliers", law_seconds);
  const double step = model.step;
  const auto why = try_durations({10 * step, 40 * step, 2.5 * step}, work, [&](double duration) {
    report.multipliers = measured_over(duration, model, flow, start);
  });
  if (why) report.notes.push_back("the order of the multipliers was not measured: " + *why);
}

}  // namespace varia::io
