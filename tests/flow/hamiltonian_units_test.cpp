// SPDX-License-Identifier: BSD-3-Clause
// Steps of Hamiltonian systems in which momenta have very different sizes. Newton's method stops by the
// size of its steps relative to the unknowns: in one unit for all, what is small would stay unsolved
// beside what is large. Each body here is alone in its motion, so that its step must not depend on its
// neighbour.
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/flow/hamiltonian_flow.hpp"
#include "varia/flow/integrate.hpp"
#include "varia/methods/methods.hpp"

namespace varia::hamiltonian_units_test {
namespace {

using namespace problems;

/// Momentum not linear in the velocity, in units q = length, p = impulse; the time is the same.
std::string body(const std::string& i, double length, double impulse) {
  const std::string q = "(q[" + i + "]/" + to_text(length) + ")";
  const std::string p = "(p[" + i + "]/" + to_text(impulse) + ")";
  return to_text(length) + "*" + to_text(impulse) + "*((" + p + "^2/2 + " + p + "^4/12)*(1 + " + q +
         "^2/4) + " + q + "^4/4)";
}
/// A nonlinear oscillator of mass m.
std::string neighbour(double m) {
  return "p[2]^2/(2*" + to_text(m) + ") + " + to_text(m) + "*(q[2]^4/4 + q[2]^2/2)";
}

const char* const methods[] = {"midpoint", "gauss(2)", "gauss(3)", "galerkin(2, gauss:3)"};
constexpr double h = 0.4;  // several iterations a step
constexpr int steps = 20;
constexpr double round_off = 1e-12;

/// The motion in units of one.
VectorState alone(const char* name) {
  return advance(HamiltonianFlow(parse_method(name), hamiltonian_of(body("1", 1.0, 1.0), 1)),
                 state_of(vector({0.7}), vector({1.3})), h, steps);
}

void expect_same(const char* name, double length, double impulse, double mass) {
  const VectorState expected = alone(name);
  const auto both = hamiltonian_of(body("1", length, impulse) + " + " + neighbour(mass), 2);
  const VectorState s =
      advance(HamiltonianFlow(parse_method(name), both),
              state_of(vector({0.7 * length, 0.5}), vector({1.3 * impulse, 0.3 * mass})), h, steps);
  EXPECT_NEAR(s.q[0] / length, expected.q[0], round_off) << name << ", mass " << mass;
  EXPECT_NEAR(s.p[0] / impulse, expected.p[0], round_off) << name << ", mass " << mass;
}

TEST(HamiltonianUnits, ABodyBesideHeavyAndLightOnes) {
  for (const char* name : methods)
    for (const double mass : {1e-12, 1e-8, 1e-4, 1e4, 1e8, 1e12}) expect_same(name, 1.0, 1.0, mass);
}

/// Small displacements and momenta beside a light body that is fast: its momentum is small as well,
/// its velocity is not.
TEST(HamiltonianUnits, SmallMotionsBesideAFastOne) {
  for (const char* name : methods)
    for (const double size : {1e-4, 1e-8, 1e-10}) expect_same(name, size, size, size);
}

/// All momenta in other units: the same steps, with about as many iterations.
TEST(HamiltonianUnits, UnitsOfAllMomenta) {
  for (const char* name : methods) {
    const VectorState expected = alone(name);
    for (const double unit : {1e-12, 1e-8, 1e8, 1e12}) {
      const HamiltonianFlow flow(parse_method(name), hamiltonian_of(body("1", 1.0, unit), 1));
      const VectorState start = state_of(vector({0.7}), vector({1.3 * unit}));
      auto memory = flow.memory(start);
      const VectorState s = flow.steps(start, h, steps, memory);
      EXPECT_NEAR(s.q[0], expected.q[0], round_off) << name << " " << unit;
      EXPECT_NEAR(s.p[0] / unit, expected.p[0], round_off) << name << " " << unit;
      EXPECT_LE(memory.statistics.iterations, 7 * steps) << name << " " << unit;
    }
  }
}

/// Everything of the neighbour is large: only the unit of its own momentum keeps the small body in
/// sight, down to 1e-4 of the largest one.
TEST(HamiltonianUnits, ABodyBesideLargeMotions) {
  for (const char* name : methods)
    for (const double size : {1e2, 1e4, 1e6}) {
      const VectorState expected = alone(name);
      const auto both = hamiltonian_of(body("1", 1.0, 1.0) + " + " + body("2", size, size), 2);
      const VectorState s =
          advance(HamiltonianFlow(parse_method(name), both),
                  state_of(vector({0.7, 0.2 * size}), vector({1.3, 0.4 * size})), h, steps);
      EXPECT_NEAR(s.q[0], expected.q[0], 10 * round_off) << name << " " << size;
      EXPECT_NEAR(s.p[0], expected.p[0], 10 * round_off) << name << " " << size;
    }
}

/// A momentum that is zero in the guess has no size of its own; it grows within the step, here to
/// -h²/2.
TEST(HamiltonianUnits, AMomentumThatBeginsAtZero) {
  for (const char* name : methods) {
    const VectorState expected =
        HamiltonianFlow(parse_method(name), hamiltonian_of(body("1", 1.0, 1.0), 1))(
            state_of(vector({0.7}), vector({1.3})), h);
    const auto both = hamiltonian_of(body("1", 1.0, 1.0) + " + p[2]^2/2 + t*q[2]", 2);
    const VectorState s = HamiltonianFlow(parse_method(name), both)(
        state_of(vector({0.7, 0.3}), vector({1.3, 0.0})), h);
    EXPECT_NEAR(s.q[0], expected.q[0], round_off) << name;
    EXPECT_NEAR(s.p[0], expected.p[0], round_off) << name;
    EXPECT_NEAR(s.p[1], -0.5 * h * h, 1e-15) << name;
  }
}

}  // namespace
}  // namespace varia::hamiltonian_units_test
