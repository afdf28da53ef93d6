// SPDX-License-Identifier: BSD-3-Clause
#include "motion.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>

#include "../files/crc64.hpp"
#include "varia/core/error.hpp"
#include "varia/io/solid_checkpoint.hpp"
#include "varia/terms/energy.hpp"
#include "varia/terms/gradient.hpp"
#include "varia/terms/newmark.hpp"
#include "varia/terms/schedule.hpp"

namespace varia::io {

namespace {

const std::vector<double>& checked(const Checkpoint& checkpoint, const char* name,
                                   std::size_t size) {
  const std::vector<double>& found = checkpoint.array(name);
  if (found.size() != size)
    throw InvalidArgument("the checkpoint is of another solid: " + std::string(name) + " has " +
                          std::to_string(found.size()) + " numbers, " + std::to_string(size) +
                          " are needed");
  return found;
}

template <int D> std::vector<double> impulses(const terms::Supports<D>& supports) {
  std::vector<double> all;
  for (const auto& support : supports.list())
    all.insert(all.end(), support.impulse.begin(), support.impulse.end());
  return all;
}

template <int D> void load_impulses(const Checkpoint& checkpoint, terms::Supports<D>& supports) {
  const double* at = checked(checkpoint, "impulses", supports.list().size() * D).data();
  for (auto& support : supports.list()) {
    std::copy_n(at, D, support.impulse.begin());
    at += D;
  }
}

/// x, v, t of a node, in this order.
constexpr int node_numbers(int dimension) { return 2 * dimension + 1; }

}  // namespace

template <int D> void save(const terms::State<D>& state, Checkpoint& checkpoint) {
  std::vector<double> nodes;
  nodes.reserve(state.nodes.size() * node_numbers(D));
  for (const auto& node : state.nodes) {
    nodes.insert(nodes.end(), node.x.begin(), node.x.end());
    nodes.insert(nodes.end(), node.v.begin(), node.v.end());
    nodes.push_back(node.t);
  }
  std::vector<double> clocks;
  clocks.reserve(state.clocks.size() * 4);
  for (const auto& clock : state.clocks)  // counts are far below 2^53
    clocks.insert(clocks.end(),
                  {clock.next, clock.last, clock.step, static_cast<double>(clock.count)});
  checkpoint.integers.emplace_back("variable_steps", state.variable_steps ? 1 : 0);
  checkpoint.arrays.emplace_back("t0", std::vector<double>{state.t0});
  checkpoint.arrays.emplace_back("nodes", std::move(nodes));
  checkpoint.arrays.emplace_back("clocks", std::move(clocks));
  checkpoint.arrays.emplace_back("lead", state.lead);
  checkpoint.arrays.emplace_back("impulses", impulses(state.supports));
}

template <int D> void load(const Checkpoint& checkpoint, terms::State<D>& state) {
  const double* at = checked(checkpoint, "nodes", state.nodes.size() * node_numbers(D)).data();
  const double* times = checked(checkpoint, "clocks", state.clocks.size() * 4).data();
  state.lead = checked(checkpoint, "lead", state.clocks.size());
  state.t0 = checked(checkpoint, "t0", 1).front();
  state.variable_steps = checkpoint.integer("variable_steps") != 0;
  load_impulses(checkpoint, state.supports);
  for (auto& node : state.nodes) {
    std::copy_n(at, D, node.x.begin());
    std::copy_n(at + D, D, node.v.begin());
    node.t = at[2 * D];
    at += node_numbers(D);
  }
  for (auto& clock : state.clocks) {
    clock = {times[0], times[1], times[2], static_cast<std::int64_t>(times[3])};
    times += 4;
  }
}

template <int D> void save(const terms::NewmarkState<D>& state, Checkpoint& checkpoint) {
  checkpoint.integers.emplace_back("count", state.count);
  checkpoint.arrays.emplace_back("t0", std::vector<double>{state.t0, state.step});
  checkpoint.arrays.emplace_back("x", state.x);
  checkpoint.arrays.emplace_back("v", state.v);
  checkpoint.arrays.emplace_back("impulses", impulses(state.supports));
}

template <int D> void load(const Checkpoint& checkpoint, terms::NewmarkState<D>& state) {
  state.x = checked(checkpoint, "x", state.x.size());
  state.v = checked(checkpoint, "v", state.v.size());
  const std::vector<double>& times = checked(checkpoint, "t0", 2);
  state.t0 = times[0];
  state.step = times[1];
  state.count = checkpoint.integer("count");
  load_impulses(checkpoint, state.supports);
}

#define VARIA_DIMENSION(D)                                        \
  template void save(const terms::State<D>&, Checkpoint&);        \
  template void save(const terms::NewmarkState<D>&, Checkpoint&); \
  template void load(const Checkpoint&, terms::State<D>&);        \
  template void load(const Checkpoint&, terms::NewmarkState<D>&);
VARIA_DIMENSION(2)
VARIA_DIMENSION(3)
#undef VARIA_DIMENSION

namespace {

template <class Number> std::string sum_of(const std::vector<Number>& numbers) {
  return std::to_string(
      crc64({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)}));
}

/// A text in which two solids agree if mesh, materials, supports and loads do. Materials and loads
/// are seen in masses, wave speeds, and the energy of the start.
template <int D> std::string system_signature(const solids::Solid<D>& solid) {
  std::string text(solids::info(solid.mesh.shape).name);
  const auto add = [&](const std::string& part) { text += "\n" + part; };
  add(std::to_string(solid.mesh.node_count()) + " nodes " + sum_of(solid.mesh.X));
  add(std::to_string(solid.mesh.element_count()) + " elements " + sum_of(solid.mesh.elements));
  add("masses " + sum_of(solid.system.masses()));
  add("stable steps " + sum_of(solid.stable));
  std::vector<double> supports;
  for (const auto& support : solid.supports.list())
    for (int c = 0; c < D; ++c) {
      supports.push_back(static_cast<double>(support.node));
      supports.push_back(support.fixed[c] ? 1.0 : 0.0);
      supports.push_back(support.position[c]);
      supports.push_back(support.motion ? 1.0 : 0.0);
    }
  add("supports " + sum_of(supports));
  std::array<std::uint64_t, 1 + D> digest{};  // of the forces so far, and the next one
  terms::for_gradients(solid.system, solid.mesh.X, solid.t0, [&](int, int, const double* g) {
    for (std::size_t c = 0; c < D; ++c) digest[1 + c] = std::bit_cast<std::uint64_t>(g[c]);
    digest[0] = crc64({reinterpret_cast<const char*>(digest.data()), sizeof digest});
  });
  add("forces at rest " + std::to_string(digest[0]));
  return text;
}

const char* name_of(LocalEnergy which) {
  if (which == LocalEnergy::none) return "none";
  return which == LocalEnergy::all ? "all" : "sample";
}

}  // namespace

