// SPDX-License-Identifier: BSD-3-Clause
// A plain program for the thread sanitizer: a grid of springs with spread steps on four threads, in
// several advances, with and without a rule for the steps. Exit code 1 if the bits differ from one thread's.
#include <cstdio>
#include <cstring>

#include "varia/terms/pairs.hpp"
#include "varia/terms/schedule.hpp"

namespace {

using namespace varia::terms;

constexpr int side = 24;

System<2> grid(std::vector<double>& x, std::vector<double>& steps) {
  System<2> system;
  std::vector<std::array<int, 2>> pairs;
  std::vector<NonlinearSpring> springs;
  const auto join = [&](int a, int b) {
    pairs.push_back({a, b});
    const auto k = static_cast<double>(pairs.size());
    springs.push_back({1.0 + 0.5 * static_cast<double>(pairs.size() % 7), 1.0, 0.1, 0.3});
    steps.push_back(0.01 * (1.0 + 0.618 * k - static_cast<double>(static_cast<int>(0.618 * k))) /
                    static_cast<double>(1 + pairs.size() % 11));
  };
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      x.push_back(1.03 * i + 0.01 * (j % 3));
      x.push_back(0.98 * j + 0.02 * (i % 5));
      const int a = j * side + i;
      if (i > 0) join(a - 1, a);
      if (j > 0) join(a - side, a);
    }
  system.set_masses(std::vector<double>(static_cast<std::size_t>(side * side), 1.0));
  system.add(std::make_unique<Pairs<2, NonlinearSpring>>(std::move(pairs), std::move(springs)));
  return system;
}

/// Steps that go up and down.
class Breathing final : public StepRule {
 public:
  double step(int, double, const double*, const Clock& clock) override {
    return clock.step * (clock.count % 2 == 0 ? 1.25 : 0.8);
  }
};

}  // namespace

int main() {
  std::vector<double> x, steps;
  const System<2> system = grid(x, steps);
  const std::vector<double> v(x.size(), 0.0);
  for (const bool varying : {false, true}) {
    std::vector<Node<2>> reference;
    for (const int threads : {1, 2, 4}) {
      State<2> state = start(system, x, v, steps);
      Breathing rule;
      ScheduleOptions<2> options;
      options.threads = threads;
      if (varying) options.rule = &rule;
      const auto schedule = node_clocks(system, state, options);
      for (const double until : {0.03, 0.031, 0.2, 0.5}) schedule->advance(until);
      if (threads == 1) reference = state.nodes;
      if (std::memcmp(reference.data(), state.nodes.data(), sizeof(Node<2>) * reference.size()) !=
          0) {
        std::fprintf(stderr, "%d threads: other bits than one thread\n", threads);
        return 1;
      }
    }
  }
  return 0;
}
