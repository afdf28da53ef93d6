// SPDX-License-Identifier: BSD-3-Clause
// Lagrangians that are not quadratic in the velocities: ∂L/∂v = p is solved to the end, and so are the
// momenta at the end of a step with constraints. A relativistic particle has p = v/√(1 - v²) and
// v = p/√(1 + p²).
#include <gtest/gtest.h>

#include <cmath>

#include "problems.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/flow/hamiltonian_flow.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/flow/make_flow.hpp"

namespace varia::nonlinear_momentum_test {
namespace {

using namespace problems;

const Texts particle{{"x", "y"}, "-sqrt(1 - x_dot^2 - y_dot^2) - y - 0.3*x^2"};
const Texts circle{particle.coordinates, particle.lagrangian, {}, {"x^2 + y^2 - 1"}};
/// The same in the angle: x = sin a, y = -cos a.
const Texts angle{{"a"}, "-sqrt(1 - a_dot^2) + cos(a) - 0.3*sin(a)^2"};

TEST(NonlinearMomentum, VelocitiesAreThoseOfTheMomenta) {
  const auto system = system_of(particle);
  LegendreTransform legendre(*system);
  const Vn q = vector({0.2, -0.4});
  for (const double size : {1e-3, 0.3, 1.0, 2.0, 30.0})
    for (double direction = 0.0; direction < 6.3; direction += 0.1) {
      const Vn p = size * vector({std::cos(direction), std::sin(direction)});
      for (const Vn& guess : {vector({0.0, 0.0}), vector({0.3, 0.3}), vector({-0.5, 0.2})}) {
        Vn v = guess;
        legendre.velocity(0.0, q.data(), p.data(), v.data());
        EXPECT_LT((v - p / std::sqrt(1 + size * size)).norm(), 4e-16) << size << " " << direction;
      }
    }
}

/// The same step from H = √(1 + p²) + V, which knows velocities without solving for them.
TEST(NonlinearMomentum, StepsAreThoseOfTheHamiltonian) {
  const auto system = system_of(particle);
  const auto hamiltonian = hamiltonian_of("sqrt(1 + p[1]^2 + p[2]^2) + q[2] + 0.3*q[1]^2", 2);
  const auto sizes = std::make_shared<KernelSystem>(ProductSpace({euclidean(2)}));
  const VectorState start = initial(*system, vector({0.2, -0.4}), vector({0.7, 0.5}));
  for (const Method& method : {midpoint(), gauss(2), lobatto(3), verlet()}) {
    const VectorState a = walk(StageFlow(method, system), start, 0.1, 30);
    const VectorState b = walk(HamiltonianFlow(method, hamiltonian), start, 0.1, 30);
    EXPECT_LT((a.q - b.q).norm() + (a.p - b.p).norm(), 1e-13) << method.name();
    // the start has a branch, which is none of a Hamiltonian: there are no formulas to follow it with
    const AnyFlow any = make_flow(method, {.lagrangian = sizes, .hamiltonian = hamiltonian});
    VectorState s = start;
    auto memory = any.memory(s);
    any.move(s, 0.1, 29, memory);
    any.differentiate(s, 0.1, memory);
    EXPECT_EQ(s.q, b.q) << method.name();
  }
}

VectorState start_on_circle(const KernelSystem& system) {
  return initial(system, vector({std::sin(0.6), -std::cos(0.6)}),
                 0.8 * vector({std::cos(0.6), std::sin(0.6)}));
}

/// φ(q) = 0 and G v(p) = 0 in every step: a momentum that is nearly tangent has |G v| = 1e-3.
TEST(NonlinearMomentum, StaysTangentToConstraints) {
  const auto system = system_of(circle);
  for (const Method& method : {verlet(), euler_a(), midpoint(), lobatto(3), lobatto(4)})
    for (const double h : {0.3, 0.05}) {
      const StageFlow flow(method, system);
      VectorState s = start_on_circle(*system);
      auto memory = flow.memory(s);
      for (int k = 0; k < 50; ++k) {
        s = flow.step(s, h, memory);
        const ConstraintDefect defect = constraint_defect(*system, s);
        EXPECT_LT(defect.position, 1e-15) << method.name();
        EXPECT_LT(defect.velocity, 4e-15) << method.name() << " " << h;
      }
    }
}

/// The motion on the circle is that of the angle, to the order of the method.
TEST(NonlinearMomentum, OnACircleIsTheMotionOfTheAngle) {
  const auto system = system_of(circle);
  const auto free = system_of(angle);
  const VectorState exact =
      walk(StageFlow(gauss(4), free), initial(*free, vector({0.6}), vector({0.8})), 0.02, 100);
  const auto error = [&](const Method& method, long steps) {
    const VectorState s = walk(StageFlow(method, system), start_on_circle(*system),
                               2.0 / static_cast<double>(steps), steps);
    const Vn along = vector({-s.q[1], s.q[0]});  // ∂q/∂a
    return std::abs(std::atan2(s.q[0], -s.q[1]) - exact.q[0]) +
           std::abs(s.p.dot(along) - exact.p[0]);
  };
  for (const Method& method : {verlet(), midpoint(), lobatto(3)}) {
    const double coarse = error(method, 40), fine = error(method, 80);
    EXPECT_NEAR(std::log2(coarse / fine), method.constrained_order(), 0.15) << method.name();
  }
}

/// Projected starts are tangent, and have the momentum of their velocity.
TEST(NonlinearMomentum, ProjectedStartsAreTangent) {
  const auto system = system_of(circle);
  const auto [q, v] = project(*system, vector({0.7, -0.9}), vector({0.6, 0.3}));
  const VectorState s = initial(*system, q, v);
  const ConstraintDefect defect = constraint_defect(*system, s);
  EXPECT_LT(defect.position, 1e-15);
  EXPECT_LT(defect.velocity, 1e-15);
  EXPECT_LT((s.p - v / std::sqrt(1 - v.squaredNorm())).norm(), 1e-15);
}

/// Methods that integrate velocities give the same motion.
TEST(NonlinearMomentum, BaselinesAgree) {
  const auto system = system_of(particle);
  const VectorState start = initial(*system, vector({0.2, -0.4}), vector({0.7, 0.5}));
  const VectorState a = walk(StageFlow(gauss(4), system), start, 0.02, 100);
  const VectorState b = walk(BaselineFlow(dopri5(1e-13), system), start, 0.02, 100);
  EXPECT_LT(distance(a, b), 1e-11);
}

}  // namespace
}  // namespace varia::nonlinear_momentum_test
