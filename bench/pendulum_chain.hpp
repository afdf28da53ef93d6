// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A planar chain of n rods of length 1 with unit masses, in Cartesian coordinates: the constraints
// are |qᵢ - qᵢ₋₁|² = 1, q₀ = 0. All masses together weigh 1, so that the tension is at most 1 and
// the time scale does not depend on n.
#include <cmath>
#include <memory>
#include <vector>

#include "varia/flow/stage_flow.hpp"
#include "varia/mechanics/make_kernel_system.hpp"

namespace varia {

enum class ChainEnd { free, wall, first };

struct PendulumChain {
  std::shared_ptr<KernelSystem> system;
  VectorState start;
};

/// The chain at rest in a wave. ChainEnd::wall ties the last mass to a point of the plane by one more
/// rod, ChainEnd::first makes a ring of n rods that hangs on the first mass, held by a rod.
inline PendulumChain pendulum_chain(int n, ChainEnd end = ChainEnd::free) {
  using expr::Id;
  const int size = 2 * n;
  expr::Graph g;
  Vector<double, Dynamic> q(size);
  double x = 0.0;
  double y = 0.0;
  for (int i = 0; i < n; ++i) {
    double angle = 0.4 * std::sin(6.0 * i / n + 0.2);
    if (end == ChainEnd::first && i > 0)
      angle = 2.0 * std::acos(-1.0) * (i - 0.5) / n;  // a polygon
    x += std::sin(angle);
    y -= std::cos(angle);
    q[2 * i] = x;
    q[2 * i + 1] = y;
  }
  KernelFormulas formulas;
  formulas.space = ProductSpace({euclidean(size)});
  const auto rod = [&](Id dx, Id dy, double square) {
    formulas.constraints.push_back(g.sub(g.add(g.mul(dx, dx), g.mul(dy, dy)), g.constant(square)));
  };
  std::vector<Id> terms;
  for (int i = 0; i < n; ++i) {
    const Id xi = g.variable(1 + 2 * i);
    const Id yi = g.variable(2 + 2 * i);
    for (int a = 0; a < 2; ++a) {
      const Id v = g.variable(1 + size + 2 * i + a);
      terms.push_back(g.mul(g.constant(0.5), g.mul(v, v)));
    }
    terms.push_back(g.mul(g.constant(-1.0 / n), yi));
    if (i == 0)
      rod(xi, yi, 1.0);
    else
      rod(g.sub(xi, g.variable(2 * i - 1)), g.sub(yi, g.variable(2 * i)), 1.0);
  }
  const Id last_x = g.variable(size - 1);
  const Id last_y = g.variable(size);
  if (end == ChainEnd::wall)
    rod(g.sub(last_x, g.constant(x + 0.6)), g.sub(last_y, g.constant(y + 0.8)), 1.0);
  if (end == ChainEnd::first)
    rod(g.sub(last_x, g.variable(1)), g.sub(last_y, g.variable(2)),
        (x - q[0]) * (x - q[0]) + (y - q[1]) * (y - q[1]));
  formulas.lagrangian = g.sum(terms);
  PendulumChain result{make_kernel_system(g, formulas), {}};
  const Vn rest = Vn::Zero(size);
  result.start = initial(*result.system, project(*result.system, q, rest).first, rest);
  return result;
}

}  // namespace varia
