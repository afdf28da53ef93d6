// SPDX-License-Identifier: BSD-3-Clause
// The two copies of a forced system [Sato19, section 4.3], without any integrator: the fields of the
// doubled Lagrangian and of the doubled Hamiltonian on the diagonal q = Q are the forced ones in both
// copies (theorems 4.3.4, 4.3.7, 4.3.8), and what exchanging the copies does (4.3.6, 4.3.7).
//
// Ω = dQ∧dP - dq∧dp there; here momenta are canonical, so that of the first copy has the other sign.
#include "problems.hpp"
#include "varia/mechanics/legendre.hpp"
#include "varia/verify/differences.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia::galley_diagonal_test {
namespace {

using namespace problems;

/// A mass that depends on q; the force is neither linear in v nor the same function for both.
std::string lagrangian(const std::string& a, const std::string& b) {
  return "((1 + " + a + "^2/4)*" + a + "_dot^2/2 + " + b + "_dot^2/2 + cos(" + a + " - " + b +
         ") - " + b + "^4/4)";
}
std::string force_a(const std::string& a, const std::string& b) {
  return "(-(0.3 + " + b + "^2)*" + a + "_dot - 0.2*" + a + "_dot^3 + 0.4*" + b + ")";
}
std::string force_b(const std::string& a, const std::string& b) {
  return "(0.5*" + a + "*" + a + "_dot*" + b + "_dot - 0.1*" + b + "_dot)";
}
/// K = ½ (f(q, v) + f(Q, V))·(q - Q)
std::string generator() {
  return "((" + force_a("a", "b") + " + " + force_a("A", "B") + ")*(a - A) + (" +
         force_b("a", "b") + " + " + force_b("A", "B") + ")*(b - B))/2";
}
std::shared_ptr<KernelSystem> single(const std::vector<std::string>& force) {
  return system_of({{"a", "b"}, lagrangian("a", "b"), force, {}});
}
std::shared_ptr<KernelSystem> forced() { return single({force_a("a", "b"), force_b("a", "b")}); }
std::shared_ptr<KernelSystem> doubled(const std::string& k) {
  return system_of({{"a", "b", "A", "B"},
                    lagrangian("A", "B") + " - " + lagrangian("a", "b") + " - (" + k + ")",
                    {},
                    {}});
}

/// H, f as functions of (q, p), and H_f = H(Q, P) - H(q, p) + K with p = -p[1], -p[2].
std::string hamiltonian_text(const std::string& a, const std::string& b, const std::string& p,
                             const std::string& r) {
  return "(" + p + "^2/(2*(1 + " + a + "^2/4)) + " + r + "^2/2 - cos(" + a + " - " + b + ") + " +
         b + "^4/4)";
}
std::vector<std::string> force_of(const std::string& a, const std::string& b, const std::string& p,
                                  const std::string& r) {
  const std::string u = "(" + p + "/(1 + " + a + "^2/4))";
  return {"(-(0.3 + " + b + "^2)*" + u + " - 0.2*" + u + "^3 + 0.4*" + b + ")",
          "(0.5*" + a + "*" + u + "*" + r + " - 0.1*" + r + ")"};
}
std::string doubled_hamiltonian(bool with_force) {
  const auto f = force_of("q[1]", "q[2]", "(-p[1])", "(-p[2])");
  const auto g = force_of("q[3]", "q[4]", "p[3]", "p[4]");
  const std::string k = "((" + f[0] + " + " + g[0] + ")*(q[1] - q[3]) + (" + f[1] + " + " + g[1] +
                        ")*(q[2] - q[4]))/2";
  return hamiltonian_text("q[3]", "q[4]", "p[3]", "p[4]") + " - " +
         hamiltonian_text("q[1]", "q[2]", "(-p[1])", "(-p[2])") + (with_force ? " + " + k : "");
}

const Vn q = vector({0.7, -0.4});
const Vn v = vector({0.6, 1.1});
const Vn off_q = vector({0.7, -0.4, 0.5, -0.1});
const Vn off_v = vector({0.6, 1.1, 0.8, 0.7});

Vn twice(const Vn& x) { return vector({x[0], x[1], x[0], x[1]}); }
Vn opposite(const Vn& x) { return vector({-x[0], -x[1], x[0], x[1]}); }
Vn exchanged(const Vn& x) { return vector({x[2], x[3], x[0], x[1]}); }

Vn accelerations(const std::shared_ptr<KernelSystem>& f, const Vn& x, const Vn& rate) {
  return acceleration(*f, 0.0, x, rate).a;
}
/// (q̇, ṗ) of a Hamiltonian system.
std::pair<Vn, Vn> field(const HamiltonianSystem& s, const Vn& x, const Vn& p) {
  Vn g = Vn::Zero(2 * s.n);
  s.gradient(s.point(0.0, x.data(), p.data()).data(), g.data());
  return {Vn(g.tail(s.n)), Vn(-g.head(s.n))};
}

/// Theorem 4.3.7: on the diagonal the accelerations are the forced ones in both copies, off it not.
TEST(GalleyDiagonal, LagrangianField) {
  const auto f = doubled(generator());
  const Vn expected = accelerations(forced(), q, v);
  EXPECT_LT((accelerations(f, twice(q), twice(v)) - twice(expected)).norm(), 1e-14);
  EXPECT_GT((accelerations(single({}), q, v) - expected).norm(), 0.1);
  const Vn off = accelerations(f, off_q, off_v);
  EXPECT_GT((off.head(2) - accelerations(forced(), off_q.head(2), off_v.head(2))).norm(), 1e-2);
  EXPECT_GT((off.tail(2) - accelerations(forced(), off_q.tail(2), off_v.tail(2))).norm(), 1e-2);
}

/// Definition 4.3.2: any K that changes its sign with the copies keeps the diagonal, and its force is
/// f = d/dt ∂K/∂V - ∂K/∂Q. What does not change its sign leaves the diagonal.
TEST(GalleyDiagonal, ForcesOfOtherGenerators) {
  // a A (A' - a'): f = d/dt(a²) = 2 a a'
  const Vn velocity_term = accelerations(doubled("a*A*(A_dot - a_dot)"), twice(q), twice(v));
  const Vn drag = accelerations(single({"2*a*a_dot", "0"}), q, v);
  EXPECT_LT((velocity_term - twice(drag)).norm(), 1e-14);
  // third order in q - Q: no force
  const auto cubic = doubled(generator() + " + (a - A)^3*(a_dot + A_dot)^2");
  EXPECT_LT(
      (accelerations(cubic, twice(q), twice(v)) - twice(accelerations(forced(), q, v))).norm(),
      1e-14);
  EXPECT_GT((accelerations(cubic, off_q, off_v) - accelerations(doubled(generator()), off_q, off_v))
                .norm(),
            1e-3);
  const Vn left = accelerations(doubled(generator() + " + 0.1*(a + A)"), twice(q), twice(v));
  EXPECT_GT(std::abs(left[0] - left[2]), 0.1);
}

/// Lemma 4.3.1 and theorem 4.3.4: X_H without, X_H + Y_f with a force, in both copies.
TEST(GalleyDiagonal, HamiltonianField) {
  const auto one = hamiltonian_of(hamiltonian_text("q[1]", "q[2]", "p[1]", "p[2]"), 2);
  const auto free = hamiltonian_of(doubled_hamiltonian(false), 4);
  const auto two = hamiltonian_of(doubled_hamiltonian(true), 4);
  const Vn p = momentum(TypedView(forced()), q, v);
  const auto [rate, push] = field(*one, q, p);
  EXPECT_LT((rate - v).norm(), 1e-15);
  Vn f = Vn::Zero(2);
  forced()->force(forced()->point(0.0, q.data(), v.data()).data(), f.data());
  const auto [free_q, free_p] = field(*free, twice(q), opposite(p));
  EXPECT_LT((free_q - twice(rate)).norm() + (free_p - opposite(push)).norm(), 1e-14);
  const auto [two_q, two_p] = field(*two, twice(q), opposite(p));
  EXPECT_LT((two_q - twice(rate)).norm() + (two_p - opposite(push + f)).norm(), 1e-14);
  EXPECT_GT(f.norm(), 0.1);
  // off the diagonal the copies are free without K, and act on each other with it
  const Vn off_p = vector({-0.5, -1.2, 0.9, 0.4});
  const auto [apart_q, apart_p] = field(*free, off_q, off_p);
  const auto [other_q, other_p] = field(*one, off_q.head(2), -off_p.head(2));
  EXPECT_LT((apart_q.head(2) - other_q).norm() + (apart_p.head(2) + other_p).norm(), 1e-14);
  EXPECT_GT((field(*two, off_q, off_p).first.head(2) - other_q).norm(), 1e-2);
}

/// Theorem 4.3.8: E of L_K at FL_K⁻¹ and H_f are two Hamiltonians with one field on the diagonal.
TEST(GalleyDiagonal, BothHamiltoniansHaveOneFieldThere) {
  const TypedView view(doubled(generator()));
  const auto other = hamiltonian_of(doubled_hamiltonian(true), 4);
  const auto slopes = [&](const Vn& x, const Vn& p) {
    Vn g = Vn::Zero(8);
    for (int i = 0; i < 8; ++i)
      g[i] = derivative_at_zero(
          [&](double e) {
            const Vn y = x + (i < 4 ? e : 0.0) * Vn::Unit(4, i % 4);
            const Vn r = p + (i < 4 ? 0.0 : e) * Vn::Unit(4, i % 4);
            return Eigen::VectorXd::Constant(1, hamiltonian(view, y, r));
          },
          0.05)[0];
    return g;
  };
  const auto distance = [&](const Vn& x, const Vn& p) {
    const Vn g = slopes(x, p);
    const auto [rate, push] = field(*other, x, p);
    return (g.tail(4) - rate).norm() + (g.head(4) + push).norm();
  };
  EXPECT_LT(distance(twice(q), opposite(momentum(TypedView(forced()), q, v))), 1e-10);
  EXPECT_GT(distance(off_q, momentum(view, off_q, off_v)), 1e-2);
}

/// T4.1: L, E and H_f change their signs with the copies, and FL commutes with the exchange.
TEST(GalleyDiagonal, ExchangeOfTheCopies) {
  const TypedView view(doubled(generator()));
  const Vn p = momentum(view, off_q, off_v);
  EXPECT_LT((momentum(view, exchanged(off_q), exchanged(off_v)) + exchanged(p)).norm(), 1e-15);
  const double e = energy(view, off_q, off_v);
  EXPECT_NEAR(energy(view, exchanged(off_q), exchanged(off_v)), -e, 1e-15);
  EXPECT_GT(std::abs(e), 0.1);
  EXPECT_EQ(energy(view, twice(q), twice(v)), 0.0);  // nothing to monitor there
  const auto h = hamiltonian_of(doubled_hamiltonian(true), 4);
  const Vn back_q = exchanged(off_q);
  const Vn back_p = -exchanged(p);
  EXPECT_NEAR(h->energy(0.0, off_q.data(), p.data()), -h->energy(0.0, back_q.data(), back_p.data()),
              1e-15);
  // K alone without the symmetrising half does not
  const TypedView lopsided(doubled(force_a("a", "b") + "*(a - A)"));
  EXPECT_GT(std::abs(energy(lopsided, off_q, off_v) +
                     energy(lopsided, exchanged(off_q), exchanged(off_v))),
            1e-2);
}

}  // namespace
}  // namespace varia::galley_diagonal_test
