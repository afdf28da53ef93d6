// SPDX-License-Identifier: BSD-3-Clause
// How implicit steps are solved: gauss(6) on the outer solar system by iteration against an explicit
// composition of order 8, and Newton's method on chains from smooth and from rough starts.
#include <string>

#include "timing.hpp"
#include "varia/io/stepper.hpp"

namespace {

varia::io::Model prepared(const varia::io::Scenario& scenario) {
  auto model = varia::io::build_model(scenario);
  varia::io::prepare_evaluation(model);
  return model;
}

void advance(const varia::io::Model& model, double h, long steps) {
  const auto stepper = varia::io::make_stepper(model);
  stepper->advance(h, steps);
  varia::io::Snapshot s;
  stepper->snapshot(s);
  bench::keep(s);
}

void solar_system(bench::Table& table) {
  const auto with = [](const std::string& method) {
    return prepared(varia::io::read_scenario("gallery:outer_solar_system",
                                             {"run.method=" + method, "run.evaluation=native"}));
  };
  const auto gauss = with("gauss(6)");
  const auto explicit_one = with("kahan_li(8)");
  constexpr long days = 1'000'000;
  const auto time = bench::fastest([&] { advance(gauss, 100.0, days / 100); },
                                   [&] { advance(explicit_one, 50.0, days / 50); }, 9);
  table.row("outer solar system, gauss(6) / kahan_li(8)", time, days, 2.0);
}

/// Fermi-Pasta-Ulam, n masses, displaced as the text says.
std::string chain_text(int n, const std::string& start) {
  const std::string size = std::to_string(n);
  return "[system]\ncoordinates = [\"q[1.." + size + "]\"]\nlagrangian = \"sum(i, 1, " + size +
         ", q_dot[i]^2)/2 - sum(i, 1, " + std::to_string(n - 1) +
         ", (q[i+1] - q[i])^2/2 + (q[i+1] - q[i])^3/12) - q[1]^2/2 - q[" + size +
         "]^2/2\"\n[start]\nq = \"" + start +
         "\"\nq_dot = 0\n[run]\nmethod = \"gauss(2)\"\nstep = 0.1\nsteps = 1\nsolver = "
         "\"newton\"\nevaluation = \"interpreter\"\n";
}

void chains(bench::Table& table) {
  constexpr long steps = 100;
  const auto smooth = [](int n) {
    return prepared(varia::io::parse_scenario(
        chain_text(n, "sin(pi*i/" + std::to_string(n + 1) + ")"), "bench"));
  };
  const auto rough =
      prepared(varia::io::parse_scenario(chain_text(3000, "0.2*sin(1.7*i*i)"), "bench"));
  const auto middle = smooth(3000);
  const auto large = smooth(4096);
  const auto small = smooth(1024);
  table.row(
      "chain of 3000, smooth / rough start",
      bench::fastest([&] { advance(middle, 0.1, steps); }, [&] { advance(rough, 0.1, steps); }, 7),
      steps, 1.5);
  table.row(
      "smooth chain, n = 4096 / n = 1024",
      bench::fastest([&] { advance(large, 0.1, steps); }, [&] { advance(small, 0.1, steps); }, 7),
      steps, 5.0);
}

}  // namespace

int main() {
  bench::Table table("Solvers of implicit steps");
  solar_system(table);
  chains(table);
  return table.missed();
}
