// SPDX-License-Identifier: BSD-3-Clause
// Forced discrete mechanics [MW01, 3.2], [West04]: the balance of momentum for every family, closed
// forms of the alpha rules, composition, adjoint, and the figures of the damped particle.
#include "problems.hpp"
#include "varia/flow/baseline.hpp"

namespace varia::forced_laws_test {
namespace {

using namespace problems;

const std::string r2 = "(x^2 + y^2)";
/// -c (q·v) q/|q|² + τ Jq/|q|²: does not act, or acts with the torque τ, on rotations.
std::vector<std::string> radial_drag_and_torque(const std::string& torque) {
  const std::string drag = "-0.3*(x*x_dot + y*y_dot)";
  return {"(" + drag + "*x - " + torque + "*y)/" + r2, "(" + drag + "*y + " + torque + "*x)/" + r2};
}

std::vector<Method> families() {
  std::vector<Method> result;
  for (const char* name :
       {"euler_a", "euler_b", "midpoint", "midpoint(0.3)", "trapezoid", "trapezoid(0.2)", "verlet",
        "gauss(1)", "gauss(2)", "gauss(3)", "lobatto(3)", "lobatto(4)", "galerkin(2, lobatto:3)",
        "galerkin(2, gauss:4)", "galerkin(3)", "triple_jump(verlet)", "triple_jump(midpoint)"})
    result.push_back(parse_method(name));
  result.push_back(adjoint(midpoint(0.3)));
  result.push_back(compose({{euler_b(), 0.5}, {euler_a(), 0.5}}, 2, "euler_b, euler_a"));
  result.push_back(compose({{midpoint(0.3), 0.4}, {gauss(2), 0.6}}, 1, "mixed"));
  return result;
}

/// T28: orthogonal forces keep the momentum. T27: a constant torque adds h τ in a step, because
/// Σ bᵢ = 1 and every quadrature point turns with the ends.
TEST(ForcedNoether, BalanceIsExactForEveryFamily) {
  const double h = 0.05;
  for (const double torque : {0.0, 0.25}) {
    const auto f =
        system_of(texts::ring().with_force(radial_drag_and_torque(torque > 0.0 ? "0.25" : "0")));
    const auto damped = system_of(texts::ring().with_force({"-0.3*x_dot", "-0.3*y_dot"}));
    for (const Method& method : families()) {
      const VectorState s = walk(StageFlow(method, f), start_of(*f, texts::ring()), h, 40);
      EXPECT_NEAR(spin(s), 0.7 + 40 * h * torque, 1e-12) << method.name();
      // the drag takes energy, and a drag along v takes momentum
      EXPECT_GT(
          std::abs(spin(walk(StageFlow(method, damped), start_of(*damped, texts::ring()), h, 40)) -
                   0.7),
          1e-2);
    }
  }
}

/// T27: with f = -c q̇ the midpoint rule has J₁ - J₀ = -c q₀ × q₁, step by step.
TEST(ForcedNoether, MidpointWithDrag) {
  const auto f = system_of(texts::ring().with_force({"-0.3*x_dot", "-0.3*y_dot"}));
  const StageFlow flow(midpoint(), f);
  VectorState s = start_of(*f, texts::ring());
  auto memory = flow.memory(s);
  for (int k = 0; k < 50; ++k) {
    const VectorState next = flow.step(s, 0.1, memory);
    EXPECT_NEAR(spin(next) - spin(s), -0.3 * (s.q[0] * next.q[1] - s.q[1] * next.q[0]), 1e-14);
    s = next;
  }
}

/// (3.2.4) with fd⁺ = αh f(q_α, v), fd⁻ = (1-α)h f(q_α, v): one step by the equations as they stand.
TEST(ForcedForms, AlphaRules) {
  const auto slope = [](const Vn& q) {
    const double s = q.squaredNorm();
    return Vn(2.0 * q * (s - 1.0) * (3.0 * s - 1.0));
  };
  const auto f = system_of(texts::ring().with_force({"-x^2*x_dot + y", "-0.3*y_dot"}));
  const auto force = [](const Vn& q, const Vn& v) {
    return vector({-q[0] * q[0] * v[0] + q[1], -0.3 * v[1]});
  };
  const double h = 0.1;
  for (const double alpha : {0.0, 0.3, 0.5, 1.0}) {
    const VectorState s = start_of(*f, texts::ring());
    const auto discrete_slope = [&](const Vn& q1, double weight) {
      const Vn q = (1.0 - alpha) * s.q + alpha * q1;
      return Vn(h * weight * (force(q, (q1 - s.q) / h) - slope(q)));
    };
    const Vn q1 = root(
        [&](const Vn& x) { return Vn(s.p - (x - s.q) / h + discrete_slope(x, 1.0 - alpha)); }, s.q);
    const VectorState next = StageFlow(midpoint(alpha), f)(s, h);
    EXPECT_LT((next.q - q1).norm(), 1e-13) << alpha;
    EXPECT_LT((next.p - (q1 - s.q) / h - discrete_slope(q1, alpha)).norm(), 1e-13) << alpha;
  }
}

/// Composition of forced maps, and the adjoint of a forced L^α is L^{1-α}.
TEST(ForcedForms, CompositionAndAdjoint) {
  const auto f = system_of(texts::ring().with_force({"-x^2*x_dot + y*cos(t)", "-0.3*y_dot"}));
  const VectorState s = start_of(*f, texts::ring());
  const StageFlow a(midpoint(0.3), f);
  const StageFlow b(gauss(2), f);
  const StageFlow both(compose({{midpoint(0.3), 0.4}, {gauss(2), 0.6}}, 1, "both"), f);
  EXPECT_LT(distance(both(s, 0.2), b(a(s, 0.08), 0.12)), 1e-14);
  EXPECT_GT(distance(both(s, 0.2), a(b(s, 0.12), 0.08)), 1e-6);
  const StageFlow adjoint_a(adjoint(midpoint(0.3)), f);
  EXPECT_LT(distance(adjoint_a(s, 0.2), StageFlow(midpoint(0.7), f)(s, 0.2)), 1e-13);
  EXPECT_LT(distance(adjoint_a(a(s, -0.2), 0.2), s), 1e-13);
}

/// X2: energies of the damped particle at T = 1600 and t = 200; RK4 loses too much.
TEST(ForcedForms, DampedParticleOfFigureTwo) {
  const auto f = system_of(texts::ring().with_force({"-0.001*x_dot", "-0.001*y_dot"}));
  const auto energy_at = [&](const VectorState& s) {
    const double r = s.q.squaredNorm();
    return 0.5 * s.p.squaredNorm() + r * (r - 1.0) * (r - 1.0);
  };
  const auto ours = [&](double h, double t) {
    return energy_at(
        walk(StageFlow(midpoint(), f), start_of(*f, texts::ring()), h, std::lround(t / h)));
  };
  const auto rk = [&](double h, double t) {
    return energy_at(
        walk(BaselineFlow(rk4(), f), start_of(*f, texts::ring()), h, std::lround(t / h)));
  };
  EXPECT_NEAR(ours(0.1, 1600.0), 0.01954, 5e-6);
  EXPECT_NEAR(ours(0.2, 1600.0), 0.02059, 5e-6);
  EXPECT_NEAR(ours(0.2, 200.0), 0.20498, 5e-6);
  EXPECT_NEAR(rk(0.1, 1600.0), 0.01733, 5e-6);
  EXPECT_NEAR(rk(0.2, 1600.0), 0.00994, 5e-6);
  EXPECT_NEAR(rk(0.2, 200.0), 0.16941, 5e-6);
  EXPECT_NEAR(rk(0.01, 200.0), 0.202276, 1e-6);
}

}  // namespace
}  // namespace varia::forced_laws_test
