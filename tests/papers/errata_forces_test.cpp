// SPDX-License-Identifier: BSD-3-Clause
// Formulas on forces as printed in [MW01, 3.1-3.2] and [West04, chapters 1 and 4], beside the correct
// ones: what the library does satisfies the latter and violates the former. Numbers E and ERR are those
// of the lists of errata.
#include "methods/tableaux.hpp"
#include "problems.hpp"
#include "varia/verify/differences.hpp"

namespace varia::errata_forces_test {
namespace {

using namespace problems;

constexpr double mass = 1.7;
double drag(double q, double v) {
  return -(0.3 + q * q) * v - 0.2 * v * v * v + 0.5 * std::sin(2.0 * q);
}
double lagrangian(double q, double v) { return 0.5 * mass * v * v + std::cos(q); }
std::shared_ptr<KernelSystem> pendulum() {
  return system_of(
      {{"x"}, "1.7*x_dot^2/2 + cos(x)", {"-(0.3 + x^2)*x_dot - 0.2*x_dot^3 + 0.5*sin(2*x)"}, {}});
}
VectorState start(const std::shared_ptr<KernelSystem>& f) {
  return initial(*f, vector({0.8}), vector({1.1}));
}
template <class F> double slope(const F& f) {
  return derivative_at_zero([&](double e) { return Eigen::VectorXd::Constant(1, f(e)); }, 0.02)[0];
}

/// The discrete Lagrangian and the stages of a forced Runge-Kutta pair as functions of q₀, q₁.
struct ForcedPair {
  explicit ForcedPair(const Tableau& t)
      : table(t), conjugate(symplectic_conjugate(t)), s(static_cast<int>(t.b.size())) {}
  double b(int i) const { return double(table.b[static_cast<std::size_t>(i)]); }

  /// V₁ … V_s, p₀ with m Vᵢ = p₀ + h Σ ãᵢⱼ(-V′ + f)ⱼ and q₁ = q₀ + h Σ b V.
  Vn solve(double q0, double q1, double h) const {
    return root(
        [&](const Vn& x) {
          Vn y = Vn::Zero(s + 1);
          const Vn q = points(x, q0, h);
          y[s] = q0 - q1;
          for (int i = 0; i < s; ++i) {
            y[i] = x[s] - mass * x[i];
            y[s] += h * b(i) * x[i];
            for (int j = 0; j < s; ++j)
              y[i] += h * double(conjugate.a(i, j)) * (drag(q[j], x[j]) - std::sin(q[j]));
          }
          return y;
        },
        Vn::Constant(s + 1, (q1 - q0) / h));
  }
  Vn points(const Vn& x, double q0, double h) const {
    Vn q = Vn::Constant(s, q0);
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) q[i] += h * double(table.a(i, j)) * x[j];
    return q;
  }
  double value(double q0, double q1, double h) const {
    const Vn x = solve(q0, q1, h);
    const Vn q = points(x, q0, h);
    double sum = 0.0;
    for (int i = 0; i < s; ++i) sum += h * b(i) * lagrangian(q[i], x[i]);
    return sum;
  }
  /// h Σ bᵢ fᵢ ∂Qᵢ/∂q of the first or of the last point.
  double work(double q0, double q1, double h, bool last) const {
    const Vn x = solve(q0, q1, h);
    const Vn q = points(x, q0, h);
    double sum = 0.0;
    for (int i = 0; i < s; ++i)
      sum += h * b(i) * drag(q[i], x[i]) * slope([&](double e) {
               const double a = last ? q0 : q0 + e;
               return points(solve(a, last ? q1 + e : q1, h), a, h)[i];
             });
    return sum;
  }

