// SPDX-License-Identifier: BSD-3-Clause
// A flow that is const is for all threads: eight of them at once get the bits of one.
#include <gtest/gtest.h>

#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "problems.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/mechanics/time_transform.hpp"
#include "varia/varia.hpp"

namespace varia::threads_test {
namespace {

using namespace problems;

/// Runs work(0), …, work(7) one after the other, then all at once.
template <class Work> void expect_same_bits(const Work& work) {
  constexpr int count = 8;
  std::vector<Eigen::VectorXd> alone(count);
  std::vector<Eigen::VectorXd> together(count);
  for (int i = 0; i < count; ++i) alone[static_cast<std::size_t>(i)] = work(i);
  std::latch ready(count);
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      ready.arrive_and_wait();
      together[static_cast<std::size_t>(i)] = work(i);
    });
  for (auto& t : threads) t.join();
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(alone[i], together[i]);
  EXPECT_NE(alone.front(), alone.back());
}

Eigen::VectorXd both(const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
  Eigen::VectorXd x(q.size() + p.size());
  x << q, p;
  return x;
}

const char* const pendulum =
    "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b) + 2*9.81*cos(a) + 9.81*cos(b)";

VectorState swing(const SystemPtr& system, int i) {
  return initial(*system, Eigen::VectorXd(Eigen::Vector2d(0.3 + 0.1 * i, -0.2)),
                 Eigen::VectorXd(Eigen::Vector2d(0.1, 0.2 * i)));
}

TEST(Threads, FlowsOfFormulas) {
  const SystemPtr system = system_of({{"a", "b"}, pendulum});
  for (const Method& method : {gauss(3), lobatto(3), triple_jump(midpoint())}) {
    const StageFlow flow(method, system);
    expect_same_bits([&](int i) {
      const VectorState s = advance(flow, swing(system, i), 0.01, 200);
      return both(s.q, s.p);
    });
  }
  const BaselineFlow rk4(parse_method("rk4"), system);
  expect_same_bits([&](int i) {
    const VectorState s = advance(rk4, swing(system, i), 0.01, 200);
    return both(s.q, s.p);
  });
}

/// Every curved space, a force, a constraint, and the derivative of each step.
TEST(ThreadsSlow, FlowsOnProductsWithTheirDerivatives) {
  const auto system = system_of(
      {{{"g", "SE3"}, {"h", "SE2"}, {"n", "S2"}, {"x", "R"}},
       "(g_w1^2 + 1.4*g_w2^2 + 0.6*g_w3^2 + g_v1^2 + 2*g_v2^2 + 1.5*g_v3^2)/2 - g_x*g_z + "
       "(h_v1^2 + 2*h_v2^2 + 0.7*h_w^2)/2 - h_x^2/2 - h_y*cos(h_theta) + "
       "(n1_dot^2 + n2_dot^2 + n3_dot^2 + x_dot^2)/2 - n3*(1 + g33)",
       {"-0.1*g_w1", "0", "0", "0", "0", "0", "0", "0", "-0.1*h_w", "0", "0", "0", "-0.1*x_dot"},
       {"x - 0.3*h_x - 0.2*n1"}});
  for (const Method& method : {lobatto(3), midpoint()}) {
    const StageFlow flow(method, system);
    expect_same_bits([&](int i) {
      Eigen::VectorXd xi = Eigen::VectorXd::Constant(13, 0.2);
      xi[11] = 0.0;  // the frame of n
      Eigen::VectorXd v = Eigen::VectorXd::Constant(13, 0.1 + 0.1 * i);
      v[11] = 0.0;
      VectorState s = start_of(system, xi, v);
      auto memory = flow.memory(s);
      Eigen::MatrixXd product = Eigen::MatrixXd::Identity(26, 26);
      for (int k = 0; k < 10; ++k)
        product = flow.differentiate(s, 0.01, memory).matrix(13) * product;
      return both(both(s.q, s.p), product.reshaped());
    });
  }
}

/// Steps of a flow of any kind, and the product of their derivatives.
template <class Start>
void expect_same_bits(const AnyFlow& flow, const Start& start, long steps = 30) {
  constexpr double h = 0.02;
  SCOPED_TRACE(flow.method().name());
  ASSERT_TRUE(flow.differentiable());
  expect_same_bits([&](int i) {
    VectorState s = start(i);
    const auto n = static_cast<int>(s.p.size());
    auto memory = flow.memory(s);
    flow.move(s, h, steps, memory);
    Eigen::MatrixXd product = Eigen::MatrixXd::Identity(2 * n, 2 * n);
    for (int k = 0; k < 5; ++k) product = flow.differentiate(s, h, memory).matrix(n) * product;
    Vn v(n);
    flow.velocity(s, v.data(), memory);
    return both(both(s.q, s.p), both(product.reshaped(), v));
  });
}

