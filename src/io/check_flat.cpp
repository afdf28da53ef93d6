// SPDX-License-Identifier: BSD-3-Clause
#include "check_flow.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io {

namespace {

/// The start as a state of FlatFlow, with the checks that make_stepper makes.
FlatState start_of(const Model& model) {
  Snapshot s;
  make_stepper(model)->snapshot(s);
  using V = Vector<double, Dynamic>;
  auto state = detail::make_state<V, Dynamic>(
      s.t, V(Eigen::Map<const V>(s.q.data(), model.system->n)),
      V(Eigen::Map<const V>(s.p.data(), model.system->n)), model.system->d);
  for (int a = 0; a < model.system->d; ++a) state.lambda[a] = s.lambda[static_cast<std::size_t>(a)];
  return state;
}

void check_baseline(const Model& model, const FlatState& start, CheckReport& report) {
  const BaselineFlow flow(model.method, model.system);
  const FlatFlow reference(gauss(7), model.system);
  report.order = measured_order(model.step, [&](double duration) {
    return check_order(flow, start, duration, reference_state(reference, start, duration),
                       model.method.order());
  });
  report.symplecticity = check_symplectic(flow, start, model.step).defect;
  report.notes.push_back(model.method.name() + " is a baseline: not variational");
}

}  // namespace

void check_flat(const Model& model, CheckReport& report) {
  const FlatState start = start_of(model);
  if (model.method.baseline())
    check_baseline(model, start, report);
  else
    check_variational(model, FlatFlow(model.method, model.system, model.options), start, report);
}

}  // namespace varia::io