  Tableau table, conjugate;
  int s;
};

struct Defects {
  double correct, printed;
};
/// |p₀ + D₁L_d + fd⁻| + |p₁ - D₂L_d - fd⁺| of a step of the library, (3.2.8) both ways.
Defects defects(const Method& method, const Tableau& tableau, double h) {
  const auto f = pendulum();
  const VectorState s = start(f);
  const VectorState next = StageFlow(method, f)(s, h);
  const ForcedPair pair(tableau);
  const double q0 = s.q[0];
  const double q1 = next.q[0];
  const double d1 = slope([&](double e) { return pair.value(q0 + e, q1, h); });
  const double d2 = slope([&](double e) { return pair.value(q0, q1 + e, h); });
  const double at_start = pair.work(q0, q1, h, false);
  const double at_end = pair.work(q0, q1, h, true);
  return {std::abs(s.p[0] + d1 + at_start) + std::abs(next.p[0] - d2 - at_end),
          std::abs(s.p[0] + d1 + at_end) + std::abs(next.p[0] - d2 - at_start)};
}

/// E11, ERR-16: (3.2.8) prints fd⁺ with ∂Q/∂q₀ and fd⁻ with ∂Q/∂q₁. The defect of that is O(h²) for
/// every s, so that a method of order 2s would be of order 1; with one point it does not show.
TEST(ErrataForces, ForcesOfRungeKuttaPairsBelongToTheirEnds) {
  const struct {
    Method method;
    Tableau tableau;
  } cases[] = {{gauss(2), gauss_tableau(2)},
               {gauss(3), gauss_tableau(3)},
               {lobatto(2), lobatto_iiia(2)},
               {lobatto(3), lobatto_iiia(3)}};
  for (const auto& c : cases) {
    const Defects large = defects(c.method, c.tableau, 0.2);
    const Defects small = defects(c.method, c.tableau, 0.1);
    EXPECT_LT(large.correct, 1e-10) << c.method.name();
    EXPECT_GT(large.printed, 1e-3) << c.method.name();
    EXPECT_NEAR(std::log2(large.printed / small.printed), 2.0, 0.15) << c.method.name();
  }
  const Defects blind = defects(gauss(1), gauss_tableau(1), 0.2);
  EXPECT_LT(blind.correct + blind.printed, 1e-10);
}

/// L^α and its forces.
struct AlphaRule {
  double alpha;
  double point(double a, double b) const { return (1.0 - alpha) * a + alpha * b; }
  double value(double a, double b, double h) const {
    return h * lagrangian(point(a, b), (b - a) / h);
  }
  double minus(double a, double b, double h) const {
    return (1.0 - alpha) * h * drag(point(a, b), (b - a) / h);
  }
  double plus(double a, double b, double h) const {
    return alpha * h * drag(point(a, b), (b - a) / h);
  }
  double d1(double a, double b, double h) const {
    return -mass * (b - a) / h - (1.0 - alpha) * h * std::sin(point(a, b));
  }
  double d2(double a, double b, double h) const {
    return mass * (b - a) / h - alpha * h * std::sin(point(a, b));
  }
};

/// The defects of a composed step with the inner force fd^{(i+1)-} and as printed, with fd^{i-}.
Defects composition_defects(const AlphaRule& one, double first, const AlphaRule& two, double h) {
  const auto f = pendulum();
  const VectorState s = start(f);
  const double g = first * h;
  const double k = h - g;
  const StageFlow flow(
      compose({{midpoint(one.alpha), first}, {midpoint(two.alpha), 1.0 - first}}, 1, "both"), f);
  const VectorState next = flow(s, h);
  const auto middle = [&](double a, double b) {
    return root(
        [&](const Vn& x) {
          return vector({one.d2(a, x[0], g) + one.plus(a, x[0], g) + two.d1(x[0], b, k) +
                         two.minus(x[0], b, k)});
        },
        vector({0.5 * (a + b)}))[0];
  };
  const auto value = [&](double a, double b) {
    const double q = middle(a, b);
    return one.value(a, q, g) + two.value(q, b, k);
  };
  const double a = s.q[0];
  const double b = next.q[0];
  const double q = middle(a, b);
  const double dq_a = slope([&](double e) { return middle(a + e, b); });
  const double dq_b = slope([&](double e) { return middle(a, b + e); });
  const double d1 = slope([&](double e) { return value(a + e, b); });
  const double d2 = slope([&](double e) { return value(a, b + e); });
  const auto defect = [&](double inner) {
    return std::abs(s.p[0] + d1 + one.minus(a, q, g) + inner * dq_a) +
           std::abs(next.p[0] - d2 - two.plus(q, b, k) - inner * dq_b);
  };
  return {defect(one.plus(a, q, g) + two.minus(q, b, k)),
          defect(one.plus(a, q, g) + one.minus(q, b, g))};
}

/// E12, ERR-27: at the inner point meet the end of one step and the start of the next one. With equal
/// parts the misprint does not show.
TEST(ErrataForces, InnerForceOfACompositionIsThatOfTheNextPart) {
  const Defects different = composition_defects({0.3}, 0.4, {0.8}, 0.3);
  EXPECT_LT(different.correct, 1e-10);
  EXPECT_GT(different.printed, 1e-2);
  const Defects other_steps = composition_defects({0.3}, 0.4, {0.3}, 0.3);
  EXPECT_LT(other_steps.correct, 1e-10);
  EXPECT_GT(other_steps.printed, 1e-3);
  const Defects equal = composition_defects({0.3}, 0.5, {0.3}, 0.3);
  EXPECT_LT(equal.correct + equal.printed, 1e-10);
}

/// L*(q₀, q₁, h) = -L(q₁, q₀, -h) has the forces f*⁺ = -f⁻(q₁, q₀, -h), f*⁻ = -f⁺(q₁, q₀, -h), each
/// that of the other end (example 3.2.4).
TEST(ErrataForces, ForcesOfTheAdjointChangeEnds) {
  const auto f = pendulum();
  const VectorState s = start(f);
  const double h = 0.2;
  const VectorState next = StageFlow(adjoint(midpoint(0.3)), f)(s, h);
  const AlphaRule rule{0.3};
  const double a = s.q[0];
  const double b = next.q[0];
  EXPECT_NEAR(s.p[0], rule.d2(b, a, -h) + rule.plus(b, a, -h), 1e-13);
  EXPECT_NEAR(next.p[0], -rule.d1(b, a, -h) - rule.minus(b, a, -h), 1e-13);
  EXPECT_GT(std::abs(s.p[0] - rule.d2(b, a, -h) - rule.minus(b, a, -h)), 1e-2);
  EXPECT_GT(std::abs(next.p[0] + rule.d1(b, a, -h) + rule.plus(b, a, -h)), 1e-2);
}

/// ERR-5: the simplest discrete forces are fd⁻ = hF(q₀), fd⁺ = 0, which with L_d = hL(q₀, v) is
/// m (q₂ - 2q₁ + q₀)/h² = -V′ + F. Printed without h: forces that grow as steps get shorter.
TEST(ErrataForces, SimplestForcesAreImpulses) {
  const auto f = system_of({{"x"}, "1.7*x_dot^2/2 + cos(x)", {"0.5*sin(2*x) - 0.3"}, {}});
  const double h = 0.05;
  const StageFlow flow(midpoint(0.0), f);
  std::vector<VectorState> run{initial(*f, vector({0.8}), vector({1.1}))};
  for (int k = 0; k < 10; ++k) run.push_back(flow(run.back(), h));
  for (std::size_t k = 1; k + 1 < run.size(); ++k) {
    const double q = run[k].q[0];
    const double inertia = mass * (run[k + 1].q[0] - 2.0 * q + run[k - 1].q[0]) / (h * h);
    const double push = 0.5 * std::sin(2.0 * q) - 0.3;
    EXPECT_NEAR(inertia, -std::sin(q) + push, 1e-11);
    EXPECT_GT(std::abs(inertia + std::sin(q) - push / h), 1e-1 * std::abs(push) / h);
  }
}

/// E9, ERR-14: q̇ = ∂H/∂p, ṗ = -∂H/∂q + f_H, printed with q and p exchanged. E13: f_H is f_L after
/// FL⁻¹, f_H(q, p) = f_L(q, p/m); printed the other way round, (FL)⁻¹ of the force.
TEST(ErrataForces, ForcedHamiltonEquations) {
  const auto f = pendulum();
  const VectorState s = start(f);
  const StageFlow flow(gauss(6), f);
  const double q = s.q[0];
  const double p = s.p[0];
  const double rate_q = slope([&](double e) { return e == 0.0 ? q : flow(s, e).q[0]; });
  const double rate_p = slope([&](double e) { return e == 0.0 ? p : flow(s, e).p[0]; });
  EXPECT_NEAR(rate_q, p / mass, 1e-10);
  EXPECT_NEAR(rate_p, -std::sin(q) + drag(q, p / mass), 1e-10);
  EXPECT_GT(std::abs(rate_q - std::sin(q)), 0.1);
  EXPECT_GT(std::abs(rate_p + p / mass - drag(q, p / mass)), 0.1);
  EXPECT_GT(std::abs(rate_p + std::sin(q) - drag(q, p) / mass), 0.1);
  // and in the rules of example 3.2.2, step by step
  for (const double alpha : {0.0, 0.3, 0.5, 1.0}) {
    const double h = 0.1;
    const VectorState next = StageFlow(midpoint(alpha), f)(s, h);
    const double at = (1.0 - alpha) * q + alpha * next.q[0];
    const double mean = alpha * p + (1.0 - alpha) * next.p[0];
    EXPECT_NEAR((next.q[0] - q) / h, mean / mass, 1e-13) << alpha;
    const double push = (next.p[0] - p) / h + std::sin(at);
    EXPECT_NEAR(push, drag(at, mean / mass), 1e-12) << alpha;
    EXPECT_GT(std::abs(push - drag(at, mean) / mass), 0.1) << alpha;
  }
}

/// E10, ERR-15: J^{f-} belongs to q₀. As printed, with ξ(q₁), neither the balance (3.2.3) nor the
/// matching J^{f+}(q_{k-1}, q_k) = J^{f-}(q_k, q_{k+1}) hold.
TEST(ErrataForces, MomentumAtTheStartPairsWithTheStart) {
  const auto f = system_of(texts::ring().with_force({"-0.3*x_dot", "-0.3*y_dot + 0.1*x"}));
  const double h = 0.2;
  const StageFlow flow(midpoint(), f);
  VectorState s = start_of(*f, texts::ring());
  const auto turn = [](const Vn& q) { return vector({-q[1], q[0]}); };
  double work = 0.0;
  double first = 0.0;
  double first_printed = 0.0;
  double last = 0.0;
  double mismatch = 0.0;
  for (int k = 0; k < 20; ++k) {
    const VectorState next = flow(s, h);
    const Vn v = (next.q - s.q) / h;
    const Vn q = 0.5 * (s.q + next.q);
    const Vn half = 0.5 * h * vector({-0.3 * v[0], -0.3 * v[1] + 0.1 * q[0]});
    const Vn minus_d1 =
        v + 0.5 * h * 2.0 * q * (q.squaredNorm() - 1.0) * (3.0 * q.squaredNorm() - 1.0);
    const double correct = (minus_d1 - half).dot(turn(s.q));
    const double printed = (minus_d1 - half).dot(turn(next.q));
    if (k == 0) {
      first = correct;
      first_printed = printed;
    } else {
      EXPECT_NEAR(correct, last, 1e-13);
      mismatch = std::max(mismatch, std::abs(printed - last));
    }
    work += half.dot(turn(s.q)) + half.dot(turn(next.q));
    last = next.p.dot(turn(next.q));
    s = next;
  }
  EXPECT_NEAR(last - first, work, 1e-13);
  EXPECT_GT(std::abs(last - first_printed - work), 1e-3);
  EXPECT_GT(mismatch, 1e-3);
}

}  // namespace
}  // namespace varia::errata_forces_test
