// SPDX-License-Identifier: BSD-3-Clause
// avi behind the interface of all steppers: a step of the run is the time to the next synchronised
// state, in which every term acts as often as its own step says.
//
// Between two synchronised states each coordinate has a time of its own. A snapshot is (AVI-sync):
// positions are drifted to the common time, and the momentum is p = m v with the velocity there, to
// which every term has given the impulse of the time since it acted last, less the half step that it
// gave in advance at the start. It is of second order like the positions. The state itself is not
// touched by a snapshot, so that the motion does not depend on when it is looked at. The first
// snapshot is the start as stated: an impulse that is given and taken back leaves its round-off.
#include "varia/io/asynchronous.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "flow_of_model.hpp"
#include "varia/terms/schedule.hpp"

namespace varia::io {

namespace {

std::vector<double> start_velocities(const Model& model) {
  std::vector<double> v = model.rates0;
  if (model.scenario.start.momenta)
    for (std::size_t i = 0; i < v.size(); ++i) v[i] /= model.system->mass_diagonal[i];
  return v;
}

class AsynchronousStepper final : public Stepper {
 public:
  explicit AsynchronousStepper(const Model& model)
      : names_(model.entry_names),
        lagrangian_(model.system),
        system_(asynchronous_system(model)),
        state_(asynchronous_start(model, system_)),
        schedule_(terms::node_clocks(system_, state_)),
        origin_(model.t0),
        start_{model.t0, model.q0, start_velocities(model)},
        at_(start_) {}

  void advance(double h, long count) override {
    if (!(h > 0.0) || !std::isfinite(h))
      throw InvalidArgument("avi goes forward in time: the step must be positive, got " +
                            varia::to_text(h));
    if (h != h_) {  // times of synchronisation are multiples of one step since a common origin
      origin_ = at_.t;
      steps_ = 0;
      h_ = h;
    }
    completed_ = count;
    before_ = save();
    if (count < 1 || go(count)) return;
    for (completed_ = 0; completed_ < count; ++completed_)
      if (!go(1)) refuse();
  }
  long completed() const override { return completed_; }

  double time() const override { return at_.t; }
  void snapshot(Snapshot& s) const override {
    s.t = at_.t;
    s.q = at_.x;
    s.v = at_.v;
    s.p.resize(at_.v.size());
    for (std::size_t i = 0; i < at_.v.size(); ++i) s.p[i] = system_.masses()[i] * at_.v[i];
    s.lambda.clear();
  }

  double energy(const Snapshot& s) const override {
    return varia::energy(*lagrangian_, s.t, s.q.data(), s.v.data(), s.p.data());
  }

  std::vector<double> save() const override { return SavedNumbers::of(*this); }
  void load(const std::vector<double>& data) override {
    SavedNumbers::read(*this, data, "the state in the checkpoint belongs to another system");
    schedule_ = terms::node_clocks(system_, state_);
    at_ = total_ > 0 ? terms::synchronise(system_, state_, at_.t) : start_;
  }
  std::vector<double> save_before() const override { return before_; }
  void exchange(SavedNumbers& numbers) {
    numbers(state_.t0, at_.t, origin_, h_, steps_, total_);
    for (auto& node : state_.nodes) numbers(node.x[0], node.v[0], node.t);
    for (std::size_t K = 0; K < state_.clocks.size(); ++K) {
      terms::Clock& clock = state_.clocks[K];
      numbers(clock.next, clock.last, clock.step, clock.count, state_.lead[K]);
    }
  }

  FlowStatistics statistics() const override {
    FlowStatistics counts;
    counts.steps = total_;
    return counts;
  }
  FlowCost cost() const override { return {true, 0, false}; }
  std::vector<long> updates() const override {
    std::vector<long> result;
    result.reserve(state_.clocks.size());
    for (const terms::Clock& clock : state_.clocks)
      result.push_back(static_cast<long>(clock.count));
    return result;
  }

 private:
  /// Steps as one; false, and nothing has happened, when the motion left the finite numbers.
  bool go(long count) {
    const terms::State<1> before = state_;
    const double t = origin_ + static_cast<double>(steps_ + count) * h_;
    schedule_->advance(t);
    try {
      at_ = terms::synchronise(system_, state_, t);
    } catch (const terms::Divergence& failure) {
      failed_ = failure.node;
      state_ = before;
      schedule_ = terms::node_clocks(system_, state_);
      return false;
    }
    steps_ += count;
    total_ += count;
    return true;
  }

