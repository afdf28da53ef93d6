// SPDX-License-Identifier: BSD-3-Clause
#include "step_calls.hpp"

#include <algorithm>

namespace varia::detail {

namespace {

constexpr double matrices = 1.2;
constexpr double iterations = 2.5;

double points(const Method& method) {
  if (const StageCoefficients* stages = method.stages()) return stages->points;
  double sum = 0.0;
  for (const auto& part : method.substeps()) sum += points(part.first);
  return std::max(1.0, sum);
}

}  // namespace

StepCalls solved_calls(double points) {
  return {points * (iterations - matrices), points * matrices};
}

StepCalls solved_calls(const Method& method) { return solved_calls(points(method)); }

void add_force_and_constraint(const KernelSystem& f, const StepCalls& calls, KernelList& list) {
  if (f.acts()) {
    list.push_back({f.acting(), calls.values});
    list.push_back({f.acting_derivative(), calls.slopes});
  }
  if (f.e > 0) list.push_back({f.nonholonomic, calls.all() + calls.slopes});
  if (f.hidden) list.push_back({f.hidden, 1.0});
  if (f.d > 0) {
    list.push_back({f.constraint, calls.all()});
    list.push_back({f.constraint_curvature, calls.all()});
  }
  if (f.rheonomic()) list.push_back({f.constraint_rate, calls.all()});
}

KernelList stage_kernels(const KernelSystem& f, const StepCalls& calls) {
  KernelList list{{f.gradient, calls.values}, {f.hessian, calls.slopes}};
  add_force_and_constraint(f, calls, list);
  return list;
}

}  // namespace varia::detail
