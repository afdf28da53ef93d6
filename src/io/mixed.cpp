// SPDX-License-Identifier: BSD-3-Clause
// Models with rotations: the general Flow on points whose factors are known at run time. It takes
// a quarter of a minute to compile, so all that needs its type stands in this file.
#include "varia/space/mixed.hpp"

#include "check_flow.hpp"
#include "stepper_of.hpp"
#include "varia/flow/flow.hpp"

namespace varia::io {

namespace {

using Q = MixedPoint<double>;
using V = Vector<double, Dynamic>;
using MixedState = State<Q, Dynamic>;
using MixedFlow = Flow<FlatView>;

template <class Memory> void save_part(const Memory& memory, std::vector<double>& out) {
  memory.stages.predictor.save(out);
  for (const auto& part : memory.parts) save_part(*part, out);
}

template <class Memory>
const double* load_part(Memory& memory, const double* data, const double* end) {
  data = memory.stages.predictor.load(data, end);
  for (const auto& part : memory.parts)
    if (data) data = load_part(*part, data, end);
  return data;
}

class MixedStepper final : public StepperOf<MixedFlow, MixedState> {
 public:
  MixedStepper(const Model& model, MixedFlow flow, MixedState start)
      : StepperOf(model, std::move(flow), std::move(start)) {}

  int unknowns() const override {
    const StageCoefficients* k = flow_.method().stages();
    if (!k) return 0;
    const int rows = system_->d > 0 ? system_->d * (k->ends ? k->points - 1 : 1) : 0;
    return k->unknowns * system_->n + rows;
  }

 private:
  void velocity(const MixedState& s, double* v) const override {
    const V value = varia::velocity(flow_.system(), s.q, s.p, s.t);
    std::copy(value.data(), value.data() + value.size(), v);
  }
  const double* load_entries(const double* x) override {
    state_.q = Q(state_.q.shape(), Eigen::Map<const V>(x, system_->entries));
    return x + system_->entries;
  }
  std::vector<double> save_memory() const override {
    const auto& s = memory_.statistics;
    std::vector<double> out{static_cast<double>(s.steps), static_cast<double>(s.iterations),
                            static_cast<double>(s.max_iterations)};
    save_part(memory_, out);
    return out;
  }
  void load_memory(const std::vector<double>& data) override {
    const double* const end = data.data() + data.size();
    if (data.size() < 3 || load_part(memory_, data.data() + 3, end) != end)
      throw InvalidArgument("the memory in the checkpoint belongs to another method or system");
    memory_.statistics = {static_cast<long>(data[0]), static_cast<long>(data[1]),
                          static_cast<int>(data[2])};
  }
};

Q start_point(const Model& model) {
  return Q(model.factors, V(Eigen::Map<const V>(model.q0.data(), model.system->entries)));
}

V start_velocity(const Model& model, const FlatView& view, const Q& q) {
  V v = Eigen::Map<const V>(model.rates0.data(), model.system->n);
  if (model.scenario.start.momenta) v = velocity_of(model, view, q, v);
  return v;
}

}  // namespace

std::unique_ptr<Stepper> make_mixed_stepper(const Model& model) {
  if (model.method.baseline() || model.method.has_own_flow())
    throw ScenarioError(model.scenario.run.method,
                        model.method.name() +
                            " cannot stay on a Lie group: it is for coordinates in R^n. "
                            "Use a variational method (varia list methods)");
  const FlatView view(model.system);
  const Q q = start_point(model);
  const V v = start_velocity(model, view, q);
  check_start_point(model, v.data());
  MixedState start = start_state(model, view, q, v);
  try {
    return std::make_unique<MixedStepper>(model, MixedFlow(model.method, view, model.options),
                                          std::move(start));
  } catch (const InvalidArgument& error) {
    throw ScenarioError(model.scenario.run.method, error.what());
  }
}

void check_mixed(const Model& model, CheckReport& report) {
  const FlatView view(model.system);
  const Q q = start_point(model);
  const MixedState start = start_state(model, view, q, start_velocity(model, view, q));
  check_variational(model, MixedFlow(model.method, view, model.options), start, report);
}

}  // namespace varia::io
