// SPDX-License-Identifier: BSD-3-Clause
// The two solvers of an implicit step: they give the same step, the choice between them is the same
// in every run, and neither accepts a step that is not solved.
#include <gtest/gtest.h>

#include <string>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/varia.hpp"

namespace varia::stage_solver_test {
namespace {

using namespace problems;

const Vector<double, 2> two_q(0.4, 0.1);
const Vector<double, 2> two_v(0.1, 1.9);

/// The mass depends on q, and there is a term that is linear in v.
const auto coupled = [](const auto& q, const auto& v) {
  using std::cos;
  return v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * cos(q[0] - q[1]) + 0.3 * q[0] * v[1] +
         2.0 * cos(q[0]) + cos(q[1]);
};

template <class S, class StateT>
auto run(const S& system, const Method& method, Solver solver, const StateT& start, double h,
         long steps, FlowStatistics* statistics = nullptr) {
  const Flow flow(method, system, {.solver = solver});
  auto memory = flow.memory(start);
  const auto end = flow.steps(start, h, steps, memory);
  if (statistics != nullptr) *statistics = memory.statistics;
  return end;
}

template <class S, class StateT> void expect_equal(const S& system, const StateT& start, double h) {
  for (const Method& method :
       {midpoint(), gauss(3), gauss(6), lobatto(3), galerkin(2, gauss_quadrature(4))}) {
    FlowStatistics newton;
    FlowStatistics iteration;
    const auto a = run(system, method, Solver::newton, start, h, 50, &newton);
    const auto b = run(system, method, Solver::fixed_point, start, h, 50, &iteration);
    EXPECT_LT((a.p - b.p).norm(), 1e-13) << method.name();
    using X = Space<std::decay_t<decltype(a.q)>>;
    EXPECT_LT(X::difference(a.q, b.q).norm(), 1e-13) << method.name();
    EXPECT_GT(iteration.iterations, newton.iterations) << method.name();
  }
}

TEST(Solver, BothGiveTheSameStep) {
  const System plain{kepler_lagrangian};
  const System declared{Separable{2.0, [](const auto& q) { return -1.0 / q.norm(); }}};
  const System mixed{coupled};
  const System damped{coupled, Force{[](const auto& q, const auto& v) { return -0.1 * q[0] * v; }}};
  expect_equal(plain, initial(plain, two_q, two_v), 0.01);
  expect_equal(declared, initial(declared, two_q, two_v), 0.01);
  expect_equal(mixed, initial(mixed, two_q, two_v), 0.01);
  expect_equal(damped, initial(damped, two_q, two_v), 0.01);
}

/// The mass of an earlier step is used again: a motion that is taken up in between has the same one.
TEST(Solver, IterationIsTakenUpToTheBit) {
  const auto system =
      system_of({{"a", "b"}, "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b) + 2*cos(a) + cos(b)"});
  const VectorState start = initial(*system, vector({0.4, 0.1}), vector({0.1, 1.9}));
  const StageFlow flow(gauss(2), system, {.solver = Solver::fixed_point});
  auto memory = flow.memory(start);
  VectorState whole = start;
  for (int steps = 0; steps < 40; ++steps) {
    auto other = flow.memory(whole);
    SavedNumbers::read(other, SavedNumbers::of(memory), "");
    const VectorState taken_up = flow.steps(whole, 0.02, 7, other);
    whole = flow.steps(whole, 0.02, 7, memory);
    EXPECT_EQ(taken_up.q, whole.q) << steps;
    EXPECT_EQ(taken_up.p, whole.p) << steps;
    EXPECT_EQ(other.statistics.iterations, memory.statistics.iterations) << steps;
  }
}

/// A system that counts its second derivatives.
struct CountsHessians {
  expr::Kernel inner;
  mutable long count = 0;

