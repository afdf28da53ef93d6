// SPDX-License-Identifier: BSD-3-Clause
// What a user's project does with an installed Varia: a flow, and its version.
#include <cmath>
#include <iostream>
#include <varia/core/version.hpp>
#include <varia/varia.hpp>

using namespace varia;

int main() {
  const System oscillator{
      [](const auto& q, const auto& v) { return 0.5 * v.dot(v) - 0.5 * q.dot(q); }};
  const auto start = initial(oscillator, Vector<double, 1>(1.0), Vector<double, 1>(0.0));
  const auto end = advance(Flow(gauss(3), oscillator), start, 0.1, 10);
  std::cout << "varia " << version << ", " << method_list().size() << " methods\n";
  return std::abs(end.q[0] - std::cos(1.0)) < 1e-9 ? 0 : 1;
}
