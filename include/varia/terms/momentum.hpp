// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Linear and angular momentum of a state, every node at its own time.
//
// Angular momentum does not see the nodes' clocks, because a node drifts along its momentum. Both
// are exact after every percussion of a free system, for any steps [LMOW03].
#include <array>
#include <cmath>
#include <vector>

#include "varia/terms/system.hpp"

namespace varia::terms {

template <int D> struct Momentum {
  std::array<double, D> linear{};
  std::array<double, 3>
      angular{};               ///< about the origin; in the plane only the third, on the line none
  double linear_scale = 0.0;   ///< Σ |p_a|
  double angular_scale = 0.0;  ///< Σ |x_a| |p_a|
};

namespace detail {

template <int D> void add_node(const double* x, const double* v, double mass, Momentum<D>& sum) {
  double p[3] = {0.0, 0.0, 0.0}, at[3] = {0.0, 0.0, 0.0}, pp = 0.0, xx = 0.0;
  for (int c = 0; c < D; ++c) {
    p[c] = mass * v[c];
    at[c] = x[c];
    sum.linear[c] += p[c];
    pp += p[c] * p[c];
    xx += at[c] * at[c];
  }
  for (int c = 0; c < 3; ++c)
    sum.angular[c] += at[(c + 1) % 3] * p[(c + 2) % 3] - at[(c + 2) % 3] * p[(c + 1) % 3];
  sum.linear_scale += std::sqrt(pp);
  sum.angular_scale += std::sqrt(xx * pp);
}

}  // namespace detail

template <int D> Momentum<D> momentum(const System<D>& system, const State<D>& state) {
  Momentum<D> sum;
  for (std::size_t a = 0; a < state.nodes.size(); ++a)
    detail::add_node<D>(state.nodes[a].x.data(), state.nodes[a].v.data(), system.masses()[a], sum);
  return sum;
}

/// Of positions and velocities at one time.
template <int D>
Momentum<D> momentum(const System<D>& system, const std::vector<double>& x,
                     const std::vector<double>& v) {
  Momentum<D> sum;
  for (std::size_t a = 0; a < system.masses().size(); ++a)
    detail::add_node<D>(x.data() + a * D, v.data() + a * D, system.masses()[a], sum);
  return sum;
}

}  // namespace varia::terms
