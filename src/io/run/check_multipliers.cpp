// SPDX-License-Identifier: BSD-3-Clause
// The order of the multipliers of nonholonomic constraints at the end of a motion.
//
// Propagated from step to step with s Lobatto points they have the order s or s - 1, whichever is even;
// computed anew, or by (dla), they have that of the method [Sato19]. They are compared with those of the equations of motion
// at the end of a reference solution.
#include <algorithm>
#include <cmath>
#include <limits>
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

/// Where a motion ends: its multipliers of nonholonomic constraints, and the sizes that their round-off comes from.
struct EndOfMotion {
  Vn multipliers;
  double scale = 0.0;                     ///< of the multipliers
  double momentum = 0.0, turnover = 0.0;  ///< |p|, |v|/|q|
};

EndOfMotion end_of_motion(const AnyFlow& flow, const VectorState& s) {
  const KernelSystem& f = flow.system();
  Vn v = Vn::Zero(f.n);
  auto memory = flow.memory(s);
  flow.velocity(s, v.data(), memory);
  EndOfMotion end;
  end.multipliers = acceleration(f, s.t, s.q, v).lambda.tail(f.e);
  end.scale = std::max(1e-3, end.multipliers.cwiseAbs().maxCoeff());
  end.momentum = s.p.cwiseAbs().maxCoeff();
  end.turnover = v.cwiseAbs().maxCoeff() / std::max(1e-3, s.q.cwiseAbs().maxCoeff());
  return end;
}

/// Of a multiplier after n steps of h, relative. Propagated ones are off by the round-off of a momentum over h, which does not
/// decay; beside holonomic constraints, whose places are solved for, by that of a place over h².
double round_off_of(const Model& model, const EndOfMotion& end, double h, double n) {
  const double once = std::numeric_limits<double>::epsilon() * std::sqrt(n);
  if (model.options.multipliers == Multipliers::recompute) return once;
  const double of_momentum = 16.0 * end.momentum / (h * end.scale);
  const double of_place = model.system->d > 0 ? 1.0 / (h * std::max(end.turnover, 1e-3)) : 0.0;
  return once * std::max(1.0, of_momentum * std::max(1.0, of_place));
}

CheckReport::Certified measured_over(double duration, const Model& model, const AnyFlow& flow,
                                     const VectorState& start) {
  constexpr double too_coarse = 0.1;
  constexpr double clear = 30.0;  // times round-off
  const EndOfMotion exact = end_of_motion(flow, reference_state(flow, start, duration));
  std::vector<double> errors;
  std::vector<double> sizes;
  for (long n = 8; n <= 512;
       n *= 2) {  // even numbers: with s even the error changes its sign in each step
    const auto steps = static_cast<double>(n);
    const double h = duration / steps;
    const VectorState end = advance(flow, start, h, n);
    const double error =
        (end.lambda.tail(exact.multipliers.size()) - exact.multipliers).cwiseAbs().maxCoeff() /
        exact.scale;
    if (error > too_coarse) continue;
    if (error < clear * round_off_of(model, exact, std::abs(h), steps)) break;
    errors.push_back(error);
    sizes.push_back(steps);
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
