// SPDX-License-Identifier: BSD-3-Clause
// 04 · A force: the damped oscillator, and why discretising the action pays even there.
//
//   L = v²/2 - q²/2,  f = -c v;    exact: E(t) ≈ E(0) e^{-ct} for small c
//
// The force enters by the discrete Lagrange-d'Alembert principle: it does work on the discrete
// path. Over a long time the numerical damping of a classical method would hide the real one.
//
// Read first: 01.
#include <cmath>
#include <cstdio>
#include <varia/varia.hpp>

using namespace varia;

int main() {
  // 1. The system with its force.
  const double c = 0.01;
  const System oscillator{
      [](const auto& q, const auto& v) { return 0.5 * v.dot(v) - 0.5 * q.dot(q); },
      Force{[c](const auto&, const auto& v) { return (-c * v).eval(); }}};
  const auto start = initial(oscillator, Vector<double, 1>(1.0), Vector<double, 1>(0.0));

  // 2. The exact solution.
  const double omega = std::sqrt(1 - c * c / 4);
  const auto exact = [&](double t) {
    return std::exp(-c * t / 2) * (std::cos(omega * t) + c / (2 * omega) * std::sin(omega * t));
  };

  // 3. Position error at t = 20 for some methods and two steps: halving h shows the order.
  std::printf("%-10s %14s %14s %8s\n", "method", "h = 0.1", "h = 0.05", "order");
  for (const char* name : {"midpoint", "verlet", "gauss(2)", "lobatto(3)", "gauss(3)"}) {
    const Flow flow(parse_method(name), oscillator);
    const double coarse = std::abs(advance(flow, start, 0.1, 200).q[0] - exact(20));
    const double fine = std::abs(advance(flow, start, 0.05, 400).q[0] - exact(20));
    std::printf("%-10s %14.3e %14.3e %8.2f\n", name, coarse, fine, std::log2(coarse / fine));
  }
  return 0;
}
