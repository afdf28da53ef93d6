// SPDX-License-Identifier: BSD-3-Clause
// 06 · Your own discrete Lagrangian: write L_d(q₀, q₁, h), get a flow, and have it certified.
//
//   L_d = h [ ½ v² + ⅙ (cos q₀ + 4 cos ½(q₀+q₁) + cos q₁) ],   v = (q₁ - q₀)/h
//
// Simpson's rule on the straight path: symmetric, so of even order; the straight path makes it 2.
// The flow comes from p₀ = -D₁L_d, p₁ = D₂L_d, with exact derivatives of the lambda.
//
// Read first: 01.
#include <cmath>
#include <cstdio>
#include <varia/varia.hpp>

using namespace varia;

int main() {
  // 1. The discrete Lagrangian of a pendulum, generic in the scalar.
  const auto ld = [](const auto& q0, const auto& q1, double h) {
    const auto v = (q1[0] - q0[0]) / h;
    return h * (0.5 * v * v + (cos(q0[0]) + 4.0 * cos(0.5 * (q0[0] + q1[0])) + cos(q1[0])) / 6.0);
  };
  const DiscreteFlow flow(ld);

  // 2. A start is a configuration and a momentum.
  const auto start = make_state(Vector<double, 1>(1.0), Vector<double, 1>(0.0));
  for (const auto& s : integrate(flow, start, {.h = 0.1, .steps = 100, .every = 25}))
    std::printf("t = %4.1f   q = %11.8f   p = %11.8f\n", s.t, s.q[0], s.p[0]);

  // 3. The certificate: measured against the system it means to approximate.
  const System pendulum{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) + cos(q[0]); }};
  const auto exact = reference_state(pendulum, start, 5.0);
  std::printf("order       %.2f\n", check_order(flow, start, 5.0, exact, 2).measured);
  std::printf("symplectic  %s\n", check_symplectic(flow, start, 0.1).passes() ? "yes" : "no");
  std::printf("reversible  %s\n", check_reversible(flow, start, 0.1, 10).passes() ? "yes" : "no");
  std::printf("p = -D1, D2 %s\n", check_action(flow, start, 0.1).passes() ? "yes" : "no");
  return 0;
}
