// SPDX-License-Identifier: BSD-3-Clause
// The derivative of steps on the Hamiltonian side: against differences, transposed, symplectic.
#include <gtest/gtest.h>

#include "flow/derivative_laws.hpp"
#include "problems.hpp"
#include "varia/flow/hamiltonian_flow.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/verify/check_points.hpp"

namespace varia::hamiltonian_derivative_test {
namespace {

using namespace problems;

/// Neither separable nor quadratic in p, with time.
const std::string driven =
    "sqrt(1 + p[1]^2 + (p[2] - 0.3*q[1]*sin(t))^2)*(1 + 0.1*q[2]^2) + q[1]^4/4 + cos(q[1] - q[2])";
/// H = T(p) + V(q): explicit steps.
const std::string separable =
    "sqrt(1 + p[1]^2) + p[2]^2/2 + p[1]*p[2]/5 + q[1]^4/4 + cos(q[2] - q[1])";
/// ∂²H/∂p² = 0
const std::string linear_in_p = "p[1]*q[2]^2 - sin(p[2])*q[1] + q[1]^2*q[2]";

void expect_derivative(const std::string& text, const Method& method, double h) {
  const HamiltonianFlow flow(method, hamiltonian_of(text, 2));
  Vn q(2);
  Vn p(2);
  q << 0.7, -0.3;
  p << 0.4, 0.9;
  const PhaseVector z{Vn(0.7 * q), Vn(-0.4 * p), 0.6, -0.2, Vn()};
  const auto near = [&](double e) {
    return state_of(q + e * z.delta, p + e * z.nu, 0.4 + e * z.t);
  };
  derivative_laws::expect_derivative(flow, near, z, h, method.name() + " " + text);
}

TEST(HamiltonianDerivative, AgainstDifferences) {
  for (const Method& method : {midpoint(), gauss(3), lobatto(3), euler_a(), verlet(),
                               galerkin(2, lobatto_quadrature(4)), triple_jump(midpoint())})
    for (const double h : {0.2, -0.15}) expect_derivative(driven, method, h);
  for (const Method& method : {verlet(), yoshida(4), gauss(2)})
    expect_derivative(separable, method, 0.2);
  for (const Method& method : {midpoint(), gauss(2), lobatto(3)})
    expect_derivative(linear_in_p, method, 0.2);
}

/// By the exact derivative, on one path with all other flows.
TEST(HamiltonianDerivative, StepsAreSymplectic) {
  auto sizes = std::make_shared<KernelSystem>(ProductSpace({euclidean(2)}));
  Vn q(2);
  Vn p(2);
  q << 0.7, -0.3;
  p << 0.4, 0.9;
  for (const std::string& text : {driven, linear_in_p})
    for (const Method& method : {midpoint(), gauss(3), lobatto(3)}) {
      const AnyFlow flow =
          make_flow(method, {.lagrangian = sizes, .hamiltonian = hamiltonian_of(text, 2)});
      EXPECT_TRUE(flow.differentiable());
      EXPECT_LT(check_symplectic(flow, state_of(q, p, 0.4), 0.2).defect, 1e-13)
          << method.name() << " " << text;
    }
}

}  // namespace
}  // namespace varia::hamiltonian_derivative_test
