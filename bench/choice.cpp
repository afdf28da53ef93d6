// SPDX-License-Identifier: BSD-3-Clause
// Steps that are left open: what measuring them takes, against the run.
#include <algorithm>
#include <string>

#include "timing.hpp"
#include "varia/io/runner.hpp"

namespace {

/// Rods in a row, held by ball joints, that hang from the origin and are tilted.
std::string rods(int n, int until) {
  const std::string range = "[1.." + std::to_string(n) + "]", last = std::to_string(n);
  const auto joint = [&](const std::string& x, const std::string& axis) {
    return "  \"" + x + "[1] + " + axis + "[1]/2\",\n  { phi = \"" + x + "[i] + " + axis +
           "[i]/2 - " + x + "[i-1] + " + axis + "[i-1]/2\", i = [2, " + last + "] },\n";
  };
  return "[system]\ncoordinates = [{ name = \"R" + range + "\", space = \"SO3\" }, \"x" + range +
         "\", \"y" + range + "\", \"z" + range + "\"]\nlagrangian = \"sum(i, 1, " + last +
         ", (x_dot[i]^2 + y_dot[i]^2 + z_dot[i]^2 + 0.1*(R_w1[i]^2 + R_w2[i]^2) + "
         "0.04*R_w3[i]^2)/2 - z[i])\"\nholonomic = [\n" +
         joint("x", "R13") + joint("y", "R23") + joint("z", "R33") +
         "]\n[start]\nR = { angle_axis = [0.4, 0, 0] }\nR_w1 = 0\nR_w2 = 0\nR_w3 = 5\nx_dot = "
         "0\ny_dot = 0\nz_dot = 0\nx = 0\ny = \"(i - 0.5)*sin(0.4)\"\nz = "
         "\"-(i - 0.5)*cos(0.4)\"\n[run]\nuntil = " +
         std::to_string(until) + "\n";
}

}  // namespace

int main() {
  bench::Table table("Reading a scenario and measuring its step; reference: the run");
  for (const int n : {10, 50}) {
    const auto scenario = varia::io::parse_scenario(rods(n, 20), "rods.toml");
    bench::Pair best{1e300, 1e300};
    for (int k = 0; k < 3; ++k) {
      const double choice = bench::seconds([&] { varia::io::build_model(scenario); });
      auto model = varia::io::build_model(scenario);
      const double run = bench::seconds([&] { varia::io::run(model, {}); });
      best = {std::min(best.ours, choice), std::min(best.reference, run)};
    }
    table.row((std::to_string(n) + " rigid rods, until = 20").c_str(), best, 1, 0.25);
  }
  return table.missed();
}
