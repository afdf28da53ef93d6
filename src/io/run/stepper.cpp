// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <tuple>

#include "../scenario/expressions.hpp"
#include "flow_of_model.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/io/asynchronous.hpp"
#include "varia/mechanics/dependent_constraints.hpp"

namespace varia::io {

namespace {

/// Does the work; what it finds wrong with the start is told there.
template <class Work> auto at_start(const Model& model, const Work& work) {
  try {
    return work();
  } catch (const ScenarioError&) {
    throw;
  } catch (const SingularMass& error) {
    refuse_start(model, error);
  } catch (const Error& error) {
    refuse_start(model, error);
  }
}

/// The state with configuration q and velocity v, moved onto the constraint if the scenario says so.
VectorState start_state(const Model& model, Vn q, Vn v) {
  return at_start(model, [&] {
    if (model.scenario.start.project) std::tie(q, v) = project(*model.system, q, v, model.t0);
    refuse_dependent(model, q, v);
    VectorState s = initial(*model.system, q, v, model.t0);
    if (!s.lambda.allFinite())
      throw ScenarioError(*model.scenario.system.constraint(),
                          "the constraints are dependent at the start: their gradients have a "
                          "vanishing combination, and the multipliers are not determined");
    return s;
  });
}

VectorState lagrangian_start(const Model& model) {
  const KernelSystem& f = *model.system;
  const Vn q = Eigen::Map<const Vn>(model.q0.data(), f.entries);
  const Vn v = stated_velocity(model);
  check_start_point(model, v.data());
  if (f.separable && f.d + f.e == 0) {
    VectorState s = detail::make_state<Vn, Dynamic>(model.t0, q, Vn(Vn::Zero(f.n)), 0);
    LegendreTransform(f).momentum(model.t0, q.data(), v.data(), s.p.data());
    return s;
  }
  return start_state(model, q, v);
}

VectorState phase_start(const Model& model) {
  const int n = model.hamiltonian->n;
  return detail::make_state<Vn, Dynamic>(model.t0, Vn(Eigen::Map<const Vn>(model.q0.data(), n)),
                                         Vn(Eigen::Map<const Vn>(model.rates0.data(), n)), 0);
}

/// p = θ(q); the velocities must be determined there.
VectorState one_form_start(const Model& model) {
  const OneFormFlow flow(model.method, model.system, projection_of(model), model.options);
  try {
    VectorState start =
        flow.start(Vn(Eigen::Map<const Vn>(model.q0.data(), model.system->n)), model.t0);
    flow.velocity(start);
    return start;
  } catch (const DomainError& error) {
    throw ScenarioError(model.scenario.system.stated(),
                        std::string("at the start: ") + error.what());
  } catch (const InvalidArgument& error) {
    throw ScenarioError(model.scenario.run.method, error.what());
  }
}

/// A flow in motion.
class FlowStepper final : public Stepper {
 public:
  FlowStepper(AnyFlow flow, VectorState start)
      : flow_(std::move(flow)), first_(std::move(start)), state_(first_), memory_(new_memory()) {}