TEST(Threads, FlowsOfEveryKind) {
  const Shooting pendulums(texts::double_pendulum());
  const auto swinging = [&](int i) { return swing(pendulums.system, i); };
  const Statement statement{.lagrangian = pendulums.system, .acceleration = pendulums.acceleration};
  for (const Method& method : {shooting(4, parse_quadrature("lobatto:3")),
                               taylor(5, parse_quadrature("gauss:3")), gauss(2), rk4()})
    expect_same_bits(make_flow(method, statement), swinging);
  const Statement by_hamiltonian{.lagrangian = pendulums.system,
                                 .hamiltonian = hamiltonians::double_pendulum().system};
  for (const Method& method : {gauss(2), lobatto(3), verlet()})
    expect_same_bits(make_flow(method, by_hamiltonian), swinging);

  const SystemPtr coupled = system_of(texts::coupled());
  const auto of_coupled = [&](int i) { return swing(coupled, i); };
  for (const Method& method : {newmark(), newmark(0.25, 0.5)})
    expect_same_bits(make_flow(method, {.lagrangian = coupled}), of_coupled);

  const SystemPtr centre = system_of(texts::driven_guiding_centre());
  for (const auto projection : {OneFormProjection::each_step, OneFormProjection::symmetric}) {
    FlowKinds kinds;
    kinds.projection = projection;
    const OneFormFlow plain(gauss(2), centre, projection);
    expect_same_bits(make_flow(gauss(2), {.lagrangian = centre}, {}, kinds), [&](int i) {
      return plain.start(vector({1.0, 0.3 + 0.1 * i}), 0.4);
    });
  }

  const Statement own{.lagrangian = system_of(texts::ring()),
                      .discrete = discrete_lagrangian_of(discrete::ring_midpoint(), 2)};
  expect_same_bits(make_flow(own_lagrangian(2), own),
                   [&](int i) { return swing(own.lagrangian, i); });
}

TEST(Threads, FlowsOfVariableSteps) {
  const SystemPtr kepler = system_of(texts::kepler());
  const auto orbit = [&](int i) {
    return initial(*kepler, vector({0.8 + 0.02 * i, 0.1}), vector({0.1, 1.0}));
  };
  FlowKinds kinds;
  VariableSteps& variable = kinds.variable.emplace();
  for (const Method& method : {verlet(), gauss(2)})  // by the local period
    expect_same_bits(make_flow(method, {.lagrangian = kepler}, {}, kinds), orbit);
  variable.pace = step_function({"x", "y"}, "(x^2 + y^2)/(1 + y^2)");
  for (const Method& method : {verlet(), gauss(2)})
    expect_same_bits(make_flow(method, {.lagrangian = kepler}, {}, kinds), orbit);
  variable.keep_energy = true;
  for (const Method& method : {midpoint(), verlet()})
    expect_same_bits(make_flow(method, {.lagrangian = kepler}, {}, kinds), orbit, 10);
}

/// A ball joint on SE(3), at rest and moving, and a product of arrays.
TEST(ThreadsSlow, FlowsWithConstraintsOnCurvedSpaces) {
  for (const Curved& problem : {curved::space(), curved::arrays()})
    for (const Texts& texts : {problem.held(), problem.driven()}) {
      const auto system = system_of(texts);
      for (const Method& method : {lobatto(3), midpoint()})
        expect_same_bits(make_flow(method, {.lagrangian = system}), [&](int i) {
          return start_of(system, problem.xi, Vn((1.0 + 0.1 * i) * problem.v));
        });
    }
}

/// A long chain: its matrices are bands.
TEST(Threads, FlowsOfChains) {
  std::vector<Coordinate> coordinates;
  std::string kinetic;
  std::string potential;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "x" + std::to_string(i);
    coordinates.push_back({name});
    kinetic += (i == 0 ? "" : " + ") + name + "_dot^2*(1 + 0.1*" + name + "^2)/2";
    if (i > 0) potential += " - cosh(" + name + " - x" + std::to_string(i - 1) + ")";
  }
  const auto system = system_of({coordinates, kinetic + potential});
  const StageFlow flow(gauss(2), system);
  ASSERT_TRUE(flow.banded());
  expect_same_bits([&](int i) {
    const Eigen::VectorXd xi = Eigen::VectorXd::LinSpaced(40, 0.0, 1.0 + 0.1 * i);
    const VectorState s = advance(flow, start_of(system, xi, Eigen::VectorXd::Zero(40)), 0.01, 20);
    return both(s.q, s.p);
  });
}

TEST(Threads, FlowsOfCallables) {
  const System top{[](const auto& R, const auto& w) {
    const Vector<double, 3> inertia(1.0, 1.4, 0.6);
    return 0.5 * w.dot(inertia.cwiseProduct(w)) - 1.3 * R(2, 2);
  }};
  const Flow flow(gauss(2), top);
  expect_same_bits([&](int i) {
    const auto start = initial(top, SO3<double>(), Vector<double, 3>(0.4, 0.1 * i, 2.0));
    const auto s = advance(flow, start, 0.01, 200);
    return both(s.q.matrix.reshaped(), s.p);
  });
}

}  // namespace
}  // namespace varia::threads_test