template <int D>
Checkpoint signed_checkpoint(const SolidModel& model, const solids::Solid<D>& solid) {
  Checkpoint c;
  c.texts = {{"solid", system_signature(solid)},
             {"start", sum_of(solid.x0) + " " + sum_of(solid.v0)},
             {"method", model.run.method()},
             {"steps", model.run.newmark ? "" : sum_of(solid.steps)},
             {"courant", varia::to_text(model.run.courant)},
             {"local_energy", name_of(model.run.local_energy)}};
  return c;
}

template Checkpoint signed_checkpoint(const SolidModel&, const solids::Solid<2>&);
template Checkpoint signed_checkpoint(const SolidModel&, const solids::Solid<3>&);

void check_fits(const Checkpoint& found, const Checkpoint& here, const std::string& columns,
                const std::string& path, const SolidRun& run) {
  const auto refuse = [&](const std::string& what) {
    throw InvalidArgument("--restart " + path + ": " + what);
  };
  const auto differs = [&](const char* name) { return found.text(name) != here.text(name); };
  const auto both = [&](const char* name) {
    return found.text(name) + ", the scenario has " + here.text(name);
  };
  if (std::none_of(found.texts.begin(), found.texts.end(),
                   [](const auto& text) { return text.first == "solid"; }))
    refuse("the checkpoint is not of a solid");
  if (differs("solid"))
    refuse(
        "the checkpoint belongs to another solid; mesh, materials, supports and loads must be "
        "those of the first run");
  if (differs("method")) refuse("the checkpoint is of another method: " + both("method"));
  if (differs("steps")) refuse("the checkpoint is of another courant: " + both("courant"));
  if (run.newmark && run.step > 0.0 && found.array("step").at(0) != run.step)
    refuse("the checkpoint is of another step: " + varia::to_text(found.array("step").at(0)) +
           ", the scenario has " + varia::to_text(run.step));
  if (found.text("columns") != columns)
    refuse("the first run recorded other functions; [solid.observe] must be the same");
  if (differs("local_energy"))
    refuse("the first run had another local_energy: " + both("local_energy"));
}

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

/// Tells several observers.
template <int D> class Observers final : public terms::Observer<D> {
 public:
  void add(terms::Observer<D>* observer) {
    if (observer != nullptr) list_.push_back(observer);
  }
  void before(int term, double t, double weight, const terms::State<D>& state) override {
    for (auto* observer : list_) observer->before(term, t, weight, state);
  }
  void after(int term, double t, double weight, const terms::State<D>& state) override {
    for (auto* observer : list_) observer->after(term, t, weight, state);
  }

 private:
  std::vector<terms::Observer<D>*> list_;
};

template <int D> class Asynchronous final : public SolidMotion<D> {
 public:
  Asynchronous(const solids::Solid<D>& solid, const SolidRun& run)
      : solid_(solid), run_(run), state_(solids::start(solid, run.half_kick)) {
    if (run.local_energy != LocalEnergy::none)
      watch_ = std::make_unique<terms::LocalEnergy<D>>(
          solid.system,
          run.local_energy == LocalEnergy::sample ? sample(solid.steps) : std::vector<int>{});
    if (run.energy_stationary)
      discrete_ =
          std::make_unique<terms::DiscreteEnergy<D>>(solid.system, state_, solid.element_masses);
    observers_.add(watch_.get());
    observers_.add(discrete_.get());
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
  const terms::StationaryStatistics* stationary() const override {
    return stationary_ != nullptr ? &stationary_->statistics() : nullptr;
  }
  double discrete_energy() const override { return discrete_ ? discrete_->value() : 0.0; }

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
      auto stationary = std::make_unique<terms::Stationary<D>>(
          solid_.system, state_, terms::StationaryOptions{}, &observers_);
      stationary_ = stationary.get();
      schedule_ = std::move(stationary);
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
  std::unique_ptr<terms::DiscreteEnergy<D>> discrete_;
  Observers<D> observers_;
  std::unique_ptr<terms::Schedule<D>> schedule_;
  const terms::Stationary<D>* stationary_ = nullptr;  ///< the schedule, if it is one
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
