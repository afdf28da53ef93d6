// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Systems at run time for the tests of time transformations and of energy-momentum steps, and the
// slope of errors.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "varia/flow/legendre_transform.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/mechanics/symbolic.hpp"
#include "varia/mechanics/time_transform.hpp"
#include "varia/methods/methods.hpp"

namespace varia::times {

using SystemPtr = std::shared_ptr<const KernelSystem>;
using Names = std::vector<std::string>;

inline VectorState state(const SystemPtr& system, const Eigen::VectorXd& q,
                         const Eigen::VectorXd& v, double t = 0.0) {
  Eigen::VectorXd p(q.size());
  LegendreTransform(*system).momentum(t, q.data(), v.data(), p.data());
  return detail::make_state<Eigen::VectorXd, Dynamic>(t, q, p, 0);
}

inline VectorState plane(const SystemPtr& system, double x, double y, double vx, double vy) {
  return state(system, Eigen::Vector2d(x, y), Eigen::Vector2d(vx, vy));
}

inline double energy(const SystemPtr& system, const VectorState& s) {
  LegendreTransform legendre(*system);
  std::vector<double> v(static_cast<std::size_t>(system->n), 0.0);
  legendre.velocity(s.t, s.q.data(), s.p.data(), v.data());
  return legendre.energy(s.t, s.q.data(), v.data());
}

inline double spin(const VectorState& s) { return s.q[0] * s.p[1] - s.q[1] * s.p[0]; }

inline double distance(const VectorState& a, const VectorState& b) {
  return std::max((a.q - b.q).cwiseAbs().maxCoeff(), (a.p - b.p).cwiseAbs().maxCoeff());
}

inline SystemPtr kepler() {
  return symbolic_system({"x", "y"}, "(x_dot^2 + y_dot^2)/2 + 1/sqrt(x^2 + y^2)");
}

/// From the pericentre of an ellipse of half axis 1.
inline VectorState pericentre(const SystemPtr& system, double e) {
  return plane(system, 1.0 - e, 0.0, 0.0, std::sqrt((1.0 + e) / (1.0 - e)));
}

/// log(e₁/e₂) / log(n₂/n₁)
inline double slope(double coarse, double fine, double refinement) {
  return std::log(coarse / fine) / std::log(refinement);
}

/// The state at the time t of another one, by gauss(6) with short fixed steps.
inline VectorState at_time(const SystemPtr& system, const VectorState& start, double t,
                           long steps) {
  const StageFlow flow(gauss(6), system);
  auto memory = flow.memory(start);
  return flow.steps(start, (t - start.t) / static_cast<double>(steps), steps, memory);
}

}  // namespace varia::times
