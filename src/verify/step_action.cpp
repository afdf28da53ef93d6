// SPDX-License-Identifier: BSD-3-Clause
#include "step_action.hpp"

#include "varia/verify/check_action.hpp"

namespace varia::detail {

namespace {

using FlatVector = Vector<double, Dynamic>;

/// A straight path has no inner unknowns: L_d is a sum of values of L.
double straight_action(const FlatSystem& f, const StageCoefficients& k, const FlatState& s0,
                       const FlatVector& q1, double h) {
  const FlatVector v = (q1 - s0.q) / h;
  double sum = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(k.points); ++i) {
    const FlatVector q = s0.q + k.A.hi[i] * (q1 - s0.q);
    const auto x = f.point(s0.t + h * k.c.hi[i], q.data(), v.data());
    double value = 0.0;
    f.value(x.data(), &value);
    sum += h * k.b.hi[i] * value;
  }
  return sum;
}

double part_action(const FlatFlow& flow, const FlatState& s0, const FlatVector& q1, double h) {
  const StageCoefficients* k = flow.method().stages();
  if (k && k->unknowns == 1) return straight_action(*flow.flat_system(), *k, s0, q1, h);
  return discrete_action(flow.method(), flow, s0.q, q1, s0.t, h).value;
}

}  // namespace

StepAction::StepAction(const FlatFlow& flow) { add_parts(flow, flow.method(), 1.0); }

void StepAction::add_parts(const FlatFlow& flow, const Method& method, double fraction) {
  if (method.substeps().empty())
    parts_.emplace_back(flow.with_method(method), fraction);
  else
    for (const auto& [part, inner] : method.substeps()) add_parts(flow, part, fraction * inner);
}

double StepAction::operator()(const FlatState& s0, const FlatState& s1, double h) const {
  if (parts_.size() == 1) return part_action(parts_.front().first, s0, s1.q, h);
  FlatState z = s0;
  double sum = 0.0;
  for (const auto& [flow, fraction] : parts_) {
    const FlatState next = flow(z, fraction * h);
    sum += part_action(flow, z, next.q, fraction * h);
    z = next;
  }
  return sum;
}

double StepAction::change(std::size_t part, const FlatState& s0, const FlatState& s1, double h,
                          const FlatVector& x0, const FlatVector& x1) const {
  const FlatFlow& flow = parts_[part].first;
  const auto action = discrete_action(flow.method(), flow, s0.q, s1.q, s0.t, h);
  return action.d1.dot(x0) + action.d2.dot(x1);
}

}  // namespace varia::detail
