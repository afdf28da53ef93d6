// SPDX-License-Identifier: BSD-3-Clause
// Forces by duplication of variables, after Galley as in [Sato19, chapter 4]: the free system
//   L_K(q, v, Q, V) = L(Q, V) - L(q, v) - K,   K = ½ (f(q, v) + f(Q, V))·(q - Q)
// on two copies of ℝⁿ. Restricted to q = Q its equations are the forced ones, and its variational
// integrators the forced integrators: what holds for free ones, order included, carries over.
#include "problems.hpp"

namespace varia::galley_test {
namespace {

using namespace problems;

/// Coupled van der Pol oscillators (E4.1) in the given letters.
std::string lagrangian(const std::string& a, const std::string& b) {
  return "((" + a + "_dot^2 + " + b + "_dot^2)/2 - (" + a + "^2 + 1.02*" + b + "^2)/2 - 0.8*(" + a +
         " - " + b + ")^2)";
}
std::string force(const std::string& a) { return "(0.5 - " + a + "^2)*" + a + "_dot"; }
std::string generator() {
  return "((" + force("a") + " + " + force("A") + ")*(a - A) + (" + force("b") + " + " +
         force("B") + ")*(b - B))/2";
}

std::shared_ptr<KernelSystem> forced() {
  return system_of({{"a", "b"}, lagrangian("a", "b"), {force("a"), force("b")}, {}});
}
std::shared_ptr<KernelSystem> doubled(const std::string& sign = "-") {
  return system_of({{"a", "b", "A", "B"},
                    lagrangian("A", "B") + " - " + lagrangian("a", "b") + sign + generator(),
                    {},
                    {}});
}

const Vn q0 = vector({-0.5, -0.25});
const Vn v0 = vector({0.0, 4.0});

VectorState on_diagonal(const std::shared_ptr<KernelSystem>& f) {
  return initial(*f, vector({-0.5, -0.25, -0.5, -0.25}), vector({0.0, 4.0, 0.0, 4.0}));
}

/// T4.4: the free doubled step stays on the diagonal and is the forced step.
TEST(Galley, RestrictionIsTheForcedIntegrator) {
  const auto single = forced();
  const auto twice = doubled();
  for (const char* name :
       {"euler_a", "midpoint", "midpoint(0.3)", "verlet", "gauss(2)", "lobatto(3)", "lobatto(4)",
        "galerkin(2, gauss:3)", "triple_jump(midpoint)"}) {
    const Method method = parse_method(name);
    const VectorState a = walk(StageFlow(method, single), initial(*single, q0, v0), 0.0625, 16);
    const VectorState b = walk(StageFlow(method, twice), on_diagonal(twice), 0.0625, 16);
    EXPECT_LT((b.q.head(2) - b.q.tail(2)).norm(), 1e-12) << name;
    EXPECT_LT((b.p.head(2) + b.p.tail(2)).norm(), 1e-12) << name;
    EXPECT_LT((b.q.tail(2) - a.q).norm() + (b.p.tail(2) - a.p).norm(), 1e-12) << name;
  }
  // the other sign of K is the opposite force
  const auto other = doubled("+");
  const VectorState a = walk(StageFlow(gauss(2), single), initial(*single, q0, v0), 0.0625, 16);
  const VectorState b = walk(StageFlow(gauss(2), other), on_diagonal(other), 0.0625, 16);
  EXPECT_GT((b.q.tail(2) - a.q).norm(), 0.1);
}

/// T4.1 and its discrete form: exchanging the copies changes the sign of L_K, so the step commutes
/// with (q, Q, p, P) → (Q, q, -P, -p), off the diagonal too.
TEST(Galley, ExchangeOfTheCopies) {
  const auto f = doubled();
  const Vn q = vector({-0.5, -0.25, -0.4, -0.3});
  const Vn v = vector({0.1, 1.0, 0.3, 0.8});
  const auto value = [&](const Vn& x, const Vn& rate) {
    double l = 0.0;
    f->value(f->point(0.0, x.data(), rate.data()).data(), &l);
    return l;
  };
  const auto swapped = [](const Vn& x) { return vector({x[2], x[3], x[0], x[1]}); };
  EXPECT_NEAR(value(q, v) + value(swapped(q), swapped(v)), 0.0, 1e-15);
  EXPECT_GT(std::abs(value(q, v)), 1e-3);
  const auto exchange = [&](VectorState s) {
    s.q = swapped(s.q);
    s.p = -swapped(s.p);
    return s;
  };
  const VectorState s = initial(*f, q, v);
  for (const char* name : {"midpoint", "lobatto(3)", "gauss(2)"}) {
    const StageFlow flow(parse_method(name), f);
    EXPECT_LT(distance(flow(exchange(s), 0.1), exchange(flow(s, 0.1))), 1e-13) << name;
  }
}

/// T4.5, Theorem 4.4.2: the free method has its order on the doubled system, off the diagonal too;
/// on it this is the order of the forced method.
TEST(Galley, OrderOfTheForcedMethodIsThatOfTheFreeOne) {
  const auto twice = doubled();
  VectorState off =
      initial(*twice, vector({-0.5, -0.25, -0.45, -0.3}), vector({0.0, 4.0, 0.1, 3.9}));
  for (const VectorState& start : {on_diagonal(twice), off}) {
    const VectorState exact = walk(StageFlow(gauss(5), twice), start, 1.0 / 64, 64);
    const auto order = [&](const char* name, int n) {
      const StageFlow flow(parse_method(name), twice);
      return measured_order([&](int k) { return distance(walk(flow, start, 1.0 / k, k), exact); },
                            n);
    };
    EXPECT_NEAR(order("euler_b", 1024), 1.0, 0.1);
    EXPECT_NEAR(order("midpoint", 64), 2.0, 0.1);
    EXPECT_NEAR(order("lobatto(3)", 32), 4.0, 0.1);
    EXPECT_NEAR(order("gauss(2)", 32), 4.0, 0.1);
    EXPECT_NEAR(order("lobatto(4)", 16), 6.0, 0.1);
  }
}

/// R1: the end point of the forced run, from the doubled system.
TEST(Galley, ReferenceEndPoint) {
  const auto twice = doubled();
  const VectorState s = walk(StageFlow(gauss(5), twice), on_diagonal(twice), 1.0 / 64, 64);
  EXPECT_NEAR(s.q[2], 0.814329951600411697, 1e-12);
  EXPECT_NEAR(s.q[3], 1.838494782730984521, 1e-12);
  EXPECT_NEAR(s.p[2], 2.772401429355631975, 1e-12);
  EXPECT_NEAR(s.p[3], -0.572729318227756067, 1e-12);
}

/// T4.6: fd⁻ = ∂K_d/∂q₀ = -∂K_d/∂Q₀ and fd⁺ = ∂K_d/∂q₁ = -∂K_d/∂Q₁ on the diagonal, with K_d of the
/// midpoint rule: h/2 times the force there.
TEST(Galley, DiscreteForcesFromTheGenerator) {
  const auto k = system_of({{"a", "b", "A", "B"}, generator(), {}, {}});
  const double h = 0.2;
  const Vn a = vector({-0.5, -0.25, -0.5, -0.25});
  const Vn b = vector({-0.3, 0.4, -0.3, 0.4});
  const auto kd = [&](const Vn& x, const Vn& y) {
    const Vn q = 0.5 * (x + y);
    const Vn v = (y - x) / h;
    double value = 0.0;
    k->value(k->point(0.0, q.data(), v.data()).data(), &value);
    return h * value;
  };
  for (int i = 0; i < 4; ++i) {
    const Vn e = 1e-5 * Vn::Unit(4, i);
    const Vn q = 0.5 * (a + b);
    const double v = (b[i] - a[i]) / h;
    const double expected = (i < 2 ? 0.5 : -0.5) * h * (0.5 - q[i] * q[i]) * v;
    EXPECT_NEAR((kd(a + e, b) - kd(a - e, b)) / 2e-5, expected, 1e-9) << i;
    EXPECT_NEAR((kd(a, b + e) - kd(a, b - e)) / 2e-5, expected, 1e-9) << i;
  }
}

/// T4.7: M (q₂ - 2q₁ + q₀)/h² + D (q₂ - q₀)/2h + K (q₂ + 2q₁ + q₀)/4 = 0 for the midpoint rule.
TEST(Galley, DampedOscillator) {
  const auto f = system_of({{"x"}, "1.3*x_dot^2/2 - 2.1*x^2/2", {"-0.4*x_dot"}, {}});
  const double h = 0.1;
  const StageFlow flow(midpoint(), f);
  VectorState s = initial(*f, vector({0.8}), vector({0.3}));
  std::vector<double> q{s.q[0]};
  auto memory = flow.memory(s);
  for (int k = 0; k < 30; ++k) {
    s = flow.step(s, h, memory);
    q.push_back(s.q[0]);
  }
  for (std::size_t k = 0; k + 2 < q.size(); ++k)
    EXPECT_NEAR(1.3 * (q[k + 2] - 2.0 * q[k + 1] + q[k]) / (h * h) +
                    0.4 * (q[k + 2] - q[k]) / (2.0 * h) +
                    2.1 * (q[k + 2] + 2.0 * q[k + 1] + q[k]) / 4.0,
                0.0, 1e-12);
}

}  // namespace
}  // namespace varia::galley_test
