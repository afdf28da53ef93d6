// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lagrangians linear in the velocities, for tests.
#include <gtest/gtest.h>

#include "varia/flow/integrate.hpp"
#include "varia/flow/one_form_flow.hpp"
#include "varia/flow/start.hpp"
#include "varia/methods/methods.hpp"
#include "varia/verify/check_invariants.hpp"
#include "varia/verify/check_symplectic.hpp"

namespace varia {

using V2 = Vector<double, 2>;
using enum OneFormProjection;

template <class Q> using ScalarOf = typename std::decay_t<Q>::Scalar;

/// Lotka and Volterra: ẋ = x(y - 2), ẏ = y(1 - x).
const auto populations = [](const auto& q) {
  using S = ScalarOf<decltype(q)>;
  return Vector<S, 2>(log(q[1]) / q[0] + q[1], q[0]);
};
const auto population_energy = [](const auto& q) {
  return q[0] + q[1] - 1.0 * log(q[0]) - 2.0 * log(q[1]);
};

/// A guiding centre in the plane: θ is the vector potential of a field that grows outwards.
const auto potential = [](const auto& q) {
  using S = ScalarOf<decltype(q)>;
  const S a = 0.5 + (q[0] * q[0] + q[1] * q[1]) / 16.0;
  return Vector<S, 2>(-1.0 * a * q[1], a * q[0]);
};
const auto drift_energy = [](const auto& q) {
  return 0.25 * (q[0] * q[0] + q[1] * q[1]) + 0.2 * q[0] + 0.3 * sin(q[1]);
};

/// L = ⟨θ, v⟩ - H of C++ functions, for n coordinates.
template <int N = 2, class T, class H>
std::shared_ptr<const KernelSystem> form_system(const T& theta, const H& energy, int n = 2) {
  const auto lagrangian = [theta, energy](const auto& q, const auto& v) {
    return theta(q).dot(v) - energy(q);
  };
  const System system{lagrangian};
  return kernels_of(std::make_shared<const std::decay_t<decltype(system)>>(system),
                    Vector<double, N>(Vector<double, N>::Zero(n)));
}

template <class T, class H>
OneFormFlow flow_of(int s, const T& theta, const H& energy, OneFormProjection projection) {
  return OneFormFlow(gauss(s), form_system(theta, energy), projection);
}

template <class H>
double worst_energy(const OneFormFlow& flow, const H& energy, const V2& q, double h, long steps) {
  double most = 0.0;
  advance(flow, flow.start(q), h, steps, [&](const VectorState& s) {
    most = std::max(most, std::abs(energy(V2(s.q)) - energy(q)));
  });
  return most;
}

}  // namespace varia
