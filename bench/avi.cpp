// SPDX-License-Identifier: BSD-3-Clause
// Asynchronous updates of neo-Hookean elements: node clocks against the kernel (the same updates
// swept in mesh order), two threads against one, and the textbook loop (one priority queue, a
// struct and a virtual call for each element). Every variant must give the same bits where it
// computes the same.
#include <cmath>
#include <cstring>
#include <memory>
#include <queue>
#include <random>
#include <string>
#include <thread>

#include "textbook_avi.hpp"
#include "timing.hpp"
#include "varia/solids/generate.hpp"
#include "varia/solids/solid.hpp"
#include "varia/terms/schedule.hpp"

namespace {

using namespace varia;

/// A block whose inner nodes are shifted, so that steps are spread, slightly stretched.
template <int D>
solids::Solid<D> body(std::vector<double> size, std::vector<int> elements, int order) {
  solids::Problem problem;
  solids::Mesh mesh = solids::block(size, elements, 3.0, 1);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> shift(-0.2, 0.2);
  std::vector<double> smallest(static_cast<std::size_t>(D));
  for (long a = 0; a < mesh.node_count(); ++a)
    for (int c = 0; c < D; ++c) {
      const auto axis = static_cast<std::size_t>(c);
      double& X = mesh.X[static_cast<std::size_t>(a * D + c)];
      const double move = shift(random);
      if (X < 1e-9 || X > size[axis] - 1e-9) continue;
      // cells grow geometrically by 3 from one end to the other
      const double width = size[axis] / elements[axis] * (0.55 + 1.1 * X / size[axis]);
      X += move * width * (D == 3 ? 0.5 : 1.0);
    }
  problem.mesh = order == 2 ? elevate(mesh) : std::move(mesh);
  solids::Region region;
  region.name = "all";
  region.material = {"neo_hookean", {{"lambda", 93e9}, {"mu", 10e9}}, 7800};
  for (int k = 0; k < problem.mesh.element_count(); ++k) region.elements.push_back(k);
  problem.regions.push_back(std::move(region));
  problem.position[0] = {[](const double* X, double) { return 1.02 * X[0]; }, {}};
  return solids::build<D>(problem);
}

/// A time in which about `updates` updates happen.
template <int D> double duration(const solids::Solid<D>& solid, double updates) {
  double rate = 0.0;
  for (const double step : solid.steps) rate += 1.0 / step;
  return updates / rate;
}

template <int D> long updates(const terms::State<D>& state) {
  long sum = 0;
  for (const auto& clock : state.clocks) sum += clock.count;
  return sum;
}

enum class Order { queue, node_clocks };

/// One run from the start; the schedule is made before the time is taken.
template <int D> class Run {
 public:
  Run(const solids::Solid<D>& solid, double until, Order order, int threads)
      : solid_(solid), until_(until), order_(order), threads_(threads), start_(start(solid)) {}

  double operator()() {
    state = start_;
    terms::ScheduleOptions<D> options;
    options.threads = threads_;
    const auto schedule = order_ == Order::queue
                              ? terms::queue(solid_.system, state, options)
                              : terms::node_clocks(solid_.system, state, options);
    return bench::seconds([&] { schedule->advance(until_); });
  }
  terms::State<D> state;

 private:
  const solids::Solid<D>& solid_;
  double until_;
  Order order_;
  int threads_;
  terms::State<D> start_;
};

template <int D> bool same_bits(const terms::State<D>& a, const terms::State<D>& b) {
  return std::memcmp(a.nodes.data(), b.nodes.data(), a.nodes.size() * sizeof(terms::Node<D>)) == 0;
}

/// The same number of updates in the order of the mesh, without any schedule.
template <int D> double sweep(const solids::Solid<D>& solid, long count) {
  terms::State<D> state = start(solid);
  const auto& family = *solid.system.families().front();
  const double h = 1e-6 * state.clocks.front().step;
  double t = solid.t0;
  long done = 0;
  const double time = bench::seconds([&] {
    while (done < count) {
      t += h;
      for (int k = 0; k < family.size() && done < count; ++k, ++done)
        family.act(k, t, h, state.nodes.data(), state.supports);
    }
  });
  bench::keep(state);
  return time;
}

/// Two bodies of half the size, one on each thread, with nothing in common: the least that two
/// threads can take on this machine.
template <int D> double apart(Run<D>& a, Run<D>& b) {
  double of_a = 0.0;
  std::thread thread([&] { of_a = a(); });
  const double of_b = b();
  thread.join();
  return std::max(of_a, of_b);
}

struct Bars {
  double clocks, threads;
};

template <int D>
void measure(bench::Table& table, const std::string& name, const solids::Solid<D>& solid,
             const solids::Solid<D>& half, double count, Bars bars, int repeats) {
  const double until = duration(solid, count);
  Run<D> one(solid, until, Order::node_clocks, 1), two(solid, until, Order::node_clocks, 2);
  const double until_half = duration(half, count / 2);
  Run<D> left(half, until_half, Order::node_clocks, 1),
      right(half, until_half, Order::node_clocks, 1);
  bench::Pair kernel{1e9, 1e9}, threads{1e9, 1e9}, separate{1e9, 1e9};
  long done = 0;
  for (int i = 0; i < repeats; ++i) {
    kernel.ours = std::min(kernel.ours, one());
    done = updates(one.state);
    kernel.reference = std::min(kernel.reference, sweep(solid, done));
    threads.ours = std::min(threads.ours, two());
    separate.ours = std::min(separate.ours, apart(left, right));
    if (!same_bits(one.state, two.state)) std::printf("DIFFERENT BITS: %s\n", name.c_str());
  }
  threads.reference = separate.reference = kernel.ours;
  table.row((name + ", node clocks / kernel").c_str(), kernel, done, bars.clocks);
  table.row((name + ", two threads / one").c_str(), threads, done, bars.threads);
  table.row((name + ", two bodies apart / one").c_str(), separate, done, 0.0);
}

/// Against the textbook loop, on the same mesh for the same time.
void textbook(bench::Table& table, const solids::Solid<2>& solid, double count) {
  const double until = duration(solid, count);
  Run<2> ours(solid, until, Order::node_clocks, 1), queue(solid, until, Order::queue, 1);
  bench::Pair plain{1e9, 1e9}, one_queue{1e9, 1e9};
  for (int i = 0; i < 3; ++i) {
    plain.ours = one_queue.ours = std::min(plain.ours, ours());
    one_queue.reference = std::min(one_queue.reference, queue());
    bench::TextbookAvi loop(solid, 93e9, 10e9);
    plain.reference = std::min(plain.reference, bench::seconds([&] { loop.advance(until); }));
    if (loop.updates() != updates(ours.state))
      std::printf("DIFFERENT NUMBERS OF UPDATES: %ld %ld\n", loop.updates(), updates(ours.state));
    if (!same_bits(ours.state, queue.state)) std::printf("DIFFERENT BITS: queue\n");
    if (loop.difference(ours.state) > 1e-9) std::printf("DIFFERENT RESULTS: textbook\n");
  }
  const long done = updates(ours.state);
  table.row("T3, 200,000, node clocks / textbook loop", plain, done, 0.25);
  table.row("T3, 200,000, node clocks / one queue", one_queue, done, 0.0);
}

}  // namespace

int main() {
  bench::Table table("Asynchronous updates, time per element update");
  measure(table, "T3, 5,000", body<2>({1, 1}, {50, 50}, 1), body<2>({1, 1}, {50, 25}, 1), 1e6,
          {3.0, 1.0}, 20);
  measure(table, "T3, 80,000", body<2>({1, 1}, {200, 200}, 1), body<2>({1, 1}, {200, 100}, 1),
          1.5e6, {3.0, 1 / 1.8}, 20);
  textbook(table, body<2>({1, 1}, {320, 313}, 1), 2e6);
  measure(table, "T3, 1,000,000", body<2>({1, 1}, {708, 707}, 1), body<2>({1, 1}, {708, 353}, 1),
          6e6, {4.0, 1 / 1.8}, 5);
  const auto tets = body<3>({1, 1, 1}, {14, 14, 14}, 2);
  measure(table, "Tet10, 16,464", tets, body<3>({1, 1, 1}, {14, 14, 7}, 2), 2e5, {1.2, 0.0}, 15);
  const double kernel = sweep(tets, 200000);
  table.limit("Tet10, kernel alone against 500 ns", std::min(kernel, sweep(tets, 200000)), 200000,
              500.0);
  return table.missed();
}
