// SPDX-License-Identifier: BSD-3-Clause
// Symmetry of energy-momentum steps on (t, q, p, E) for Lagrangians that depend on time: matching of
// energies, momenta that move in time, the extended symplectic form, reversal.
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/flow/energy_momentum.hpp"
#include "varia/verify/differences.hpp"

namespace varia::extended_symmetry_test {
namespace {

using namespace problems;

/// E⁻ of each step is E⁺ of the one before; with fixed steps it is not.
TEST(ExtendedSymmetry, EnergiesMatch) {
  const SystemPtr system = system_of(texts::driven_quadratic());
  for (const Method& method : {midpoint(0.5), midpoint(0.3), verlet(), gauss(2)}) {
    const EnergyMomentumFlow flow(method, system);
    VectorState s = start_of(texts::driven_quadratic());
    auto memory = flow.memory(s);
    const double h = 0.05;
    s = flow.step(s, h, memory);
    double change = 0.0;
    const int count = method.order() > 2 ? 1 : 3;  // there are no more for gauss(2)
    for (int k = 0; k < count; ++k) {
      const double end = memory.energy();
      auto probe = flow.memory(s);
      const VectorState next = flow.step(s, h, memory);
      const double size = (next.t - s.t) + (next.t_rest - s.t_rest);
      const auto step = flow.extended_step(s, size, probe);
      ASSERT_TRUE(step);
      EXPECT_NEAR(step->energy_start, end, 1e-13) << method.name();
      EXPECT_NEAR(step->energy_end, memory.energy(), 1e-13);
      change = std::max(change, std::abs(step->energy_end - step->energy_start));
      s = next;
    }
    EXPECT_GT(change, 1e-3);
    auto fixed = flow.memory(s);
    const auto one = flow.extended_step(s, h, fixed);
    const auto two = flow.extended_step(one->end, h, fixed);
    EXPECT_GT(std::abs(one->energy_end - two->energy_start), 1e-8) << method.name();
  }
}

/// A wave V(q - ct): (t, q) → (t + s, q + cs) is a symmetry, and cp - E is kept by energy-momentum
/// steps; fixed steps keep only momenta of symmetries that leave time alone.
TEST(ExtendedSymmetry, MomentaThatMoveInTime) {
  const double c = 0.7;
  const SystemPtr system = system_of({{"x"}, "x_dot^2/2 - cos(x - 0.7*t)"});
  const EnergyMomentumFlow flow(midpoint(0.5), system);
  VectorState s = initial(*system, vector({0.4}), vector({1.5}), 0.2);
  auto memory = flow.memory(s);
  s = flow.step(s, 0.1, memory);
  const double start = c * s.p[0] - memory.energy();
  double e_change = 0.0;
  const double e = memory.energy();
  for (int k = 0; k < 5; ++k) {
    s = flow.step(s, 0.1, memory);
    EXPECT_NEAR(c * s.p[0] - memory.energy(), start, 1e-13);
    e_change = std::max(e_change, std::abs(memory.energy() - e));
  }
  EXPECT_GT(e_change, 1e-2);
  // the same quantity along fixed steps
  auto fixed = flow.memory(s);
  double first = 0.0;
  double drift = 0.0;
  for (int k = 0; k < 20; ++k) {
    const auto step = flow.extended_step(s, 0.1, fixed);
    s = step->end;
    const double j = c * s.p[0] - step->energy_end;
    if (k == 0) first = j;
    drift = std::max(drift, std::abs(j - first));
  }
  EXPECT_GT(drift, 1e-4);
}

/// (t, q, p, E) ↦ (t, q, p, E)₁ keeps dq∧dp - dt∧dE; with h fixed and E transported it does not.
TEST(ExtendedSymmetry, ExtendedSymplecticForm) {
  const SystemPtr system = system_of(texts::driven_quadratic());
  const VectorState start = start_of(texts::driven_quadratic());
  const double h = 0.25;
  const Eigen::Index n = 2;
  const auto defect = [&](const Method& method, bool solve_energy) {
    const EnergyMomentumFlow flow(method, system);
    auto probe = flow.memory(start);
    const double energy = flow.extended_step(start, h, probe)->energy_start;
    const auto map = [&](const Eigen::VectorXd& z) {  // (q, t, p, -E)
      VectorState s = start;
      s.q += z.head(n);
      s.t += z[n];
      s.p += z.segment(n + 1, n);
      auto memory = flow.memory(s, energy - z[2 * n + 1], h);
      Eigen::VectorXd out(2 * n + 2);
      if (solve_energy) {
        const VectorState end = flow.step(s, h, memory);
        out << end.q, end.t, end.p, -memory.energy();
      } else {
        const auto step = flow.extended_step(s, h, memory);
        out << step->end.q, step->end.t, step->end.p, -memory.energy();
      }
      return out;
    };
    Eigen::MatrixXd d(2 * n + 2, 2 * n + 2);
    for (Eigen::Index k = 0; k < 2 * n + 2; ++k)
      d.col(k) = derivative_at_zero(
          [&](double e) { return map(e * Eigen::VectorXd::Unit(2 * n + 2, k)); }, 0.01);
    Eigen::MatrixXd omega = Eigen::MatrixXd::Zero(2 * n + 2, 2 * n + 2);
    omega.topRightCorner(n + 1, n + 1).setIdentity();
    omega.bottomLeftCorner(n + 1, n + 1) = -Eigen::MatrixXd::Identity(n + 1, n + 1);
    return (d.transpose() * omega * d - omega).cwiseAbs().maxCoeff();
  };
  for (const Method& method : {midpoint(0.5), midpoint(0.3), verlet()}) {
    EXPECT_LT(defect(method, true), 1e-8) << method.name();
    EXPECT_GT(defect(method, false), 1e-3) << method.name();
  }
}

/// A symmetric method goes back through the same points with the same steps.
TEST(ExtendedSymmetry, ForthAndBack) {
  const SystemPtr system = system_of({{"x"}, "x_dot^2/2 - x^4/4"});
  const VectorState start = initial(*system, vector({0.0}), vector({1.0}));
  const auto defect = [&](const Method& method) {
    const EnergyMomentumFlow flow(method, system);
    auto memory = flow.memory(start);
    VectorState s = flow.steps(start, 0.05, 20, memory);
    EXPECT_GT(s.t, 0.3);
    s = flow.steps(s, -0.05, 20, memory);
    return std::max(distance(s, start), std::abs(s.t));
  };
  EXPECT_LT(defect(midpoint(0.5)), 1e-9);
  EXPECT_LT(defect(verlet()), 1e-9);
}

}  // namespace
}  // namespace varia::extended_symmetry_test
