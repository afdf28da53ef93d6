// SPDX-License-Identifier: BSD-3-Clause
#include "motion.hpp"

#include <algorithm>
#include <cmath>

#include "varia/io/solid_checkpoint.hpp"
#include "varia/terms/energy.hpp"
#include "varia/terms/newmark.hpp"
#include "varia/terms/schedule.hpp"
#include "varia/terms/stationary.hpp"

namespace varia::io {

namespace {

/// Of so many elements local energies are watched, spread evenly over steps from small to large.
constexpr std::size_t most_watched = 100;

std::vector<int> sample(const std::vector<double>& steps) {
  std::vector<int> elements(steps.size());
  for (std::size_t k = 0; k < elements.size(); ++k) elements[k] = static_cast<int>(k);
  std::stable_sort(elements.begin(), elements.end(), [&](int a, int b) {
    return steps[static_cast<std::size_t>(a)] < steps[static_cast<std::size_t>(b)];
  });
  if (elements.size() <= most_watched) return elements;
  std::vector<int> chosen;
  for (std::size_t i = 0; i < most_watched; ++i)
    chosen.push_back(elements[i * (elements.size() - 1) / (most_watched - 1)]);
  return chosen;
}

template <int D> class Asynchronous final : public SolidMotion<D> {
 public:
  Asynchronous(const solids::Solid<D>& solid, const SolidRun& run)
      : solid_(solid), run_(run), state_(solids::start(solid, run.half_kick)) {
    if (run.local_energy != LocalEnergy::none)
      watch_ = std::make_unique<terms::LocalEnergy<D>>(
          solid.system,
          run.local_energy == LocalEnergy::sample ? sample(solid.steps) : std::vector<int>{});
    make_schedule();
  }

  void advance(double t) override { schedule_->advance(t); }
  double nearest(double t) const override { return t; }
  terms::Synchronised<D> at(double t) const override {
    return terms::synchronise(solid_.system, state_, t);
  }
  terms::Momentum<D> momentum() const override { return terms::momentum(solid_.system, state_); }
  const double* velocity(int node) const override {
    return state_.nodes[static_cast<std::size_t>(node)].v.data();
  }
  const terms::Supports<D>& supports() const override { return state_.supports; }
  double acted(int element) const override {
    const auto k = static_cast<std::size_t>(element);
    return state_.clocks[k].last - state_.t0 + state_.lead[k];
  }
  std::int64_t updates(int element) const override {
    return state_.clocks[static_cast<std::size_t>(element)].count;
  }
  double energy_residual() const override { return watch_ ? watch_->worst_relative() : -1.0; }

  void save(Checkpoint& checkpoint) const override {
    io::save(state_, checkpoint);
    checkpoint.arrays.emplace_back("local_energy", watch_ ? watch_->save() : std::vector<double>{});
  }
  void load(const Checkpoint& checkpoint) override {
    schedule_.reset();
    io::load(checkpoint, state_);
    if (watch_) watch_->load(checkpoint.array("local_energy"));
    make_schedule();
  }

 private:
  void make_schedule() {
    if (run_.energy_stationary) {
      schedule_ = std::make_unique<terms::Stationary<D>>(solid_.system, state_,
                                                         terms::StationaryOptions{}, watch_.get());
      return;
    }
    terms::ScheduleOptions<D> options;
    options.observer = watch_.get();
    options.threads = run_.threads;
    schedule_ = run_.queue ? terms::queue(solid_.system, state_, options)
                           : terms::node_clocks(solid_.system, state_, options);
  }

  const solids::Solid<D>& solid_;
  SolidRun run_;
  terms::State<D> state_;
  std::unique_ptr<terms::LocalEnergy<D>> watch_;
  std::unique_ptr<terms::Schedule<D>> schedule_;
};

template <int D> class Synchronous final : public SolidMotion<D> {
 public:
  Synchronous(const solids::Solid<D>& solid, double step)
      : solid_(solid),
        newmark_(std::make_unique<terms::Newmark<D>>(solid.system, solid.x0, solid.v0, step,
                                                     solid.supports, solid.t0)) {}

  void advance(double t) override {
    const std::int64_t left = steps_to(t) - state().count;
    if (left > 0) newmark_->advance(left);
  }
  double nearest(double t) const override {
    return state().t0 + static_cast<double>(steps_to(t)) * state().step;
  }
  terms::Synchronised<D> at(double) const override { return newmark_->synchronised(); }
  terms::Momentum<D> momentum() const override {
    return terms::momentum(solid_.system, state().x, state().v);
  }
  const double* velocity(int node) const override {
    return state().v.data() + static_cast<std::ptrdiff_t>(node) * D;
  }
  const terms::Supports<D>& supports() const override { return state().supports; }
  double acted(int) const override { return state().t() - state().t0; }
  std::int64_t updates(int) const override { return state().count; }
  double energy_residual() const override { return -1.0; }

  void save(Checkpoint& checkpoint) const override { io::save(state(), checkpoint); }
  void load(const Checkpoint& checkpoint) override {
    terms::NewmarkState<D> state = newmark_->state();
    io::load(checkpoint, state);
    newmark_ = std::make_unique<terms::Newmark<D>>(solid_.system, std::move(state));
  }

 private:
  const terms::NewmarkState<D>& state() const { return newmark_->state(); }
  std::int64_t steps_to(double t) const { return std::llround((t - state().t0) / state().step); }

  const solids::Solid<D>& solid_;
  std::unique_ptr<terms::Newmark<D>> newmark_;
};

}  // namespace

template <int D>
std::unique_ptr<SolidMotion<D>> make_motion(const solids::Solid<D>& solid, const SolidRun& run,
                                            double step) {
  if (run.newmark) return std::make_unique<Synchronous<D>>(solid, step);
  return std::make_unique<Asynchronous<D>>(solid, run);
}

template std::unique_ptr<SolidMotion<2>> make_motion(const solids::Solid<2>&, const SolidRun&,
                                                     double);
template std::unique_ptr<SolidMotion<3>> make_motion(const solids::Solid<3>&, const SolidRun&,
                                                     double);

}  // namespace varia::io
