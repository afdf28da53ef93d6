// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lagrangians L = ⟨θ, v⟩ - H, linear in the velocities, as C++ functions.
#include <memory>
#include <type_traits>

#include "varia/flow/one_form_flow.hpp"
#include "varia/flow/start.hpp"
#include "varia/methods/methods.hpp"

namespace varia::problems {

template <class Q> using ScalarOf = typename std::decay_t<Q>::Scalar;

/// texts::populations()
inline constexpr auto population_form = [](const auto& q) {
  using S = ScalarOf<decltype(q)>;
  return Vector<S, 2>(log(q[1]) / q[0] + q[1], q[0]);
};
inline constexpr auto population_energy = [](const auto& q) {
  return q[0] + q[1] - 1.0 * log(q[0]) - 2.0 * log(q[1]);
};

/// texts::guiding_centre()
inline constexpr auto guiding_form = [](const auto& q) {
  using S = ScalarOf<decltype(q)>;
  const S a = 0.5 + (q[0] * q[0] + q[1] * q[1]) / 16.0;
  return Vector<S, 2>(-1.0 * a * q[1], a * q[0]);
};
inline constexpr auto guiding_energy = [](const auto& q) {
  return 0.25 * (q[0] * q[0] + q[1] * q[1]) + 0.2 * q[0] + 0.3 * sin(q[1]);
};

/// L = ⟨θ, v⟩ - H for n coordinates.
template <int N = 2, class T, class H>
std::shared_ptr<const KernelSystem> one_form_of(const T& theta, const H& energy, int n = 2) {
  const auto lagrangian = [theta, energy](const auto& q, const auto& v) {
    return theta(q).dot(v) - energy(q);
  };
  const System system{lagrangian};
  return kernels_of(std::make_shared<const std::decay_t<decltype(system)>>(system),
                    Vector<double, N>(Vector<double, N>::Zero(n)));
}

template <class T, class H>
OneFormFlow one_form_flow(int s, const T& theta, const H& energy, OneFormProjection projection) {
  return OneFormFlow(gauss(s), one_form_of(theta, energy), projection);
}

}  // namespace varia::problems
