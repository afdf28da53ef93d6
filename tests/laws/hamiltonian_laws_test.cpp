// SPDX-License-Identifier: BSD-3-Clause
// The laws of the Hamiltonian side on regular, degenerate and time-dependent systems.
#include <gtest/gtest.h>

#include <cstdio>

#include "problems.hpp"
#include "varia/flow/hamiltonian_flow.hpp"
#include "varia/verify/check_invariants.hpp"
#include "varia/verify/check_order.hpp"
#include "varia/verify/check_symplectic.hpp"

namespace varia::hamiltonian_laws_test {
namespace {

using namespace problems;

std::vector<Method> methods_for(bool regular, int highest_order) {
  std::vector<Method> result = hamiltonian_methods();
  std::erase_if(result, [&](const Method& method) {
    return method.order() > highest_order || !(regular || any_hamiltonian(method));
  });
  EXPECT_GT(result.size(), 14U);
  return result;
}

/// The declared order within 0.1 on both sides.
void expect_orders(const char* name, const HamiltonianProblem& p, bool regular,
                   int highest_order = 6) {
  const VectorState exact =
      detail::converged_state(HamiltonianFlow(gauss(7), p.system), p.start, p.duration);
  double worst = 0.0;
  for (const Method& method : methods_for(regular, highest_order)) {
    const HamiltonianFlow flow(method, p.system);
    const OrderReport report = check_order(flow, p.start, p.duration, exact, method.order());
    EXPECT_NEAR(report.measured, method.order(), 0.1) << name << ", " << method.name();
    worst = std::max(worst, std::abs(report.measured - method.order()));
  }
  std::printf("%s: orders within %.3f\n", name, worst);
}

TEST(HamiltonianLaws, OrderOnRegularSystems) {
  expect_orders("double pendulum", hamiltonians::double_pendulum(), true);
  expect_orders("time-dependent", hamiltonians::driven(), true);
  expect_orders("relativistic", hamiltonians::relativistic(), true);
}

TEST(HamiltonianLaws, OrderOnDegenerateSystems) {
  expect_orders("linear in p", hamiltonians::linear_in_p(), false);
  expect_orders("vortices", hamiltonians::vortices(), false);
}

/// H = p f(q) with f = 1 + q² has the closed form q = tan(atan q₀ + t), p = p₀(1 + q₀²)/(1 + q²).
TEST(HamiltonianLaws, ClosedFormOfALinearHamiltonian) {
  const auto system = hamiltonian_of("p[1]*(1 + q[1]^2)", 1);
  const VectorState start = state_of(vector({0.2}), vector({1.5}));
  const double q = std::tan(std::atan(0.2) + 0.8);
  const VectorState exact = state_of(vector({q}), vector({1.5 * 1.04 / (1.0 + q * q)}), 0.8);
  EXPECT_LT(detail::distance(advance(HamiltonianFlow(gauss(7), system), start, 0.1, 8), exact),
            1e-14);
  for (const Method& method : {euler_a(), midpoint(), gauss(2), lobatto(3), lobatto(2)})
    EXPECT_NEAR(
        check_order(HamiltonianFlow(method, system), start, 0.8, exact, method.order()).measured,
        method.order(), 0.1)
        << method.name();
}

TEST(HamiltonianLaws, Symplectic) {
  for (const HamiltonianProblem& p :
       {hamiltonians::double_pendulum(), hamiltonians::driven(), hamiltonians::relativistic()})
    for (const Method& method : methods_for(true, 6))
      EXPECT_LT(check_symplectic(HamiltonianFlow(method, p.system), p.start, p.h).defect, 1e-12)
          << method.name();
  for (const HamiltonianProblem& p : {hamiltonians::linear_in_p(), hamiltonians::vortices()})
    for (const Method& method : methods_for(false, 6))
      EXPECT_LT(check_symplectic(HamiltonianFlow(method, p.system), p.start, 0.5 * p.h).defect,
                1e-12)
          << method.name();
}

/// What is not symplectic; the measure sees it.
TEST(HamiltonianLaws, ExplicitEulerIsNotSymplectic) {
  const HamiltonianProblem p = hamiltonians::vortices();
  const auto euler = [&](const VectorState& s, double h) {
    Vn g(6);
    p.system->gradient(p.system->point(s.t, s.q.data(), s.p.data()).data(), g.data());
    return state_of(s.q + h * g.tail(3), s.p - h * g.head(3), s.t + h);
  };
  EXPECT_GT(check_symplectic(euler, p.start, p.h).defect, 1e-4);
}

/// F⁻ʰFʰ = id exactly for the symmetric methods; the adjoint undoes the others.
TEST(HamiltonianLaws, Reversible) {
  for (const HamiltonianProblem& p : {hamiltonians::double_pendulum(), hamiltonians::driven(),
                                      hamiltonians::linear_in_p(), hamiltonians::vortices()})
    for (const Method& method : methods_for(false, 6)) {
      const HamiltonianFlow flow(method, p.system);
      const double defect = check_reversible(flow, p.start, 0.5 * p.h, 10).defect;
      if (method.symmetric()) {
        EXPECT_LT(defect, 1e-12) << method.name();
      } else if (method.order() <= 4) {
        EXPECT_GT(defect, 1e-12) << method.name();
      }
      const VectorState there = flow(p.start, 0.5 * p.h);
      const HamiltonianFlow back(adjoint(method), p.system);
      EXPECT_LT(detail::distance(back(there, -0.5 * p.h), p.start), 1e-13) << method.name();
    }
}

/// Impulses of vortices: Σ Γx and Σ Γy always; Σ Γ(x² + y²) mixes q and p, which methods with one
/// tableau for both conserve (Gauss), and pairs of tableaux (Lobatto IIIA-IIIB, Euler) do not.
TEST(HamiltonianLaws, ImpulsesOfVortices) {
  const HamiltonianProblem problem = hamiltonians::vortices();
  const Vn gamma = vector(
      {hamiltonians::circulation[0], hamiltonians::circulation[1], hamiltonians::circulation[2]});
  const auto angular = [&](const VectorState& s) {
    return gamma.dot(s.q.cwiseProduct(s.q)) + s.p.cwiseProduct(s.p).dot(gamma.cwiseInverse());
  };
  for (const Method& method : methods_for(false, 8)) {
    double drift = 0.0;
    double angular_drift = 0.0;
    advance(HamiltonianFlow(method, problem.system), problem.start, 0.1, 200,
            [&](const VectorState& s) {
              drift = std::max({drift, std::abs(gamma.dot(s.q - problem.start.q)),
                                std::abs(s.p.sum() - problem.start.p.sum())});
              angular_drift =
                  std::max(angular_drift, std::abs(angular(s) - angular(problem.start)));
            });
    EXPECT_LT(drift, 1e-14) << method.name();
    const std::string& name = method.name();
    const bool one_tableau = name.find("gauss") == 0 || name == "midpoint" ||
                             name == "triple_jump(midpoint)" || name == "kahan_li(6, midpoint)";
    const bool pair = name.find("lobatto") == 0 || name.find("euler") == 0;
    if (one_tableau) {
      EXPECT_LT(angular_drift, 1e-13) << name;
    } else if (pair && method.order() <= 4) {
      EXPECT_GT(angular_drift, 1e-9) << name;
    }
  }
}

/// Energy stays near its start for long times, and falls like h^r.
TEST(HamiltonianLaws, EnergyOfVorticesIsBounded) {
  const HamiltonianProblem p = hamiltonians::vortices();
  const auto energy = [&](const VectorState& s) {
    return p.system->energy(s.t, s.q.data(), s.p.data());
  };
  const auto worst = [&](const Method& method, double h, long steps) {
    double most = 0.0;
    advance(HamiltonianFlow(method, p.system), p.start, h, steps, [&](const VectorState& s) {
      most = std::max(most, std::abs(energy(s) - energy(p.start)));
    });
    return most;
  };
  const double early = worst(gauss(1), 0.1, 2000);
  EXPECT_LT(early, 5e-3);
  EXPECT_LT(worst(gauss(1), 0.1, 20000), 1.2 * early);
  EXPECT_NEAR(std::log2(early / worst(gauss(1), 0.05, 4000)), 2.0, 0.1);
}

}  // namespace
}  // namespace varia::hamiltonian_laws_test
