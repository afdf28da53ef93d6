// SPDX-License-Identifier: BSD-3-Clause
// Linear groups that are not orthogonal: shears, squeezes, rotations in oblique coordinates. Momenta move
// by the inverse transpose, g·(q, p) = (gq, g⁻ᵀp), not as positions do.
//
//   (Noether)      J = ⟨p, ξ(q)⟩ is kept          F(g·z) = g·F(z)                                [MW01]
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/methods/composition.hpp"
#include "varia/varia.hpp"

namespace varia::group_actions_test {
namespace {

using namespace problems;
using M2 = Eigen::Matrix2d;

struct Action {
  const char* name;
  std::string lagrangian;
  M2 generator;  ///< ξ(q) = Aq
  M2 element;    ///< exp(sA)
  Vn q, v;
};

M2 matrix(double a, double b, double c, double d) {
  M2 m;
  m << a, b, c, d;
  return m;
}

std::vector<Action> actions() {
  // A = K⁻¹J keeps K = (2 1; 1 3): A² = -1/5
  const M2 oblique = matrix(0.2, 0.6, -0.4, -0.2);
  const double w = std::sqrt(0.2), s = 0.8;
  return {{"shear", "y_dot^2/2 + (x*y_dot - y*x_dot)^2/2 - y^2/2 - 1/y^2", matrix(0, 1, 0, 0),
           matrix(1, 0.8, 0, 1), vector({0.3, 0.9}), vector({0.4, -0.2})},
          {"squeeze", "(x_dot^2*y^2 + y_dot^2*x^2)/2 - x*y - 1/(x*y)", matrix(1, 0, 0, -1),
           matrix(std::exp(0.8), 0, 0, std::exp(-0.8)), vector({0.8, 1.1}), vector({0.3, 0.2})},
          {"oblique rotation",
           "(2*x_dot^2 + 2*x_dot*y_dot + 3*y_dot^2)/2 - (2*x^2 + 2*x*y + 3*y^2)^2/4", oblique,
           std::cos(w * s) * M2::Identity() + std::sin(w * s) / w * oblique, vector({0.5, -0.4}),
           vector({0.3, 0.6})}};
}

const std::vector<Method> methods{verlet(),
                                  euler_a(),
                                  midpoint(),
                                  gauss(2),
                                  lobatto(3),
                                  galerkin(2, gauss_quadrature(3)),
                                  yoshida(4, midpoint())};

TEST(GroupActions, AreNotOrthogonal) {
  for (const Action& a : actions()) {
    EXPECT_GT((a.element.transpose() * a.element - M2::Identity()).norm(), 0.1) << a.name;
    EXPECT_GT((a.generator + a.generator.transpose()).norm(), 0.1) << a.name;
  }
}

TEST(GroupActions, MomentaAreKept) {
  for (const Action& a : actions()) {
    const auto system = system_of({{"x", "y"}, a.lagrangian});
    const VectorState start = initial(*system, a.q, a.v);
    const auto drift = [&](const auto& flow, const M2& generator) {
      const double before = start.p.dot(generator * start.q);
      double most = 0.0;
      advance(flow, start, 0.05, 200, [&](const VectorState& s) {
        most = std::max(most, std::abs(s.p.dot(generator * s.q) - before));
      });
      return most;
    };
    for (const Method& method : methods) {
      const StageFlow flow(method, system);
      EXPECT_LT(drift(flow, a.generator), 1e-12) << a.name << " " << method.name();
      EXPECT_GT(drift(flow, matrix(0, 1, -1, 0)), 1e-3) << a.name << " " << method.name();
    }
    EXPECT_GT(drift(BaselineFlow(rk4(), system), a.generator), 1e-12) << a.name;
  }
}

TEST(GroupActions, FlowsAreEquivariant) {
  for (const Action& a : actions()) {
    const auto system = system_of({{"x", "y"}, a.lagrangian});
    const VectorState start = initial(*system, a.q, a.v);
    const M2 dual = a.element.inverse().transpose();
    for (const Method& method : methods) {
      const StageFlow flow(method, system);
      const VectorState end = flow(start, 0.1);
      const auto defect = [&](const M2& of_p) {
        const VectorState moved = state_of(a.element * start.q, of_p * start.p);
        return distance(flow(moved, 0.1), state_of(a.element * end.q, of_p * end.p));
      };
      EXPECT_LT(defect(dual), 1e-13) << a.name << " " << method.name();
      EXPECT_GT(defect(a.element), 1e-3) << a.name << " " << method.name();
    }
  }
}

/// The balance of a momentum with a force: J₁ - J₀ = h Σ bᵢ⟨fⁱ, ξ(Qⁱ)⟩; a force along Bq with BᵀA skew
/// does no work along the orbits, whatever its size.
TEST(GroupActions, ForcesThatDoNoWorkAlongTheOrbits) {
  for (const Action& a : actions()) {
    // f ⟂ Aq: f = u(q)·(Aq turned by a right angle)
    const M2 turned = matrix(0, -1, 1, 0) * a.generator;
    const auto row = [&](int i) {
      return "(1 + x_dot)*(" + to_text(turned(i, 0)) + "*x + " + to_text(turned(i, 1)) + "*y)";
    };
    const auto system = system_of({{"x", "y"}, a.lagrangian, {row(0), row(1)}});
    const VectorState start = initial(*system, a.q, a.v);
    for (const Method& method : {midpoint(), gauss(2), lobatto(3)}) {
      const VectorState end = walk(StageFlow(method, system), start, 0.02, 10);
      EXPECT_NEAR(end.p.dot(a.generator * end.q), start.p.dot(a.generator * start.q), 1e-13)
          << a.name << " " << method.name();
    }
  }
}

}  // namespace
}  // namespace varia::group_actions_test
