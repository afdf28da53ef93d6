// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The chain on which heat is measured: eight unit masses between walls, springs s or s + s³.
#include <cmath>

#include "flow/kernel_systems.hpp"
#include "varia/methods/methods.hpp"
#include "varia/verify/heat.hpp"

namespace varia::lattice {

inline constexpr int n = 8;

inline std::shared_ptr<KernelSystem> system(bool cubic) {
  const std::string spring =
      cubic ? "0.5*(q[i+1] - q[i])^2 + 0.25*(q[i+1] - q[i])^4" : "0.5*(q[i+1] - q[i])^2";
  const std::string ends =
      cubic ? "0.5*(q[1]^2 + q[8]^2) + 0.25*(q[1]^4 + q[8]^4)" : "0.5*(q[1]^2 + q[8]^2)";
  return kernel_systems::Builder(kernel_systems::unit_mass(n),
                                 "sum(i, 1, 7, " + spring + ") + " + ends)
      .build();
}

inline Eigen::MatrixXd stiffness() {
  Eigen::MatrixXd k = 2.0 * Eigen::MatrixXd::Identity(n, n);
  for (int i = 0; i + 1 < n; ++i) k(i, i + 1) = k(i + 1, i) = -1.0;
  return k;
}

inline VectorState start(const KernelSystem& f, bool at_rest = false) {
  Vector<double, Dynamic> q(n);
  Vector<double, Dynamic> p(n);
  for (int i = 0; i < n; ++i) {
    q[i] = at_rest ? 0.0 : 0.3 * std::sin(1.0 + 2.3 * i);
    p[i] = 0.4 * std::cos(0.7 + 1.9 * i);
  }
  return kernel_systems::state(f, q, p);
}

/// Mean kinetic energy over [0, T]: VI1 = euler_a, RK4, VI4 = triple jump of Verlet.
struct Means {
  double vi1, rk4, vi4;
};
inline double first_order(bool cubic, double T, double h, bool at_rest = false) {
  const auto f = system(cubic);
  return heat(StageFlow(euler_a(), f), start(*f, at_rest), h, std::lround(T / h),
              Sampling::end_of_step)
      .mean;
}
inline Means means(bool cubic, double T, double h) {
  const auto f = system(cubic);
  const VectorState s = start(*f);
  const long steps = std::lround(T / h);
  return {first_order(cubic, T, h), heat(BaselineFlow(rk4(), f), *f, s, h, steps).mean,
          heat(StageFlow(triple_jump(verlet()), f), s, h, steps).mean};
}

}  // namespace varia::lattice
