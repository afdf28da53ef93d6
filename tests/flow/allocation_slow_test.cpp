// SPDX-License-Identifier: BSD-3-Clause
// No heap allocation inside Flow::step for points of static size, nor in place for those of any size,
// whatever the method, system and space.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "problems.hpp"
#include "problems/rolling.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/varia.hpp"

namespace {

long allocations = 0;

}  // namespace

// Vectors of Eigen take their room from malloc and not from new; new takes it from malloc too. The
// library of C calls these in place of its own.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* p, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* p, std::size_t size) {
  ++allocations;
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}

namespace varia::allocation_slow_test {
namespace {

/// Heap allocations of ten steps forwards and ten backwards, after the memory was made.
template <class S, class StateT>
long allocations_of(const Method& method, const S& system, const StateT& start,
                    FlowOptions options = {}) {
  const Flow flow(method, system, options);
  auto memory = flow.memory(start);
  StateT s = start;
  const long before = allocations;
  for (int k = 0; k < 10; ++k) s = flow.step(s, 0.01, memory);
  for (int k = 0; k < 10; ++k) s = flow.step(s, -0.01, memory);
  return allocations - before;
}

/// The same in place for a system from text, once the memory has seen a step.
long allocations_from(VectorState s, const Method& method,
                      const std::shared_ptr<const KernelSystem>& system, const FlowOptions& options,
                      double h = 0.01) {
  const AnyFlow flow = make_flow(method, {.lagrangian = system}, options);
  auto memory = flow.memory(s);
  flow.move(s, h, 1, memory);
  const long before = allocations;
  for (int k = 0; k < 10; ++k) flow.move(s, h, 1, memory);
  flow.move(s, -h, 10, memory);
  return allocations - before;
}
long allocations_in_place(const Method& method, const problems::Texts& texts,
                          const problems::Curved& problem, Retraction tau) {
  const auto system = problems::system_of(texts);
  return allocations_from(problems::start_of(system, problem), method, system, {.retraction = tau});
}

const Vector<double, 3> inertia(1.0, 1.4, 0.6);
const SO3<double> attitude(rotation(Vector<double, 3>(0.3, -0.8, 0.5), Retraction::cayley));
const Vector<double, 3> spin(0.4, 0.9, 2.0);

const auto heavy_top = [](const auto& R, const auto& w) {
  return 0.5 * w.dot(inertia.cwiseProduct(w)) - 1.3 * R(2, 2);
};

TEST(Allocation, IsCounted) {
  const long before = allocations;
  const auto* const p = new double(1.0);
  EXPECT_EQ(allocations - before, 1);
  delete p;
  const Vn x = Vn::Zero(7);
  EXPECT_EQ(allocations - before, 2) << x.size();
}

/// A step without a memory makes one.
TEST(Allocation, OfAStepIsCounted) {
  const auto system = problems::system_of(problems::curved::space().held());
  const AnyFlow flow = make_flow(lobatto(2), {.lagrangian = system});
  const VectorState start = problems::start_of(system, problems::curved::space());
  const long before = allocations;
  flow(start, 0.01);
  EXPECT_GT(allocations - before, 10);
}

TEST(Allocation, NoneInExplicitMethods) {
  const System kepler{Separable{1.0, [](const auto& q) { return -1.0 / q.norm(); }}};
  const auto start = initial(kepler, Vector<double, 2>(0.4, 0.0), Vector<double, 2>(0.0, 2.0));
  for (const Method& m : {verlet(), euler_a(), euler_b(), triple_jump(verlet())})
    EXPECT_EQ(allocations_of(m, kepler, start), 0) << m.name();
}

TEST(Allocation, NoneInStageMethods) {
  const System kepler{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) + 1.0 / q.norm(); },
                      Force{[](const auto&, const auto& v) { return (-0.1 * v).eval(); }}};
  const auto start = initial(kepler, Vector<double, 2>(0.4, 0.0), Vector<double, 2>(0.0, 2.0));
  for (const Method& m :
       {midpoint(), verlet(), gauss(3), lobatto(4), galerkin(2, parse_quadrature("gauss:3")),
        adjoint(euler_a()), triple_jump(midpoint())})
    EXPECT_EQ(allocations_of(m, kepler, start), 0) << m.name();
}

