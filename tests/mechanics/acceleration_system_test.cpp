// SPDX-License-Identifier: BSD-3-Clause
// Accelerations as programs: against (EL) of LegendreTransform, derivatives against differences, size.
#include "varia/mechanics/acceleration_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "problems.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/verify/differences.hpp"

namespace varia::acceleration_system_test {
namespace {

using namespace problems;

std::vector<double> run(const expr::Kernel& f, const std::vector<double>& x) {
  std::vector<double> out(static_cast<std::size_t>(f.tape().outputs()));
  f(x.data(), out.data());
  return out;
}

/// a at x = (t, q, v), with a dense mass.
Vn acceleration(const AccelerationSystem& f, const std::vector<double>& x) {
  const auto out = run(f.equation, x);
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(f.n, f.n);
  for (int e = 0; e < f.mass.size(); ++e)
    mass(f.mass.row[std::size_t(e)], f.mass.column[std::size_t(e)]) = out[std::size_t(f.n + e)];
  EXPECT_EQ(mass, mass.transpose());
  return mass.partialPivLu().solve(Eigen::Map<const Eigen::VectorXd>(out.data(), f.n));
}

TEST(AccelerationSystem, SolvesTheEulerLagrangeEquations) {
  for (const Shooting& f :
       {Shooting(texts::driven()), Shooting(texts::double_pendulum()), Shooting(texts::kepler())}) {
    const std::vector<double> x{0.7, 0.5, -0.4, 0.3, 0.6};
    Vn a = Vn::Zero(2);
    ASSERT_TRUE(LegendreTransform(*f.system).acceleration(x[0], &x[1], &x[3], a.data()));
    EXPECT_LT((acceleration(*f.acceleration, x) - a).cwiseAbs().maxCoeff(), 1e-14);
  }
}

/// M ∂a/∂z = -∂r/∂z
TEST(AccelerationSystem, SlopesAreDerivativesOfTheAcceleration) {
  const Shooting sampled(texts::driven());
  const AccelerationSystem& f = *sampled.acceleration;
  std::vector<double> x{0.7, 0.5, -0.4, 0.3, 0.6};
  const auto out = run(f.equation, x);
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(2, 2);
  for (int e = 0; e < f.mass.size(); ++e)
    mass(f.mass.row[std::size_t(e)], f.mass.column[std::size_t(e)]) = out[std::size_t(2 + e)];
  const Vn a = acceleration(f, x);
  std::vector<double> with_a = x;
  with_a.insert(with_a.end(), a.data(), a.data() + 2);
  const auto entries = run(f.slope, with_a);
  Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(2, 4);
  for (int e = 0; e < f.slope_pattern.size(); ++e)
    slope(f.slope_pattern.row[std::size_t(e)], f.slope_pattern.column[std::size_t(e)]) =
        entries[std::size_t(e)];
  for (int j = 0; j < 4; ++j) {
    const auto along = [&](double e) {
      std::vector<double> y = x;
      y[std::size_t(1 + j)] += e;
      return Eigen::VectorXd(acceleration(f, y));
    };
    EXPECT_LT((mass * derivative_at_zero(along, 0.2) + slope.col(j)).cwiseAbs().maxCoeff(), 1e-10);
  }
}

/// A chain has O(n) entries and operations.
TEST(AccelerationSystem, ChainsAreSparse) {
  const auto chain = [](int n) {
    expr::Graph g;
    expr::Id lagrangian = g.constant(0.0);
    for (int i = 0; i < n; ++i) {
      const expr::Id v = g.variable(1 + n + i);
      lagrangian = g.add(lagrangian, g.mul(g.constant(0.5), g.mul(v, v)));
      if (i == 0) continue;
      const expr::Id d = g.sub(g.variable(1 + i), g.variable(i));
      lagrangian = g.add(lagrangian, g.make(expr::Op::cos, d));
    }
    return make_acceleration_system(g, lagrangian, n);
  };
  const auto small = chain(50);
  const auto large = chain(500);
  EXPECT_EQ(large->mass.size(), 500);
  EXPECT_EQ(large->slope_pattern.size(), 3 * 500 - 2);
  EXPECT_LT(large->slope.tape().operations(), 11 * small->slope.tape().operations());
}

}  // namespace
}  // namespace varia::acceleration_system_test
