// SPDX-License-Identifier: BSD-3-Clause
// 07 · Optimal control: a pendulum on a cart is swung up by pushing the cart, with the least integral of the force squared.
//
//   minimise ∫ u² dt   along the discrete equations of   L = ½(M+m) ẋ² + m l ẋ ȧ cos a + ½ m l² ȧ² + m g l cos a,   force (u, 0)
//
// The optimum is one of the discrete motions of the method, so a replay of the inputs reproduces it.
//
// Read first: 04, docs/theory/optimal-control.md.
#include <cstdio>
#include <numbers>
#include <varia/control/optimal_control.hpp>
#include <varia/varia.hpp>

using namespace varia;
using V2 = Vector<double, 2>;

int main() {
  constexpr double M = 1.0, m = 0.3, l = 0.5, g = 9.81;

  // 1. The problem, by callables. They are called once, with formulas for numbers.
  OptimalControl<V2> cart({.inputs = {{"u", -20.0, 20.0}}}, [](const auto& q, const auto& v) {
    return 0.5 * (M + m) * v[0] * v[0] + m * l * v[0] * v[1] * cos(q[1]) +
           0.5 * m * l * l * v[1] * v[1] + m * g * l * cos(q[1]);
  });
  cart.force([](const auto& s) { return s.covector(s.u[0], 0.0); });
  cart.cost([](const auto& s) { return s.u[0] * s.u[0]; });
  cart.start(V2(0.0, 0.0), V2(0.0, 0.0));
  cart.end(V2(1.0, std::numbers::pi), V2(0.0, 0.0));

  // 2. The discrete problem of a method, and its optimum from a straight line.
  for (const int steps : {25, 50, 100}) {
    const ControlTime time{.start = 0.0, .end = 2.0, .steps = steps, .free_end = {}};
    const ControlProblem problem = cart.problem(gauss(2), time);
    const Optimum optimum = optimise(problem, problem.guess(cart.straight_line(time)));
    if (optimum.status != OptimumStatus::solved) {
      std::printf("%s: %s\n", to_string(optimum.status).c_str(), optimum.message.c_str());
      return 1;
    }
    std::printf("%3d steps   cost %.7f\n", steps, optimum.cost);
    if (steps < 100) continue;

    // 3. The motion: inputs at the points of each step, states and co-states at the nodes.
    const ControlMotion motion = problem.motion(optimum);
    for (std::size_t k = 0; k <= 100; k += 20)
      std::printf("t = %.1f   x = %8.5f   a = %8.5f   u = %9.5f\n", motion.t[k], motion.q[k][0],
                  motion.q[k][1], motion.u[k < 100 ? k : 99].front()[0]);
  }
  return 0;
}
