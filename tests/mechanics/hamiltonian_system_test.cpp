// SPDX-License-Identifier: BSD-3-Clause
// Hamiltonians as expressions: derivatives with their zeros, and what is found in them.
#include "varia/mechanics/hamiltonian_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems.hpp"

namespace varia::hamiltonian_system_test {
namespace {

using namespace problems;

TEST(HamiltonianSystem, DerivativesInTheirOrder) {
  const auto s = hamiltonian_of("p[1]^2*q[2]/2 + sin(t)*q[1]*p[2] + q[1]^3", 2);
  const std::vector<double> x{0.3, 0.7, -0.4, 1.1, 0.6};  // t, q, p
  EXPECT_DOUBLE_EQ(s->energy(x[0], &x[1], &x[3]),
                   1.1 * 1.1 * -0.4 / 2 + std::sin(0.3) * 0.7 * 0.6 + 0.343);
  EXPECT_EQ(s->point(x[0], &x[1], &x[3]), x);
  double gradient[4];
  s->gradient(x.data(), gradient);
  EXPECT_DOUBLE_EQ(gradient[0], std::sin(0.3) * 0.6 + 3 * 0.49);
  EXPECT_DOUBLE_EQ(gradient[1], 0.5 * 1.21);
  EXPECT_DOUBLE_EQ(gradient[2], 1.1 * -0.4);
  EXPECT_DOUBLE_EQ(gradient[3], std::sin(0.3) * 0.7);
  // q₁q₁, p₁q₂, p₁p₁, p₂q₁ and nothing else
  ASSERT_EQ(s->second.size(), 4);
  std::vector<double> all(8);
  s->hessian(x.data(), all.data());
  for (int i = 0; i < 4; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], gradient[i]);
  for (std::size_t e = 0; e < 4; ++e) {
    const int i = s->second.row[e];
    const int j = s->second.column[e];
    EXPECT_GE(i, j);
    const double expected = i == 0             ? 6 * 0.7
                            : i == 2 && j == 1 ? 1.1
                            : i == 2 && j == 2 ? -0.4
                                               : /* i == 3, j == 0 */ std::sin(0.3);
    EXPECT_NEAR(all[4 + e], expected, 1e-15) << i << j;
  }
}

TEST(HamiltonianSystem, WhatIsFound) {
  struct Case {
    const char* text;
    bool separable, quadratic, time;
  };
  for (const auto& c :
       {Case{"p[1]^2/2 + p[1]*p[2]/3 + p[2]^2 + q[1]*q[2]", true, true, false},
        Case{"p[1]^2/2 + q[1]*sin(t)", true, true, true},
        Case{"p[1]^2/2 + p[1] + q[1]", true, false, false},
        Case{"p[1]^4 + q[1]^2", true, false, false}, Case{"q[1]*p[1]", false, false, false},
        Case{"(1 + t)*p[1]^2/2 + q[1]^2", false, false, true}, Case{"q[1]^2", true, true, false},
        Case{"sin(t)", true, true, true}}) {
    const auto s = hamiltonian_of(c.text, 2);
    EXPECT_EQ(s->separable, c.separable) << c.text;
    EXPECT_EQ(s->quadratic_kinetic, c.quadratic) << c.text;
    EXPECT_EQ(s->uses_time, c.time) << c.text;
    EXPECT_EQ(static_cast<bool>(s->rates), c.time) << "none where all are 0: " << c.text;
    EXPECT_EQ(static_cast<bool>(s->velocity), c.separable) << c.text;
  }
  const auto s = hamiltonian_of("p[1]^4/4 + p[1]*p[2] + q[1]^2*t", 2);
  const double p[2] = {0.3, 0.7};
  const double tq[3] = {2.0, 0.5, 0.1};
  double v[2];
  double slope[2];
  s->velocity(p, v);
  s->potential_gradient(tq, slope);
  EXPECT_DOUBLE_EQ(v[0], 0.027 + 0.7);
  EXPECT_DOUBLE_EQ(v[1], 0.3);
  EXPECT_DOUBLE_EQ(slope[0], 2.0);
  EXPECT_DOUBLE_EQ(slope[1], 0.0);
}

TEST(HamiltonianSystem, Refusals) {
  expr::Graph graph;
  const expr::Id h = graph.mul(graph.variable(5), graph.variable(1));
  EXPECT_THROW(hamiltonian_system(graph, h, 2), InvalidArgument);
  EXPECT_THROW(hamiltonian_system(graph, h, 0), InvalidArgument);
  EXPECT_EQ(hamiltonian_system(graph, h, 3).n, 3);
}

}  // namespace
}  // namespace varia::hamiltonian_system_test
