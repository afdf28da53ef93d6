// SPDX-License-Identifier: BSD-3-Clause
// Models with inputs in motion: a run along them, or the nodes of a motion that is known.
#include <algorithm>

#include "../run/flow_of_model.hpp"
#include "varia/core/index.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/io/control_problem.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io {

namespace {

using detail::sz;

void append(const std::vector<double>& numbers, std::vector<double>& record) {
  record.insert(record.end(), numbers.begin(), numbers.end());
}
void append(const Vn& numbers, std::vector<double>& record) {
  record.insert(record.end(), numbers.begin(), numbers.end());
}

/// Each step by the flow of the system with the inputs of that step: inputs may jump between steps, so that
/// nothing is kept from one to the next but the state.
class ReplayStepper final : public Stepper {
 public:
  explicit ReplayStepper(const Model& model)
      : model_(model), flow_(flow_of(model, model.system)), state_(start_of(model)) {}

  void advance(double h, long count) override {
    before_ = state_;
    for (completed_ = 0; completed_ < count; ++completed_) {
      enter(model_.inputs->step_at(state_.t + 0.5 * h));
      AnyFlow::Memory memory = flow_.memory(state_);
      memory.statistics() = statistics_;
      state_ = flow_.step(state_, h, memory);
      statistics_ = memory.statistics();
    }
  }
  long completed() const override { return completed_; }
  double time() const override { return state_.t; }
  void snapshot(Snapshot& s) const override {
    const auto copy = [](const Vn& x, std::vector<double>& to) {
      to.assign(x.data(), x.data() + x.size());
    };
    s.t = state_.t;
    copy(state_.q, s.q);
    copy(state_.p, s.p);
    copy(state_.lambda, s.lambda);
    copy(state_.branch, s.branch);
    s.v.assign(s.p.size(), 0.0);
    AnyFlow::Memory memory = flow_.memory(state_);
    flow_.velocity(state_, s.v.data(), memory);
  }
  double energy(const Snapshot& s) const override { return flow_.energy(state_, s.v.data()); }
  FlowStatistics statistics() const override { return statistics_; }
  FlowCost cost() const override { return flow_.cost(); }
  void controls(std::vector<double>& record) const override {
    append(model_.inputs->at(state_.t), record);
  }

  std::vector<double> save() const override { return SavedNumbers::of(StateNumbers{state_}); }
  std::vector<double> save_before() const override {
    return SavedNumbers::of(StateNumbers{before_});
  }
  void load(const std::vector<double>& data) override {
    StateNumbers state{state_};
    SavedNumbers::read(state, data, "the state in the checkpoint belongs to another system");
    state_ = std::move(state.s);
  }

 private:
  struct StateNumbers {
    VectorState s;
    void exchange(SavedNumbers& numbers) {
      numbers(s.t, s.t_rest, s.q, s.q_rest, s.p, s.p_rest, s.lambda, s.branch);
    }
  };

  void enter(std::size_t step) {
    if (step == step_) return;
    flow_ = flow_of(model_, system_in_step(model_, step));
    step_ = step;
  }

  const Model& model_;
  AnyFlow flow_;
  std::size_t step_ = 0;  ///< whose inputs the flow has
  VectorState state_, before_ = state_;
  FlowStatistics statistics_;
  long completed_ = 0;
};

/// The nodes of a motion, one after the other. Multipliers are those of the equations of motion.
class PlayedStepper final : public Stepper {
 public:
  explicit PlayedStepper(const Model& model) : model_(model), played_(*model.played) {}

  void advance(double /*h*/, long count) override {
    before_ = node_;
    node_ += sz(count);
    completed_ = count;
  }
  long completed() const override { return completed_; }
  double time() const override { return played_.motion.t[node_]; }
  void snapshot(Snapshot& s) const override {
    const ControlMotion& m = played_.motion;
    s = {};
    s.t = m.t[node_];
    append(m.q[node_], s.q);
    append(m.v[node_], s.v);
    append(m.p[node_], s.p);
    s.lambda.assign(sz(model_.system->d + model_.system->e), 0.0);
    if (s.lambda.empty()) return;
    try {
      const Vn lambda =
          acceleration(*system_in_step(model_, step()), s.t, m.q[node_], m.v[node_]).lambda;
      std::copy(lambda.begin(), lambda.end(), s.lambda.begin());
    } catch (const SingularMass&) {
      // what was reached where there is no optimum may be no motion
    }
  }
  double energy(const Snapshot& s) const override {
    return LegendreTransform(*model_.system).energy(s.t, s.q.data(), s.v.data());
  }
  FlowStatistics statistics() const override { return {}; }
  FlowCost cost() const override { return {}; }
  void controls(std::vector<double>& record) const override {
    append(model_.inputs->at(step(), node_ > step() ? 1.0 : 0.0), record);
    append(played_.motion.a[node_], record);
    if (!played_.optimised()) return;
    append(played_.motion.costate_q[node_], record);
    append(played_.motion.costate_p[node_], record);
    append(played_.motion.costate_a[node_], record);
  }

  std::vector<double> save() const override { return {static_cast<double>(node_)}; }
  std::vector<double> save_before() const override { return {static_cast<double>(before_)}; }
  void load(const std::vector<double>& data) override {
    node_ = data.empty() ? 0 : static_cast<std::size_t>(data.front());
  }

 private:
  /// That begins at the node; the last one at the end.
  std::size_t step() const { return std::min(node_, model_.inputs->steps() - 1); }

  const Model& model_;
  const PlayedMotion& played_;
  std::size_t node_ = 0, before_ = 0;
  long completed_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_controlled_stepper(const Model& model) {
  if (model.played) return std::make_unique<PlayedStepper>(model);
  return told_at(model.scenario.run.method, [&] { return std::make_unique<ReplayStepper>(model); });
}

std::vector<std::string> costate_names(const Model& model) {
  const expr::NameList forces = force_names(model.scenario.system);
  const auto n = sz(model.system->n);
  std::vector<std::string> names;
  const auto add = [&](const expr::NameList& of, const std::string& word) {
    for (std::size_t i = 0; i < n; ++i)
      names.push_back("J_" + (of.size() == n ? of[i] : word + std::to_string(i + 1)));
  };
  add(forces, "delta");
  add(model.momentum_names, "delta_p");
  for (const std::string& state : model.played->states) names.push_back("J_" + state);
  return names;
}

}  // namespace varia::io
