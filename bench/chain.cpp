// SPDX-License-Identifier: BSD-3-Clause
// Chains and rings of rods in redundant coordinates: a step costs O(n), set-up included.
//
//   chain             the table of ratios
//   chain count n m   20 steps of a chain of n rods with method m, for instruction counts:
//                     valgrind --tool=callgrind chain count 1000 verlet
#include <cstdlib>
#include <string>

#include "pendulum_chain.hpp"
#include "timing.hpp"
#include "varia/methods/methods.hpp"

namespace {

using varia::ChainEnd;

constexpr double h = 0.05;
constexpr long steps = 20;

void run(const varia::PendulumChain& chain, const varia::Method& method, long count) {
  const varia::StageFlow flow(method, chain.system);
  auto memory = flow.memory(chain.start);
  bench::keep(flow.steps(chain.start, h, count, memory));
}

void rows(bench::Table& table, const varia::Method& method, ChainEnd end, const char* what) {
  const auto small = varia::pendulum_chain(100, end);
  const auto large = varia::pendulum_chain(1000, end);
  const auto time =
      bench::fastest([&] { run(large, method, steps); }, [&] { run(small, method, steps); }, 15);
  table.row((method.name() + ", " + what + ": n = 1000 against 100").c_str(), time, steps, 13.0);
}

/// From formulas to the first steps at n = 10,000, in nanoseconds a rod, against a limit.
void large(bench::Table& table, const varia::Method& method, ChainEnd end, const char* what) {
  constexpr int n = 10'000;
  const double setup = bench::seconds([&] { bench::keep(varia::pendulum_chain(n, end)); });
  table.limit((std::string("set-up, ") + what + ", n = 10,000, a rod").c_str(), setup, n, 3e5);
  const auto chain = varia::pendulum_chain(n, end);
  const double time = bench::seconds([&] { run(chain, method, 5); });
  table.limit((method.name() + ", " + what + ", n = 10,000, a step and rod").c_str(), time, 5L * n,
              1e5);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4) {
    run(varia::pendulum_chain(std::atoi(argv[2])), varia::parse_method(argv[3]), steps);
    return 0;
  }
  bench::Table table("Chains of rods in redundant coordinates");
  for (const char* name : {"verlet", "lobatto(3)"}) {
    const varia::Method method = varia::parse_method(name);
    rows(table, method, ChainEnd::free, "free end");
    rows(table, method, ChainEnd::wall, "tied to a wall");
    rows(table, method, ChainEnd::first, "ring");
    large(table, method, ChainEnd::free, "free end");
    large(table, method, ChainEnd::first, "ring");
  }
  return table.missed();
}
