// SPDX-License-Identifier: BSD-3-Clause
// 01 · The pendulum: one lambda, one method, one flow.
//
//   L(q, v) = v²/2 + cos q
//
// Verlet discretises the action of L over each step by the trapezoid rule; the discrete flow is
// symplectic, so the energy error stays bounded however long the run.
//
// Try: verlet() → gauss(2), gauss(4), lobatto(3); h = 0.1 → 0.2.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <varia/varia.hpp>

using namespace varia;

int main() {
  // 1. The Lagrangian, generic in the scalar.
  const System pendulum{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) + cos(q[0]); }};

  // 2. Where it starts: angle 1, at rest.
  const auto start = initial(pendulum, Vector<double, 1>(1.0), Vector<double, 1>(0.0));

  // 3. The discrete flow, and a run of 1000 units of time that watches the energy at every step.
  const Flow flow(verlet(), pendulum);
  const double e0 = energy(pendulum, start);
  double worst = 0.0;
  std::printf("%8s %12s %12s %26s\n", "t", "angle", "momentum", "largest energy error so far");
  const auto watch = [&](const auto& s) {
    worst = std::max(worst, std::abs(energy(pendulum, s) - e0));
  };
  const auto print = [&](const auto& s) {
    std::printf("%8.1f %12.8f %12.8f %26.3e\n", s.t, s.q[0], s.p[0], worst);
  };
  advance(flow, start, 0.1, 10000, watch, every(1000, print));
  return 0;
}
