// SPDX-License-Identifier: BSD-3-Clause
// Constraints with weights that differ at the two ends of a step: collocation at 0, 0.3, 1 has
// b = (-1/18, 50/63, 11/42), and a reaction hbᵢGᵀλᵢ has its own weight at each end.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "methods/tableaux.hpp"
#include "problems.hpp"
#include "varia/flow/certificate.hpp"
#include "varia/methods/tableau.hpp"
#include "varia/varia.hpp"

namespace varia::end_weights_test {
namespace {

using namespace problems;
using V3 = Vector<double, 3>;

/// Collocation at the nodes 0, c, 1.
Method three_nodes(double c) {
  const Tableau t = collocation(interpolatory_quadrature({0.0, c, 1.0}));
  return {"own", t.order, false, false,
          StageCoefficients(t.c, t.b, t.A, {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, t.b)};
}

auto pendulum() {
  return System{
      [](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[2] - 0.2 * q[0] * q[1]; },
      Holonomic{[](const auto& q) { return q.dot(q) - 1.0; }}};
}

auto start_of_pendulum() {
  const auto [q, v] = project(pendulum(), V3(0.8, 0.1, -0.6), V3(0.2, 0.9, 0.3));
  return initial(pendulum(), q, v);
}

TEST(EndWeights, Differ) {
  const Method method = three_nodes(0.3);
  const std::vector<double>& b = method.stages()->b.hi;
  EXPECT_DOUBLE_EQ(b[0], -1.0 / 18.0);
  EXPECT_DOUBLE_EQ(b[1], 50.0 / 63.0);
  EXPECT_DOUBLE_EQ(b[2], 11.0 / 42.0);
  EXPECT_TRUE(method.stages()->ends);
}

/// What λ at the end of a step tends to with h, over the multiplier of the motion. With Ĉ = AÂ, Â the
/// conjugate, and κ = φ″(v, v), g = GM⁻¹Gᵀ the leading terms of φ = 0 at the nodes and of Gv = 0 at the end
/// are Σⱼ Ĉᵢⱼμⱼ = -cᵢ²/2, Σⱼ bⱼμⱼ = -1 for λⱼ = λ + (1 + μⱼ)κ/g; all μⱼ = -1 where Σⱼ âᵢⱼ = cᵢ.
double limit(double c) {
  const Tableau t = collocation(interpolatory_quadrature({0.0, c, 1.0}));
  const Tableau hat = symplectic_conjugate(t);
  Eigen::Matrix3d A, B, equations;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      A(i, j) = static_cast<double>(t.a(i, j));
      B(i, j) = static_cast<double>(hat.a(i, j));
    }
  equations.topRows<2>() = (A * B).bottomRows<2>();
  for (int j = 0; j < 3; ++j)
    equations(2, j) = static_cast<double>(t.b[static_cast<std::size_t>(j)]);
  const Eigen::Vector3d mu = equations.fullPivLu().solve(Eigen::Vector3d(-0.5 * c * c, -0.5, -1.0));
  return 1.0 + mu[2];
}

TEST(EndWeights, MultipliersTendToTheirLimit) {
  const auto system = pendulum();
  const auto start = start_of_pendulum();
  const double bent = velocity(system, start).squaredNorm() / 2.0;  // κ/g = 2|v|²/4
  EXPECT_NEAR(limit(0.5), 0.0, 1e-14) << "Lobatto";
  EXPECT_GT(std::abs(limit(0.3)), 0.1);
  for (const double c : {0.3, 0.5, 0.7}) {
    const Flow flow(three_nodes(c), system);
    const auto error = [&](double h) {
      return std::abs(flow(start, h).lambda[0] - start.lambda[0] - limit(c) * bent);
    };
    EXPECT_LT(error(1e-4), 1e-3) << c;
    EXPECT_LT(error(1e-4), 0.6 * error(2e-4)) << c;
  }
}

/// The certificate writes the constrained action out and differentiates it as a whole.
TEST(EndWeights, TheTiersAgree) {
  const auto system = pendulum();
  const Method method = three_nodes(0.3);
  const Flow flow(method, system);
  const Certificate certificate(method, system);
  auto a = start_of_pendulum();
  auto b = a;
  for (int k = 0; k < 3; ++k) {
    a = flow(a, 0.1);
    b = certificate(b, 0.1);
    EXPECT_LT(detail::distance(a, b), 1e-12);
    EXPECT_LT((a.lambda - b.lambda).norm(), 1e-9);
  }
  EXPECT_LT(check_symplectic(flow, start_of_pendulum(), 0.1).defect, 1e-12);
}

/// A hoop that is driven: E - E₀ is the work of the driver, to which the reactions at both ends
/// contribute with their own weights.
TEST(EndWeights, TheWorkOfADriver) {
  const auto system =
      system_of({{"x", "y"}, "(x_dot^2 + y_dot^2)/2 - y", {}, {"x^2 + y^2 - (1 + 0.2*sin(t))^2"}});
  const VectorState start = initial(*system, vector({1.0, 0.0}), vector({0.2, 0.4}));
  const auto energy_at = [&](const VectorState& s) {
    LegendreTransform legendre(*system);
    Vn v = Vn::Zero(2);
    legendre.velocity(s, v.data());
    return legendre.energy(s.t, s.q.data(), v.data());
  };
  const auto defect = [&](long steps) {
    const StageFlow flow(three_nodes(0.3), system);
    auto memory = flow.memory(start);
    const VectorState end = flow.steps(start, 1.0 / static_cast<double>(steps), steps, memory);
    EXPECT_GT(std::abs(memory.statistics.driver_work), 0.01);
    return std::abs(energy_at(end) - energy_at(start) - memory.statistics.driver_work);
  };
  EXPECT_LT(defect(80), 1e-4);
  EXPECT_GT(defect(40) / defect(80), 3.0);
}

}  // namespace
}  // namespace varia::end_weights_test
