// SPDX-License-Identifier: BSD-3-Clause
// The C++ of docs/how-to/add-a-flow.md and differentiate-a-step.md: compiled, run and checked.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "../../src/flow/flow_of.hpp"
#include "refusal.hpp"
#include "varia/expr/parse.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/flow/statement_of.hpp"
#include "varia/varia.hpp"
#include "varia/verify/differences.hpp"
#include "varia/verify/tangent_flow.hpp"

namespace varia::flows_test {
namespace {

// Half a drift, a kick, half a drift.
class DriftKickDrift {
 public:
  struct Memory : FlowMemory {
    void exchange(SavedNumbers& numbers) override { numbers(statistics); }
  };

  explicit DriftKickDrift(std::shared_ptr<const KernelSystem> system) : system_(std::move(system)) {
    if (system_->mass_diagonal.empty() || system_->forced || system_->d > 0)
      throw InvalidArgument("drift_kick_drift is for L = 1/2 sum m v^2 - V(t, q) on R^n");
  }

  Memory memory(const VectorState& s) const {
    detail::require_state(*system_, s);
    return {};
  }

  VectorState steps(VectorState s, double h, long count, Memory& memory) const {
    const Vn mass = Eigen::Map<const Vn>(system_->mass_diagonal.data(), system_->n);
    std::vector<double> point(1 + 2 * mass.size());  // t, q, v: what a kernel takes
    Vn push(mass.size());
    const auto drift = [&] {
      s.q += 0.5 * h * s.p.cwiseQuotient(mass);
      s.t += 0.5 * h;
    };
    for (long k = 0; k < count; ++k) {
      drift();
      point[0] = s.t;
      std::copy(s.q.begin(), s.q.end(), point.begin() + 1);
      system_->potential_gradient(point.data(), push.data());
      s.p -= h * push;
      drift();
    }
    memory.statistics.steps += count;
    return s;
  }

  bool is_explicit() const { return true; }
  FlowLaws laws() const {
    FlowLaws laws;  // order and symplecticity
    laws.reversible = true;
    return laws;
  }
  KernelList kernels() const { return {{system_->potential_gradient, 1.0}}; }

 private:
  std::shared_ptr<const KernelSystem> system_;
};

std::shared_ptr<const KernelSystem> pendulum_kernels() {
  return statement_of<1>([](const auto& q, const auto& v) { return 0.5 * v.dot(v) + cos(q[0]); })
      .lagrangian;
}

TEST(AddAFlow, OneClass) {
  const auto system = pendulum_kernels();
  const VectorState start = initial(*system, Vn::Constant(1, 1.0), Vn::Constant(1, 0.4));
  const AnyFlow flow = detail::any_flow(verlet(), DriftKickDrift(system), system);
  AnyFlow::Memory memory = flow.memory(start);
  VectorState state = start;
  flow.move(state, 0.1, 50, memory);
  EXPECT_EQ(memory.statistics().steps, 50);
  EXPECT_TRUE(flow.cost().is_explicit);
  flow.move(state, -0.1, 50, memory);
  EXPECT_NEAR(state.q[0], start.q[0], 1e-14);  // as laws() says
  // order 2, against a method of order 8
  const auto error = [&](double h, long count) {
    VectorState s = start;
    VectorState exact = start;
    auto m = flow.memory(s);
    flow.move(s, h, count, m);
    const StageFlow fine(gauss(4), system);
    auto k = fine.memory(exact);
    fine.move(exact, h, count, k);
    return std::abs(s.q[0] - exact.q[0]);
  };
  EXPECT_NEAR(std::log2(error(0.02, 100) / error(0.01, 200)), 2.0, 0.05);
  // what a class does not offer has a default
  EXPECT_FALSE(flow.differentiable());
  expect_words(refusal<InvalidArgument>([&] { flow.differentiate(state, 0.1, memory); }),
               {"no derivative"});
  Vn v(1);
  flow.velocity(start, v.data(), memory);
  EXPECT_NEAR(flow.energy(start, v.data()), 0.08 - std::cos(1.0), 1e-15);
}

TEST(DifferentiateAStep, ForwardAndTransposed) {
  const System pendulum{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) + cos(q[0]); }};
  const Vector<double, 1> q(1.0), v(0.4);
  const StageFlow flow = Flow(gauss(2), pendulum).stage_flow(q);
  VectorState state = initial(flow.system(), Vn(q), Vn(v));
  StageFlow::Memory memory = flow.memory(state);
  const StepDerivative& derivative = flow.differentiate(state, 0.1, memory);

