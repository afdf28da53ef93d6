// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Systems with their accelerations, for ShootingFlow.
#include <memory>

#include "problems/builders.hpp"
#include "varia/flow/kernel_start.hpp"
#include "varia/flow/shooting_flow.hpp"
#include "varia/methods/methods.hpp"

namespace varia::problems {

struct Shooting {
  explicit Shooting(const Texts& texts)
      : system(system_of(texts)), acceleration(acceleration_of(texts)) {}

  std::shared_ptr<const KernelSystem> system;
  std::shared_ptr<const AccelerationSystem> acceleration;

  ShootingFlow flow(const Method& scheme, FlowOptions options = {}) const {
    return ShootingFlow(scheme, system, acceleration, options);
  }
  ShootingFlow shooting(int p, const char* rule) const {
    return flow(varia::shooting(p, parse_quadrature(rule)));
  }
  ShootingFlow taylor(int r, const char* rule) const {
    return flow(varia::taylor(r, parse_quadrature(rule)));
  }
  VectorState start(const Vn& q, const Vn& v, double t = 0.0) const {
    return initial(*system, q, v, t);
  }
};

}  // namespace varia::problems
