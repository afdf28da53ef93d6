// SPDX-License-Identifier: BSD-3-Clause
// Discrete mechanics on Q × Q [MW01, 1.3-1.5], [West04, chapters 1 and 2]: the derivative of the action
// sum, the two-form of L_d and the three definitions of the flow. L_d is that of the
// certificate tier, the flow is StageFlow: they share no equation.
#include "problems.hpp"
#include "varia/flow/certificate.hpp"
#include "varia/verify/differences.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia::discrete_mechanics_test {
namespace {

using namespace problems;

const char* const methods[] = {"midpoint(0.3)", "trapezoid(0.8)", "gauss(2)", "lobatto(3)",
                               "galerkin(2, gauss:3)"};
constexpr double h = 0.15;

VectorState start(const std::shared_ptr<KernelSystem>& f) {
  return initial(*f, vector({0.7, -0.3}), vector({0.2, 0.9}));
}

/// L_d with D₁, D₂ of a method on the double pendulum.
struct Discrete {
  explicit Discrete(const char* name)
      : certificate(parse_method(name), TypedView(system_of(texts::double_pendulum()))),
        flow(parse_method(name), system_of(texts::double_pendulum())) {}
  DiscreteAction<Vn> at(const Vn& a, const Vn& b) const { return certificate.at(a, b, 0.0, h); }

  /// q₂ with D₂L_d(q₀, q₁) + D₁L_d(q₁, q₂) = 0.
  Vn next(const Vn& a, const Vn& b) const {
    const Vn p = at(a, b).d2;
    return root([&](const Vn& x) { return Vn(p + at(b, x).d1); }, Vn(2.0 * b - a));
  }
  /// ∂²L_d/∂q₀∂q₁
  Eigen::MatrixXd mixed(const Vn& a, const Vn& b) const {
    Eigen::MatrixXd m(2, 2);
    for (int j = 0; j < 2; ++j)
      m.col(j) = derivative_at_zero(
          [&](double e) { return Eigen::VectorXd(at(a, b + e * Vn::Unit(2, j)).d1); }, 0.05);
    return m;
  }

