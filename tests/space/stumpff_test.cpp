// SPDX-License-Identifier: BSD-3-Clause
// The coefficients of exponentials at small angles and on both sides of the switch, with their first and second
// derivatives, against their series with more digits. Closed forms lose all digits there: (θ - sin θ)/θ³ has a relative
// error of 2e-3 at θ = 1e-3 once it has been differentiated twice.
#include "varia/space/stumpff.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "varia/ad/jet2.hpp"

namespace varia::stumpff_test {
namespace {

/// The n-th derivative of Σⱼ (-ρ)ʲ/(2j+k)! in ρ.
long double series(int k, int n, long double rho) {
  long double sum = 0.0L;
  long double factorial = 1.0L;
  for (int i = 2; i <= k; ++i) factorial *= i;
  long double power = 1.0L;  // of -ρ, from j = n on
  for (int j = 0; j < 40; ++j) {
    if (j >= n) {
      long double weight = n % 2 == 0 ? 1.0L : -1.0L;
      for (int i = 0; i < n; ++i) weight *= j - i;
      sum += weight * power / factorial;
      power *= -rho;
    }
    factorial *= static_cast<long double>(2 * j + k + 1) * (2 * j + k + 2);
  }
  return sum;
}

/// Trap 4 of naive coefficients. Below 1 relative to themselves; above, where closed forms take over, relative to cₖ(0):
/// there the second derivatives are small terms beside others.
TEST(Stumpff, CoefficientsAndDerivativesHaveTheirDigits) {
  using J = Jet2<1>;
  for (const double angle : {1e-8, 1e-6, 1e-4, 1e-3, 1e-2, 0.1, 0.3, 0.7, 0.999, 1.0, 1.001, 2.0}) {
    const double rho = angle * angle;
    const auto c = detail::stumpff(J::variable(rho, 0));
    const std::array<J, 5> all = {c.c1, c.c2, c.c3, c.c4, c.c5};
    for (int k = 1; k <= 5; ++k) {
      const J& x = all[static_cast<std::size_t>(k - 1)];
      const double values[] = {x.v, x.g[0], x.hess(0, 0)};
      for (int n = 0; n < 3; ++n) {
        const long double exact = series(k, n, rho);
        const long double size = angle < 1.0 ? exact : series(k, 0, 0.0);
        EXPECT_LT(std::abs(static_cast<double>((values[n] - exact) / size)), 1e-13)
            << "derivative " << n << " of c" << k << " at " << angle;
      }
    }
  }
}

/// cₖ′ = (k cₖ₊₂ - cₖ₊₁)/2
TEST(Stumpff, DerivativesAreSumsOfOthers) {
  for (const double rho : {1e-6, 0.3, 1.7})
    for (int k = 1; k <= 3; ++k)
      EXPECT_NEAR(static_cast<double>(series(k, 1, rho)),
                  static_cast<double>((k * series(k + 2, 0, rho) - series(k + 1, 0, rho)) / 2),
                  1e-16);
}

}  // namespace
}  // namespace varia::stumpff_test
