// SPDX-License-Identifier: BSD-3-Clause
#include "step_action.hpp"

#include "varia/verify/check_action.hpp"

namespace varia::detail {

namespace {

/// A straight path has no inner unknowns: L_d is a sum of values of L.
double straight_action(const KernelSystem& f, const StageCoefficients& k, const VectorState& s0,
                       const Vn& q1, double h) {
  const Vn v = (q1 - s0.q) / h;
  double sum = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(k.points); ++i) {
    const Vn q = s0.q + k.A.hi[i] * (q1 - s0.q);
    const auto x = f.point(s0.t + h * k.c.hi[i], q.data(), v.data());
    double value = 0.0;
    f.value(x.data(), &value);
    sum += h * k.b.hi[i] * value;
  }
  return sum;
}

double part_action(const StageFlow& flow, const VectorState& s0, const Vn& q1, double h) {
  const StageCoefficients* k = flow.method().stages();
  if (k && k->unknowns == 1) return straight_action(flow.system(), *k, s0, q1, h);
  return discrete_action(flow.method(), flow, s0.q, q1, s0.t, h).value;
}

}  // namespace

StepAction::StepAction(const StageFlow& flow) { add_parts(flow, flow.method(), 1.0); }

void StepAction::add_parts(const StageFlow& flow, const Method& method, double fraction) {
  if (method.substeps().empty())
    parts_.emplace_back(flow.with_method(method), fraction);
  else
    for (const auto& [part, inner] : method.substeps()) add_parts(flow, part, fraction * inner);
}

double StepAction::operator()(const VectorState& s0, const VectorState& s1, double h) const {
  if (parts_.size() == 1) return part_action(parts_.front().first, s0, s1.q, h);
  VectorState z = s0;
  double sum = 0.0;
  for (const auto& [flow, fraction] : parts_) {
    const VectorState next = flow(z, fraction * h);
    sum += part_action(flow, z, next.q, fraction * h);
    z = next;
  }
  return sum;
}

double StepAction::change(std::size_t part, const VectorState& s0, const VectorState& s1, double h,
                          const Vn& x0, const Vn& x1) const {
  const StageFlow& flow = parts_[part].first;
  const auto action = discrete_action(flow.method(), flow, s0.q, s1.q, s0.t, h);
  return action.d1.dot(x0) + action.d2.dot(x1);
}

}  // namespace varia::detail