  Certificate<TypedView> certificate;
  StageFlow flow;
};

VectorState with(VectorState s, const Vn& q, const Vn& p) {
  s.q = q;
  s.p = p;
  return s;
}

/// T1, T2, corollary 1.5.3: F⁺∘(F⁻)⁻¹, F⁺∘F∘(F⁺)⁻¹ and F⁻∘F∘(F⁻)⁻¹ are the flow.
TEST(DiscreteMechanics, ThreeDefinitionsOfTheFlow) {
  for (const char* name : methods) {
    const Discrete d(name);
    const VectorState s = start(system_of(texts::double_pendulum()));
    const VectorState expected = d.flow(s, h);
    // (F⁻)⁻¹: q₁ with -D₁L_d(q₀, q₁) = p₀
    const Vn q1 = root([&](const Vn& x) { return Vn(s.p + d.at(s.q, x).d1); },
                       Vn(s.q + h * vector({0.2, 0.9})));
    EXPECT_LT(distance(with(s, q1, d.at(s.q, q1).d2), expected), 1e-12) << name;
    const Vn q2 = d.next(s.q, q1);
    EXPECT_LT(distance(with(s, q1, -d.at(q1, q2).d1), expected), 1e-12) << name;
    // (F⁺)⁻¹: q₋₁ with D₂L_d(q₋₁, q₀) = p₀
    const Vn before = root([&](const Vn& x) { return Vn(d.at(x, s.q).d2 - s.p); },
                           Vn(s.q - h * vector({0.2, 0.9})));
    const Vn after = d.next(before, s.q);
    EXPECT_LT(distance(with(s, after, d.at(s.q, after).d2), expected), 1e-12) << name;
    // p⁺ and p⁻ of one pair are different momenta
    EXPECT_GT((d.at(s.q, q1).d2 + d.at(s.q, q1).d1).norm(), 1e-2) << name;
  }
}

/// T6, (1.3.1): the derivative of the action sum along any variation of any path.
TEST(DiscreteMechanics, DerivativeOfTheActionSum) {
  const std::vector<Vn> path{vector({0.1, 0.5}), vector({0.3, 0.4}), vector({0.2, 0.6}),
                             vector({0.5, 0.3}), vector({0.4, 0.7})};
  const std::vector<Vn> variation{vector({0.3, -0.2}), vector({-0.5, 0.4}), vector({0.1, 0.7}),
                                  vector({0.6, -0.1}), vector({-0.4, 0.5})};
  for (const char* name : methods) {
    const Discrete d(name);
    const double slope = derivative_at_zero(
        [&](double e) {
          double sum = 0.0;
          for (std::size_t k = 0; k + 1 < path.size(); ++k)
            sum += d.at(path[k] + e * variation[k], path[k + 1] + e * variation[k + 1]).value;
          return Eigen::VectorXd::Constant(1, sum);
        },
        0.05)[0];
    double inner = 0.0;
    for (std::size_t k = 1; k + 1 < path.size(); ++k)
      inner += (d.at(path[k - 1], path[k]).d2 + d.at(path[k], path[k + 1]).d1).dot(variation[k]);
    const double ends =
        d.at(path[3], path[4]).d2.dot(variation[4]) + d.at(path[0], path[1]).d1.dot(variation[0]);
    EXPECT_NEAR(slope, inner + ends, 1e-9) << name;
    EXPECT_GT(std::abs(inner), 1e-2) << name;  // the path is no motion
  }
}

/// Positions q₀ … q₄ and momenta of a motion that begins at s + ε(δq, δp).
std::vector<VectorState> motion(const Discrete& d, const Vn& direction, double e) {
  VectorState s = start(system_of(texts::double_pendulum()));
  s.q += e * direction.head(2);
  s.p += e * direction.tail(2);
  std::vector<VectorState> result{s};
  for (int k = 0; k < 4; ++k) result.push_back(d.flow(result.back(), h));
  return result;
}
/// Row k: (δq_k, δp_k).
Eigen::MatrixXd variations(const Discrete& d, const Vn& direction) {
  const Eigen::VectorXd flat = derivative_at_zero(
      [&](double e) {
        Eigen::VectorXd out(20);
        const auto states = motion(d, direction, e);
        for (int k = 0; k < 5; ++k)
          out.segment(4 * k, 4) << states[static_cast<std::size_t>(k)].q,
              states[static_cast<std::size_t>(k)].p;
        return out;
      },
      0.05);
  return flat.reshaped(4, 5).transpose();
}

/// T7, (1.3.4): along motions the action sum changes by p_N δq_N - p₀ δq₀ alone.
TEST(DiscreteMechanics, RestrictedActionSum) {
  const Vn direction = vector({0.4, -0.7, 0.5, 0.3});
  for (const char* name : methods) {
    const Discrete d(name);
    const double slope = derivative_at_zero(
        [&](double e) {
          const auto s = motion(d, direction, e);
          double sum = 0.0;
          for (std::size_t k = 0; k < 4; ++k) sum += d.at(s[k].q, s[k + 1].q).value;
          return Eigen::VectorXd::Constant(1, sum);
        },
        0.05)[0];
    const auto s = motion(d, direction, 0.0);
    const Vn last = variations(d, direction).row(4).head(2);
    EXPECT_NEAR(slope, s[4].p.dot(last) - s[0].p.dot(direction.head(2)), 1e-9) << name;
  }
}

/// T4, (1.3.2): ∂²L_d/∂q₀∂q₁ (δq_k, δ'q_{k+1}) - (δ ↔ δ') does not depend on k, and is the canonical
/// form of (δq, δp). That of another L_d is not kept.
TEST(DiscreteMechanics, TwoFormOfTheDiscreteLagrangian) {
  const Vn one = vector({0.4, -0.7, 0.5, 0.3});
  const Vn two = vector({-0.2, 0.6, 0.8, -0.5});
  const double canonical = one.head(2).dot(two.tail(2)) - two.head(2).dot(one.tail(2));
  for (const char* name : methods) {
    const Discrete d(name);
    const Eigen::MatrixXd x = variations(d, one);
    const Eigen::MatrixXd y = variations(d, two);
    const auto s = motion(d, one, 0.0);
    const auto form = [&](const Discrete& of, int k) {
      const auto at = static_cast<std::size_t>(k);
      const Eigen::MatrixXd m = of.mixed(s[at].q, s[at + 1].q);
      return double(y.row(k).head(2) * m * x.row(k + 1).head(2).transpose()) -
             double(x.row(k).head(2) * m * y.row(k + 1).head(2).transpose());
    };
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(form(d, k), canonical, 1e-8) << name << " " << k;
    const Discrete other(std::string(name) == "midpoint(0.3)" ? "gauss(2)" : "midpoint(0.3)");
    double spread = 0.0;
    for (int k = 0; k < 4; ++k)
      spread = std::max(spread, std::abs(form(other, k) - form(other, 0)));
    EXPECT_GT(spread, 1e-4) << name;
  }
}

}  // namespace
}  // namespace varia::discrete_mechanics_test