TEST(Allocation, NoneWithConstraints) {
  const System pendulum{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[2]; },
                        Holonomic{[](const auto& q) { return q.dot(q) - 1.0; }}};
  const auto start =
      initial(pendulum, Vector<double, 3>(1.0, 0.0, 0.0), Vector<double, 3>(0.0, 0.7, 0.1));
  for (const Method& m : {verlet(), midpoint(), lobatto(3), triple_jump(verlet())})
    EXPECT_EQ(allocations_of(m, pendulum, start), 0) << m.name();
  const System driven{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[1]; },
                      Holonomic{[](const auto& t, const auto& q) {
                        const auto x = q[0] - 0.1 * sin(t);
                        return x * x + q[1] * q[1] - 1.0;
                      }}};
  const auto moving = initial(driven, Vector<double, 2>(1.0, 0.0), Vector<double, 2>(0.1, 0.3));
  for (const Method& m : {verlet(), midpoint(), lobatto(3), triple_jump(verlet())})
    EXPECT_EQ(allocations_of(m, driven, moving), 0) << m.name();
}

TEST(Allocation, NoneOnRotations) {
  const System plain{heavy_top};
  const System declared{Separable{inertia, [](const auto& R) { return 1.3 * R(2, 2); }}};
  for (const Retraction tau : {Retraction::cayley, Retraction::exponential})
    for (const Method& m : {gauss(1), gauss(2), lobatto(3),
                            compose({{euler_b(), 0.5}, {euler_a(), 0.5}}), adjoint(euler_a())}) {
      EXPECT_EQ(allocations_of(m, plain, initial(plain, attitude, spin), {.retraction = tau}), 0)
          << m.name();
      EXPECT_EQ(allocations_of(m, declared, initial(declared, attitude, spin), {.retraction = tau}),
                0)
          << m.name();
    }
}

TEST(Allocation, NoneOnRotationsWithConstraints) {
  const System system{heavy_top, Holonomic{[](const auto& R) { return R(2, 0); }}};
  const auto [q, v] = project(system, attitude, spin);
  const auto start = initial(system, q, v);
  for (const Method& m : {verlet(), lobatto(3)})
    EXPECT_EQ(allocations_of(m, system, start), 0) << m.name();
}

TEST(Allocation, NoneOnProducts) {
  using Q = Product<SO3<double>, Vector<double, 3>>;
  const System body{
      [](const auto& q, const auto& v) { return 0.5 * v.dot(v) + (get<0>(q) * get<1>(q))[2]; }};
  Vector<double, 6> v;
  v << 0.1, 0.2, 0.3, 0.5, -0.2, 0.7;
  EXPECT_EQ(allocations_of(gauss(2), body, initial(body, Q(attitude, spin), v)), 0);
}

/// A composition of steps that are one another's adjoints.
const Method euler_pair = compose({{euler_b(), 0.5}, {euler_a(), 0.5}}, 2);

TEST(Allocation, NoneOnAnySpaceFromText) {
  for (const problems::Curved& problem : problems::curved::all())
    for (const Retraction tau : {Retraction::cayley, Retraction::exponential})
      for (const Method& m : {gauss(2), lobatto(2), euler_pair, adjoint(midpoint(0.3))})
        EXPECT_EQ(allocations_in_place(m, problem.free(), problem, tau), 0)
            << problem.name << " " << m.name();
}

TEST(Allocation, NoneOnAnySpaceWithConstraints) {
  for (const problems::Curved& problem : problems::curved::all())
    for (const Retraction tau : {Retraction::cayley, Retraction::exponential})
      for (const Method& m : {lobatto(2), lobatto(3), midpoint(), euler_pair}) {
        EXPECT_EQ(allocations_in_place(m, problem.held(), problem, tau), 0)
            << problem.name << " " << m.name();
        EXPECT_EQ(allocations_in_place(m, problem.driven(), problem, tau), 0)
            << problem.name << ", moving, " << m.name();
      }
}

/// Damped steps of Newton's method: the block stops, and friction in a narrow layer holds it.
TEST(Allocation, NoneInDampedSteps) {
  const auto system = problems::system_of({{"q"}, "q_dot^2/2", {"-tanh(q_dot/1e-6)"}});
  const AnyFlow flow = make_flow(midpoint(), {.lagrangian = system});
  VectorState s = initial(*system, problems::vector({0.0}), problems::vector({1.02}));
  auto memory = flow.memory(s);
  flow.move(s, 0.1, 5, memory);
  const long before = allocations;
  for (int k = 0; k < 6; ++k) flow.move(s, 0.1, 1, memory);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(memory.statistics().damped, 0);
}

