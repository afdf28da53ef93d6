// SPDX-License-Identifier: BSD-3-Clause
// Baselines: their order, their step control, what they lose, and what they refuse.
#include "varia/flow/baseline.hpp"

#include <gtest/gtest.h>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/flow/start.hpp"
#include "varia/io/stepper.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia::baseline_test {
namespace {

using V2 = Vector<double, 2>;
using V1 = Vector<double, 1>;
constexpr double pi = 3.14159265358979323846;

io::Model kepler() { return io::models::model_of(io::models::kepler()); }

VectorState kepler_start(const io::Model& model) {
  return initial(*model.system, Vn(V2(0.4, 0.0)), Vn(V2(0.0, 2.0)));
}

VectorState run(const BaselineFlow& flow, VectorState s, double h, long steps) {
  auto memory = flow.memory(s);
  return flow.steps(std::move(s), h, steps, memory);
}

/// Slope of the global error of the Caldirola-Kanai oscillator, whose solution is known.
double measured_order(const Method& method, long steps) {
  const io::Model model = io::models::model_of(io::models::caldirola_kanai());
  const BaselineFlow flow(method, model.system);
  const double w = std::sqrt(1.44 - 0.01);
  const double span = 2.0;
  // x = exp(-0.1 s)(cos ws + c sin ws), s = t - 0.5, x'(0) = 0.3 = -0.1 + c w
  const double c = 0.4 / w;
  const double exact = std::exp(-0.1 * span) * (std::cos(w * span) + c * std::sin(w * span));
  const VectorState start = initial(*model.system, Vn(V1(1.0)), Vn(V1(0.3)), 0.5);
  const auto error = [&](long n) {
    return std::abs(run(flow, start, span / static_cast<double>(n), n).q[0] - exact);
  };
  return std::log2(error(steps) / error(2 * steps));
}

TEST(Baseline, FixedStepsHaveTheirOrder) {
  EXPECT_NEAR(measured_order(explicit_euler(), 2000), 1.0, 0.05);
  EXPECT_NEAR(measured_order(rk4(), 50), 4.0, 0.1);
}

/// Mass matrix, magnetic terms, forces, time: the acceleration is that of the equations of motion.
TEST(Baseline, ConvergesToTheVariationalFlow) {
  for (const std::string& text :
       {io::models::double_pendulum(), io::models::van_der_pol(), io::models::magnetic(),
        io::models::caldirola_kanai(), io::models::full_mass()}) {
    io::Model model = io::models::model_of(text);
    const auto end = [&](const Method& method) {
      model.method = method;
      const auto stepper = io::make_stepper(model);
      stepper->advance(0.01, 100);
      io::Snapshot s;
      stepper->snapshot(s);
      s.q.insert(s.q.end(), s.p.begin(), s.p.end());
      return s.q;
    };
    const auto exact = end(gauss(4));
    const auto fourth = end(rk4());
    const auto adaptive = end(dopri5(1e-13));
    const auto first = end(explicit_euler());
    double euler_error = 0.0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      EXPECT_NEAR(fourth[i], exact[i], 1e-7) << text;
      EXPECT_NEAR(adaptive[i], exact[i], 1e-11) << text;
      euler_error = std::max(euler_error, std::abs(first[i] - exact[i]));
    }
    EXPECT_GT(euler_error, 1e-4);
  }
}

TEST(Baseline, AdaptiveStepsFollowTheTolerance) {
  const io::Model model = kepler();
  const VectorState start = kepler_start(model);
  std::vector<long> evaluations;
  double last_error = 1.0;
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
    const BaselineFlow flow(dopri5(tolerance), model.system);
    auto memory = flow.memory(start);
    const VectorState end = flow.steps(start, 2 * pi / 10, 10, memory);  // one period
    const double error = (end.q - start.q).norm() + (end.p - start.p).norm();
    EXPECT_LT(error, 1000 * tolerance);
    EXPECT_LT(error, 0.2 * last_error);
    last_error = error;
    evaluations.push_back(memory.statistics.iterations);
    EXPECT_EQ(memory.statistics.steps, 10);
  }
  EXPECT_GT(evaluations[0], 10 * 7);  // more than one inner step each
  for (std::size_t i = 1; i < evaluations.size(); ++i)
    EXPECT_GT(static_cast<double>(evaluations[i]), 1.5 * static_cast<double>(evaluations[i - 1]));
  // at the pericentre the step is small, at the apocentre large
  const BaselineFlow flow(dopri5(1e-9), model.system);
  auto memory = flow.memory(start);
  VectorState s = flow.step(start, 0.5, memory);
  const long near = memory.statistics.iterations;
  s = flow.steps(s, 0.5, 5, memory);
  const long before = memory.statistics.iterations;
  flow.step(s, 0.5, memory);
  EXPECT_GT(near, 2 * (memory.statistics.iterations - before));
}

