// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Stepper for any flow with State<Q, Dynamic>.
#include <algorithm>
#include <utility>

#include "varia/flow/discrete_lagrangian_flow.hpp"
#include "varia/flow/one_form_flow.hpp"
#include "varia/flow/state.hpp"
#include "varia/io/stepper.hpp"
#include "varia/mechanics/flat_view.hpp"

namespace varia::io {

/// The flows of a Lagrangian that is linear in the velocities, and of the user's own L_d; they throw
/// InvalidArgument where the method does not fit.
OneFormFlow one_form_flow(const Model& model);
DiscreteLagrangianFlow own_flow(const Model& model);

/// The text of a start that the system refuses, with what the scenario can do about it.
[[noreturn]] void refuse_start(const Model& model, const Error& error);
[[noreturn]] void refuse_start(const Model& model, const SingularMass& error);

/// L must have finite derivatives at the start with velocity v.
void check_start_point(const Model& model, const double* v);

/// Names the constraints that are dependent at q, unless the scenario lets them be left out.
void refuse_dependent(const Model& model, const double* q);

template <class F, class StateT> class StepperOf : public Stepper {
 public:
  StepperOf(const Model& model, F flow, StateT start)
      : system_(model.system),
        flow_(std::move(flow)),
        state_(std::move(start)),
        memory_(flow_.memory(state_)) {}

  void advance(double h, long count) override {
    const std::vector<double> before = save_memory();
    const FlowStatistics statistics = memory_.statistics;
    completed_ = count;
    try {
      state_ = flow_.steps(state_, h, count, memory_);
    } catch (const Error&) {
      // once more, step by step, up to the last good one
      memory_ = flow_.memory(state_);
      load_memory(before);
      memory_.statistics = statistics;
      for (completed_ = 0; completed_ < count; ++completed_)
        state_ = flow_.step(state_, h, memory_);
    }
  }
  long completed() const override { return completed_; }

  double time() const override { return state_.t; }

  void snapshot(Snapshot& s) const override {
    const auto n = static_cast<std::size_t>(system_->n);
    s.t = state_.t;
    s.q.clear();
    detail::append_entries(state_.q, s.q);
    s.p.assign(state_.p.data(), state_.p.data() + n);
    s.lambda.assign(state_.lambda.data(), state_.lambda.data() + state_.lambda.size());
    s.v.assign(n, 0.0);
    velocity(state_, s.v.data());
  }

  FlowStatistics statistics() const override { return memory_.statistics; }

  bool is_explicit() const override {
    if constexpr (requires { flow_.is_explicit(); })
      return flow_.is_explicit();
    else if constexpr (requires { flow_.method(); })
      return flow_.method().baseline() != nullptr;
    else
      return false;
  }
  int unknowns() const override {
    if constexpr (requires { flow_.unknowns(); })
      return flow_.unknowns();
    else
      return 0;
  }
  bool banded() const override {
    if constexpr (requires { flow_.banded(); })
      return flow_.banded();
    else
      return false;
  }

  std::vector<double> save() const override {
    std::vector<double> out{state_.t, state_.t_rest};
    detail::append_entries(state_.q, out);
    for (const auto* x : {&state_.q_rest, &state_.p, &state_.p_rest})
      out.insert(out.end(), x->data(), x->data() + x->size());
    out.insert(out.end(), state_.lambda.data(), state_.lambda.data() + state_.lambda.size());
    const auto memory = save_memory();
    out.insert(out.end(), memory.begin(), memory.end());
    return out;
  }

  void load(const std::vector<double>& data) override {
    const int size = 2 + system_->entries + 3 * system_->n + system_->d;
    if (data.size() < static_cast<std::size_t>(size))
      throw InvalidArgument("the state in the checkpoint belongs to another system");
    const double* x = data.data();
    state_.t = *x++;
    state_.t_rest = *x++;
    std::copy(x, x + system_->entries, state_.q.data());
    x += system_->entries;
    for (auto* y : {&state_.q_rest, &state_.p, &state_.p_rest}) {
      std::copy(x, x + system_->n, y->data());
      x += system_->n;
    }
    std::copy(x, x + system_->d, state_.lambda.data());
    memory_ = flow_.memory(state_);
    load_memory({data.begin() + size, data.end()});
  }

 protected:
  virtual void velocity(const StateT& s, double* v) const = 0;
  virtual std::vector<double> save_memory() const {
    if constexpr (requires { memory_.save(); }) return memory_.save();
    return {};
  }
  virtual void load_memory(const std::vector<double>& data) {
    if constexpr (requires { memory_.load(data); }) memory_.load(data);
  }
  std::shared_ptr<const FlatSystem> system_;
  F flow_;
  StateT state_;
  long completed_ = 0;
  decltype(std::declval<const F&>().memory(std::declval<const StateT&>())) memory_;
};

}  // namespace varia::io
