// SPDX-License-Identifier: BSD-3-Clause
// 05 · A constraint: the spherical pendulum as a point of ℝ³ that stays on the unit sphere.
//
//   L = |v|²/2 - z,   φ(q) = |q|² - 1 = 0;   the multiplier λ is the tension: force = 2λ q
//
// lobatto(s) keeps φ(q) = 0 and the hidden constraint q·v = 0 to round-off and has order 2s-2 on
// the sphere. gauss(2) would fall to order 2 there, and is refused.
//
// Read first: 01, 02.
#include <cmath>
#include <cstdio>
#include <varia/varia.hpp>

using namespace varia;

int main() {
  // 1. The system.
  const System pendulum{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[2]; },
                        Holonomic{[](const auto& q) { return q.dot(q) - 1.0; }},
                        Symmetry{"vertical", [](const auto& q) {
                                   using S = std::decay_t<decltype(q[0])>;
                                   return Vector<S, 3>(-q[1], q[0], S(0.0));
                                 }}};

  // 2. A start near the sphere is projected onto it.
  const auto [q, v] =
      project(pendulum, Vector<double, 3>(0.8, 0.0, -0.6), Vector<double, 3>(0.0, 0.7, 0.1));
  const auto start = initial(pendulum, q, v);

  // 3. A run with order 4.
  const Flow flow(lobatto(3), pendulum);
  std::printf("%6s %12s %12s %12s %12s\n", "t", "x", "y", "z", "lambda");
  advance(flow, start, 0.05, 200, every(40, [](const auto& s) {
            std::printf("%6.1f %12.8f %12.8f %12.8f %12.8f\n", s.t, s.q[0], s.q[1], s.q[2],
                        s.lambda[0]);
          }));
  std::printf("constraint and hidden constraint below 1e-13: %s\n",
              check_constraints(flow, start, 0.05, 200).passes(1e-13) ? "yes" : "no");

  // 4. What cannot work says so.
  try {
    const Flow refused(gauss(2), pendulum);
  } catch (const InvalidArgument& error) {
    std::printf("%s\n", error.what());
  }
  return 0;
}
