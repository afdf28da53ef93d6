// SPDX-License-Identifier: BSD-3-Clause
// No heap allocation inside Flow::step for points of static size, whatever the method and system.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "varia/varia.hpp"

namespace {

long allocations = 0;

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  if (void* p = std::aligned_alloc(alignment, rounded > 0 ? rounded : alignment)) return p;
  throw std::bad_alloc();
}

}  // namespace

// The other forms of new and delete call these. Inlined, they would look to the compiler as if new
// met free.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t a) {
  return counted(size, static_cast<std::size_t>(a));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
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

}  // namespace
}  // namespace varia::allocation_slow_test
