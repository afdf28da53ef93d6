// SPDX-License-Identifier: BSD-3-Clause
// σ(q, v) = (q, q ⊕ v) and its inverse τ(q, Q) = (q, Q ⊖ q) on SO(3) [Sato19, lemma 4.3.3]: on the
// diagonal their tangents do not depend on the retraction, in any chart.
#include <gtest/gtest.h>

#include "varia/space/so3.hpp"
#include "varia/verify/differences.hpp"

namespace varia::galley_retraction_test {
namespace {

using V3 = Vector<double, 3>;
using M3 = Matrix<double, 3>;
using V6 = Vector<double, 6>;
using M6 = Matrix<double, 6>;
using R = SO3<double>;

constexpr auto exponential = Retraction::exponential;

/// The chart x ↦ q exp(x) and the rates of its coordinates, away from its origin.
R point(const V3& x) {
  return R(M3(rotation(V3(0.3, -0.5, 0.2), exponential) * rotation(x, exponential)));
}
V3 coordinates(const R& g) { return Space<R>::difference(point(V3::Zero()), g, exponential); }

/// The matrix of the derivative of f at x.
template <class F> M6 tangent(const F& f, const V6& x) {
  M6 result;
  for (int i = 0; i < 6; ++i)
    result.col(i) = derivative_at_zero(
        [&](double e) { return Eigen::VectorXd(f(V6(x + e * V6::Unit(i)))); }, 0.05);
  return result;
}

/// σ(x, ẋ) = (x, coordinates of q ⊕ v) with v = dexp_x ẋ, and its inverse.
template <class Retract> V6 sigma(const V6& z, const Retract& retract) {
  const V3 x = z.head(3);
  const V3 v = RotationChart(x, exponential).dtau() * z.tail(3);
  V6 result;
  result << x, coordinates(retract(point(x), v));
  return result;
}
V6 inverse_sigma(const V6& z, Retraction tau) {
  const V3 x = z.head(3);
  const V3 v = Space<R>::difference(point(x), point(z.tail(3)), tau);
  V6 result;
  result << x, RotationChart(x, exponential).dtau().inverse() * v;
  return result;
}

M6 blocks(double lower_left, double lower_right) {
  M6 m = M6::Identity();
  m.bottomLeftCorner(3, 3) = lower_left * M3::Identity();
  m.bottomRightCorner(3, 3) = lower_right * M3::Identity();
  return m;
}

/// Lemma 4.3.3: Tσ = (I 0; I I), Tτ = (I 0; -I I) on the diagonal, in a chart about another point.
TEST(GalleyRetraction, TangentsOnTheDiagonal) {
  const V3 x(0.4, 0.1, -0.3);
  V6 rest;
  rest << x, V3::Zero();
  V6 diagonal;
  diagonal << x, x;
  V6 moving;
  moving << x, V3(0.5, -0.2, 0.4);
  for (const Retraction tau : {Retraction::cayley, exponential}) {
    const auto s = [&](const V6& z) {
      return sigma(z, [&](const R& g, const V3& v) { return Space<R>::retract(g, v, tau); });
    };
    EXPECT_LT((tangent(s, rest) - blocks(1.0, 1.0)).norm(), 1e-11);
    EXPECT_GT((tangent(s, moving) - blocks(1.0, 1.0)).norm(), 1e-2);  // there alone
    const auto t = [&](const V6& z) { return inverse_sigma(z, tau); };
    EXPECT_LT((tangent(t, diagonal) - blocks(-1.0, 1.0)).norm(), 1e-11);
    EXPECT_LT((t(s(moving)) - moving).norm(), 1e-14);
  }
  // cay(ξ) as printed in (2.3.6), (I + ξ/2)⁻¹(I - ξ/2), is τ(-ξ) and no retraction
  const auto printed = [](const V6& z) {
    return sigma(z, [](const R& g, const V3& v) {
      const M3 half = 0.5 * hat(v);
      return R(M3(g.matrix * (M3::Identity() + half).inverse() * (M3::Identity() - half)));
    });
  };
  EXPECT_LT((tangent(printed, rest) - blocks(1.0, -1.0)).norm(), 1e-11);
}

}  // namespace
}  // namespace varia::galley_retraction_test
