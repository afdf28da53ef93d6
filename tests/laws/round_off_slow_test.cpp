// SPDX-License-Identifier: BSD-3-Clause
// Brouwer's law: over 10⁶ steps of gauss(6) on Kepler's problem the energy error grows like a random
// walk, with the square root of the number of steps [HMR08]. That takes coefficients beyond double
// precision, iteration to stagnation and compensated updates; any systematic rounding would show as
// linear growth.
#include <gtest/gtest.h>

#include <cstdio>

#include "problems.hpp"
#include "varia/varia.hpp"

namespace varia::round_off_slow_test {
namespace {

/// The energy of a state with its remainders, in extended precision.
long double energy_of(const State<Vector<double, 2>>& s) {
  const auto full = [](double x, double rest) { return static_cast<long double>(x) + rest; };
  const long double x = full(s.q[0], s.q_rest[0]);
  const long double y = full(s.q[1], s.q_rest[1]);
  const long double px = full(s.p[0], s.p_rest[0]);
  const long double py = full(s.p[1], s.p_rest[1]);
  return (px * px + py * py) / 2 - 1 / std::sqrt(x * x + y * y);
}

/// Slope of log(error) against log(steps), the error a root mean square over orbits and steps.
double growth_exponent(FlowOptions options) {
  constexpr int runs = 8;
  constexpr int decades = 5;
  const auto p = problems::kepler();
  double mean_square[decades] = {};
  for (int r = 0; r < runs; ++r) {  // the orbit turned, and a step not commensurate with its period
    const double angle = 0.3 + 0.7 * r;
    const double h = 0.06 + 1e-4 * r;
    const Vector<double, 2> q(0.4 * std::cos(angle), 0.4 * std::sin(angle));
    const Vector<double, 2> v(-2.0 * std::sin(angle), 2.0 * std::cos(angle));
    const Flow flow(gauss(6), p.system, options);
    auto z = initial(p.system, q, v);
    auto memory = flow.memory(z);
    const long double e0 = energy_of(z);
    long done = 0;
    for (int d = 0; d < decades; ++d) {
      const long target = 100 * static_cast<long>(std::lround(std::pow(10.0, d)));
      z = flow.steps(z, h, target - done, memory);
      done = target;
      const double error = static_cast<double>(energy_of(z) - e0);
      mean_square[d] += error * error / runs;
    }
  }
  double sx = 0.0;
  double sy = 0.0;
  double sxx = 0.0;
  double sxy = 0.0;
  for (int d = 0; d < decades; ++d) {
    const double x = d + 2.0;
    const double y = 0.5 * std::log10(mean_square[d]);
    std::printf("1e%d steps: energy error %.2e\n", d + 2, std::pow(10.0, y));
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (decades * sxy - sx * sy) / (decades * sxx - sx * sx);
}

TEST(RoundOff, EnergyErrorIsARandomWalk) {
  for (const Solver solver : {Solver::newton, Solver::fixed_point}) {
    const double exponent = growth_exponent({.solver = solver});
    std::printf("exponent %.3f\n", exponent);
    EXPECT_LT(exponent, 0.6);
    EXPECT_GT(exponent, 0.3);  // an error that does not grow at all was not measured
  }
}

}  // namespace
}  // namespace varia::round_off_slow_test
