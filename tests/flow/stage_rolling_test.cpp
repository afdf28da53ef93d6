// SPDX-License-Identifier: BSD-3-Clause
// (rolling): nonholonomic constraints in a step; the Jacobian and Newton's method with (dla) too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/rolling.hpp"
#include "refusal.hpp"
#include "src/flow/stages.hpp"
#include "varia/verify/differences.hpp"

namespace varia::stage_rolling_test {
namespace {

using namespace problems;
using rolling::Rolling;

/// Largest difference of the Jacobian and extrapolated differences, at a point off the solution.
double jacobian_error(const Rolling& p, const Method& method, Retraction tau) {
  const auto system = system_of(p.texts, tau);
  const VectorState start = start_of(system, p.xi, p.v, 0.3);
  detail::Stages stages(*system, *method.stages(), tau);
  stages.begin(start, 0.3);
  Vn v = Vn::Zero(system->n);
  LegendreTransform(*system).velocity(start, v.data());
  stages.guess(v.data());
  auto& w = stages.newton;
  for (std::size_t i = 0; i < w.x.size(); ++i) w.x[i] += 0.2 * std::sin(1.0 + 3.0 * double(i));
  const std::vector<double> x = w.x;
  stages.evaluate(true);
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(w.size, w.size);
  for (int k = 0; k < w.size; ++k)
    for (int i = 0; i < w.size; ++i)
      if (!w.jacobian.banded()) jacobian(i, k) = w.jacobian.data()[w.jacobian.slot(i, k)];
  double worst = 0.0;
  for (int k = 0; k < w.size; ++k) {
    const auto along = [&](double e) {
      w.x = x;
      w.x[static_cast<std::size_t>(k)] += e;
      stages.evaluate(false);
      return Eigen::VectorXd(Eigen::Map<Eigen::VectorXd>(w.residual.data(), w.size));
    };
    worst =
        std::max(worst, (derivative_at_zero(along, 0.1) - jacobian.col(k)).cwiseAbs().maxCoeff());
  }
  return worst;
}

TEST(StageRolling, TheJacobianIsTheDerivativeOfTheResidual) {
  for (const Rolling& p : rolling::all())
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
      for (const Method& method : {nh_lobatto(2), nh_lobatto(3), dla()})
        EXPECT_LT(jacobian_error(p, method, tau), 1e-9) << p.name << " " << method.name();
}

/// Phi at the nodes, in any step: T5.3.
TEST(StageRolling, ConstraintsHoldAtTheNodes) {
  for (const Rolling& p : rolling::all())
    for (const double h : {0.05, 0.2}) {
      const auto system = system_of(p.texts);
      const StageFlow flow(nh_lobatto(3), system);
      VectorState s = start_of(system, p.xi, p.v);
      auto memory = flow.memory(s);
      for (int k = 0; k < 20; ++k) {
        flow.move(s, h, 1, memory);
        const ConstraintDefect defect = constraint_defect(*system, s);
        EXPECT_LT(defect.position, 1e-13) << p.name;
        EXPECT_LT(defect.velocity, 2e-13) << p.name;
      }
    }
}

/// Trap 1: a reaction with the half bracket of a potential makes Newton's method linear. A long first step shows it, at
/// 8 iterations and more on groups; short ones, or those with a prediction, do not.
TEST(StageRolling, NewtonConvergesQuadratically) {
  const auto expect = [](const Rolling& p, const Method& method, double h, int steps) {
    const auto system = system_of(p.texts);
    const StageFlow flow(method, system);
    VectorState s = start_of(system, p.xi, p.v);
    auto memory = flow.memory(s);
    flow.move(s, h, steps, memory);
    EXPECT_LE(memory.statistics.max_iterations, 5) << p.name << " " << method.name();
    EXPECT_EQ(memory.statistics.failed, 0) << p.name << " " << method.name();
  };
  for (const Rolling& p : rolling::all()) {
    expect(p, nh_lobatto(3), 0.4, 1);
    expect(p, dla(), 0.05, 10);
  }
}

/// T5.10: on R^n a step is symmetric in time, the multipliers included; on groups it is not.
TEST(StageRolling, ReturnsOnVectorSpaces) {
  for (const Rolling& p : {rolling::particle(), rolling::sleigh(), rolling::affine(),
                           rolling::nonlinear(), rolling::geared()}) {
    const auto system = system_of(p.texts);
    const VectorState start = start_of(system, p.xi, p.v);
    for (const int s : {2, 3, 4}) {
      const StageFlow flow(nh_lobatto(s), system);
      const VectorState end = flow(start, 0.1);
      const VectorState back = flow(end, -0.1);
      EXPECT_LT((back.q - start.q).cwiseAbs().maxCoeff(), 1e-14) << p.name;
      EXPECT_LT((back.p - start.p).cwiseAbs().maxCoeff(), 1e-14) << p.name;
      EXPECT_LT((back.lambda - start.lambda).tail(system->e).cwiseAbs().maxCoeff(), 1e-12)
          << p.name;
      EXPECT_GT((end.q - start.q).cwiseAbs().maxCoeff(), 1e-3);
    }
  }
}

/// T5.12: with two stages, L = |v|²/2 - U and linear constraints a step is explicit up to the last reaction.
TEST(StageRolling, TwoStagesAreTheNonholonomicLeapfrog) {
  const Rolling p = rolling::particle();
  const auto system = system_of(p.texts);
  const VectorState start = start_of(system, p.xi, p.v);
  const double h = 0.1;
  const VectorState end = StageFlow(nh_lobatto(2), system)(start, h);
  const auto slope = [](const Vn& q) { return vector({-q[0], -q[1], 0.0}); };
  const auto phi = [](const Vn& q) { return vector({-q[1], 0.0, 1.0}); };
  const Vn half = start.p + h / 2 * (slope(start.q) + start.lambda[0] * phi(start.q));
  const Vn q = start.q + h * half;
  const Vn free = half + h / 2 * slope(q);
  const double lambda = -phi(q).dot(free) / (h / 2 * phi(q).squaredNorm());
  EXPECT_LT((end.q - q).norm(), 1e-15);
  EXPECT_LT((end.p - (free + h / 2 * lambda * phi(q))).norm(), 1e-15);
  EXPECT_NEAR(end.lambda[0], lambda, 1e-13);
}

/// The multipliers at the start are those of the equations of motion.
TEST(StageRolling, MultipliersAtTheStart) {
  const auto system = system_of(rolling::particle().texts);
  const VectorState s = start_of(system, rolling::particle().xi, rolling::particle().v);
  const double x = s.q[0], y = s.q[1], vx = s.p[0], vy = s.p[1];
  EXPECT_NEAR(s.lambda[0], (vx * vy - x * y) / (1 + y * y), 1e-15);  // [Sato19], kappa of E5.1
}

/// The balance of momenta: J₁ - J₀ is the work of the reactions on the generator.
TEST(StageRolling, AMomentumWithAHorizontalGeneratorIsKept) {
  // y is cyclic in L and in Phi, and moves freely
  const auto system =
      system_of(rolling::with({{"x", "y", "z"}, "(x_dot^2 + y_dot^2 + z_dot^2)/2 - x^2"},
                              {"z_dot - x*x_dot^3 - 0.2*x_dot"}));
  VectorState s = start_of(system, vector({0.5, 0.2, 0.1}), vector({0.3, 0.7, 0.1}));
  const double before = s.p[1];
  const StageFlow flow(nh_lobatto(3), system);
  s = walk(flow, s, 0.1, 100);
  EXPECT_NEAR(s.p[1], before, 1e-14);
}

TEST(StageRolling, OtherMethodsAreRefused) {
  const auto system = system_of(rolling::particle().texts);
  for (const Method& method : {gauss(2), verlet(), midpoint(0.3)})
    expect_words(refusal([&] { StageFlow flow(method, system); }),
                 {method.name().c_str(), "nonholonomic", "nh_lobatto(s)", "dla"});
}

TEST(StageRolling, WrongStartsAreRefused) {
  const auto system = system_of(rolling::particle().texts);
  expect_words(refusal([&] {
                 initial(*system, vector({1, 0.5, 0}), vector({0.4, -0.3, 0.5}));
               }),
               {"nonholonomic constraint 1", "Phi = 0.3", "project"});
  EXPECT_NO_THROW(initial(*system, vector({1, 0.5, 0}), vector({0.4, -0.3, 0.2})));
  const auto singular =
      system_of(rolling::with({{"x", "y"}, "(x_dot^2 + y_dot^2)/2"}, {"x_dot^2 + y_dot^2"}));
  expect_words(refusal([&] {
                 initial(*singular, vector({1, 0.5}), vector({0, 0}));
               }),
               {"nonholonomic constraint 1", "no direction"});
}

TEST(StageRolling, AProjectedStartIsTheNearest) {
  for (const Rolling& p : rolling::all()) {
    const auto system = system_of(p.texts);
    const VectorState s = start_of(system, p.xi, p.v);  // projects
    EXPECT_LT(constraint_defect(*system, s).velocity, 1e-13) << p.name;
  }
}

/// A train of n sleighs costs O(n): the matrix of a step is banded.
TEST(StageRolling, ATrainIsBanded) {
  const auto train = [](const Method& method, int n) {
    Texts texts{{{"x[1.." + std::to_string(n) + "]"},
                 {"y[1.." + std::to_string(n) + "]"},
                 {"a[1.." + std::to_string(n) + "]"}},
                "0"};
    std::string lagrangian = "0";
    for (int i = 1; i <= n; ++i) {
      const std::string k = "[" + std::to_string(i) + "]";
      lagrangian += " + (x_dot" + k + "^2 + y_dot" + k + "^2 + a_dot" + k + "^2)/2";
      texts.nonholonomic.push_back("y_dot" + k + "*cos(a" + k + ") - x_dot" + k + "*sin(a" + k +
                                   ")");
      if (i == n) break;
      const std::string next = "[" + std::to_string(i + 1) + "]";
      lagrangian += " - (x" + next + " - x" + k + ")^2 - (y" + next + " - y" + k + ")^2";
    }
    texts.lagrangian = lagrangian;
    return StageFlow(method, system_of(texts));
  };
  for (const Method& method : {nh_lobatto(3), dla()}) {
    EXPECT_TRUE(train(method, 20).banded());
    EXPECT_EQ(train(method, 20).bandwidth(), train(method, 40).bandwidth());
  }
}

}  // namespace
}  // namespace varia::stage_rolling_test
