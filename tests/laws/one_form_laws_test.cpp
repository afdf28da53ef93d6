// SPDX-License-Identifier: BSD-3-Clause
// The laws of L = ⟨θ, v⟩ - H as text: orders, energy over long times, p = θ(q), reversibility, and
// vortices both as a one-form and by their Hamiltonian.
#include <cstdio>

#include "problems.hpp"
#include "varia/flow/hamiltonian_flow.hpp"
#include "varia/verify/check_invariants.hpp"
#include "varia/verify/check_symplectic.hpp"

namespace varia::one_form_laws_test {
namespace {

using namespace problems;
using enum OneFormProjection;

double order_of(const Texts& text, const Vn& q, int s, OneFormProjection projection, long n) {
  const auto system = system_of(text);
  const OneFormFlow fine(gauss(6), system);
  const Vn exact = walk(fine, fine.start(q, 0.3), 0.02, 100).q;
  const OneFormFlow flow(gauss(s), system, projection);
  const auto error = [&](long steps) {
    return (walk(flow, flow.start(q, 0.3), 2.0 / static_cast<double>(steps), steps).q - exact)
        .norm();
  };
  const double order = std::log2(error(n) / error(2 * n));
  std::printf("gauss(%d), projection %d: order %.3f, error %.1e\n", s, static_cast<int>(projection),
              order, error(n));
  return order;
}

/// Order 2s with the projection, also when θ and H depend on time; without it s for even s.
TEST(OneFormLaws, Orders) {
  for (const auto& [text, q] : {std::pair{texts::populations(), vector({1.0, 1.0})},
                                std::pair{texts::driven_guiding_centre(), vector({1.0, 0.3})}}) {
    EXPECT_NEAR(order_of(text, q, 1, symmetric, 40), 2.0, 0.1);
    EXPECT_NEAR(order_of(text, q, 2, symmetric, 20), 4.0, 0.1);
    EXPECT_NEAR(order_of(text, q, 3, symmetric, 12), 6.0, 0.1);
    EXPECT_NEAR(order_of(text, q, 2, none, 80), 2.0, 0.1);
    EXPECT_NEAR(order_of(text, q, 1, each_step, 800), 1.0, 0.1);
  }
}

/// The driven motion is not only of the right order but the right one: d/dt θ = Dθᵀq̇ - ∇H.
TEST(OneFormLaws, TheEquationsWithTime) {
  const OneFormFlow flow(gauss(4), system_of(texts::driven_guiding_centre()));
  const VectorState s = flow.start(vector({1.0, 0.3}), 0.4);
  const double h = 1e-3;
  const Vn rate = (flow(s, h).p - flow(s, -h).p) / (2 * h);
  const Vn v = flow.velocity(s);
  const double a = s.q[0];
  const double b = s.q[1];
  const double f = 0.5 + (a * a + b * b) / 16 + 0.1 * std::sin(0.4) * a;
  const double fa = a / 8 + 0.1 * std::sin(0.4);
  const double fb = b / 8;
  const double turn = a * v[1] - b * v[0];
  EXPECT_NEAR(rate[0], fa * turn + f * v[1] - (0.5 * a + 0.2 * std::cos(0.8)), 1e-5);
  EXPECT_NEAR(rate[1], fb * turn - f * v[0] - (0.5 * b + 0.3 * std::cos(b)), 1e-5);
}

double worst_energy(const OneFormFlow& flow, const Vn& q, double h, long steps) {
  VectorState s = flow.start(q);
  auto memory = flow.memory(s);
  const double start = flow.energy(s);
  double most = 0.0;
  for (long k = 0; k < steps; ++k) {
    s = flow.step(s, h, memory);
    most = std::max(most, std::abs(flow.energy(s) - start));
  }
  return most;
}

/// No trend in 50000 steps with the projection; a trend without it.
TEST(OneFormLaws, Energy) {
  for (const int s : {1, 2}) {
    const OneFormFlow flow(gauss(s), system_of(texts::populations()));
    const double early = worst_energy(flow, vector({1.0, 1.0}), 0.1, 1000);
    const double late = worst_energy(flow, vector({1.0, 1.0}), 0.1, 50000);
    EXPECT_LT(late, 1.05 * early) << s;
    std::printf("gauss(%d): energy %.3e in 1000 steps, %.3e in 50000\n", s, early, late);
  }
  const OneFormFlow centre(gauss(1), system_of(texts::guiding_centre()));
  EXPECT_LT(worst_energy(centre, vector({1.0, 0.3}), 0.25, 20000),
            1.1 * worst_energy(centre, vector({1.0, 0.3}), 0.25, 1000));
  const OneFormFlow plain(gauss(2), system_of(texts::populations()), none);
  EXPECT_GT(worst_energy(plain, vector({1.0, 1.0}), 0.1, 10000),
            4.0 * worst_energy(plain, vector({1.0, 1.0}), 0.1, 1000));
}

/// p = θ(t, q) is kept with the projection, and lost without.
TEST(OneFormLaws, MomentaAreTheOneForm) {
  for (const auto& text : {texts::populations(), texts::driven_guiding_centre()}) {
    const auto system = system_of(text);
    for (const int s : {1, 2}) {
      const OneFormFlow kept(gauss(s), system);
      EXPECT_LT(kept.defect(walk(kept, kept.start(vector({1.0, 0.7})), 0.1, 200)), 1e-15);
      const OneFormFlow lost(gauss(s), system, none);
      EXPECT_GT(lost.defect(walk(lost, lost.start(vector({1.0, 0.7})), 0.1, 20)), 1e-7);
    }
  }
}

TEST(OneFormLaws, ReversibleAndSymplectic) {
  const auto system = system_of(texts::driven_guiding_centre());
  for (const int s : {1, 2}) {
    const OneFormFlow full(gauss(s), system);
    const VectorState start = full.start(vector({1.0, 0.3}), 0.4);
    EXPECT_LT(check_reversible(full, start, 0.1, 10).defect, 1e-12);
    const OneFormFlow half(gauss(s), system, each_step);
    EXPECT_GT(check_reversible(half, start, 0.1, 10).defect, 1e-8);
    const OneFormFlow plain(gauss(s), system, none);
    EXPECT_LT(check_symplectic(plain, start, 0.1).defect, 1e-11);
  }
}

/// Three vortices: L = Σ Γyẋ - H has the motion of q̇ = ∂H/∂p, ṗ = -∂H/∂q with p = Γy.
TEST(OneFormLaws, VorticesAreHamiltonian) {
  const auto problem = hamiltonians::vortices();
  const std::string gamma[3] = {"1.0", "1.7", "(-0.6)"};
  std::string text = "1.0*q[4]*q_dot[1] + 1.7*q[5]*q_dot[2] - 0.6*q[6]*q_dot[3]";
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) {
      const auto x = [](int k) { return "q[" + std::to_string(k + 1) + "]"; };
      text += " + " + gamma[i] + "*" + gamma[j] + "/(4*pi)*log((" + x(i) + " - " + x(j) +
              ")^2 + (" + x(3 + i) + " - " + x(3 + j) + ")^2)";
    }
  const auto system = system_of({{"q[1..6]"}, text});
  EXPECT_TRUE(system->degenerate);
  Vn q(6);
  for (int i = 0; i < 3; ++i) {
    q[i] = problem.start.q[i];
    q[3 + i] = problem.start.p[i] / hamiltonians::circulation[i];
  }
  for (const int s : {1, 2, 3})
    for (const auto projection : {none, symmetric}) {
      const OneFormFlow flow(gauss(s), system, projection);
      const HamiltonianFlow other(gauss(s), problem.system);
      auto memory = other.memory(problem.start);
      const VectorState a = walk(flow, flow.start(q), 0.1, 100);
      const VectorState b = other.steps(problem.start, 0.1, 100, memory);
      double off = 0.0;
      for (int i = 0; i < 3; ++i)
        off = std::max({off, std::abs(a.q[i] - b.q[i]), std::abs(a.p[i] - b.p[i])});
      EXPECT_LT(off, 1e-12) << s;
      EXPECT_GT((a.q - q).norm(), 0.1);
    }
}

}  // namespace
}  // namespace varia::one_form_laws_test
