// SPDX-License-Identifier: BSD-3-Clause
// The two retractions of SO(3) against their definitions: series, closed forms and exact derivatives.
#include "varia/space/rotation.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

#include "varia/space/so3.hpp"

namespace varia::rotation_test {
namespace {

using V3 = Vector<double, 3>;
using M3 = Matrix<double, 3>;
constexpr Retraction both[] = {Retraction::cayley, Retraction::exponential};
constexpr double pi = std::numbers::pi;

/// Angles around every branch: zero, round-off, the switches of the series, near half a turn.
std::vector<V3> arguments() {
  const V3 directions[] = {V3(2, -3, 6) / 7, V3(0, 0, 1), V3(-0.6, 0.8, 0)};
  std::vector<V3> all = {V3::Zero()};
  for (const double size : {1e-9, 1e-5, 1e-3, 0.0999, 0.1, 0.1001, 0.5, 0.999, 1.001, 2.5, 3.1})
    for (const V3& direction : directions) all.push_back(size * direction);
  return all;
}

double error(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

/// Σ x̂ᵏ/k!
M3 exponential_series(const V3& x) {
  M3 sum = M3::Identity(), term = M3::Identity();
  for (int k = 1; k < 60; ++k) {
    term = term * hat(x) / k;
    sum += term;
  }
  return sum;
}

template <class S> Vector<S, 3> vee(const Matrix<S, 3>& w) {
  return Vector<S, 3>((w(2, 1) - w(1, 2)) * S(0.5), (w(0, 2) - w(2, 0)) * S(0.5),
                      (w(1, 0) - w(0, 1)) * S(0.5));
}

/// dτ_x by differentiating the retraction itself: column k is (τ(x)ᵀ ∂τ/∂xₖ)^∨.
template <class S> Matrix<S, 3> dtau_of_rotation(const Vector<S, 3>& x, Retraction tau) {
  using J = Jet<S, 3>;
  Vector<J, 3> seeds;
  for (int i = 0; i < 3; ++i) seeds[i] = J::variable(x[i], i);
  const Matrix<J, 3> r = rotation(seeds, tau);
  Matrix<S, 3> value, d;
  for (int i = 0; i < 9; ++i) value(i) = r(i).v;
  for (int k = 0; k < 3; ++k) {
    Matrix<S, 3> slope;
    for (int i = 0; i < 9; ++i) slope(i) = r(i).d[k];
    d.col(k) = vee(Matrix<S, 3>(value.transpose() * slope));
  }
  return d;
}

TEST(Hat, IsTheCrossProduct) {
  const V3 x(1, -2, 3), y(0.5, 4, -1);
  EXPECT_EQ(hat(x) * y, x.cross(y));
  EXPECT_EQ(hat(x).transpose(), -hat(x));
}

TEST(Retraction, ExponentialIsTheMatrixExponential) {
  for (const V3& x : arguments())
    EXPECT_LE(error(rotation(x, Retraction::exponential), exponential_series(x)), 4e-15)
        << x.norm();
}

TEST(Retraction, CayleyIsItsRationalForm) {
  const M3 id = M3::Identity();
  for (const V3& x : arguments()) {
    const M3 expected = (id - 0.5 * hat(x)).inverse() * (id + 0.5 * hat(x));
    EXPECT_LE(error(rotation(x, Retraction::cayley), expected), 2e-15) << x.norm();
  }
}

TEST(Retraction, IsARotationAboutItsArgument) {
  for (const Retraction tau : both)
    for (const V3& x : arguments()) {
      const M3 r = rotation(x, tau);
      EXPECT_LE(error(r.transpose() * r, M3::Identity()), 2e-15);
      EXPECT_NEAR(r.determinant(), 1.0, 2e-15);
      EXPECT_LE(error(r * x, x), 2e-15 * (1.0 + x.norm()));
      EXPECT_LE(error(rotation(V3(-x), tau), r.transpose()), 1e-15);
      const double angle =
          tau == Retraction::exponential ? x.norm() : 2.0 * std::atan(0.5 * x.norm());
      EXPECT_NEAR(0.5 * (r.trace() - 1.0), std::cos(angle), 2e-15);
    }
}

TEST(Retraction, HasTheIdentityAsTangentAtZero) {
  for (const Retraction tau : both) {
    EXPECT_EQ(RotationChart(V3::Zero(), tau).dtau(), M3::Identity());  // +Id, not -Id
    const M3 small = rotation(V3(1e-9, -2e-9, 3e-9), tau);
    EXPECT_LE(error(small - M3::Identity(), hat(V3(1e-9, -2e-9, 3e-9))), 1e-16);
  }
}

TEST(Dtau, IsTheTangentOfTheRetraction) {
  for (const Retraction tau : both)
    for (const V3& x : arguments())
      EXPECT_LE(error(RotationChart(x, tau).dtau(), dtau_of_rotation(x, tau)), 4e-15) << x.norm();
}

TEST(Dtau, OfExponentialIsTheSeriesOfAd) {
  for (const V3& x : arguments()) {
    M3 sum = M3::Identity(), term = M3::Identity();
    for (int j = 1; j < 60; ++j) {
      term = -term * hat(x) / (j + 1);
      sum += term;
    }
    EXPECT_LE(error(RotationChart(x, Retraction::exponential).dtau(), sum), 4e-15) << x.norm();
  }
}

TEST(Dtau, OfCayleyIsItsClosedForm) {
  const M3 id = M3::Identity();
  const V3 eta(0.3, -1.1, 0.7), zeta(-0.9, 0.4, 1.3);
  for (const V3& x : arguments()) {
    const M3 minus = (id - 0.5 * hat(x)).inverse(), plus = (id + 0.5 * hat(x)).inverse();
    EXPECT_LE(
        error(hat(V3(RotationChart(x, Retraction::cayley).dtau() * eta)), plus * hat(eta) * minus),
        2e-15);
    const M3 dd = 0.5 * (hat(eta) * minus * hat(zeta) - hat(zeta) * plus * hat(eta));
    EXPECT_LE(error(hat(RotationChart(x, Retraction::cayley).ddtau(eta, zeta)), dd), 4e-15);
  }
}

TEST(Dtau, InverseInverts) {
  for (const Retraction tau : both)
    for (const V3& x : arguments()) {
      EXPECT_LE(error(RotationChart(x, tau).dtau_inverse() * RotationChart(x, tau).dtau(),
                      M3::Identity()),
                1e-14);
      EXPECT_LE(error(RotationChart(x, tau).dtau() * RotationChart(x, tau).dtau_inverse(),
                      M3::Identity()),
                1e-14);
    }
}

TEST(Dtau, TransposeIsDtauOfTheOppositeArgument) {
  for (const Retraction tau : both)
    for (const V3& x : arguments())
      EXPECT_LE(error(RotationChart(x, tau).dtau().transpose(), RotationChart(V3(-x), tau).dtau()),
                1e-16);
}

TEST(Dtau, DerivativeIsThatOfTheTangentOfTheRetraction) {
  using J = Jet<double, 3>;
  const V3 eta(0.3, -1.1, 0.7), momentum(-0.9, 0.4, 1.3);
  for (const Retraction tau : both)
    for (const V3& x : arguments()) {
      const Matrix<J, 3> d = dtau_of_rotation(
          Vector<J, 3>(J::variable(x[0], 0), J::variable(x[1], 1), J::variable(x[2], 2)), tau);
      M3 derivative, transposed;
      for (int j = 0; j < 3; ++j) {
        M3 slope;
        for (int i = 0; i < 9; ++i) slope(i) = d(i).d[j];
        derivative.col(j) = slope * eta;
        transposed.col(j) = slope.transpose() * momentum;
      }
      EXPECT_LE(error(RotationChart(x, tau).dtau_derivative(eta), derivative), 2e-14) << x.norm();
      EXPECT_LE(error(RotationChart(x, tau).dtau_transpose_derivative(momentum), transposed),
                2e-14);
      const V3 zeta(1.2, 0.1, -0.8);
      const V3 dd = RotationChart(x, tau).dtau().inverse() * (derivative * zeta);
      EXPECT_LE(error(RotationChart(x, tau).ddtau(eta, zeta), dd), 4e-14);
    }
}

TEST(Dtau, HessianIsThatOfTheTangentOfTheRetraction) {
  using Inner = Jet<double, 3>;
  using J = Jet<Inner, 3>;
  const V3 eta(0.3, -1.1, 0.7), momentum(-0.9, 0.4, 1.3);
  for (const Retraction tau : both)
    for (const V3& x : arguments()) {
      Vector<J, 3> seeds;
      for (int i = 0; i < 3; ++i) seeds[i] = J::variable(Inner::variable(x[i], i), i);
      const Matrix<J, 3> d = dtau_of_rotation(seeds, tau);
      M3 expected = M3::Zero();
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) expected(a, b) += momentum[i] * d(i, k).d[a].d[b] * eta[k];
      EXPECT_LE(error(RotationChart(x, tau).dtau_hessian(momentum, eta), expected), 4e-14)
          << x.norm();
    }
}

TEST(SecondTangent, AtZeroIsHalfTheBracket) {
  const V3 eta(0.3, -1.1, 0.7), zeta(-0.9, 0.4, 1.3);
  for (const Retraction tau : both)
    EXPECT_LE(error(RotationChart(V3::Zero(), tau).ddtau(eta, zeta), 0.5 * eta.cross(zeta)), 1e-16);
}

/// dτ_ξ = Ad_{τ(-ξ)} dτ_{-ξ}
TEST(Lemmas, TangentsOfOppositeArguments) {
  for (const Retraction tau : both)
    for (const V3& x : arguments())
      EXPECT_LE(error(RotationChart(x, tau).dtau(),
                      rotation(V3(-x), tau) * RotationChart(V3(-x), tau).dtau()),
                4e-15);
}

/// dd_ξ(η, ζ) + dd_{-ξ}(η, ζ) = -dτ_ξ⁻¹ [dτ_ξ ζ, dτ_ξ η], and the derivative of the inverse
TEST(Lemmas, SecondTangents) {
  const V3 eta(0.3, -1.1, 0.7), zeta(-0.9, 0.4, 1.3);
  for (const Retraction tau : both)
    for (const V3& x : arguments()) {
      const M3 d = RotationChart(x, tau).dtau(), inverse = RotationChart(x, tau).dtau_inverse();
      const V3 left =
          RotationChart(x, tau).ddtau(eta, zeta) + RotationChart(V3(-x), tau).ddtau(eta, zeta);
      const V3 right = -inverse * V3(d * zeta).cross(V3(d * eta));
      EXPECT_LE(error(left, right), 4e-14) << x.norm();
      const double e = 1e-5;
      const V3 slope = (RotationChart(x + e * zeta, tau).dtau_inverse() -
                        RotationChart(x - e * zeta, tau).dtau_inverse()) *
                       eta / (2 * e);
      EXPECT_LE(error(slope, -RotationChart(x, tau).ddtau(V3(inverse * eta), zeta)), 2e-8)
          << x.norm();
    }
}

TEST(Inverse, FindsTheArgument) {
  for (const V3& x : arguments()) {
    const double lost =
        1.0 + 10.0 / std::max(pi - x.norm(), 1e-3);  // conditioning near half a turn
    EXPECT_LE(
        error(rotation_inverse(rotation(x, Retraction::exponential), Retraction::exponential), x),
        4e-16 * lost * std::max(1.0, x.norm()));
    EXPECT_LE(error(rotation_inverse(rotation(x, Retraction::cayley), Retraction::cayley), x),
              4e-15 * (1.0 + x.squaredNorm()));
  }
}

TEST(Inverse, IsAccurateRelativeToSmallArguments) {
  for (const Retraction tau : both)
    for (const double size : {1e-300, 1e-30, 1e-12, 1e-9, 1e-6}) {
      const V3 x = size * V3(2, -3, 6) / 7;
      EXPECT_LE(error(rotation_inverse(rotation(x, tau), tau), x), 1e-15 * size);
    }
}

/// The series of asin ends at sin²θ = 0.01; on either side of it, and past a quarter turn where the
/// sine is small again.
TEST(Inverse, AgreesAcrossItsSwitches) {
  const V3 axis = V3(2, -3, 6) / 7;
  const double edge = std::asin(0.1);
  for (const double theta :
       {edge - 1e-9, edge + 1e-9, pi / 2, pi - edge - 1e-9, pi - edge + 1e-9}) {
    const M3 r = rotation(V3(theta * axis), Retraction::exponential);
    EXPECT_LE(error(rotation_inverse(r, Retraction::exponential), theta * axis), 2e-14) << theta;
  }
}

TEST(Inverse, NearHalfATurnLosesOnlyWhatConditioningTakes) {
  const V3 axis = V3(2, -3, 6) / 7;
  for (const double gap : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const M3 r = rotation(V3((pi - gap) * axis), Retraction::exponential);
    EXPECT_LE(error(rotation_inverse(r, Retraction::exponential), (pi - gap) * axis), 4e-15 / gap)
        << gap;
    const double size = 2.0 / gap;
    const M3 c = rotation(V3(size * axis), Retraction::cayley);
    EXPECT_LE(error(rotation_inverse(c, Retraction::cayley), size * axis),
              1e-14 * size * size * size);
  }
}

TEST(Inverse, RefusesHalfATurn) {
  for (const Retraction tau : both)
    for (const V3& axis : {V3(V3(2, -3, 6) / 7), V3(1, 0, 0)}) {
      const M3 r = 2.0 * axis * axis.transpose() - M3::Identity();
      try {
        rotation_inverse(r, tau);
        FAIL() << "half a turn has two differences";
      } catch (const DomainError& e) {
        EXPECT_NE(std::string(e.what()).find("smaller steps"), std::string::npos) << e.what();
      }
    }
}

TEST(Inverse, RefusesWhatIsNotANumber) {
  for (const Retraction tau : both)
    EXPECT_THROW(rotation_inverse(M3(M3::Constant(std::nan(""))), tau), DomainError);
}

/// Derivatives through the inverse are right at 0 too: d(τ⁻¹ ∘ τ) = id.
TEST(Inverse, DerivativeUndoesThatOfTheRetraction) {
  using J = Jet2<3>;
  for (const Retraction tau : both)
    for (const V3& x : arguments()) {
      if (x.norm() > 3.0) continue;
      Vector<J, 3> seeds;
      for (int i = 0; i < 3; ++i) seeds[i] = J::variable(x[i], i);
      const Vector<J, 3> back = rotation_inverse(rotation(seeds, tau), tau);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          EXPECT_NEAR(back[i].g[j], i == j ? 1.0 : 0.0, 4e-14) << x.norm();
          for (int k = 0; k <= j; ++k) EXPECT_NEAR(back[i].hess(j, k), 0.0, 4e-13) << x.norm();
        }
    }
}

/// ⟨Ad*_{g⁻¹} π, η⟩ = ⟨π, Ad_{g⁻¹} η⟩, ⟨ad*_δ π, η⟩ = ⟨π, δ × η⟩, d/dε Ad*_{τ(-εδ)} π = -ad*_δ π
TEST(Coadjoint, Conventions) {
  using S = Space<SO3<double>>;
  using J = Jet<double, 1>;
  const V3 momentum(-0.9, 0.4, 1.3), delta(0.3, -1.1, 0.7), eta(0.2, 0.5, -1.4);
  EXPECT_NEAR((S::ad_star(momentum) * delta).dot(eta), momentum.dot(delta.cross(eta)), 1e-15);
  for (const Retraction tau : both) {
    EXPECT_NEAR((RotationChart(delta, tau).coadjoint() * momentum).dot(eta),
                momentum.dot(rotation(V3(-delta), tau) * eta), 1e-15);
    Vector<J, 3> small;
    for (int i = 0; i < 3; ++i) {
      small[i] = J(0.0);
      small[i].d[0] = delta[i];
    }
    const Matrix<J, 3> moved = rotation(small, tau);
    V3 rate = V3::Zero();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) rate[i] += moved(i, j).d[0] * momentum[j];
    EXPECT_LE(error(rate, -S::ad_star(momentum) * delta), 1e-15);
    // the spatial momentum R π of a covector is the same in both frames
    const SO3<double> q(rotation(V3(0.4, 1.0, -0.2), Retraction::cayley));
    const V3 in_new_frame = RotationChart(delta, tau).coadjoint().transpose() * momentum;
    EXPECT_LE(error(S::retract(q, delta, tau) * in_new_frame, q * momentum), 1e-15);
  }
}

}  // namespace
}  // namespace varia::rotation_test
