// SPDX-License-Identifier: BSD-3-Clause
// Formulas on constraints as printed in [MW01, 3.3-3.7] and [West04, chapter 4], beside the correct
// ones. Masses differ here: with M = 1 most misprints do not show.
#include "methods/tableaux.hpp"
#include "problems.hpp"

namespace varia::errata_constraints_test {
namespace {

using namespace problems;

const Vn mass = vector({1.0, 2.5, 0.6});
const std::string kinetic = "(x_dot^2 + 2.5*y_dot^2 + 0.6*z_dot^2)/2";
const std::string potential = "(z + 0.3*x^2 + 0.2*x*y)";
Vn slope(const Vn& q) { return vector({0.6 * q[0] + 0.2 * q[1], 0.2 * q[0], 1.0}); }
/// φ = |q|² - 1
Vn normal(const Vn& q) { return 2.0 * q; }
Vn over_mass(const Vn& p) { return p.cwiseQuotient(mass); }

std::shared_ptr<KernelSystem> sphere(const std::vector<std::string>& force = {}) {
  return system_of({{"x", "y", "z"}, kinetic + " - " + potential, force, {"x^2 + y^2 + z^2 - 1"}});
}
VectorState start(const std::shared_ptr<KernelSystem>& f) {
  return initial(*f, vector({0.6, 0.0, -0.8}), vector({0.4, 0.9, 0.3}));
}

/// E14, ERR-22: (3.3.10) prints G M⁻¹q̇ = 0. T*N is G M⁻¹p = 0, that is G q̇ = 0.
TEST(ErrataConstraints, MomentaOfTheManifold) {
  const auto f = sphere();
  for (const char* name : {"verlet", "midpoint", "lobatto(3)", "lobatto(4)"}) {
    const VectorState s = walk(StageFlow(parse_method(name), f), start(f), 0.05, 20);
    const Vn v = over_mass(s.p);
    EXPECT_NEAR(normal(s.q).dot(v), 0.0, 1e-13) << name;
    EXPECT_GT(std::abs(normal(s.q).dot(over_mass(v))), 0.05) << name;
  }
}

/// P = I - Gᵀ(G M⁻¹Gᵀ)⁻¹G M⁻¹: P² = P, P Gᵀ = 0, G M⁻¹P = 0, and p₀ = -P(q₀)D₁L_d, p₁ = P(q₁)D₂L_d
/// (3.4.10). The orthogonal projection does not do it.
TEST(ErrataConstraints, ProjectionIsThatOfTheKineticMetric) {
  const auto f = sphere();
  const VectorState s = start(f);
  const double h = 0.1;
  const VectorState next = StageFlow(verlet(), f)(s, h);
  const auto projection = [](const Vn& q, const Vn& weights) {
    const Vn g = normal(q);
    const Vn w = g.cwiseQuotient(weights);
    return Eigen::MatrixXd(Eigen::MatrixXd::Identity(3, 3) - g * w.transpose() / g.dot(w));
  };
  const Eigen::MatrixXd p = projection(next.q, mass);
  EXPECT_LT((p * p - p).norm() + (p * normal(next.q)).norm(), 1e-14);
  EXPECT_LT((over_mass(normal(next.q)).transpose() * p).norm(), 1e-14);
  const Vn v = (next.q - s.q) / h;
  const Vn d1 = -mass.cwiseProduct(v) - 0.5 * h * slope(s.q);
  const Vn d2 = mass.cwiseProduct(v) - 0.5 * h * slope(next.q);
  EXPECT_LT((s.p + projection(s.q, mass) * d1).norm(), 1e-13);
  EXPECT_LT((next.p - p * d2).norm(), 1e-13);
  EXPECT_GT((next.p - projection(next.q, Vn::Ones(3)) * d2).norm(), 1e-2);
  EXPECT_GT((next.p - d2).norm(), 1e-2);
}

/// E15: between (3.5.2) and RATTLE the print has +λ⁽¹⁾ and no h. With λ of (3.5.2) = -½ of RATTLE's
/// the lines are p₀ = Mv + ½h∇V + hGᵀλ⁽⁰⁾, p₁ = Mv - ½h∇V - hGᵀλ⁽¹⁾.
TEST(ErrataConstraints, LinesBeforeRattle) {
  const auto f = sphere();
  const VectorState s = start(f);
  const double now = acceleration(*f, 0.0, s.q, over_mass(s.p)).lambda[0];
  double last = 1.0;
  for (const double h : {0.1, 0.05, 0.025}) {
    const VectorState next = StageFlow(verlet(), f)(s, h);
    const Vn v = (next.q - s.q) / h;
    // λ₀ of RATTLE from its first line, λ₁ is that of the library
    const Vn first = mass.cwiseProduct(v) - s.p + 0.5 * h * slope(s.q);
    const double rattle0 = first.dot(normal(s.q)) / (0.5 * h * normal(s.q).squaredNorm());
    const double l0 = -0.5 * rattle0;
    const double l1 = -0.5 * next.lambda[0];
    const Vn at0 = s.p - mass.cwiseProduct(v) - 0.5 * h * slope(s.q);
    const Vn at1 = next.p - mass.cwiseProduct(v) + 0.5 * h * slope(next.q);
    EXPECT_LT((at0 - h * normal(s.q) * l0).norm(), 1e-13);
    EXPECT_LT((at1 + h * normal(next.q) * l1).norm(), 1e-13);
    EXPECT_GT((at0 - normal(s.q) * l0).norm(), 0.5);
    EXPECT_GT((at1 - normal(next.q) * l1).norm(), 0.5);
    EXPECT_GT((at1 - h * normal(next.q) * l1).norm(), h);  // the sign alone
    // with h the multipliers tend to that of the motion, and halving h halves the distance
    const double far = std::max(std::abs(rattle0 - now), std::abs(next.lambda[0] - now));
    EXPECT_LT(far, 0.7 * last);
    last = far;
  }
  EXPECT_LT(last, 0.05 * std::abs(now));
}

/// The forced pendulum with two masses in the plane, one step of (3.5.4) with the pair a, ã as they
/// stand and the force in Ṗ (example 3.7.6). The result is q₁, p₁.
Vn constrained_pair(const Tableau& a, const Eigen::MatrixXd& conjugate, const VectorState& start,
                    double h) {
  const int s = static_cast<int>(a.b.size());
  const auto b = [&](int i) { return double(a.b[static_cast<std::size_t>(i)]); };
  const Vn m = vector({1.0, 2.5});
  struct Step {
    Vn end, defects;
  };
  const auto step = [&](const Vn& x) {  // x: V₁ … V_s, Λ₁ … Λ_s
    std::vector<Vn> q;
    std::vector<Vn> rate;
    for (int i = 0; i < s; ++i) {
      q.emplace_back(start.q);
      for (int j = 0; j < s; ++j) q.back() += h * double(a.a(i, j)) * x.segment(2 * j, 2);
      const Vn v = x.segment(2 * i, 2);
      rate.emplace_back(vector({-0.4 * v[0] - 0.2 * q.back()[1], -1.0 - 0.3 * v[1] * v[1] * v[1]}) -
                        2.0 * q.back() * x[2 * s + i]);
    }
    Step result{Vn::Zero(4), Vn::Zero(3 * s)};
    Vn q1 = start.q;
    Vn p1 = start.p;
    for (int i = 0; i < s; ++i) {
      q1 += h * b(i) * x.segment(2 * i, 2);
      p1 += h * b(i) * rate[static_cast<std::size_t>(i)];
      Vn p = start.p;
      for (int j = 0; j < s; ++j) p += h * conjugate(i, j) * rate[static_cast<std::size_t>(j)];
      result.defects.segment(2 * i, 2) = p - m.cwiseProduct(x.segment(2 * i, 2));
      if (i > 0) result.defects[2 * s + i - 1] = q[static_cast<std::size_t>(i)].squaredNorm() - 1.0;
    }
    result.defects[3 * s - 1] = 2.0 * q1.dot(p1.cwiseQuotient(m));
    result.end << q1, p1;
    return result;
  };
  Vn guess = Vn::Zero(3 * s);
  for (int i = 0; i < s; ++i) guess.segment(2 * i, 2) = start.p.cwiseQuotient(m);
  return step(root([&](const Vn& x) { return step(x).defects; }, guess)).end;
}

/// E16, ERR-17: from (2.6.7) and a₁ᵢ = 0 follows ãᵢ₁ = b̃₁, where b̃ᵢ is printed; with that the step
/// is another one, and of order 1.
TEST(ErrataConstraints, FirstColumnOfTheConjugate) {
  const auto f = system_of({{"x", "y"},
                            "(x_dot^2 + 2.5*y_dot^2)/2 - y",
                            {"-0.4*x_dot - 0.2*y", "-0.3*y_dot^3"},
                            {"x^2 + y^2 - 1"}});
  const VectorState s = initial(*f, vector({0.6, -0.8}), vector({0.8, 0.6}));
  for (const int stages : {3, 4}) {
    const Tableau a = lobatto_iiia(stages);
    const Tableau conjugate = lobatto_iiib(stages);
    Eigen::MatrixXd correct(stages, stages);
    for (int i = 0; i < stages; ++i)
      for (int j = 0; j < stages; ++j) correct(i, j) = double(conjugate.a(i, j));
    Eigen::MatrixXd printed = correct;
    for (int i = 0; i < stages; ++i)
      printed(i, 0) = double(conjugate.b[static_cast<std::size_t>(i)]);
    const StageFlow flow(lobatto(stages), f);
    const auto distance = [&](const Eigen::MatrixXd& table, double h) {
      const VectorState next = flow(s, h);
      const Vn end = constrained_pair(a, table, s, h);
      return (end.head(2) - next.q).norm() + (end.tail(2) - next.p).norm();
    };
    EXPECT_LT(distance(correct, 0.1), 1e-12) << stages;
    EXPECT_GT(distance(printed, 0.1), 1e-4) << stages;
    EXPECT_NEAR(std::log2(distance(printed, 0.02) / distance(printed, 0.01)), 2.0, 0.2) << stages;
  }
}

/// E10 in (3.7.8), (3.7.9): the balance of momentum about the vertical, with drag and a torque, pairs
/// J^{f-} with ξ(q₀); the reaction has no part in it.
TEST(ErrataConstraints, BalanceOfMomentumWithForces) {
  const auto f = system_of({{"x", "y", "z"},
                            "(x_dot^2 + y_dot^2 + z_dot^2)/2 - z",
                            {"-0.3*x_dot - 0.2*y", "-0.3*y_dot + 0.2*x", "-0.3*z_dot"},
                            {"x^2 + y^2 + z^2 - 1"}});
  const auto turn = [](const Vn& q) { return vector({-q[1], q[0], 0.0}); };
  const double h = 0.2;
  const StageFlow flow(midpoint(), f);
  const VectorState first = initial(*f, vector({0.6, 0.0, -0.8}), vector({0.4, 0.9, 0.3}));
  VectorState s = first;
  Vn second;
  double work = 0.0;
  for (int k = 0; k < 25; ++k) {
    const VectorState next = flow(s, h);
    if (k == 0) second = next.q;
    const Vn v = (next.q - s.q) / h;
    const Vn q = 0.5 * (next.q + s.q);
    const Vn half = 0.5 * h * (-0.3 * v + 0.2 * turn(q));
    work += half.dot(turn(s.q)) + half.dot(turn(next.q));
    s = next;
  }
  const double end = s.p.dot(turn(s.q));
  EXPECT_NEAR(end - first.p.dot(turn(first.q)), work, 1e-13);
  EXPECT_GT(std::abs(end - first.p.dot(turn(second)) - work), 1e-3);
  EXPECT_GT(std::abs(work), 0.1);
}

}  // namespace
}  // namespace varia::errata_constraints_test