  static std::shared_ptr<KernelSystem> of(const SystemPtr& system,
                                          const std::shared_ptr<CountsHessians>& counts) {
    auto counted = std::make_shared<KernelSystem>(*system);
    counts->inner = system->hessian;
    counted->hessian = {counts, [](const void* self, const double* x, double* out) {
                          const auto* counter = static_cast<const CountsHessians*>(self);
                          ++counter->count;
                          counter->inner(x, out);
                        }};
    return counted;
  }
};

/// On the way the mass changes twentyfold, but from step to step by little.
TEST(Solver, MassesOfEarlierStepsServe) {
  const auto plain = system_of({{"x"}, "(1 + 19*sin(x)^2)*x_dot^2/2"});
  const VectorState start = initial(*plain, vector({0.3}), vector({1.0}));
  const auto counts = std::make_shared<CountsHessians>();
  const auto system = CountsHessians::of(plain, counts);
  const StageFlow flow(midpoint(), system, {.solver = Solver::fixed_point});
  auto memory = flow.memory(start);
  const long steps = 2000;
  const VectorState end = flow.steps(start, 0.002, steps, memory);
  EXPECT_GT(counts->count, 3);
  EXPECT_LT(counts->count, steps / 4);
  EXPECT_LT(memory.statistics.iterations, 6 * steps);
  const StageFlow newton(midpoint(), plain, {.solver = Solver::newton});
  auto memory_of_newton = newton.memory(start);
  const VectorState exact = newton.steps(start, 0.002, steps, memory_of_newton);
  EXPECT_NEAR(end.q[0], exact.q[0], 1e-12);
}

TEST(Solver, BothGiveTheSameStepOnRotations) {
  const System top{[](const auto& R, const auto& w) {
    const Vector<double, 3> inertia(1.0, 1.4, 0.6);
    return 0.5 * w.dot(inertia.cwiseProduct(w)) * (1.0 + 0.2 * R(0, 1)) - 1.3 * R(2, 2);
  }};
  expect_equal(top, initial(top, SO3<double>(), Vector<double, 3>(0.4, 0.9, 2.0)), 0.01);
}

/// A chain of n springs of stiffness k, displaced by the given amounts.
struct Chain {
  Chain(int n, double k) {
    std::vector<Coordinate> names;
    std::string energy = "0";
    for (int i = 1; i <= n; ++i) {
      const std::string q = "q" + std::to_string(i);
      names.push_back(q);
      energy += " + " + q + "_dot^2/2";
      const std::string stretch = i == 1 ? q : "(" + q + " - q" + std::to_string(i - 1) + ")";
      energy += " - " + std::to_string(k) + "*(" + stretch + "^2/2 + " + stretch + "^4/4)";
    }
    system = system_of({names, energy});
  }
  std::shared_ptr<const KernelSystem> system;
};

long iterations(const Chain& chain, const VectorState& start, double h, long steps, Solver solver) {
  const StageFlow flow(gauss(2), chain.system, {.solver = solver});
  auto memory = flow.memory(start);
  flow.steps(start, h, steps, memory);
  return memory.statistics.iterations;
}

VectorState state_of(const Chain& chain, double amplitude, double frequency) {
  const int n = chain.system->n;
  Vector<double, Dynamic> q(n);
  for (int i = 0; i < n; ++i) q[i] = amplitude * std::sin(frequency * (i + 1));
  return initial(*chain.system, q, Vector<double, Dynamic>(Vector<double, Dynamic>::Zero(n)));
}

TEST(Solver, AutoIteratesWhereThatContractsOnly) {
  // a whole matrix to factor: all bodies attract each other
  const System bodies{Separable{1.0, over_pairs<1>([](int, int, const auto& r) { return r * r; })}};
  Vector<double, Dynamic> q(12);
  for (int i = 0; i < 12; ++i) q[i] = i;
  const auto start = initial(bodies, q, Vector<double, Dynamic>(0.1 * q));
  FlowStatistics slow;
  FlowStatistics fast;
  FlowStatistics newton;
  run(bodies, gauss(4), Solver::automatic, start, 0.01, 100, &slow);
  run(bodies, gauss(4), Solver::newton, start, 0.01, 100, &newton);
  EXPECT_GT(slow.iterated, 90);
  EXPECT_EQ(newton.iterated, 0);
  // the same with a step that does not resolve the motion
  run(bodies, gauss(4), Solver::automatic, start, 3.0, 20, &fast);
  run(bodies, gauss(4), Solver::newton, start, 3.0, 20, &newton);
  EXPECT_EQ(fast.iterated, 0);
  EXPECT_EQ(fast.iterations, newton.iterations);
}

TEST(Solver, IterationThatDoesNotContractIsAFailure) {
  const System stiff{Separable{1.0, [](const auto& q) { return 5000.0 * q.dot(q); }}};
  const auto start = initial(stiff, two_q, two_v);
  EXPECT_THROW(run(stiff, midpoint(), Solver::fixed_point, start, 0.5, 1), NoConvergence);
  EXPECT_NO_THROW(run(stiff, midpoint(), Solver::automatic, start, 0.5, 10));
}

/// A step of a composition or of an adjoint on a group has several solves: all of them count.
TEST(Solver, IterationsAreThoseOfSteps) {
  const auto counts = [](const SystemPtr& system, const Method& method, const VectorState& start) {
    const StageFlow flow(method, system);
    auto memory = flow.memory(start);
    flow.steps(start, 0.1, 20, memory);
    return memory.statistics;
  };
  const auto plane = system_of({{"x", "y"}, "(x_dot^2 + y_dot^2)/2 + 1/sqrt(x^2 + y^2)"});
  const VectorState start = initial(*plane, vector({1.0, 0.1}), vector({0.0, 1.1}));
  const FlowStatistics one = counts(plane, midpoint(), start);
  const FlowStatistics three = counts(plane, triple_jump(midpoint()), start);
  EXPECT_GE(three.iterations, 2 * one.iterations);
  for (const FlowStatistics& s : {one, three}) {
    EXPECT_EQ(s.steps, 20);
    EXPECT_LE(s.iterations, 20L * s.max_iterations);
    EXPECT_GE(s.iterations, s.max_iterations);
  }
  const auto top = system_of({{{"R", "SO3"}}, "(R_w1^2 + R_w2^2 + 0.6*R_w3^2)/2 - 1.3*R33"});
  const VectorState turned =
      initial(*top, vector({1, 0, 0, 0, 1, 0, 0, 0, 1}), vector({0.1, 0.2, 5}));
  const FlowStatistics inverse = counts(top, adjoint(midpoint(0.3)), turned);
  EXPECT_GT(inverse.iterations, counts(top, midpoint(0.3), turned).iterations);
  EXPECT_LE(inverse.iterations, 20L * inverse.max_iterations);
}

/// A guess that leads nowhere is a solve, too.
TEST(Solver, FailedSolvesAreCounted) {
  const auto plane = system_of({{"x", "y"}, "(x_dot^2 + y_dot^2)/2 + 1/sqrt(x^2 + y^2)"});
  const VectorState start = initial(*plane, vector({0.4, 0.0}), vector({0.0, 2.0}));  // e = 0.6
  const StageFlow flow(gauss(2), plane, {.solver = Solver::newton});
  auto memory = flow.memory(start);
  flow.steps(start, 0.1, 100, memory);
  EXPECT_GT(memory.statistics.failed, 0);
  const StageFlow drifts(verlet(), plane);  // nothing is solved
  auto other = drifts.memory(start);
  drifts.steps(start, 0.1, 100, other);
  EXPECT_EQ(other.statistics.failed, 0);
}

TEST(Solver, IterationIsRefusedWithConstraints) {
  const System held{kepler_lagrangian, Holonomic{[](const auto& q) { return q.dot(q) - 1.0; }}};
  const auto start = initial(held, Vector<double, 2>(1.0, 0.0), Vector<double, 2>(0.0, 1.0));
  expect_has(refusal([&] { run(held, lobatto(3), Solver::fixed_point, start, 0.1, 1); }),
             "without constraints");
  EXPECT_NO_THROW(run(held, lobatto(3), Solver::automatic, start, 0.1, 10));
}

/// Smooth displacements: the forces are small differences of large ones, whose round-off bounds what
/// Newton's method can reach.
TEST(Solver, NewtonEndsAtTheRoundOffOfCancellingForces) {
  const Chain chain(400, 1.0);
  const long smooth =
      iterations(chain, state_of(chain, 1.0, 3.14159 / 401), 0.1, 50, Solver::newton);
  EXPECT_LE(smooth, 3 * 50 + 2);
}

TEST(Solver, ChoiceIsSavedWithTheMemory) {
  const System bodies{Separable{1.0, over_pairs<1>([](int, int, const auto& r) { return r * r; })}};
  Vector<double, Dynamic> q(12);
  for (int i = 0; i < 12; ++i) q[i] = i;
  const auto kernels = kernels_of(bodies, q);
  const StageFlow flow(gauss(4), kernels);
  const VectorState start = initial(*kernels, q, Vector<double, Dynamic>(0.1 * q));
  auto memory = flow.memory(start);
  VectorState s = flow.steps(start, 0.01, 20, memory);
  auto again = flow.memory(start);
  again.load(memory.save());
  const VectorState a = flow.steps(s, 0.01, 20, memory);
  const VectorState b = flow.steps(s, 0.01, 20, again);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.p, b.p);
  EXPECT_EQ(memory.statistics.iterations, again.statistics.iterations);
  std::vector<double> data = memory.save();
  data.pop_back();
  EXPECT_THROW(again.load(data), InvalidArgument);
}

const auto top_lagrangian = [](const auto& R, const auto& w) {
  const Vector<double, 3> inertia(1.0, 1.4, 0.6);
  return 0.5 * w.dot(inertia.cwiseProduct(w)) - 1.3 * (R(2, 2) + 0.3 * R(2, 0));
};

/// Steps with the memory kept, which use older factors, against steps that know nothing of each other.
TEST(Solver, FactorsOfEarlierStepsGiveTheSameSteps) {
  const System heavy_top{top_lagrangian};
  const auto start = initial(heavy_top, SO3<double>(), Vector<double, 3>(0.4, 0.9, 2.0));
  for (const Method& method : {gauss(1), gauss(2), lobatto(3)}) {
    const Flow flow(method, heavy_top, {.solver = Solver::newton});
    auto memory = flow.memory(start);
    auto s = start;
    for (int i = 0; i < 200; ++i) {
      const auto alone = flow(s, 0.01);
      s = flow.step(s, 0.01, memory);
      EXPECT_LT((alone.p - s.p).norm(), 1e-14) << method.name();
      EXPECT_LT(Space<SO3<double>>::difference(alone.q, s.q).norm(), 1e-14) << method.name();
    }
  }
}

/// A checkpoint holds the point of the kept Jacobian: what follows is the same to the bit.
template <class S, class Q>
void expect_restart(const S& system, const Q& q, const Tangent<Q>& v, double h) {
  const auto kernels = kernels_of(std::make_shared<const S>(system), q);
  const StageFlow flow(gauss(2), kernels, {.solver = Solver::newton});
  const auto typed = initial(system, q, v);
  VectorState s = detail::vector_state(typed);
  auto memory = flow.memory(s);
  for (int stop = 0; stop < 40; ++stop) {
    s = flow.steps(s, h, 3, memory);
    auto again = flow.memory(s);
    again.load(memory.save());
    EXPECT_EQ(again.save(), memory.save());
    VectorState a = s;
    VectorState b = s;
    flow.move(b, h, 5, again);
    auto copy = flow.memory(s);
    copy.load(memory.save());
    flow.move(a, h, 2, copy);
    flow.move(a, h, 3, copy);
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.p, b.p);
    const VectorState whole = flow.steps(s, h, 5, memory);
    EXPECT_EQ(whole.q, b.q);
    EXPECT_EQ(whole.p, b.p);
    EXPECT_EQ(again.save(), memory.save());
    s = whole;
  }
}

TEST(Solver, KeptJacobianIsRestoredFromTheMemory) {
  expect_restart(System{top_lagrangian}, SO3<double>(), Vector<double, 3>(0.4, 0.9, 2.0), 0.01);
  expect_restart(System{kepler_lagrangian}, two_q, two_v, 0.01);
  expect_restart(System{coupled}, two_q, two_v, 0.02);
}

}  // namespace
}  // namespace varia::stage_solver_test
