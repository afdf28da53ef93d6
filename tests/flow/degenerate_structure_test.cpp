// SPDX-License-Identifier: BSD-3-Clause
// Lagrangians linear in the velocities: constraint, two-form and momenta.
#include "problems.hpp"
#include "varia/varia.hpp"

namespace varia::degenerate_structure_test {
namespace {

using namespace problems;
using enum OneFormProjection;
using V2 = Vector<double, 2>;

/// p = θ(q) holds at the start and nowhere else; with linear θ it holds to round-off.
TEST(Degenerate, TheConstraintIsLostUnlessThetaIsLinear) {
  const auto off = [](const auto& flow, const auto& theta, const V2& q) {
    const auto s = advance(flow, flow.start(q), 0.1, 20);
    return (V2(s.p) - V2(theta(V2(s.q)))).norm();
  };
  EXPECT_GT(
      off(one_form_flow(1, population_form, population_energy, none), population_form, V2(1, 1)),
      1e-4);
  EXPECT_LT(off(one_form_flow(1, population_form, population_energy, symmetric), population_form,
                V2(1, 1)),
            1e-15);
  const auto linear = [](const auto& q) {
    using S = ScalarOf<decltype(q)>;
    return Vector<S, 2>(-0.3 * q[1], 0.7 * q[0] + 0.2 * q[1]);
  };
  for (const int s : {1, 2, 3}) {
    const auto plain = one_form_flow(s, linear, guiding_energy, none);
    const auto projected = one_form_flow(s, linear, guiding_energy, symmetric);
    EXPECT_LT(off(plain, linear, V2(1, 0.3)), 1e-14);
    const auto a = advance(plain, plain.start(V2(1, 0.3)), 0.1, 20);
    const auto b = advance(projected, projected.start(V2(1, 0.3)), 0.1, 20);
    EXPECT_LT((a.q - b.q).norm(), 1e-13);
  }
}

/// ω(q) = dθ in the plane is a density: ω(q₁) det DF = ω(q₀).
template <class F, class T>
double area_defect(const F& flow, const T& theta, const V2& q, double h) {
  const auto density = [&](const V2& x) {
    const Matrix<double, 2> d = jacobian(theta, x);
    return d(1, 0) - d(0, 1);
  };
  Matrix<double, 2> step;
  for (int k = 0; k < 2; ++k)
    step.col(k) = derivative_at_zero(
        [&](double e) { return Eigen::VectorXd(flow(flow.start(V2(q + e * V2::Unit(k))), h).q); },
        0.2);
  return std::abs(density(V2(flow(flow.start(q), h).q)) * step.determinant() - density(q));
}

/// Symplectic on (q, p) without projection, but then not on q alone.
TEST(Degenerate, SymplecticWithMomentaOnly) {
  const V2 q(1.0, 0.3);
  const auto plain = one_form_flow(1, guiding_form, guiding_energy, none);
  EXPECT_LT(check_symplectic(plain, plain.start(q), 0.2).defect, 2e-12);
  EXPECT_GT(area_defect(plain, guiding_form, q, 0.2), 1e-3);
  EXPECT_GT(
      area_defect(one_form_flow(1, guiding_form, guiding_energy, each_step), guiding_form, q, 0.2),
      1e-3);
}

/// With the projection ω is preserved to h² d⟨λ, (Dθ(q₀) - Dθ(q₁)) dλ⟩: exactly for linear θ, and for
/// θ = (θ₁, 0) up to the gradient of a quadratic function, as that of the populations is; else to
/// O(h⁵) for s = 1.
TEST(Degenerate, TheProjectionPreservesTheTwoFormNearly) {
  const V2 q(1.0, 0.3);
  const auto linear = [](const auto& x) {
    using S = ScalarOf<decltype(x)>;
    return Vector<S, 2>(-0.3 * x[1], 0.7 * x[0]);
  };
  for (const int s : {1, 2, 3}) {
    EXPECT_LT(area_defect(one_form_flow(s, linear, guiding_energy, symmetric), linear, q, 0.2),
              1e-12);
    EXPECT_LT(area_defect(one_form_flow(s, population_form, population_energy, symmetric),
                          population_form, V2(1.2, 0.9), 0.2),
              1e-12);
  }
  const auto flow = one_form_flow(1, guiding_form, guiding_energy, symmetric);
  const double coarse = area_defect(flow, guiding_form, q, 0.2);
  EXPECT_GT(coarse, 1e-11);
  EXPECT_LT(coarse, 1e-9);
  EXPECT_NEAR(std::log2(coarse / area_defect(flow, guiding_form, q, 0.1)), 5.0, 0.5);
}

/// A rotation that θ and H allow: ⟨p, ξ(q)⟩ to round-off without projection, and with it here too.
TEST(Degenerate, Noether) {
  const auto central = [](const auto& q) {
    const auto r = q[0] * q[0] + q[1] * q[1];
    return r * (0.3 + 0.1 * r);
  };
  for (const auto projection : {none, symmetric}) {
    const auto flow = one_form_flow(2, guiding_form, central, projection);
    const auto start = flow.start(V2(1.0, 0.3));
    const auto momentum = [](const VectorState& s) { return s.q[0] * s.p[1] - s.q[1] * s.p[0]; };
    double drift = 0.0;
    advance(flow, start, 0.2, 200, [&](const VectorState& s) {
      drift = std::max(drift, std::abs(momentum(s) - momentum(start)));
    });
    EXPECT_LT(drift, 1e-12);
  }
}

}  // namespace
}  // namespace varia::degenerate_structure_test