  [[noreturn]] void refuse() const {
    throw NoConvergence("avi: " + names_[static_cast<std::size_t>(failed_)] +
                            " left the finite numbers between t = " + varia::to_text(at_.t) +
                            " and t = " + varia::to_text(at_.t + h_) +
                            ". Try smaller steps of its terms",
                        at_.t, h_, 0, 0.0);
  }

  expr::NameList names_;
  std::shared_ptr<const KernelSystem> lagrangian_;
  terms::System<1> system_;
  terms::State<1> state_;
  std::unique_ptr<terms::Schedule<1>> schedule_;
  double origin_;   ///< synchronised states are at origin + steps·h
  double h_ = 0.0;  ///< none yet
  long steps_ = 0;  ///< since the origin
  long total_ = 0;
  terms::Synchronised<1> start_, at_;
  std::vector<double> before_;  ///< the last advance()
  long completed_ = 0;
  long failed_ = 0;  ///< coordinate
};

}  // namespace

KernelList asynchronous_kernels(const Model& model) {
  KernelList list{{model.system->value, 0.0, 1.0}};
  for (const Term& term : model.terms)
    list.push_back({term.gradient, std::max(1.0, model.step / term.step)});
  return list;
}

std::unique_ptr<Stepper> make_asynchronous_stepper(const Model& model) {
  if (model.terms.empty())
    throw ScenarioError(model.scenario.run.method,
                        "avi needs to know the terms of the potential and their steps: give "
                        "[[system.term]] tables and method = \"avi\"");
  return std::make_unique<AsynchronousStepper>(model);
}

// Terms given as expressions become families of varia/terms, one for each number of coordinates.

namespace {

/// Terms of N coordinates.
template <int N> class ExpressionTerms final : public terms::FamilyOf<ExpressionTerms<N>, 1, N> {
  using Base = terms::FamilyOf<ExpressionTerms<N>, 1, N>;

 public:
  ExpressionTerms(typename Base::Terms nodes, std::vector<Term> terms)
      : Base(std::move(nodes)), terms_(std::move(terms)) {}
  const char* kind() const override { return "expression"; }

  double energy_of(int k, const double* x, double t) const { return values(k, x, t)[0]; }
  double rate_of(int k, const double* x, double t) const { return values(k, x, t)[1]; }
  void gradient_of(int k, const double* x, double t, double* g) const {
    term(k).gradient(point(x, t).data(), g);
  }

 private:
  const Term& term(int k) const { return terms_[static_cast<std::size_t>(k)]; }
  static std::array<double, N + 1> point(const double* x, double t) {
    std::array<double, N + 1> at{t};
    std::copy(x, x + N, at.begin() + 1);
    return at;
  }
  /// V_K and ∂V_K/∂t
  std::array<double, 2> values(int k, const double* x, double t) const {
    std::array<double, 2> out{};
    term(k).energy(point(x, t).data(), out.data());
    return out;
  }

  std::vector<Term> terms_;
};

/// The terms of N coordinates, in their order.
template <int N> void add_family(const Model& model, terms::System<1>& system) {
  std::vector<std::array<int, N>> nodes;
  std::vector<Term> terms;
  for (const Term& term : model.terms) {
    if (term.coordinates.size() != std::size_t{N}) continue;
    nodes.emplace_back();
    std::copy(term.coordinates.begin(), term.coordinates.end(), nodes.back().begin());
    terms.push_back(term);
  }
  if (!terms.empty())
    system.add(std::make_unique<ExpressionTerms<N>>(std::move(nodes), std::move(terms)));
}

}  // namespace

terms::System<1> asynchronous_system(const Model& model) {
  terms::System<1> system;
  system.set_masses(model.system->mass_diagonal);
  [&]<int... I>(std::integer_sequence<int, I...>) { (add_family<I + 1>(model, system), ...); }
  (std::make_integer_sequence<int, terms::max_nodes>{});
  return system;
}

terms::State<1> asynchronous_start(const Model& model, const terms::System<1>& system) {
  std::vector<double> steps;
  steps.reserve(model.terms.size());
  for (std::size_t count = 1; count <= terms::max_nodes; ++count)
    for (const Term& term : model.terms)
      if (term.coordinates.size() == count) steps.push_back(term.step);
  const std::vector<double> v = start_velocities(model);
  check_start_point(model, v.data());
  return terms::start<1>(system, model.q0, v, steps, {}, {model.t0, true});
}

}  // namespace varia::io
