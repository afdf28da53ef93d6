// SPDX-License-Identifier: BSD-3-Clause
// Sweeps of 1000 Kepler orbits, 1e4 steps each: the whole sweep against the runs alone, and two threads
// against one.
#include "varia/io/sweep.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "timing.hpp"

namespace {

std::string kepler(const std::string& method) {
  return "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = { mu = 1, e = 0.3 }\nlagrangian = "
         "\"(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)\"\n[start]\nx = \"1 - e\"\ny = 0\nx_dot = "
         "0\ny_dot = \"sqrt(mu*(1 + e)/(1 - e))\"\n[run]\nmethod = \"" +
         method +
         "\"\nstep = 0.01\nsteps = 10000\nevery = 1000\n[sweep]\nvary = { e = \"0 : 0.8 : "
         "0.0008008008\" }\n";
}

struct Times {
  double whole, runs;
};

/// The fastest of a few sweeps.
Times sweep(const varia::io::Scenario& scenario, const std::string& folder, int jobs) {
  Times best{1e300, 1e300};
  for (int k = 0; k < 5; ++k) {
    std::filesystem::remove_all(folder);
    varia::io::SweepOptions options;
    options.directory = folder;
    options.jobs = jobs;
    double runs = 0.0;
    const double whole =
        bench::seconds([&] { runs = varia::io::sweep(scenario, options).run_seconds; });
    if (whole < best.whole) best = {whole, runs};
  }
  return best;
}

}  // namespace

int main() {
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("varia_bench_sweep-" + std::to_string(::getpid())))
          .string();
  constexpr long cases = 1000;
  bench::Table table("A case of a sweep of 1000 Kepler orbits; reference: its run");
  bench::Table speed_up("The same with two threads; reference: half of one thread");
  for (const char* method : {"verlet", "gauss(3)"}) {
    const auto scenario = varia::io::parse_scenario(kepler(method), "kepler.toml");
    const Times one = sweep(scenario, folder, 1);
    table.row(method, {one.whole, one.runs}, cases, 1.1);
    const Times two = sweep(scenario, folder, 2);
    speed_up.row(method, {two.whole, 0.5 * one.whole}, cases, 2.0 / 1.9);
  }
  std::filesystem::remove_all(folder);
  return std::max(table.missed(), speed_up.missed());
}