  PhaseVector z = PhaseVector::zero(1);
  z.delta[0] = 1.0;       // the start moves along q
  derivative.forward(z);  // z.delta and z.nu: how q and p at the end move

  PhaseVector w = PhaseVector::zero(1);
  w.nu[0] = 1.0;             // the gradient of p at the end
  derivative.transposed(w);  // its gradient in the start: w.delta in q, w.nu in p, w.h in the step

  EXPECT_EQ(z.nu[0], w.delta[0]);
  EXPECT_NEAR(derivative.matrix(1).determinant(), 1.0, 1e-15);
  const auto end = [&](double e) {
    const VectorState near = initial(flow.system(), Vn::Constant(1, 1.0 + e), Vn(v));
    const VectorState s = flow(near, 0.1);
    return Eigen::VectorXd(Eigen::Vector2d(s.q[0], s.p[0]));
  };
  const Eigen::VectorXd expected = derivative_at_zero(end, 0.1);
  EXPECT_NEAR(z.delta[0], expected[0], 1e-10);
  EXPECT_NEAR(z.nu[0], expected[1], 1e-10);
}

TEST(DifferentiateAStep, FreeParametersAndManySteps) {
  expr::Graph graph;
  expr::Scope names;
  names.add("x", graph.variable(1));
  names.add("x_dot", graph.variable(2));
  names.add("u", graph.parameter(0.3));  // an input, not a number
  KernelFormulas formulas;
  formulas.space = ProductSpace({euclidean(1)});
  formulas.lagrangian = expr::parse(graph, names, "x_dot^2/2 + cos(x)");
  formulas.force = {expr::parse(graph, names, "u - 0.1*x_dot")};
  Statement statement;
  statement.lagrangian = make_kernel_system(graph, formulas);
  const AnyFlow flow = make_flow(lobatto(3), statement);

  const VectorState start = initial(flow.system(), Vn::Constant(1, 1.0), Vn::Constant(1, 0.4));
  VectorState state = start;
  AnyFlow::Memory memory = flow.memory(start);
  PhaseVector z = PhaseVector::zero(1, 1);
  z.free[0] = 1.0;  // u changes, the start does not
  std::vector<VectorState> starts;
  for (int k = 0; k < 50; ++k) {
    starts.push_back(state);
    flow.differentiate(state, 0.1, memory).forward(z);
  }

  PhaseVector w = PhaseVector::zero(1, 1);
  w.delta[0] = 1.0;  // the gradient of x at the end
  for (auto s = starts.rbegin(); s != starts.rend(); ++s)
    flow.differentiate(*s, 0.1, memory).transposed(w);

  EXPECT_NEAR(z.delta[0], w.free[0], 1e-12);
  EXPECT_GT(std::abs(z.delta[0]), 0.1);
}

TEST(DifferentiateAStep, TangentFlow) {
  const Statement statement = statement_of<2>([](const auto& q, const auto& v) {
    return v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * cos(q[0] - q[1]) + 2.0 * cos(q[0]) +
           cos(q[1]);
  });
  const AnyFlow flow = make_flow(gauss(2), statement);
  const VectorState start = initial(flow.system(), Vn(Eigen::Vector2d(2.0, 1.0)), Vn::Zero(2));

  VectorState state = start;
  AnyFlow::Memory memory = flow.memory(state);
  PhaseVector z = PhaseVector::zero(2);
  z.delta[0] = 1.0;
  TangentFlow tangent(flow, state, {z});
  Lyapunov lyapunov(flow, state);
  for (int k = 0; k < 10'000; ++k) {
    tangent.step(state, 0.05);
    lyapunov.step(state, 0.05);
    flow.move(state, 0.05, 1, memory);
  }
  const LyapunovEstimate found = lyapunov.estimate();  // exponent, error, megno

  EXPECT_NEAR(found.exponent, 0.335, 0.1);
  EXPECT_GT(found.megno, 20.0);
  const PhaseVector& grown = tangent.vectors().front();
  EXPECT_NEAR(std::log(std::hypot(grown.delta.norm(), grown.nu.norm())) / 500.0, 0.335, 0.1);
}

}  // namespace
}  // namespace varia::flows_test