/// Adjoints that are found by iteration.
TEST(Allocation, NoneInAdjointsWithConstraints) {
  for (const problems::Curved& problem : problems::curved::all())
    for (const Retraction tau : {Retraction::cayley, Retraction::exponential})
      for (const Method& m : {adjoint(lobatto(2)), adjoint(lobatto(3))}) {
        EXPECT_EQ(allocations_in_place(m, problem.held(), problem, tau), 0)
            << problem.name << " " << m.name();
        EXPECT_EQ(allocations_in_place(m, problem.driven(), problem, tau), 0)
            << problem.name << ", moving, " << m.name();
      }
}

TEST(Allocation, NoneWithNonholonomicConstraints) {
  for (const problems::rolling::Rolling& p : problems::rolling::all())
    for (const Retraction tau : {Retraction::cayley, Retraction::exponential})
      for (const Multipliers multipliers : {Multipliers::propagate, Multipliers::recompute})
        for (const Method& m : {nh_lobatto(2), nh_lobatto(3), nh_lobatto_sym(2), dla()}) {
          const auto system = problems::system_of(p.texts, tau);
          FlowOptions options{.retraction = tau};
          options.multipliers = multipliers;
          const VectorState start = problems::start_of(system, p.xi, p.v);
          EXPECT_EQ(allocations_from(start, m, system, options), 0) << p.name << " " << m.name();
        }
}

TEST(Allocation, NoneInTheBaselineOnGroups) {
  for (const problems::Curved& problem : problems::curved::all())
    for (const Retraction tau : {Retraction::cayley, Retraction::exponential})
      for (const Method& m : {rkmk(1), rkmk(3)}) {
        EXPECT_EQ(allocations_in_place(m, problem.free(), problem, tau), 0)
            << problem.name << " " << m.name();
        EXPECT_EQ(allocations_in_place(m, problem.damped(), problem, tau), 0)
            << problem.name << ", damped, " << m.name();
      }
}

/// Steps whose turn is looked at.
TEST(Allocation, NoneInStepsThatTurnFar) {
  const auto system = problems::system_of(problems::texts::heavy_top());
  const VectorState start = problems::start_of(system, problems::vector({0.4, -0.3, 0.2}),
                                               problems::vector({0.6, 0.9, 12.0}));
  for (const Retraction tau : {Retraction::cayley, Retraction::exponential})
    EXPECT_EQ(allocations_from(start, gauss(2), system, {.retraction = tau}, 0.1), 0);
}

template <Point Q, class L>
void expect_none_on_type(const L& lagrangian, const problems::Curved& problem) {
  const System system{lagrangian};
  const Q q = Space<Q>::retract(Q(), Tangent<Q>(problem.xi));
  const auto start = initial(system, q, Tangent<Q>(problem.v));
  for (const Retraction tau : {Retraction::cayley, Retraction::exponential})
    for (const Method& m : {gauss(2), lobatto(2)})
      EXPECT_EQ(allocations_of(m, system, start, {.retraction = tau}), 0)
          << problem.name << " " << m.name();
}

TEST(Allocation, NoneOnPosesAndTheSphere) {
  namespace curved = problems::curved;
  expect_none_on_type<SE2<double>>(curved::plane_lagrangian, curved::plane());
  expect_none_on_type<SE3<double>>(curved::space_lagrangian, curved::space());
  expect_none_on_type<SO3<double>>(curved::sphere_lagrangian(), curved::sphere());
}

TEST(Allocation, NoneInABallJoint) {
  const System body{problems::curved::space_lagrangian, Holonomic{[](const auto& g) {
                      using S = std::decay_t<decltype(g.position[0])>;
                      return Vector<S, 3>(g.position - g.rotation.matrix.col(1) * S(0.6));
                    }}};
  const problems::Curved problem = problems::curved::space();
  const auto [q, v] = project(body, Space<SE3<double>>::retract({}, Vector<double, 6>(problem.xi)),
                              Vector<double, 6>(problem.v));
  const auto start = initial(body, q, v);
  for (const Retraction tau : {Retraction::cayley, Retraction::exponential})
    for (const Method& m : {lobatto(2), lobatto(3), midpoint()})
      EXPECT_EQ(allocations_of(m, body, start, {.retraction = tau}), 0) << m.name();
}

}  // namespace
}  // namespace varia::allocation_slow_test
