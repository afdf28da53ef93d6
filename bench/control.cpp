// SPDX-License-Identifier: BSD-3-Clause
// Optimal control: the solver of Varia against Ipopt on problems with equalities, and how its time grows with the number
// of steps. Without Ipopt the first part is left out.
#include <cstdio>
#include <string>

#include "problems/optima.hpp"
#include "timing.hpp"
#include "varia/control/optimise.hpp"

namespace {

using varia::ControlProblem;
using varia::Optimum;
using namespace varia::problems::optima;

struct Case {
  ControlProblem problem;
  varia::ChainPoint guess;

  Case(Known k, int steps, const char* method) : Case(((k.texts.time.steps = steps), k), method) {}
  Case(const Known& k, const char* method)
      : problem(problem_of(k, varia::parse_method(method))), guess(problem.guess(line_of(k))) {}
};

bool all_solved = true;

void require_solved(const char* solver, const Optimum& optimum) {
  if (optimum.status == varia::OptimumStatus::solved) return;
  std::printf("%s: %s\n", solver, optimum.message.c_str());
  all_solved = false;
}

void ours(const Case& c) { require_solved("Varia", optimise(c.problem, c.guess)); }
void ipopts(const Case& c) { require_solved("Ipopt", optimise_by_ipopt(c.problem, c.guess)); }

void against_ipopt(bench::Table& table, const Known& k, int steps, const char* method,
                   int repeats) {
  const Case c(k, steps, method);
  const std::string name =
      k.texts.name + ", " + method + ", N = " + std::to_string(steps) + ", Varia / Ipopt";
  table.row(name.c_str(), bench::fastest([&] { ours(c); }, [&] { ipopts(c); }, repeats), steps,
            0.5);
}

}  // namespace

int main() {
  bench::Table table("Optimal control, time for each step of the chain");
  if (varia::ipopt_is_installed()) {
    against_ipopt(table, sato(), 25, "nh_lobatto(2)", 9);
    against_ipopt(table, sato(), 25, "nh_lobatto(3)", 9);
    against_ipopt(table, cart_pole(), 200, "midpoint", 5);
    against_ipopt(table, cart_pole(), 200, "gauss(2)", 5);
    against_ipopt(table, cart_pole(), 1000, "midpoint", 3);
    against_ipopt(table, cart_pole(), 1000, "gauss(2)", 3);
  } else {
    std::printf("Ipopt is not installed: no comparison\n");
  }
  const Case particle(sato(), 25, "nh_lobatto(3)");
  const Case middle(cart_pole(), 1000, "midpoint"), large(cart_pole(), 10'000, "midpoint");
  const auto time = [](const Case& c, int repeats) {
    return bench::fastest([&] { ours(c); }, [] {}, repeats).ours;
  };
  table.limit("nonholonomic particle, N = 25, against 20 ms", time(particle, 9), 25, 20e6 / 25);
  table.limit("cart-pole, N = 1000, against 0.2 s", time(middle, 3), 1000, 0.2e9 / 1000);
  // for each step: 12 times the time for 10 times the steps
  table.row("cart-pole, N = 10000 / N = 1000, for each step",
            {time(large, 3) / 10.0, time(middle, 3)}, 1000, 1.2);
  return all_solved ? table.missed() : 1;
}
