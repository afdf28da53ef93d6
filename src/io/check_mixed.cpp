// SPDX-License-Identifier: BSD-3-Clause
#include "check_flow.hpp"
#include "stepper_of.hpp"
#include "varia/flow/flow.hpp"
#include "varia/space/mixed.hpp"

namespace varia::io {

void check_mixed(const Model& model, CheckReport& report) {
  using V = Vector<double, Dynamic>;
  using Q = MixedPoint<double>;
  const FlatView view(model.system);
  const Q q(model.factors, V(Eigen::Map<const V>(model.q0.data(), model.system->entries)));
  V v = Eigen::Map<const V>(model.rates0.data(), model.system->n);
  if (model.scenario.start.momenta) v = velocity_of(model, view, q, v);
  const State<Q, Dynamic> start = start_state(model, view, q, v);
  check_variational(model, Flow<FlatView>(model.method, view, model.options), start, report);
}

}  // namespace varia::io
