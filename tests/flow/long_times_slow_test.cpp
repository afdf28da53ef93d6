// SPDX-License-Identifier: BSD-3-Clause
// Time over many steps: t + t_rest is the sum of the steps, whatever makes them. 0.1 is no double: a sum
// that is rounded at every step is off by 1e-8 after 1e5 of them, by 1e-10 after 1e4.
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/flow/discrete_flow.hpp"
#include "varia/flow/discrete_hamiltonian.hpp"
#include "varia/flow/energy_momentum.hpp"
#include "varia/flow/flow.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/mechanics/time_transform.hpp"
#include "varia/methods/composition.hpp"

namespace varia::long_times_test {
namespace {

using namespace problems;
using V1 = Vector<double, 1>;

constexpr double h = 0.1;
constexpr long many = 100000, some = 10000;
const Texts oscillator{{"x"}, "x_dot^2/2 - x^2/2", {}, {}, vector({0.7}), vector({0.3})};

/// What t + t_rest lacks of the exact time, in units in the last place of t.
template <class StateT> double lost(const StateT& s, long double exact) {
  return static_cast<double>(std::abs((s.t - exact) + s.t_rest) / (0x1p-53L * exact));
}

/// Of a remainder that is kept a hundredth of a unit is left; without it there are 1e3 units and more.
void expect_kept(const AnyFlow& flow, VectorState s, long count, const char* name = "") {
  auto memory = flow.memory(s);
  flow.move(s, h, count, memory);
  EXPECT_LT(lost(s, static_cast<long double>(h) * count), 0.01) << flow.method().name() << name;
}

void expect_kept(const Method& method, long count, FlowOptions options = {}) {
  const Shooting f(oscillator);
  const auto ld = discrete_lagrangian_of("(b[1] - a[1])^2/(2*h) - h*((a[1] + b[1])/2)^2/2", 1);
  expect_kept(
      make_flow(method, {.lagrangian = f.system, .discrete = ld, .acceleration = f.acceleration},
                options),
      start_of(*f.system, oscillator), count);
}

TEST(LongTimes, OfStages) {
  expect_kept(gauss(2), many);
  expect_kept(verlet(), many);
  expect_kept(galerkin(2, gauss_quadrature(3)), some);
  expect_kept(gauss(2), some, {.solver = Solver::fixed_point});
}

TEST(LongTimes, OfOtherMethods) {
  expect_kept(rk4(), many);
  expect_kept(dopri5(), some);
  expect_kept(newmark(), many);
  expect_kept(shooting(4, parse_quadrature("lobatto:3")), some);
  expect_kept(taylor(6, parse_quadrature("gauss:3")), some);
  expect_kept(own_lagrangian(2), many);
}

/// A composition adds up h, or parts of it that are doubles: they differ from h by 1e-17.
TEST(LongTimes, OfCompositions) {
  expect_kept(yoshida(4, verlet()), many);
  expect_kept(compose({{midpoint(), 0.5}, {midpoint(), 0.5}}), some);
}

TEST(LongTimes, OfOtherSystems) {
  const auto system = system_of(oscillator);
  const VectorState start = start_of(*system, oscillator);
  const auto hamiltonian = hamiltonian_of("(p[1]^2 + q[1]^2)/2", 1);
  for (const Method& method : {gauss(2), verlet(), midpoint()})
    expect_kept(make_flow(method, {.lagrangian = system, .hamiltonian = hamiltonian}), start, some,
                " of a Hamiltonian");
  const auto circle = system_of({{"x", "y"}, "(x_dot^2 + y_dot^2)/2 - y", {}, {"x^2 + y^2 - 1"}});
  for (const Method& method : {verlet(), lobatto(3)})
    expect_kept(make_flow(method, {.lagrangian = circle}),
                initial(*circle, vector({1.0, 0.0}), vector({0.0, 0.4})), some, " on a circle");
  const auto turning = system_of({{{"a", "SO2"}}, "a_dot^2/2 + cos(a)"});
  expect_kept(make_flow(gauss(2), {.lagrangian = turning}), start, some, " on SO(2)");
}

TEST(LongTimes, OfOneForms) {
  const auto system = system_of({{"x", "y"}, "(x*y_dot - y*x_dot)/2 - (x^2 + y^2)/2"});
  for (const auto projection :
       {OneFormProjection::none, OneFormProjection::each_step, OneFormProjection::symmetric}) {
    const OneFormFlow flow(midpoint(), system, projection);
    FlowKinds kinds;
    kinds.projection = projection;
    expect_kept(make_flow(midpoint(), {.lagrangian = system}, {}, kinds),
                flow.start(vector({0.7, 0.3})), some, " of a one-form");
  }
}

/// With the pace 2 steps in t are twice those in τ, and so is the time.
TEST(LongTimes, OfTransformedTime) {
  const auto system = system_of(oscillator);
  FlowKinds kinds;
  kinds.variable = VariableSteps{false, false, step_function({"x"}, "2")};
  for (const Method& method : {verlet(), gauss(2), midpoint()}) {
    const AnyFlow flow = make_flow(method, {.lagrangian = system}, {}, kinds);
    VectorState s = start_of(*system, oscillator);
    auto memory = flow.memory(s);
    flow.move(s, h, some, memory);
    EXPECT_LT(lost(s, static_cast<long double>(2 * h) * some), 0.01) << method.name();
  }
}

/// The steps are those that the memory tells.
TEST(LongTimes, OfStepsThatKeepTheEnergy) {
  const Texts text{{"x"}, "x_dot^2/2 - x^2/2 - x^4/4", {}, {}, vector({0.7}), vector({0.3})};
  const auto system = system_of(text);
  const EnergyMomentumFlow flow(midpoint(), system, {.no_solution = NoEnergyStep::minimise});
  VectorState s = start_of(*system, text);
  auto memory = flow.memory(s);
  long double sum = 0.0L;
  for (int k = 0; k < 1000; ++k) {
    s = flow.step(s, h, memory);
    sum += memory.step();
  }
  EXPECT_LT(lost(s, sum), 0.01);
}

/// Flows of C++ functions.
template <class F> void expect_kept_by(const F& flow, State<V1> s, long count) {
  auto memory = flow.memory(s);
  for (long k = 0; k < count; ++k) s = flow.step(s, h, memory);
  EXPECT_LT(lost(s, static_cast<long double>(h) * count), 0.01);
}

TEST(LongTimes, OfFunctions) {
  const System plain{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) - 0.5 * q.dot(q); }};
  const System separable{Separable{1.0, [](const auto& q) { return 0.5 * q.dot(q); }}};
  const State<V1> start = make_state(V1(0.7), V1(0.3));
  expect_kept_by(Flow(gauss(2), plain), start, some);
  expect_kept_by(Flow(verlet(), separable), start, many);
  expect_kept_by(Flow(yoshida(4, verlet()), separable), start, many);
  expect_kept_by(DiscreteFlow([](const auto& a, const auto& b, double step) {
                   const auto v = (b[0] - a[0]) / step;
                   return step * (0.5 * v * v - 0.25 * (a[0] * a[0] + b[0] * b[0]));
                 }),
                 start, some);
  expect_kept_by(type_two_flow([](const auto& q, const auto& p, double step) {
                   return p.dot(q) + step * 0.5 * (p.dot(p) + q.dot(q));
                 }),
                 start, some);
}

}  // namespace
}  // namespace varia::long_times_test
