// SPDX-License-Identifier: BSD-3-Clause
// From local to global errors: |error at T| ≤ (C/Λ)(e^{ΛT} - 1) hʳ for a field with the Lipschitz
// constant Λ and a local error of at most C h^{r+1}. [West04, theorem 3.2, with "convergent"]
#include <gtest/gtest.h>

#include <cmath>

#include "problems.hpp"

namespace varia::error_bound_test {
namespace {

using namespace problems;

TEST(ErrorBound, HoldsAndIsNotEmpty) {
  // (q, p) ↦ (p, -sin q) has the Lipschitz constant 1
  const auto f = system_of(texts::pendulum());
  const VectorState s = initial(*f, vector({1.2}), vector({0.4}), 0.0);
  const StageFlow exact(gauss(6), f);
  const double h = 0.02;
  for (const Method& method : {euler_a(), midpoint(0.3), verlet(), midpoint(), lobatto(3)}) {
    const StageFlow flow(method, f);
    // the largest local error along the exact motion up to T = 3, with a tenth for what lies between
    double local = 0.0;
    VectorState z = s;
    for (int k = 0; k < 150; ++k) {
      const VectorState next = walk(exact, z, h, 1);
      const VectorState step = flow(z, h);
      local = std::max(local, std::hypot(step.q[0] - next.q[0], step.p[0] - next.p[0]));
      z = next;
    }
    const double constant = 1.1 * local / std::pow(h, method.order() + 1);
    for (const int steps : {1, 10, 50, 150}) {
      const double duration = steps * h;
      const VectorState a = walk(flow, s, h, steps);
      const VectorState b = walk(exact, s, h, steps);
      const double error = std::hypot(a.q[0] - b.q[0], a.p[0] - b.p[0]);
      const double bound = constant * (std::exp(duration) - 1.0) * std::pow(h, method.order());
      EXPECT_LT(error, bound) << method.name() << ", T = " << duration;
      if (steps == 10) {
        EXPECT_GT(error, 0.1 * bound) << method.name() << ": the bound says something";
      }
    }
  }
}

}  // namespace
}  // namespace varia::error_bound_test
