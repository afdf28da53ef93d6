// SPDX-License-Identifier: BSD-3-Clause
// The discrete Noether theorem as a balance: with symmetry, without, with forces.
#include "varia/verify/momentum_balance.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/integrate.hpp"
#include "varia/methods/methods.hpp"

namespace varia::momentum_balance_test {
namespace {

using namespace problems;

Vn rotation(const Vn& q) { return Vector<double, 2>(-q[1], q[0]); }
Vn translation(const Vn&) { return Vector<double, 2>(1.0, 0.0); }

const std::vector<const char*> names{"euler_a",     "midpoint(0.3)",
                                     "verlet",      "symmetrised(0.2)",
                                     "gauss(2)",    "lobatto(3)",
                                     "galerkin(2)", "triple_jump(verlet)",
                                     "ruth",        "adjoint(galerkin(2, radau:2))"};

double largest(const std::vector<double>& x) {
  double most = 0.0;
  for (const double y : x) most = std::max(most, std::abs(y));
  return most;
}

TEST(MomentumBalance, HoldsWithAndWithoutSymmetry) {
  const auto f = system_of(texts::ring());
  const VectorState s = start_of(*f, texts::ring());
  for (const char* name : names) {
    const StageFlow flow(parse_method(name), f);
    const auto symmetric = momentum_balance(flow, s, 0.1, 30, rotation);
    EXPECT_TRUE(symmetric.passes()) << name << " " << symmetric.defect;
    EXPECT_LT(largest(symmetric.by_lagrangian), 1e-13) << name;
    EXPECT_EQ(largest(symmetric.by_force), 0.0) << name;
    EXPECT_NEAR(symmetric.momentum.back(), 0.7, 1e-13) << name;
    const auto other = momentum_balance(flow, s, 0.1, 30, translation);
    EXPECT_TRUE(other.passes()) << name << " " << other.defect;
    EXPECT_GT(largest(other.by_lagrangian), 0.01) << name;
    EXPECT_NEAR(other.gained_by_lagrangian(), other.momentum.back() - other.momentum.front(), 1e-12)
        << name;
  }
}

/// Verlet: dL_d·ξ is the mean of the forces at both ends.
TEST(MomentumBalance, LagrangianPartOfVerletByHand) {
  const auto f = system_of(texts::ring());
  const VectorState s0 = start_of(*f, texts::ring());
  const StageFlow flow(verlet(), f);
  const VectorState s1 = flow(s0, 0.1);
  const auto slope = [](const Vn& q) {
    const double r = q.squaredNorm();
    return 2.0 * q[0] * ((r - 1.0) * (r - 1.0) + 2.0 * r * (r - 1.0));
  };
  const auto balance = momentum_balance(flow, s0, 0.1, 1, translation);
  EXPECT_NEAR(balance.by_lagrangian[0], -0.05 * (slope(s0.q) + slope(s1.q)), 1e-15);
}

TEST(MomentumBalance, HoldsWithForces) {
  const auto f =
      system_of(texts::ring().with_force({"-0.2*x_dot + 0.1*sin(t)", "-0.3*y_dot^3 + 0.05*x"}));
  const VectorState s = start_of(*f, texts::ring());
  for (const char* name : names) {
    const StageFlow flow(parse_method(name), f);
    const auto balance = momentum_balance(flow, s, 0.1, 20, rotation);
    EXPECT_TRUE(balance.passes()) << name << " " << balance.defect;
    EXPECT_LT(largest(balance.by_lagrangian), 1e-13) << name;
    EXPECT_GT(largest(balance.by_force), 1e-3) << name;
    EXPECT_NEAR(balance.gained_by_force(), balance.momentum.back() - balance.momentum.front(),
                1e-12)
        << name;
  }
}

/// Midpoint rule, f = -c v, rotation of the plane: J₁ - J₀ = -c q₀ × q₁.
TEST(MomentumBalance, LinearDragOnTheMidpointRule) {
  const auto f = system_of(texts::ring().with_force({"-0.3*x_dot", "-0.3*y_dot"}));
  std::vector<Vn> q;
  const StageFlow flow(midpoint(), f);
  const VectorState s = start_of(*f, texts::ring());
  const auto balance = momentum_balance(flow, s, 0.1, 40, rotation);
  advance(flow, s, 0.1, 40, [&](const VectorState& z) { q.push_back(z.q); });
  for (std::size_t k = 0; k < balance.by_force.size(); ++k) {
    const double cross = q[k][0] * q[k + 1][1] - q[k][1] * q[k + 1][0];
    EXPECT_NEAR(balance.by_force[k], -0.3 * cross, 1e-14);
    EXPECT_NEAR(balance.momentum[k + 1] - balance.momentum[k], -0.3 * cross, 1e-14);
  }
}

/// A wrong generator of the same length is seen in the Lagrangian's part, a wrong step in the defect.
TEST(MomentumBalance, SeesWhatIsNotASymmetry) {
  const auto f = system_of(texts::ring());
  const VectorState s = start_of(*f, texts::ring());
  const auto twisted = [](const Vn& x) -> Vn { return Vector<double, 2>(-x[1], 1.01 * x[0]); };
  const auto balance = momentum_balance(StageFlow(verlet(), f), s, 0.1, 30, twisted);
  EXPECT_TRUE(balance.passes());
  EXPECT_GT(largest(balance.by_lagrangian), 1e-5);
}

TEST(MomentumBalance, Refusals) {
  auto f = system_of(texts::ring());
  const VectorState s = start_of(*f, texts::ring());
  const StageFlow flow(verlet(), f);
  expect_words(
      refusal([&] { momentum_balance(flow, s, 0.1, 1, [](const Vn&) -> Vn { return Vn(3); }); }),
      {"3", "2"});
  refusal([&] { momentum_balance(flow, s, 0.1, 1, [](const Vn& q) -> Vn { return q / 0.0; }); });
}

}  // namespace
}  // namespace varia::momentum_balance_test
