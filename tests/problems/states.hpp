// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Vectors, states, steps, and what is measured of them.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <vector>

#include "problems/builders.hpp"
#include "varia/flow/kernel_start.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/methods/methods.hpp"

namespace varia::problems {

/// What a test of laws asks for.
template <class S, class StateT> struct Problem {
  S system;
  StateT start;
  double h;         ///< a step of middling size
  double duration;  ///< for the measurement of orders
};
template <class S, class StateT> Problem(S, StateT, double, double) -> Problem<S, StateT>;

inline Vn vector(std::initializer_list<double> values) {
  Vn x(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

inline VectorState state_of(const Vn& q, const Vn& p, double t = 0.0) {
  return varia::detail::make_state<Vn, Dynamic>(t, q, p, 0);
}

/// Where the texts say that it starts: position and velocity, with the momentum of the system f.
inline VectorState start_of(const KernelSystem& f, const Texts& texts) {
  return initial(f, texts.q, texts.v, texts.t);
}
inline VectorState start_of(const Texts& texts) { return start_of(*system_of(texts), texts); }

/// The point displaced by xi from the origin, which moves with velocity v; onto the constraints where
/// there are some.
inline VectorState start_of(const std::shared_ptr<KernelSystem>& f, const Vn& xi, Vn v,
                            double t = 0.0) {
  Vn q(f->entries);
  for (const auto& place : f->space.factors()) place.factor->origin(q.data() + place.entry);
  f->space.retract(q.data(), xi.data(), Retraction::exponential, q.data());
  if (f->d + f->e > 0) std::tie(q, v) = project(*f, q, v, t);
  return initial(*f, q, v, t);
}

/// The state after n steps of h.
template <class F> VectorState walk(const F& flow, const VectorState& s, double h, long n) {
  auto memory = flow.memory(s);
  return flow.steps(s, h, n, memory);
}

/// The state at the time t of another one, by gauss(6) with short fixed steps.
inline VectorState at_time(const SystemPtr& system, const VectorState& start, double t,
                           long steps) {
  return walk(StageFlow(gauss(6), system), start, (t - start.t) / static_cast<double>(steps),
              steps);
}

inline double distance(const VectorState& a, const VectorState& b) {
  return std::max((a.q - b.q).cwiseAbs().maxCoeff(), (a.p - b.p).cwiseAbs().maxCoeff());
}

inline double energy_of(const SystemPtr& system, const VectorState& s) {
  LegendreTransform legendre(*system);
  std::vector<double> v(static_cast<std::size_t>(system->n), 0.0);
  legendre.velocity(s.t, s.q.data(), s.p.data(), v.data());
  return legendre.energy(s.t, s.q.data(), v.data());
}

/// The momentum of rotations of the plane.
inline double spin(const VectorState& s) { return s.q[0] * s.p[1] - s.q[1] * s.p[0]; }

/// log(e₁/e₂) / log(n₂/n₁) of two errors.
inline double slope(double coarse, double fine, double refinement) {
  return std::log(coarse / fine) / std::log(refinement);
}

/// log₂ of the ratio of the errors at n and 2n steps.
template <class E> double measured_order(const E& error, int n) {
  return std::log2(error(n) / error(2 * n));
}

/// F(x) = 0 by Newton's method with differences for derivatives: oracles share no solver with the flows
/// they judge.
template <class F> Vn root(const F& f, Vn x) {
  for (int k = 0; k < 30; ++k) {
    const Vn y = f(x);
    Eigen::MatrixXd jacobian(y.size(), x.size());
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      Vn up = x;
      Vn down = x;
      up[j] += 1e-5;
      down[j] -= 1e-5;
      jacobian.col(j) = (f(up) - f(down)) / 2e-5;
    }
    const Vn step = jacobian.fullPivLu().solve(y);
    x -= step;
    if (step.cwiseAbs().maxCoeff() < 1e-15) break;
  }
  EXPECT_LT(f(x).cwiseAbs().maxCoeff(), 1e-13) << "the oracle did not converge";
  return x;
}

/// (δ, ν) from the one to the other.
inline Vn difference(const KernelSystem& f, const VectorState& from, const VectorState& to) {
  Vn both(2 * f.n);
  f.space.difference(from.q.data(), to.q.data(), Retraction::exponential, both.data());
  both.head(f.n) += to.q_rest - from.q_rest;
  both.tail(f.n) = (to.p - from.p) + (to.p_rest - from.p_rest);
  return both;
}

}  // namespace varia::problems
