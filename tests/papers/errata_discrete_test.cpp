// SPDX-License-Identifier: BSD-3-Clause
// Formulas of [MW01, parts 1 and 2] and [West04, chapters 1 and 3] without forces, as printed and
// corrected, for a pendulum of a mass that is not 1.
#include "problems.hpp"
#include "varia/methods/legs.hpp"
#include "varia/verify/differences.hpp"

namespace varia::errata_discrete_test {
namespace {

using namespace problems;

constexpr double mass = 1.7;
std::shared_ptr<KernelSystem> pendulum() {
  return system_of({{"x"}, "1.7*x_dot^2/2 + cos(x)", {}, {}});
}
constexpr double q = 0.8;
constexpr double v = 1.1;
VectorState start() { return initial(*pendulum(), vector({q}), vector({v})); }
template <class F> double slope(const F& f) {
  return derivative_at_zero([&](double e) { return Eigen::VectorXd::Constant(1, f(e)); }, 0.1)[0];
}

/// E5, ERR-10, T19: q₁ = q₀ + hM⁻¹p₀ - (1 - α)h²M⁻¹∇V, printed without the second M⁻¹; and
/// p₁ = p₀ - h∇V - αh²∇²V M⁻¹p₀.
TEST(ErrataDiscrete, ExpansionOfTheAlphaRules) {
  const VectorState s = start();
  for (const double alpha : {0.0, 0.3, 0.5, 1.0}) {
    const StageFlow flow(midpoint(alpha), pendulum());
    const double second_q = slope([&](double h) { return (flow(s, h).q[0] - q) / h; });
    const double second_p = slope([&](double h) { return (flow(s, h).p[0] - s.p[0]) / h; });
    EXPECT_NEAR(second_q, -(1.0 - alpha) * std::sin(q) / mass, 1e-9) << alpha;
    EXPECT_NEAR(second_p, -alpha * std::cos(q) * v, 1e-9) << alpha;
    if (alpha < 1.0) {
      EXPECT_GT(std::abs(second_q + (1.0 - alpha) * std::sin(q)), 0.1) << alpha;
    }
  }
}

/// T19, (2.3.4): L^α = hL + ½h²(2α L_q·q̇ + L_v·q̈) along motions, where the exact one has α = ½: the
/// order of L_d is 1 unless α = ½.
TEST(ErrataDiscrete, ExpansionOfTheDiscreteLagrangian) {
  const VectorState s = start();
  const StageFlow exact(gauss(6), pendulum());
  for (const double alpha : {0.0, 0.3, 0.5, 1.0}) {
    const double second = slope([&](double h) {
      const double q1 = exact(s, h).q[0];
      const double rate = (q1 - q) / h;
      return 0.5 * mass * rate * rate + std::cos((1.0 - alpha) * q + alpha * q1);
    });
    EXPECT_NEAR(second, 0.5 * (-2.0 * alpha * std::sin(q) * v - std::sin(q) * v), 1e-9) << alpha;
  }
}

/// ERR-3: (1.18b) is p₁ = Mv - hα∇V(q₁); printed without M and with q₀.
TEST(ErrataDiscrete, MomentaOfTheTrapezoidalRule) {
  const VectorState s = start();
  const double h = 0.2;
  for (const double alpha : {0.3, 0.5, 1.0}) {
    const VectorState next = StageFlow(trapezoid(alpha), pendulum())(s, h);
    const double rate = (next.q[0] - q) / h;
    EXPECT_NEAR(s.p[0], mass * rate + h * (1.0 - alpha) * std::sin(q), 1e-14);
    EXPECT_NEAR(next.p[0], mass * rate - h * alpha * std::sin(next.q[0]), 1e-14);
    EXPECT_GT(std::abs(next.p[0] - mass * rate + h * alpha * std::sin(q)), 1e-3);
    EXPECT_GT(std::abs(next.p[0] - rate + h * alpha * std::sin(q)), 0.1);
  }
}

/// E8, ERR-12, T26: q₁ = q₀ + ahM⁻¹p₀, p₁ = p₀ - bh∇V(q₁) has L^{a,b} = h(½vᵀMv/a - bV(q₁)), printed
/// b ½vᵀMv - V/a. An explicit method is the flow of the sum of such, stationary in the inner points.
TEST(ErrataDiscrete, LagrangiansOfKicksAndDrifts) {
  const double h = 0.3;
  const VectorState s = start();
  for (const char* name :
       {"blanes_moan(4)", "yoshida(4, verlet)", "verlet", "euler_a", "euler_b"}) {
    const Method method = parse_method(name);
    const std::optional<Legs> legs = explicit_legs(method);
    ASSERT_TRUE(legs.has_value()) << name;
    const auto n = static_cast<Eigen::Index>(legs->drifts.size());
    const auto drift = [&](Eigen::Index i) { return legs->drifts[static_cast<std::size_t>(i)]; };
    const auto kick = [&](Eigen::Index i) { return legs->kicks[static_cast<std::size_t>(i)]; };
    const VectorState next = StageFlow(method, pendulum())(s, h);
    // momenta between the points x₀ … xₙ; kinetic weight 1/a, or b as printed
    const auto defect = [&](const Vn& x, bool printed) {
      const auto momentum = [&](Eigen::Index i) {
        return mass * (x[i + 1] - x[i]) / h * (printed ? kick(i + 1) : 1.0 / drift(i));
      };
      const auto push = [&](Eigen::Index i) {
        const double weight = printed ? (i > 0 ? 1.0 / drift(i - 1) : 0.0) : kick(i);
        return h * weight * std::sin(x[i]);
      };
      Vn y = Vn::Zero(n + 1);
      y[0] = momentum(0) + push(0) - s.p[0];
      for (Eigen::Index i = 1; i < n; ++i) y[i] = momentum(i) - momentum(i - 1) + push(i);
      y[n] = momentum(n - 1) - push(n) - next.p[0];
      return y;
    };
    const auto path = [&](const Vn& inner) {
      Vn x(n + 1);
      x << vector({q}), inner, next.q;
      return x;
    };
    Vn inner = Vn::LinSpaced(n + 1, q, next.q[0]).segment(1, n - 1);
    if (n > 1)
      inner =
          root([&](const Vn& y) { return Vn(defect(path(y), false).segment(1, n - 1)); }, inner);
    EXPECT_LT(defect(path(inner), false).norm(), 1e-11) << name;
    if (n == 1 && drift(0) == 1.0 && kick(1) == 1.0) continue;  // a = b = 1: it does not show
    EXPECT_GT(defect(path(inner), true).norm(), 1e-2) << name;
  }
}

}  // namespace
}  // namespace varia::errata_discrete_test
