// SPDX-License-Identifier: BSD-3-Clause
// The Hamiltonian side against the Lagrangian side: on regular systems one map, for every method.
#include "varia/flow/hamiltonian_flow.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/flow.hpp"
#include "varia/flow/integrate.hpp"

namespace varia::hamiltonian_flow_test {
namespace {

using namespace problems;
using V1 = Vector<double, 1>;
using V2 = Vector<double, 2>;

template <class A, class B> double distance(const A& a, const B& b) {
  const double dq = (Vn(a.q) - Vn(b.q)).cwiseAbs().maxCoeff();
  const double dp = (Vn(a.p) - Vn(b.p)).cwiseAbs().maxCoeff();
  return std::max({dq / (1.0 + Vn(b.q).norm()), dp / (1.0 + Vn(b.p).norm()), std::abs(a.t - b.t)});
}

/// Both ways of computing, forwards and backwards.
template <class S, class V>
void expect_same_flow(const std::string& hamiltonian, const S& lagrangian, const V& q, const V& v,
                      double h, double t = 0.0) {
  const auto start = initial(lagrangian, q, v, t);
  const auto system = hamiltonian_of(hamiltonian, static_cast<int>(q.size()));
  const VectorState by_vectors = state_of(Vn(start.q), Vn(start.p), t);
  for (const Method& method : hamiltonian_methods()) {
    const HamiltonianFlow flow(method, system);
    const Flow other(method, lagrangian);
    EXPECT_LT(distance(advance(flow, by_vectors, h, 20), advance(other, start, h, 20)), 1e-12)
        << method.name();
    EXPECT_LT(distance(advance(flow, by_vectors, -h, 20), advance(other, start, -h, 20)), 1e-12)
        << method.name() << ", backwards";
  }
}

TEST(HamiltonianFlow, DoublePendulumIsThatOfTheLagrangian) {
  expect_same_flow(
      "(p[1]^2/2 + p[2]^2 - p[1]*p[2]*cos(q[1] - q[2]))/(2 - cos(q[1] - q[2])^2)"
      " - 2*cos(q[1]) - cos(q[2])",
      System{double_pendulum_lagrangian}, V2(0.7, -0.3), V2(0.2, 0.3), 0.05);
}

/// Time enters; momenta are affine in velocities, and not linear at all.
TEST(HamiltonianFlow, TimeAndNonquadraticKineticEnergy) {
  // L = e^{t/5}(½v² - ¼q⁴) + q v sin t: p = e^{t/5}v + q sin t
  expect_same_flow("exp(-t/5)*(p[1] - q[1]*sin(t))^2/2 + exp(t/5)*q[1]^4/4",
                   System{[](double t, const auto& q, const auto& v) {
                     return std::exp(t / 5) * (0.5 * v[0] * v[0] - 0.25 * pow(q[0], 4)) +
                            std::sin(t) * (q[0] * v[0]);
                   }},
                   V1(0.8), V1(0.3), 0.05, 0.4);
  // relativistic: L = -√(1 - v²) - V
  expect_same_flow("sqrt(1 + p[1]^2 + p[2]^2) + (q[1]^2 + q[2]^4)/2",
                   System{[](const auto& q, const auto& v) {
                     return -1.0 * sqrt(1.0 - v.dot(v)) - 0.5 * (q[0] * q[0] + pow(q[1], 4));
                   }},
                   V2(0.7, -0.3), V2(0.2, 0.3), 0.05);
}

TEST(HamiltonianFlow, KeplerWithAllMethodsAndBothForms) {
  const System kepler{Separable{1.0, [](const auto& q) { return -1.0 / sqrt(q.dot(q)); }}};
  const auto start = initial(kepler, V2(0.4, 0.0), V2(0.0, 2.0));
  const auto system = hamiltonian_of("(p[1]^2 + p[2]^2)/2 - 1/sqrt(q[1]^2 + q[2]^2)", 2);
  EXPECT_TRUE(system->separable && system->quadratic_kinetic && !system->uses_time);
  FlowOptions implicit;
  implicit.prefer_explicit = false;
  int explicit_count = 0;
  for (const Method& method : hamiltonian_methods(true)) {
    const HamiltonianFlow flow(method, system);
    const VectorState by_vectors = state_of(Vn(start.q), Vn(start.p));
    const VectorState end = advance(flow, by_vectors, 0.02, 50);
    EXPECT_LT(distance(end, advance(Flow(method, kepler), start, 0.02, 50)), 1e-12)
        << method.name();
    EXPECT_EQ(flow.is_explicit(), explicit_legs(method).has_value()) << method.name();
    EXPECT_EQ(flow.unknowns() == 0, flow.is_explicit());
    if (!flow.is_explicit()) continue;
    ++explicit_count;
    const HamiltonianFlow stages(method, system, implicit);
    EXPECT_FALSE(stages.is_explicit());
    EXPECT_LT(distance(end, advance(stages, by_vectors, 0.02, 50)), 1e-12) << method.name();
  }
  EXPECT_GT(explicit_count, 15);
}

/// Kicks and drifts with a kinetic energy that is not quadratic, and a potential that knows t.
TEST(HamiltonianFlow, ExplicitStepsAreThoseOfTheStages) {
  const HamiltonianProblem p = hamiltonians::relativistic();
  EXPECT_TRUE(p.system->separable);
  EXPECT_FALSE(p.system->quadratic_kinetic);
  FlowOptions implicit;
  implicit.prefer_explicit = false;
  for (const Method& method : hamiltonian_methods())
    if (HamiltonianFlow(method, p.system).is_explicit()) {
      EXPECT_LT(distance(advance(HamiltonianFlow(method, p.system), p.start, 0.05, 20),
                         advance(HamiltonianFlow(method, p.system, implicit), p.start, 0.05, 20)),
                1e-12)
          << method.name();
    }
}

/// The run-time engine of Lagrangians, on a system built by hand.
TEST(HamiltonianFlow, IsStageFlowOfTheLagrangian) {
  expr::Graph graph;
  expr::Scope scope;
  scope.add_array("q", 1, {graph.variable(1), graph.variable(2)});
  scope.add_array("v", 1, {graph.variable(3), graph.variable(4)});
  const expr::Id l = expr::parse(graph, scope,
                                 "v[1]^2 + v[2]^2/2 + v[1]*v[2]*cos(q[1] - q[2]) + 2*cos(q[1]) + "
                                 "cos(q[2])");
  const HamiltonianSystem kernels = hamiltonian_system(graph, l, 2);  // any function of (t, x, y)
  KernelSystem by_vectors(ProductSpace({euclidean(2)}));
  by_vectors.value = kernels.value;
  by_vectors.gradient = kernels.gradient;
  by_vectors.hessian = kernels.hessian;
  by_vectors.second = kernels.second;
  const auto lagrangian = std::make_shared<const KernelSystem>(by_vectors);
  const HamiltonianProblem p = hamiltonians::double_pendulum();
  for (const Method& method : hamiltonian_methods()) {
    EXPECT_LT(distance(advance(HamiltonianFlow(method, p.system), p.start, 0.05, 20),
                       advance(StageFlow(method, lagrangian), p.start, 0.05, 20)),
              1e-13)
        << method.name();
  }
}

// ---------------------------------------------------------------- bits

bool same_bits(const VectorState& a, const VectorState& b) {
  return a.t == b.t && a.t_rest == b.t_rest && a.q == b.q && a.p == b.p && a.q_rest == b.q_rest &&
         a.p_rest == b.p_rest;
}

TEST(HamiltonianFlow, RunsInPiecesGoOnToTheBit) {
  for (const HamiltonianProblem& p : {hamiltonians::double_pendulum(), hamiltonians::vortices(),
                                      hamiltonians::relativistic(), hamiltonians::driven()})
    for (const char* name : {"gauss(2)", "lobatto(3)", "euler_a", "triple_jump(midpoint)",
                             "compose(lobatto(2): 0.3, midpoint: 0.4, lobatto(2): 0.3)"}) {
      const HamiltonianFlow flow(parse_method(name), p.system);
      auto whole = flow.memory(p.start);
      const VectorState end = flow.steps(p.start, p.h, 30, whole);
      auto memory = flow.memory(p.start);
      VectorState s = p.start;
      for (int k = 0; k < 13; ++k) s = flow.step(s, p.h, memory);
      auto loaded = flow.memory(s);
      loaded.load(memory.save());
      EXPECT_EQ(loaded.save(), memory.save());
      s = flow.steps(s, p.h, 17, loaded);
      EXPECT_TRUE(same_bits(s, end)) << name;
      EXPECT_EQ(loaded.statistics.steps, 30);
      EXPECT_EQ(loaded.statistics.iterations, whole.statistics.iterations);
      auto damaged = memory.save();
      damaged.push_back(0.0);
      EXPECT_THROW(loaded.load(damaged), InvalidArgument);
      EXPECT_THROW(loaded.load({}), InvalidArgument);
    }
}

TEST(HamiltonianFlow, WithoutCompensationNothingIsKept) {
  const HamiltonianProblem p = hamiltonians::double_pendulum();
  FlowOptions plain;
  plain.compensated = false;
  const HamiltonianFlow flow(gauss(2), p.system, plain);
  const VectorState end = advance(flow, p.start, p.h, 20);
  EXPECT_EQ(end.q_rest.norm() + end.p_rest.norm() + end.t_rest, 0.0);
  EXPECT_LT(distance(end, advance(HamiltonianFlow(gauss(2), p.system), p.start, p.h, 20)), 1e-13);
}

/// A chain: the matrix is a band, and the width does not grow with the chain.
TEST(HamiltonianFlow, ChainsAreBanded) {
  const auto chain = [](int n) {
    return hamiltonian_of(
        "sum(i, 1, n, p[i]^2/2 + q[i]^2/2) + sum(i, 1, n - 1, (q[i + 1] - q[i])^4/4 + "
        "p[i]*p[i + 1]*q[i]^2/9)",
        n);
  };
  const auto long_chain = chain(60);
  const HamiltonianFlow flow(gauss(2), long_chain);
  EXPECT_TRUE(flow.banded());
  EXPECT_EQ(flow.unknowns(), 60 * 4);
  EXPECT_FALSE(HamiltonianFlow(gauss(2), chain(2)).banded());
  Vn q(60);
  Vn p(60);
  for (int i = 0; i < 60; ++i) {
    q[i] = 0.5 * std::sin(0.7 * i);
    p[i] = 0.4 * std::cos(1.3 * i);
  }
  const VectorState start = state_of(q, p);
  const double before = long_chain->energy(0.0, q.data(), p.data());
  const VectorState end = advance(flow, start, 0.02, 100);
  EXPECT_NEAR(long_chain->energy(0.0, end.q.data(), end.p.data()), before, 1e-6 * before);
  EXPECT_LT(distance(advance(flow, end, -0.02, 100), start), 1e-12);
}

/// Units of momenta and velocities do not matter: masses over ten orders of magnitude.
TEST(HamiltonianFlow, LightAndHeavyBodies) {
  const auto scaled = [](double m) {
    const std::string mass = to_text(m);
    return hamiltonian_of("p[1]^2/(2*" + mass + ") + " + mass + "*q[1]^4/4 + p[2]^2/2 + q[2]^4/4",
                          2);
  };
  for (const double m : {1e-12, 1e-3, 1.0, 1e9}) {
    const VectorState end = advance(HamiltonianFlow(gauss(3), scaled(m)),
                                    state_of(vector({0.7, 0.7}), vector({0.3 * m, 0.3})), 0.1, 100);
    EXPECT_NEAR(end.q[0], end.q[1], 1e-14) << m;
    EXPECT_NEAR(end.p[0] / m, end.p[1], 1e-14) << m;
  }
}

/// Newton's method with the true Jacobian: few iterations on every kind of system.
TEST(HamiltonianFlow, FewIterations) {
  const auto expect_few = [](const HamiltonianProblem& p, const char* name) {
    const HamiltonianFlow flow(parse_method(name), p.system);
    auto memory = flow.memory(p.start);
    flow.steps(p.start, p.h, 20, memory);
    EXPECT_LE(memory.statistics.max_iterations, 6) << name;
    EXPECT_LE(memory.statistics.iterations, 75) << name;
  };
  for (const HamiltonianProblem& p : {hamiltonians::vortices(), hamiltonians::linear_in_p(),
                                      hamiltonians::driven(), hamiltonians::double_pendulum()})
    for (const char* name : {"gauss(2)", "lobatto(3)", "gauss(3)"}) expect_few(p, name);
  for (const HamiltonianProblem& p : {hamiltonians::driven(), hamiltonians::double_pendulum()})
    for (const char* name : {"galerkin(2, lobatto:3)", "trapezoid(0.3)"}) expect_few(p, name);
}

/// Round-off does not add up: time to the last bit, energy to a few.
TEST(HamiltonianFlow, RoundOff) {
  const auto system =
      hamiltonian_of("(p[1]^2 + p[2]^2)/2 + (q[1]^2 + q[2]^2)/2 + q[1]^2*q[2] - q[2]^3/3", 2);
  const VectorState start = state_of(vector({0.1, 0.3}), vector({0.4, 0.1}));
  const double before = system->energy(0.0, start.q.data(), start.p.data());
  double most = 0.0;
  const VectorState end =
      advance(HamiltonianFlow(gauss(6), system), start, 0.1, 3000, [&](const VectorState& s) {
        most = std::max(most, std::abs(system->energy(s.t, s.q.data(), s.p.data()) - before));
      });
  EXPECT_LT(most, 5e-16);
  EXPECT_EQ(end.t, 300.0);
  FlowOptions plain;
  plain.compensated = false;
  EXPECT_NE(advance(HamiltonianFlow(gauss(6), system, plain), start, 0.1, 3000).t, 300.0);
}

// ---------------------------------------------------------------- refusals

TEST(HamiltonianFlow, Refusals) {
  const HamiltonianProblem p = hamiltonians::linear_in_p();
  EXPECT_THROW(HamiltonianFlow(rk4(), p.system), InvalidArgument);
  EXPECT_THROW(HamiltonianFlow(gauss(1), nullptr), InvalidArgument);
  EXPECT_THROW(HamiltonianFlow(blanes_moan_rkn(6), hamiltonians::relativistic().system),
               InvalidArgument);
  FlowOptions none;
  none.newton.max_iterations = 0;
  EXPECT_THROW(HamiltonianFlow(gauss(1), p.system, none), InvalidArgument);
  const HamiltonianFlow flow(gauss(2), p.system);
  EXPECT_THROW(flow(state_of(vector({1.0}), vector({1.0})), 0.1), InvalidArgument);
  EXPECT_THROW(flow(state_of(vector({1, 2, NAN}), vector({1, 2, 3})), 0.1), InvalidArgument);
  EXPECT_THROW(flow(p.start, 0.0), InvalidArgument);
  EXPECT_THROW(flow(p.start, NAN), InvalidArgument);
  // q̇ = 1 + q² blows up: the midpoint rule has no real solution over that time
  EXPECT_THROW(HamiltonianFlow(midpoint(), hamiltonian_of("p[1]*(1 + q[1]^2)", 1))(
                   state_of(vector({0.5}), vector({1.0})), 3.0),
               NoConvergence);
}

/// More points than velocities: refused where ∂²H/∂p² is singular, and the text names what fits.
TEST(HamiltonianFlow, DegenerateSystemsNeedFreeVelocities) {
  const HamiltonianProblem p = hamiltonians::linear_in_p();
  for (const Method& method : hamiltonian_methods()) {
    const HamiltonianFlow flow(method, p.system);
    if (any_hamiltonian(method)) {
      EXPECT_TRUE(flow(p.start, 0.05).q.allFinite()) << method.name();
      continue;
    }
    try {
      flow(p.start, 0.05);
      ADD_FAILURE() << method.name() << " was not refused";
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find("lobatto(s)"), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("degenerate"), std::string::npos);
    }
  }
  // explicit steps need no regular kinetic energy: q₂ has none here
  const auto half = hamiltonian_of("p[1]^2/2 + q[1]^2*q[2]/2", 2);
  const VectorState s = state_of(vector({1.0, 0.5}), vector({0.1, 0.2}));
  EXPECT_EQ(HamiltonianFlow(verlet(), half)(s, 0.1).q[1], 0.5);
  FlowOptions implicit;
  implicit.prefer_explicit = false;
  EXPECT_THROW(HamiltonianFlow(verlet(), half, implicit)(s, 0.1), InvalidArgument);
}

/// A matrix without a zero on its diagonal may be singular, and one with nothing else there regular.
TEST(HamiltonianFlow, RegularityIsThatOfTheWholeMatrix) {
  FlowOptions implicit;
  implicit.prefer_explicit = false;
  const VectorState s = state_of(vector({1.0, 0.5}), vector({0.1, 0.2}));
  const auto rank_one = hamiltonian_of("(p[1] + p[2])^2/2 + q[1]^2*q[2]/2", 2);
  expect_words(refusal([&] { HamiltonianFlow(verlet(), rank_one, implicit)(s, 0.1); }),
               {"degenerate"});
  const auto crossed = hamiltonian_of("p[1]*p[2] + q[1]^2*q[2]/2", 2);
  EXPECT_LT(distance(HamiltonianFlow(verlet(), crossed, implicit)(s, 0.1),
                     HamiltonianFlow(verlet(), crossed)(s, 0.1)),
            1e-14);
}

}  // namespace
}  // namespace varia::hamiltonian_flow_test