TEST(Baseline, StepsBackwards) {
  const io::Model model = kepler();
  const VectorState start = kepler_start(model);
  for (const Method& method : {rk4(), dopri5(1e-11)}) {
    const BaselineFlow flow(method, model.system);
    const VectorState there = run(flow, start, 0.01, 100);
    const VectorState back = run(flow, there, -0.01, 100);
    EXPECT_LT((back.q - start.q).norm() + (back.p - start.p).norm(), 1e-5) << method.name();
    EXPECT_NEAR(back.t, 0.0, 1e-14);
  }
}

/// RK4 loses energy on Kepler at every orbit; Verlet does not.
TEST(Baseline, RungeKuttaDissipates) {
  const io::Model model = kepler();
  const VectorState start = kepler_start(model);
  const TypedView view(model.system);
  const double h = 2 * pi / 200;
  const BaselineFlow flow(rk4(), model.system);
  double last = energy(view, start);
  VectorState s = start;
  auto memory = flow.memory(s);
  for (int orbit = 0; orbit < 5; ++orbit) {
    s = flow.steps(s, h, 200, memory);
    EXPECT_LT(energy(view, s), last) << orbit;
    last = energy(view, s);
  }
  EXPECT_LT(last - energy(view, start), -1e-5);
  const StageFlow verlet_flow(verlet(), model.system);
  auto verlet_memory = verlet_flow.memory(start);
  const VectorState end = verlet_flow.steps(start, h, 1000, verlet_memory);
  EXPECT_GT(energy(view, end) - energy(view, start), -1e-2);
}

TEST(Baseline, RefusesWhatIsNotForIt) {
  const io::Model sphere = io::models::model_of(io::models::spherical_pendulum());
  expect_words(refusal([&] { BaselineFlow(rk4(), sphere.system); }), {"rk4", "constraints"});
  expect_words(refusal([&] { BaselineFlow(verlet(), kepler().system); }),
               {"verlet", "variational"});
  const io::Model top = io::models::model_of(io::models::top("{ A = 1, B = 1, C = 1 }"));
  expect_words(refusal([&] { BaselineFlow(dopri5(), top.system); }), {"Lie group"});
  io::Model scenario = top;
  scenario.method = rk4();
  expect_words(refusal<io::ScenarioError>([&] { io::make_stepper(scenario); }),
               {"run.method", "rk4"});
  scenario = sphere;
  scenario.method = rk4();
  expect_words(refusal<io::ScenarioError>([&] { io::make_stepper(scenario); }),
               {"run.method", "constraints"});
  for (const Method& method : {rk4(), dopri5(), explicit_euler()}) {
    expect_words(refusal([&] { adjoint(method); }), {"not variational"});
    expect_words(refusal([&] { triple_jump(method); }), {method.name().c_str()});
    expect_words(refusal([&] { compose({{method, 0.5}, {verlet(), 0.5}}); }), {"not variational"});
  }
  for (const double tolerance : {0.0, -1.0, 1.0, std::nan("")})
    expect_words(refusal([&] { dopri5(tolerance); }), {"tolerance"});
}

/// Ten million turns in a step: who waits for it should know why. With shorter steps it is done.
TEST(Baseline, StiffForcesEndAnAdaptiveStep) {
  const io::Model model = io::models::model_of(io::models::single("x_dot^2/2 - 1e14*x^2/2"));
  const VectorState start = initial(*model.system, Vn(V1(1.0)), Vn(V1(0.0)));
  const BaselineFlow flow(dopri5(), model.system);
  expect_words(refusal<NoConvergence>([&] { run(flow, start, 10.0, 1); }),
               {"dopri5", "t = 0 with h = 10", "inner steps", "stiff", "implicit"});
  EXPECT_NEAR(run(flow, start, 1e-7, 10).q[0], std::cos(10.0), 1e-6);
}

TEST(Baseline, FailsLoudly) {
  const io::Model model = io::models::model_of(io::models::single("x_dot^2/2 + x^8"));
  const VectorState start = initial(*model.system, Vn(V1(0.8)), Vn(V1(0.3)));
  for (const Method& method : {rk4(), dopri5(), explicit_euler()})
    refusal<NoConvergence>([&] { run(BaselineFlow(method, model.system), start, 1.0, 100); });
  const BaselineFlow flow(rk4(), model.system);
  auto memory = flow.memory(start);
  refusal([&] { flow.step(start, 0.0, memory); });
  VectorState wrong = start;
  wrong.p = Vn::Zero(2);
  refusal([&] { flow.memory(wrong); });
}

}  // namespace
}  // namespace varia::baseline_test
