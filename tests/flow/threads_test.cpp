// SPDX-License-Identifier: BSD-3-Clause
// A flow that is const is for all threads: eight of them at once get the bits of one.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "problems.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/flow/stage_flow.hpp"
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
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] { together[static_cast<std::size_t>(i)] = work(i); });
  for (auto& t : threads) t.join();
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(alone[i], together[i]);
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
TEST(Threads, FlowsOnProductsWithTheirDerivatives) {
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
