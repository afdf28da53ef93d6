// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Systems as text with their accelerations, for tests of ShootingFlow.
#include <memory>
#include <string>

#include "laws/text_system.hpp"
#include "varia/flow/shooting_flow.hpp"

namespace varia::shooting_systems {

using laws::vector;

struct Sample {
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

inline std::shared_ptr<AccelerationSystem> acceleration_of(const laws::Texts& texts) {
  expr::Graph g;
  expr::Scope scope;
  const int n = static_cast<int>(texts.names.size());
  scope.add("t", g.variable(0));
  for (int i = 0; i < n; ++i) {
    const std::string& name = texts.names[static_cast<std::size_t>(i)];
    scope.add(name, g.variable(1 + i));
    scope.add(name + "_dot", g.variable(1 + n + i));
  }
  return make_acceleration_system(g, expr::parse(g, scope, texts.lagrangian), n);
}

inline Sample sample(const laws::Texts& texts) {
  return {laws::system_of(texts), acceleration_of(texts)};
}

inline Sample pendulum() { return sample({{"x"}, "x_dot^2/2 + cos(x)"}); }

inline Sample kepler() { return sample({{"x", "y"}, "(x_dot^2 + y_dot^2)/2 + 1/sqrt(x^2 + y^2)"}); }

/// The mass depends on the configuration.
inline Sample double_pendulum() {
  return sample({{"x", "y"}, "x_dot^2 + y_dot^2/2 + x_dot*y_dot*cos(x - y) + 2*cos(x) + cos(y)"});
}
inline VectorState double_pendulum_start() {
  return double_pendulum().start(vector({0.7, -0.3}), vector({0.2, 0.3}));
}

/// Everything at once: not quadratic in v, gyroscopic, mass and potential that depend on time.
inline Sample driven() {
  return sample({{"x", "y"},
                 "(1 + 0.3*sin(t))*(x_dot^2 + y_dot^2)/2 + 0.1*x_dot^4 + 0.2*x^2*y_dot^2"
                 " + 0.5*(x*y_dot - y*x_dot)*exp(-0.2*t) + t*x*y_dot/5 - x^4/4 - y^2/2"
                 " - x*cos(2*t) + 0.3*sin(x*y)"});
}
inline VectorState driven_start() {
  return driven().start(vector({0.5, -0.4}), vector({0.3, 0.6}), 0.2);
}

}  // namespace varia::shooting_systems
