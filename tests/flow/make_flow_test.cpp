// SPDX-License-Identifier: BSD-3-Clause
// One switch for all kinds of flows: each is the flow of its class to the bit, and what does not fit is
// refused.
#include "varia/flow/make_flow.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/flow/hamiltonian_flow.hpp"
#include "varia/flow/newmark_flow.hpp"
#include "varia/mechanics/kernels.hpp"
#include "varia/mechanics/system.hpp"

namespace varia::make_flow_test {
namespace {

using namespace problems;

const Texts oscillator{{"x"}, "x_dot^2/2 - x^4/4"};

template <class F> void expect_same(const AnyFlow& any, const F& flow, const VectorState& start) {
  VectorState a = start;
  auto of_any = any.memory(start);
  auto of_flow = flow.memory(start);
  any.move(a, 0.1, 7, of_any);
  const VectorState b = flow.steps(start, 0.1, 7, of_flow);
  EXPECT_EQ(a.q, b.q) << any.method().name();
  EXPECT_EQ(a.p, b.p) << any.method().name();
  EXPECT_EQ(of_any.save(), of_flow.save());
  EXPECT_EQ(of_any.statistics().steps, 7);
}

TEST(MakeFlow, IsTheFlowOfTheKind) {
  const auto system = system_of(oscillator);
  const VectorState start = initial(*system, vector({1.0}), vector({0.3}));
  const Statement statement{.lagrangian = system};
  expect_same(make_flow(gauss(2), statement), StageFlow(gauss(2), system), start);
  expect_same(make_flow(newmark(), statement), NewmarkFlow(newmark(), system), start);
  expect_same(make_flow(rk4(), statement), BaselineFlow(rk4(), system), start);
  const auto h = hamiltonian_of("sqrt(1 + p[1]^2) + q[1]^4/4", 1);
  expect_same(make_flow(gauss(2), {.lagrangian = system, .hamiltonian = h}),
              HamiltonianFlow(gauss(2), h), start);
}

/// Every kind has a derivative; a baseline has no stages.
TEST(MakeFlow, SaysWhatItCanDo) {
  const auto system = system_of(oscillator);
  const AnyFlow baseline = make_flow(rk4(), {.lagrangian = system});
  EXPECT_EQ(baseline.stages(), nullptr);
  EXPECT_TRUE(baseline.differentiable());
  EXPECT_TRUE(make_flow(newmark(), {.lagrangian = system}).differentiable());
  EXPECT_TRUE(baseline.with_method(gauss(2)).differentiable());
}

/// The mass of a baseline is differentiated by formulas, which a system stated in C++ has none of.
TEST(MakeFlow, SaysWhereThereIsNoDerivative) {
  const System bent{[](const auto& q, const auto& v) { return (1.0 + q.dot(q)) * v.dot(v) / 2.0; }};
  const std::shared_ptr<const KernelSystem> system = kernels_of(bent, vector({1.0}));
  VectorState s = initial(*system, vector({1.0}), vector({0.3}));
  const AnyFlow flow = make_flow(rk4(), {.lagrangian = system});
  EXPECT_FALSE(flow.differentiable());
  auto memory = flow.memory(s);
  expect_words(refusal([&] { flow.differentiate(s, 0.1, memory); }), {"formulas", "C++"});
  EXPECT_TRUE(flow.with_method(gauss(2)).differentiable());
  FlowKinds variable;
  variable.variable.emplace().keep_energy = true;
  EXPECT_FALSE(make_flow(gauss(2), {.lagrangian = system}, {}, variable).differentiable());
  const System straight{Separable{1.0, [](const auto& q) { return q.dot(q); }}};
  const std::shared_ptr<const KernelSystem> constant = kernels_of(straight, vector({1.0}));
  EXPECT_TRUE(make_flow(rk4(), {.lagrangian = constant}).differentiable());
}

TEST(MakeFlow, RefusesWhatDoesNotFit) {
  const auto system = system_of(oscillator);
  const Statement statement{.lagrangian = system};
  expect_words(refusal([&] { make_flow(shooting(4, parse_quadrature("lobatto:3")), statement); }),
               {"accelerations"});
  expect_words(refusal([&] { make_flow(own_lagrangian(2), statement); }), {"needs a formula"});
  expect_words(refusal([&] { make_flow(avi(), statement); }), {"avi"});
  const auto h = hamiltonian_of("sqrt(1 + p[1]^2) + q[1]^4/4", 1);
  FlowKinds variable;
  variable.variable.emplace();
  expect_words(
      refusal([&] { make_flow(gauss(2), {.lagrangian = system, .hamiltonian = h}, {}, variable); }),
      {"variable length"});
}

double calls(const AnyFlow& flow, const expr::Kernel& kernel, double KernelCalls::*when) {
  double sum = 0.0;
  for (const KernelCalls& c : flow.kernels())
    if (&c.kernel.tape() == &kernel.tape()) sum += c.*when;
  return sum;
}

/// What a flow calls in a step, and for the energy of a state.
/// Iteration is asked for and not used: that is told, not passed over.
TEST(MakeFlow, RefusesIterationWhereStepsAreSolvedOtherwise) {
  const FlowOptions iteration{.solver = Solver::fixed_point};
  const auto system = system_of(oscillator);
  const Statement statement{.lagrangian = system};
  const auto refused = [&](const Method& method, const Statement& stated, FlowKinds kinds = {}) {
    return refusal([&] { make_flow(method, stated, iteration, kinds); });
  };
  expect_words(refused(newmark(0.25), statement), {"fixed_point", "equations of its own", "auto"});
  expect_words(refused(own_lagrangian(2), statement), {"fixed_point", "equations of its own"});
  FlowKinds variable;
  variable.variable.emplace().keep_energy = true;
  expect_words(refused(gauss(2), statement, variable), {"fixed_point", "variable length"});
  const auto vortex = system_of({{"x", "y"}, "x*y_dot - x^2/2 - y^4/4"});
  expect_words(refused(gauss(2), {.lagrangian = vortex}), {"fixed_point", "linear"});
  const auto h = hamiltonian_of("sqrt(1 + p[1]^2) + q[1]^4/4", 1);
  expect_words(refused(gauss(2), {.lagrangian = system, .hamiltonian = h}),
               {"fixed_point", "Hamiltonian"});
  EXPECT_NO_THROW(make_flow(gauss(2), statement, iteration));
  EXPECT_NO_THROW(make_flow(rk4(), statement, iteration));  // nothing is solved
}

TEST(MakeFlow, NamesTheKernelsItCalls) {
  const Shooting f(texts::pendulum());
  const KernelSystem& s = *f.system;
  const auto flow = [&](const Method& method) {
    return make_flow(method, {.lagrangian = f.system, .acceleration = f.acceleration});
  };
  const auto in_step = [&](const Method& method, const expr::Kernel& kernel) {
    return calls(flow(method), kernel, &KernelCalls::in_step);
  };
  EXPECT_EQ(in_step(verlet(), s.potential_gradient), 1.0);
  EXPECT_EQ(in_step(verlet(), s.hessian), 0.0);
  EXPECT_GT(in_step(gauss(3), s.hessian), in_step(gauss(2), s.hessian));
  EXPECT_EQ(in_step(gauss(3), s.potential_gradient), 0.0);
  EXPECT_EQ(in_step(rk4(), s.hessian), 4.0);
  EXPECT_GT(in_step(newmark(), s.potential_gradient), 0.0);
  const Method shoot = shooting(4, parse_quadrature("lobatto:3"));
  EXPECT_GT(in_step(shoot, f.acceleration->slope), 0.0);
  EXPECT_EQ(in_step(shoot, s.hessian), 0.0);
  for (const Method& method : {verlet(), gauss(2), rk4(), shoot})
    EXPECT_EQ(calls(flow(method), s.value, &KernelCalls::at_record), 1.0) << method.name();
  const auto h = hamiltonian_of("sqrt(1 + p[1]^2) + q[1]^4/4", 1);
  const AnyFlow phase = make_flow(gauss(2), {.lagrangian = f.system, .hamiltonian = h});
  EXPECT_EQ(calls(phase, h->value, &KernelCalls::at_record), 1.0);
  EXPECT_GT(calls(phase, h->hessian, &KernelCalls::in_step), 0.0);
  EXPECT_EQ(calls(phase, s.value, &KernelCalls::at_record), 0.0);
}

TEST(MakeFlow, KnowsTheEnergy) {
  const auto system = system_of(oscillator);
  const VectorState s = initial(*system, vector({2.0}), vector({3.0}));
  const double v = 3.0;
  EXPECT_EQ(make_flow(gauss(2), {.lagrangian = system}).energy(s, &v), 4.5 + 4.0);
  const auto h = hamiltonian_of("2*p[1] + q[1]^4/4", 1);
  EXPECT_EQ(make_flow(gauss(2), {.lagrangian = system, .hamiltonian = h}).energy(s, &v), 6.0 + 4.0);
}

/// What is handed out outlives the flow.
TEST(MakeFlow, TheDiscreteLagrangianIsItsOwn) {
  const Shooting f(texts::pendulum());
  const auto ld = make_flow(shooting(4, parse_quadrature("lobatto:3")),
                            {.lagrangian = f.system, .acceleration = f.acceleration})
                      .discrete_lagrangian();
  const auto flow = f.shooting(4, "lobatto:3");
  EXPECT_EQ(ld(0.0, vector({0.3}), vector({0.4}), 0.2),
            flow.discrete_lagrangian(0.0, vector({0.3}), vector({0.4}), 0.2).value);
}

}  // namespace
}  // namespace varia::make_flow_test
