// SPDX-License-Identifier: BSD-3-Clause
// 02 · Kepler's problem: a symmetry, its momentum, and the choice of a method.
//
//   L(q, v) = |v|²/2 + 1/|q|,  e = 0.6;   symmetry: rotation, ξ(q) = (-y, x);   J = x p_y - y p_x
//
// Declaring the Lagrangian separable, ½|v|² - V(q), makes Verlet explicit. Every method keeps J to
// round-off (Noether); higher order pays in energy and position error.
//
// Read first: 01.
#include <cmath>
#include <cstdio>
#include <varia/varia.hpp>

using namespace varia;

int main() {
  // 1. The system with its symmetry.
  const System kepler{Separable{1.0, [](const auto& q) { return -1.0 / sqrt(q.dot(q)); }},
                      Symmetry{"rotation", [](const auto& q) {
                                 using S = std::decay_t<decltype(q[0])>;
                                 return Vector<S, 2>(-q[1], q[0]);
                               }}};
  const double e = 0.6;
  const double v = std::sqrt((1 + e) / (1 - e));
  const auto start = initial(kepler, Vector<double, 2>(1 - e, 0.0), Vector<double, 2>(0.0, v));

  // 2. Ten periods with several methods: after each period the planet should be where it started.
  const double period = 2 * std::acos(-1.0);
  std::printf("%-12s %9s %16s %14s %14s\n", "method", "explicit", "position error", "energy error",
              "J change");
  for (const char* name : {"euler_a", "verlet", "midpoint", "gauss(2)", "lobatto(4)", "gauss(4)"}) {
    const Flow flow(parse_method(name), kepler);
    const auto end = advance(flow, start, period / 100, 1000);
    const double change = check_noether(flow, start, period / 100, 1000).momenta[0].drift;
    std::printf("%-12s %9s %16.3e %14.3e %14s\n", name,
                flow.is_explicit<Vector<double, 2>>() ? "yes" : "no", (end.q - start.q).norm(),
                energy(kepler, end) - energy(kepler, start), change < 1e-13 ? "< 1e-13" : "LARGE");
  }
  return 0;
}