  void advance(double h, long count) override {
    before_ = memory_.save();
    const FlowStatistics statistics = memory_.statistics();
    start_ = state_;
    completed_ = count;
    try {
      flow_.move(state_, h, count, memory_);
    } catch (const Error&) {
      // once more, step by step, up to the last good one
      state_ = start_;
      memory_ = new_memory();
      memory_.load(before_);
      memory_.statistics() = statistics;
      for (completed_ = 0; completed_ < count; ++completed_)
        state_ = flow_.step(state_, h, memory_);
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
    flow_.velocity(state_, s.v.data(), memory_);
  }

  double energy(const Snapshot& s) const override { return flow_.energy(state_, s.v.data()); }

  FlowStatistics statistics() const override { return memory_.statistics(); }
  FlowCost cost() const override { return flow_.cost(); }

  std::vector<double> save() const override { return SavedNumbers::of(*this); }
  void load(const std::vector<double>& data) override {
    SavedNumbers::read(*this, data, "the state in the checkpoint belongs to another system");
  }
  std::vector<double> save_before() const override {
    std::vector<double> data = SavedNumbers::of(StateNumbers{start_});
    data.insert(data.end(), before_.begin(), before_.end());
    return data;
  }
  void exchange(SavedNumbers& numbers) {
    StateNumbers state{state_};
    state.exchange(numbers);
    if (numbers.reading()) {
      state_ = std::move(state.s);
      memory_ = new_memory();
    }
    numbers.rest(memory_);
  }

 private:
  /// Which constraints follow from others is decided where the run starts. On the way they may be dependent for a
  /// moment, and what is read into a memory replaces the rest that it has of a state.
  AnyFlow::Memory new_memory() const { return flow_.memory(first_); }

  /// What is kept of a state.
  struct StateNumbers {
    VectorState s;
    void exchange(SavedNumbers& numbers) {
      numbers(s.t, s.t_rest, s.q, s.q_rest, s.p, s.p_rest, s.lambda, s.branch);
    }
  };

  AnyFlow flow_;
  VectorState first_;  ///< where the run starts
  VectorState state_;
  AnyFlow::Memory memory_;
  VectorState start_;           ///< before the last advance()
  std::vector<double> before_;  ///< what the memory was there
  long completed_ = 0;
};

}  // namespace

OneFormProjection projection_of(const Model& model) {
  const auto& asked = model.scenario.run.projection;
  if (!asked || asked->value == "symmetric") return OneFormProjection::symmetric;
  return asked->value == "none" ? OneFormProjection::none : OneFormProjection::each_step;
}

Vn stated_velocity(const Model& model) {
  const KernelSystem& f = *model.system;
  Vn v = Eigen::Map<const Vn>(model.rates0.data(), f.n);
  if (!model.scenario.start.momenta) return v;
  at_start(model, [&] {
    LegendreTransform(f).velocity(model.t0, model.q0.data(), model.rates0.data(), v.data());
  });
  return v;
}

namespace {

/// Inputs must be known.
void require_inputs(const Model& model) {
  if (model.scenario.control && !model.inputs)
    throw ScenarioError(model.scenario.control->place, "control",
                        "the inputs are not known: varia optimise finds them, and varia run "
                        "--controls trajectory.h5 runs along those of an optimum.");
}

}  // namespace

AnyFlow flow_of(const Model& model, bool fixed_steps) {
  require_inputs(model);
  return flow_of(model, model.system, fixed_steps);
}

AnyFlow flow_of(const Model& model, const std::shared_ptr<KernelSystem>& system, bool fixed_steps) {
  const Statement statement{system, model.hamiltonian, model.discrete, model.acceleration};
  FlowKinds kinds{model.variable, projection_of(model), model.explicit_loop};
  told_at(model.scenario.run.solver,
          [&] { require_solver(model.method, statement, model.options, kinds); });
  if (fixed_steps) kinds.variable.reset();
  return told_at(model.scenario.run.method,
                 [&] { return make_flow(model.method, statement, model.options, kinds); });
}

VectorState state_of(const Snapshot& s) {
  const auto numbers = [](const std::vector<double>& x) {
    return Vn(Eigen::Map<const Vn>(x.data(), std::ssize(x)));
  };
  VectorState state = detail::make_state<Vn, Dynamic>(s.t, numbers(s.q), numbers(s.p),
                                                      static_cast<int>(s.lambda.size()));
  state.lambda = numbers(s.lambda);
  state.branch = numbers(s.branch);
  return state;
}

VectorState start_of(const Model& model) {
  if (model.hamiltonian) return phase_start(model);
  return model.system->degenerate ? one_form_start(model) : lagrangian_start(model);
}

void refuse_dependent(const Model& model, const Vn& q, const Vn& v) {
  const KernelSystem& f = *model.system;
  if (f.d + f.e == 0 || (model.options.leave_out_dependent && f.e == 0)) return;
  const ConstraintRank rank = constraint_rank(f, model.t0, q, v);
  if (rank.independent()) return;
  for (const Dependency& d : rank.dependencies)
    if (std::abs(d.value) > 1e-6)  // far beyond what a start is moved by
      throw ScenarioError(*model.scenario.system.constraint(),
                          "the constraints contradict each other at the start: " +
                              to_text(d, model.constraint_texts) + ", but their values differ by " +
                              varia::to_text(std::abs(d.value)) +
                              ", so that they cannot all vanish near it");
  throw ScenarioError(
      *model.scenario.system.constraint(),
      "the constraints are dependent at the start: " + to_text(rank, model.constraint_texts) +
          ". Leave out those that follow from others" +
          (f.e > 0 ? "" : ", or let Varia do so: dependent_constraints = \"leave_out\" in [run]"));
}

void check_start_point(const Model& model, const double* v) {
  const auto x = model.system->point(model.t0, model.q0.data(), v);
  for (const expr::Kernel* k : {&model.system->value, &model.system->hessian})
    require_finite(*k, x.data(), model.variable_names, model.scenario.system.stated());
}

void refuse_start(const Model& model, const SingularMass& error) {
  std::string text = error.what();
  bool no_inertia = true;  // no second derivative in two velocities
  for (const int column : model.system->second.column)
    no_inertia = no_inertia && column < model.system->n;
  if (no_inertia)
    text +=
        ". The Lagrangian is degenerate: it has no term quadratic in the velocities. Where "
        "coordinates and momenta are known, state the system by its hamiltonian";
  throw ScenarioError(model.scenario.system.stated(), text);
}

std::string with_constraints(const Model& model, const std::string& text) {
  constexpr std::string_view open = "phi[";
  std::string result;
  std::size_t from = 0;
  for (auto at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
    std::size_t number = 0;
    const char* const digits = text.data() + at + open.size();
    const auto [end, error] = std::from_chars(digits, text.data() + text.size(), number);
    if (error != std::errc() || *end != ']' || number - 1 >= model.constraint_texts.size())
      continue;
    result += text.substr(from, at - from) + "(" + model.constraint_texts[number - 1] + ")";
    from = static_cast<std::size_t>(end - text.data()) + 1;
  }
  return result + text.substr(from);
}

void refuse_start(const Model& model, const Error& error) {
  std::string text = with_constraints(model, error.what());
  const auto hint = text.find(", or use project(");
  if (hint != std::string::npos)
    text = text.substr(0, hint) + ", or let Varia move it: project = true in [start]";
  throw ScenarioError(model.scenario.start.place, "start", text);
}

std::unique_ptr<Stepper> make_stepper(const Model& model) {
  if (model.inputs) return make_controlled_stepper(model);
  if (model.method.asynchronous()) return make_asynchronous_stepper(model);
  AnyFlow flow = flow_of(model);
  VectorState start = start_of(model);
  return told_at(model.scenario.run.method,
                 [&] { return std::make_unique<FlowStepper>(std::move(flow), std::move(start)); });
}

}  // namespace varia::io
