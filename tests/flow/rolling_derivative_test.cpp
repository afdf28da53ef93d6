// SPDX-License-Identifier: BSD-3-Clause
// The derivative of steps with nonholonomic constraints: linear, affine and nonlinear, with forces, t, h, a free
// parameter, with holonomic constraints too, on vector spaces and groups, with both retractions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "derivative_laws.hpp"
#include "problems/rolling.hpp"
#include "refusal.hpp"
#include "varia/flow/multiplier_change.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/methods/composition.hpp"

namespace varia::rolling_derivative_test {
namespace {

using namespace problems;
using derivative_laws::covector;
using derivative_laws::expect_derivative_on_groups;

/// Two bodies that turn each other.
rolling::Rolling gears() {
  return {"gears",
          rolling::with({{{"R", "SO3"}, {"S", "SO3"}},
                         "(2*R_w1^2 + 1.5*R_w2^2 + R_w3^2 + S_w1^2 + 0.8*S_w2^2 + 1.7*S_w3^2)/2 + "
                         "0.2*R_w1*S_w2 - 0.5*R33*S12 - S33"},
                        {"R_w3 - 0.4*S_w3 - 0.2*S13*R_w1", "S_w1 + 0.3*R21*R_w2"}),
          vector({0.4, -0.2, 0.3, -0.1, 0.5, 0.2}), vector({0.6, -0.8, 0.1, 0.2, 0.7, -0.4})};
}

/// The systems, each with a parameter c = 0.3 in the Lagrangian and in a constraint, and with t there.
std::vector<rolling::Rolling> with_parameter() {
  std::vector<rolling::Rolling> list = rolling::all();
  list.push_back(gears());
  for (rolling::Rolling& p : list) {
    const bool round = p.texts.coordinates.front().space != "R";
    const std::string name = p.texts.coordinates.front().name;
    const bool plane = p.texts.coordinates.front().space == "SE2";
    const std::string v = name + (plane ? "_v1" : round ? "_w1" : "_dot");
    p.texts.lagrangian += " + 0.2*c*" + v + "^2*(1 + 0.3*sin(2*t))";
    p.texts.nonholonomic.front() += " - 0.2*(c - 0.3)*(" + v + " + 0.3) - 0.1*t*(t - 0.4)*" + v;
    if (!p.texts.constraints.empty()) p.texts.constraints.front() += " - 0.2*(c - 0.3)";
  }
  return list;
}

std::shared_ptr<KernelSystem> made(const rolling::Rolling& p, Retraction tau, double e) {
  return system_of(p.texts, tau, {{"c", 0.3 + e}});
}

PhaseVector direction(int n, int multipliers) {
  PhaseVector z{Vn::LinSpaced(n, 0.7, -0.4), Vn::LinSpaced(n, -0.3, 0.6), 0.6, -0.2,
                Vn::Constant(1, 0.5)};
  z.lambda = Vn::LinSpaced(multipliers, 0.4, 0.8);
  return z;
}

void expect_law(const rolling::Rolling& p, const Method& method, Retraction tau,
                Multipliers multipliers, int steps) {
  FlowOptions options;
  options.retraction = tau;
  options.multipliers = multipliers;
  const auto system = system_of(p.texts, tau, {{"c", 0.3}});
  expect_derivative_on_groups(
      [&](double e) { return StageFlow(method, made(p, tau, 0.5 * e), options); },
      start_of(system, p.xi, p.v, 0.4), direction(system->n, system->e), 0.15,
      p.name + " " + method.name(), steps);
}

TEST(RollingDerivative, IsThatOfDifferencesAndItsTransposed) {
  for (const rolling::Rolling& p : with_parameter())
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
      for (const int s : {2, 3}) expect_law(p, nh_lobatto(s), tau, Multipliers::propagate, 1);
}

/// The multipliers of a step begin the next one.
TEST(RollingDerivative, TwoStepsAreAChain) {
  for (const rolling::Rolling& p : with_parameter())
    expect_law(p, nh_lobatto(4), Retraction::exponential, Multipliers::propagate, 2);
}

TEST(RollingDerivative, OfMultipliersThatAreComputedAnew) {
  for (const rolling::Rolling& p : with_parameter())
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
      expect_law(p, nh_lobatto(3), tau, Multipliers::recompute, 2);
}

/// Half a step and its adjoint, which on a vector space is one of stages.
TEST(RollingDerivative, OfCompositions) {
  for (const rolling::Rolling& p : {with_parameter()[2], with_parameter()[3]})
    expect_law(p, nh_lobatto_sym(2), Retraction::exponential, Multipliers::propagate, 2);
}

/// The change of the multipliers goes along: without it the end moves otherwise.
TEST(RollingDerivative, DependsOnTheMultipliers) {
  const rolling::Rolling p = rolling::suslov();
  const auto system = system_of(p.texts);
  VectorState s = start_of(system, p.xi, p.v);
  const StageFlow flow(nh_lobatto(3), system);
  auto memory = flow.memory(s);
  const StepDerivative& derivative = flow.differentiate(s, 0.2, memory);
  PhaseVector z = PhaseVector::zero(3);
  z.lambda = Vn::Ones(1);
  derivative.forward(z);
  EXPECT_GT(z.nu.norm(), 1e-4);
  PhaseVector empty = PhaseVector::zero(3);
  derivative.forward(empty);
  EXPECT_EQ(empty.nu.norm(), 0.0);
  EXPECT_EQ(empty.lambda.size(), 1);
}

/// Of the multipliers at a start, against differences of those of the equations of motion.
TEST(RollingDerivative, OfTheMultipliersOfAStart) {
  for (const rolling::Rolling& p : with_parameter()) {
    const auto system = made(p, Retraction::exponential, 0.0);
    const VectorState start = start_of(system, p.xi, p.v, 0.4);
    PhaseVector z = direction(system->n, 0);
    const auto moved = [&](double e) {
      const auto at = made(p, Retraction::exponential, 0.5 * e);
      VectorState s = start;
      const Vn delta = e * z.delta;
      at->space.retract(start.q.data(), delta.data(), Retraction::exponential, s.q.data());
      s.p += e * z.nu;
      s.t += e * z.t;
      Vn v = Vn::Zero(at->n);
      LegendreTransform(*at).velocity(s, v.data());
      return Vn(acceleration(*at, s.t, s.q, v).lambda.tail(at->e));
    };
    set_multiplier_change(*system, start, z);
    const Vn expected = derivative_at_zero(moved, 0.1);
    EXPECT_LT((z.lambda - expected).norm(), 1e-9 * std::max(1.0, expected.norm())) << p.name;
    EXPECT_GT(expected.norm(), 1e-2) << p.name;
  }
}

/// A projected change keeps the constraints: by differences, those of a moved start do not change.
TEST(RollingDerivative, AProjectedChangeKeepsTheConstraints) {
  for (const rolling::Rolling& p : with_parameter()) {
    const auto system = made(p, Retraction::exponential, 0.0);
    const VectorState start = start_of(system, p.xi, p.v, 0.4);
    PhaseVector z = direction(system->n, 0);
    const auto rates = [&](double e) {
      VectorState s = start;
      const Vn delta = e * z.delta;
      system->space.retract(start.q.data(), delta.data(), Retraction::exponential, s.q.data());
      s.p += e * z.nu;
      Vn v = Vn::Zero(system->n);
      LegendreTransform(*system).velocity(s, v.data());
      const std::vector<double> x = system->point(s.t, s.q.data(), v.data());
      Vn all = Vn::Zero(system->d + system->e);
      std::vector<double> out(100);
      if (system->d > 0) {
        system->constraint(x.data(), out.data());
        all.head(system->d) = Eigen::Map<Vn>(out.data(), system->d);
        system->hidden(x.data(), out.data());
        all.head(system->d) += Eigen::Map<Vn>(out.data(), system->d);
      }
      system->nonholonomic(x.data(), out.data());
      all.tail(system->e) = Eigen::Map<Vn>(out.data(), system->e);
      return all;
    };
    EXPECT_GT(derivative_at_zero(rates, 0.1).norm(), 1e-2) << p.name;
    project_change(*system, start, z);
    EXPECT_LT(derivative_at_zero(rates, 0.1).norm(), 1e-9) << p.name;
  }
}

TEST(RollingDerivative, OthersAreRefused) {
  const rolling::Rolling p = rolling::suslov();
  const auto system = system_of(p.texts);
  const auto refused = [&](const Method& method) {
    const StageFlow flow(method, system);
    EXPECT_FALSE(flow.differentiable());
    VectorState s = start_of(system, p.xi, p.v);
    auto memory = flow.memory(s);
    return refusal([&] { flow.differentiate(s, 0.1, memory); });
  };
  expect_words(refused(dla()), {"dla", "no derivative", "nh_lobatto(s)"});
  expect_words(refused(nh_lobatto_sym(2)), {"nh_lobatto_sym(2)", "adjoint", "iteration"});
}

}  // namespace
}  // namespace varia::rolling_derivative_test
