// SPDX-License-Identifier: BSD-3-Clause
// Coefficients, adjoints and compositions of methods.
#include "varia/methods/method.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "methods/tableaux.hpp"
#include "refusal.hpp"
#include "varia/core/error.hpp"
#include "varia/methods/methods.hpp"

namespace varia::method_test {
namespace {

using DD = DoubleDouble;

std::vector<DD> join(const SplitArray& x) {
  EXPECT_EQ(x.hi.size(), x.lo.size());
  std::vector<DD> sum;
  for (std::size_t i = 0; i < x.hi.size(); ++i) sum.emplace_back(x.hi[i], x.lo[i]);
  return sum;
}
double distance(const std::vector<DD>& x, const std::vector<DD>& y) {
  EXPECT_EQ(x.size(), y.size());
  double most = 0.0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    most = std::max(most, std::abs(double(x[i] - y[i])));
  return most;
}
double distance(const Method& a, const Method& b) {
  const StageCoefficients &x = *a.stages(), &y = *b.stages();
  EXPECT_EQ(x.points, y.points);
  EXPECT_EQ(x.unknowns, y.unknowns);
  EXPECT_EQ(x.nodal, y.nodal);
  EXPECT_EQ(x.ends, y.ends);
  return distance(join(x.c), join(y.c)) + distance(join(x.b), join(y.b)) +
         distance(join(x.A), join(y.A)) + distance(join(x.B), join(y.B)) +
         distance(join(x.beta), join(y.beta));
}

std::vector<Method> stage_methods() {
  std::vector<Method> all = {euler_a(),
                             euler_b(),
                             verlet(),
                             midpoint(),
                             midpoint(0.3),
                             midpoint(0.0),
                             trapezoid(),
                             trapezoid(0.25),
                             trapezoid(1.0),
                             galerkin(2, lobatto_quadrature(3)),
                             galerkin(3, gauss_quadrature(5)),
                             galerkin(2, radau_right_quadrature(2)),
                             galerkin(1, radau_left_quadrature(2)),
                             galerkin(2, parse_quadrature("simpson"))};
  for (int s = 1; s <= 6; ++s) all.push_back(gauss(s));
  for (int s = 2; s <= 6; ++s) all.push_back(lobatto(s));
  for (int s = 1; s <= 4; ++s) all.push_back(galerkin(s));
  const std::size_t n = all.size();
  for (std::size_t i = 0; i < n; ++i) all.push_back(adjoint(all[i]));
  return all;
}

/// A constant velocity is reproduced: Σb = 1, Σβ = 1, rows of B sum to 1 and rows of A to c.
TEST(StageCoefficients, AreConsistent) {
  for (const Method& method : stage_methods()) {
    SCOPED_TRACE(method.name());
    const StageCoefficients& s = *method.stages();
    const auto c = join(s.c), b = join(s.b), A = join(s.A), B = join(s.B), beta = join(s.beta);
    DD sum = 0.0, beta_sum = 0.0;
    for (const DD& x : b) sum += x;
    for (const DD& x : beta) beta_sum += x;
    EXPECT_NEAR(double(sum - 1.0), 0.0, 1e-29);
    EXPECT_NEAR(double(beta_sum - 1.0), 0.0, 1e-29);
    const auto r = static_cast<std::size_t>(s.unknowns);
    for (std::size_t i = 0; i < c.size(); ++i) {
      DD a_row = 0.0, b_row = 0.0;
      for (std::size_t j = 0; j < r; ++j) {
        a_row += A[i * r + j];
        b_row += B[i * r + j];
      }
      EXPECT_NEAR(double(a_row - c[i]), 0.0, 1e-29);
      EXPECT_NEAR(double(b_row - 1.0), 0.0, 1e-29);
    }
  }
}

/// 1 - α is not a double for most α; as two doubles it is.
TEST(StageCoefficients, WeightsOfTrapezoidSumToOneForEveryAlpha) {
  for (const double alpha : {0.1, 0.2, 0.3, 1e-9, 0.9}) {
    const auto b = join(trapezoid(alpha).stages()->b);
    EXPECT_NEAR(double(b[0] + b[1] - 1.0), 0.0, 1e-30) << alpha;
  }
}

/// The rows are those of (path): per unknown, divided by the weight when nodal.
TEST(StageCoefficients, RowsAreDerivedFromThePath) {
  for (const Method& method : stage_methods()) {
    SCOPED_TRACE(method.name());
    const StageCoefficients& s = *method.stages();
    const auto b = join(s.b), A = join(s.A), B = join(s.B), beta = join(s.beta);
    const auto P = join(s.row_P), W = join(s.row_W), D = join(s.row_D), row = join(s.row_beta);
    const auto r = static_cast<std::size_t>(s.unknowns);
    for (std::size_t j = 0; j < r; ++j) {
      const DD scale = s.nodal ? beta[j] : DD(1.0);
      EXPECT_NEAR(double(row[j] * scale - beta[j]), 0.0, 1e-29);
      for (std::size_t i = 0; i < b.size(); ++i) {
        EXPECT_NEAR(double(P[i * r + j] * scale - b[i] * B[i * r + j]), 0.0, 1e-29);
        EXPECT_NEAR(double(W[i * r + j] * scale - b[i] * A[i * r + j]), 0.0, 1e-29);
        EXPECT_NEAR(double(D[i * r + j] - (W[i * r + j] - b[i] * row[j])), 0.0, 1e-28);
      }
    }
  }
}

/// Nodal methods are symplectic partitioned Runge-Kutta: A of the tableau, and rows -â with its
/// symplectic conjugate.
void expect_partitioned(const Method& method, const Tableau& t) {
  SCOPED_TRACE(method.name());
  const StageCoefficients& s = *method.stages();
  ASSERT_TRUE(s.nodal);
  EXPECT_LE(distance(join(s.A), t.A), 1e-30);
  EXPECT_LE(distance(join(s.b), t.b), 1e-30);
  EXPECT_LE(distance(join(s.c), t.c), 1e-30);
  EXPECT_LE(distance(join(s.beta), t.b), 1e-30);
  const Tableau hat = symplectic_conjugate(t);
  const auto D = join(s.row_D), P = join(s.row_P), row = join(s.row_beta);
  const auto n = static_cast<std::size_t>(t.stages);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(double(row[i] - 1.0), 0.0, 1e-31);
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(double(D[i * n + j] + hat.a(static_cast<int>(j), static_cast<int>(i))), 0.0,
                  1e-28);
      EXPECT_NEAR(double(P[i * n + j]), i == j ? 1.0 : 0.0, 1e-31);
    }
  }
}

TEST(StageCoefficients, OfGaussAndLobattoAreTheTableaus) {
  for (int s = 1; s <= 6; ++s) expect_partitioned(gauss(s), gauss_tableau(s));
  for (int s = 2; s <= 6; ++s) expect_partitioned(lobatto(s), lobatto_iiia(s));
}

TEST(StageCoefficients, OnlyPathsThroughBothEndsHaveEnds) {
  for (int s = 1; s <= 4; ++s) EXPECT_FALSE(gauss(s).stages()->ends);
  for (int s = 2; s <= 5; ++s) EXPECT_TRUE(lobatto(s).stages()->ends);
  EXPECT_TRUE(adjoint(lobatto(3)).stages()->ends);
  EXPECT_FALSE(galerkin(2, radau_right_quadrature(2)).stages()->ends);
  EXPECT_FALSE(galerkin(2, lobatto_quadrature(3)).stages()->ends);  // not nodal
}

TEST(StageCoefficients, RefusesWrongSizesAndZeroWeights) {
  expect_has(refusal([] { StageCoefficients({0.5}, {1.0}, {0.5, 0.5}, {1.0}, {1.0}); }), "m by r");
  expect_has(refusal([] { StageCoefficients({}, {}, {}, {}, {}); }), "m by r");
  expect_has(refusal([] {
               StageCoefficients({0.0, 0.5}, {0.0, 1.0}, {0.0, 0.0, 0.0, 0.5}, {1.0, 0.0, 0.0, 1.0},
                                 {0.0, 1.0});
             }),
             "weight number 1 is 0");
}

TEST(Galerkin, WithAsManyPointsAsItsDegreeIsCollocation) {
  for (int s = 1; s <= 5; ++s) {
    EXPECT_LE(distance(galerkin(s), gauss(s)), 1e-30) << s;
    EXPECT_LE(distance(galerkin(s, gauss_quadrature(s)), gauss(s)), 1e-30) << s;
    EXPECT_EQ(galerkin(s).order(), 2 * s);
    EXPECT_EQ(galerkin(s).symmetric(), gauss(s).symmetric());
  }
  for (int s = 2; s <= 5; ++s) {
    EXPECT_LE(distance(galerkin(s, lobatto_quadrature(s)), lobatto(s)), 1e-30) << s;
    EXPECT_EQ(galerkin(s, lobatto_quadrature(s)).order(), 2 * s - 2);
  }
}

/// A of a Galerkin path integrates its B: Σⱼ Bᵢⱼ pⱼ = p(cᵢ), Σⱼ Aᵢⱼ pⱼ = ∫₀^cᵢ p for deg p < r.
TEST(Galerkin, PathsAreIntegralsOfTheirVelocities) {
  for (const int degree : {1, 2, 3}) {
    const StageCoefficients s = *galerkin(degree, gauss_quadrature(5)).stages();
    const auto nodes = gauss_quadrature(degree).c;
    const auto c = join(s.c), A = join(s.A), B = join(s.B);
    const auto r = static_cast<std::size_t>(degree);
    for (int power = 0; power < degree; ++power)
      for (std::size_t i = 0; i < c.size(); ++i) {
        DD value = 0.0, integral = 0.0, expected = 1.0;
        for (std::size_t j = 0; j < r; ++j) {
          DD p = 1.0;
          for (int k = 0; k < power; ++k) p *= nodes[j];
          value += B[i * r + j] * p;
          integral += A[i * r + j] * p;
        }
        for (int k = 0; k < power; ++k) expected *= c[i];
        EXPECT_NEAR(double(value - expected), 0.0, 1e-29);
        EXPECT_NEAR(double(integral - expected * c[i] / (power + 1.0)), 0.0, 1e-29);
      }
  }
}

TEST(Order, FollowsItsRules) {
  for (int s = 1; s <= 6; ++s) EXPECT_EQ(gauss(s).order(), 2 * s);
  for (int s = 2; s <= 6; ++s) EXPECT_EQ(lobatto(s).order(), 2 * s - 2);
  EXPECT_EQ(midpoint().order(), 2);
  EXPECT_EQ(midpoint(0.3).order(), 1);
  EXPECT_EQ(trapezoid().order(), 2);
  EXPECT_EQ(trapezoid(0.0).order(), 1);
  EXPECT_EQ(verlet().order(), 2);
  EXPECT_EQ(euler_a().order(), 1);
  EXPECT_EQ(galerkin(3, gauss_quadrature(5)).order(), 6);
  EXPECT_EQ(galerkin(2, lobatto_quadrature(3)).order(), 4);
  EXPECT_EQ(galerkin(2, radau_right_quadrature(2)).order(), 3);
}

TEST(Order, WithConstraintsNeedsBothEndsOrSecondOrder) {
  for (int s = 2; s <= 5; ++s) EXPECT_EQ(lobatto(s).constrained_order(), 2 * s - 2);
  EXPECT_EQ(gauss(1).constrained_order(), 2);
  for (int s = 2; s <= 4; ++s) EXPECT_EQ(gauss(s).constrained_order(), 0);
  EXPECT_EQ(verlet().constrained_order(), 2);
  EXPECT_EQ(euler_a().constrained_order(), 1);
  EXPECT_EQ(galerkin(3, gauss_quadrature(5)).constrained_order(), 0);
  EXPECT_EQ(triple_jump(verlet()).constrained_order(), 4);
  EXPECT_EQ(triple_jump(gauss(2)).constrained_order(), 0);
  EXPECT_EQ(adjoint(triple_jump(verlet())).constrained_order(), 4);
  for (const Method& m : stage_methods())
    EXPECT_EQ(adjoint(m).constrained_order(), m.constrained_order());
  for (const char* name : {"rk4", "dopri5", "explicit_euler", "newmark", "avi"})
    EXPECT_EQ(parse_method(name).constrained_order(), 0) << name << " has no stages";
}

TEST(Adjoint, IsAnInvolution) {
  for (const Method& method : stage_methods()) {
    const Method twice = adjoint(adjoint(method));
    EXPECT_EQ(twice.name(), method.name());
    EXPECT_EQ(distance(twice, method), 0.0);
    EXPECT_EQ(twice.explicit_alpha(), method.explicit_alpha());
    EXPECT_EQ(adjoint(method).order(), method.order());
    EXPECT_EQ(adjoint(method).symmetric(), method.symmetric());
  }
}

TEST(Adjoint, OfMidpointExchangesTheEnds) {
  for (const double alpha : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    EXPECT_EQ(distance(adjoint(midpoint(alpha)), midpoint(1.0 - alpha)), 0.0) << alpha;
    EXPECT_EQ(distance(adjoint(trapezoid(alpha)), trapezoid(1.0 - alpha)), 0.0) << alpha;
    EXPECT_EQ(adjoint(trapezoid(alpha)).explicit_alpha(), trapezoid(1.0 - alpha).explicit_alpha());
    EXPECT_EQ(adjoint(midpoint(alpha)).explicit_alpha(), midpoint(1.0 - alpha).explicit_alpha());
  }
  EXPECT_EQ(distance(adjoint(euler_a()), euler_b()), 0.0);
  EXPECT_EQ(adjoint(euler_a()).explicit_alpha(), euler_b().explicit_alpha());
}

/// Symmetric methods are their own adjoints, others are not: the flag is a statement of coefficients.
TEST(Adjoint, OfASymmetricMethodIsItself) {
  for (const Method& method : stage_methods()) {
    const double off = distance(adjoint(method), method);
    EXPECT_EQ(method.symmetric(), off < 1e-3) << method.name();
    EXPECT_TRUE(off <= 1e-29 || off >= 1e-3) << method.name() << " " << off;
    EXPECT_TRUE(method.symmetric() || !method.symmetric_on_groups()) << method.name();
  }
}

TEST(Adjoint, OfACompositionReversesItsParts) {
  const Method both = compose({{euler_a(), 0.3}, {gauss(2), 0.7}});
  const Method reversed = adjoint(both);
  ASSERT_EQ(reversed.substeps().size(), 2u);
  EXPECT_LE(distance(reversed.substeps()[0].first, gauss(2)), 1e-29);
  EXPECT_EQ(reversed.substeps()[0].second, 0.7);
  EXPECT_EQ(distance(reversed.substeps()[1].first, euler_b()), 0.0);
  EXPECT_EQ(reversed.substeps()[1].second, 0.3);
  EXPECT_EQ(adjoint(reversed).name(), both.name());
  EXPECT_EQ(both.stages(), nullptr);
}

TEST(Compose, FractionsMustSumToOne) {
  const std::string text = refusal([] { compose({{verlet(), 0.5}, {verlet(), 0.6}}); });
  expect_has(text, "1.1");
  expect_has(text, "must sum to 1");
  expect_has(refusal([] { compose({}); }), "empty");
  expect_has(refusal([] {
               compose({{verlet(), std::nan("")}, {verlet(), 0.5}});
             }),
             "not a finite number");
  EXPECT_NO_THROW(compose({{verlet(), 1.5}, {verlet(), -0.5}}));
  EXPECT_NO_THROW(compose(std::vector<std::pair<Method, double>>(10, {verlet(), 0.1})));
}

TEST(Compose, OrderIsTheCallersOrTheLowest) {
  EXPECT_EQ(compose({{gauss(2), 0.5}, {euler_a(), 0.5}}).order(), 1);
  EXPECT_EQ(compose({{gauss(2), 0.5}, {lobatto(4), 0.5}}).order(), 4);
  EXPECT_EQ(compose({{euler_b(), 0.5}, {euler_a(), 0.5}}, 2).order(), 2);
  EXPECT_EQ(compose({{verlet(), 1.0}}, 0, "named").name(), "named");
}

TEST(Compose, SeesSymmetry) {
  EXPECT_TRUE(compose({{euler_b(), 0.5}, {euler_a(), 0.5}}).symmetric());
  EXPECT_TRUE(compose({{euler_a(), 0.5}, {adjoint(euler_a()), 0.5}}).symmetric_on_groups());
  EXPECT_FALSE(compose({{euler_a(), 0.5}, {euler_a(), 0.5}}).symmetric());
  EXPECT_FALSE(compose({{verlet(), 0.3}, {verlet(), 0.7}}).symmetric());
  EXPECT_FALSE(compose({{verlet(), 0.5}, {gauss(2), 0.5}}).symmetric());
  EXPECT_TRUE(compose({{verlet(), 0.3}, {gauss(2), 0.4}, {verlet(), 0.3}}).symmetric());
  EXPECT_FALSE(compose({{euler_a(), 1.0}}).symmetric());
  for (const Method& m : stage_methods()) {
    EXPECT_EQ(compose({{m, 1.0}}).symmetric(), m.symmetric()) << m.name();
    EXPECT_TRUE(compose({{m, 0.5}, {adjoint(m), 0.5}}).symmetric()) << m.name();
  }
}

TEST(TripleJump, RaisesTheOrderOfSymmetricMethods) {
  for (const Method& m : {verlet(), midpoint(), gauss(2), lobatto(3)}) {
    const Method jump = triple_jump(m);
    EXPECT_EQ(jump.order(), m.order() + 2);
    EXPECT_TRUE(jump.symmetric()) << m.name();
    ASSERT_EQ(jump.substeps().size(), 3u);
    double sum = 0.0, power = 0.0;  // Σγ = 1 and Σγ^(r+1) = 0
    for (const auto& [part, fraction] : jump.substeps()) {
      sum += fraction;
      power += std::pow(fraction, m.order() + 1);
    }
    EXPECT_NEAR(sum, 1.0, 1e-15);
    EXPECT_NEAR(power, 0.0, 1e-13);
  }
}

TEST(TripleJump, RefusesMethodsThatAreNotSymmetric) {
  const std::string text = refusal([] { triple_jump(euler_a()); });
  expect_has(text, "euler_a is not symmetric");
  expect_has(text, "adjoint");
  refusal([] { triple_jump(midpoint(0.3)); });
}

/// A symmetric composition composed again symmetrically is symmetric, so that the order can be
/// raised as often as one likes; and what is symmetric on groups is so on vectors.
TEST(TripleJump, OfATripleJumpIsSymmetric) {
  const Method sixth = triple_jump(triple_jump(verlet()));
  EXPECT_EQ(sixth.order(), 6);
  EXPECT_TRUE(sixth.symmetric());
  EXPECT_TRUE(sixth.symmetric() || !sixth.symmetric_on_groups());
  EXPECT_NO_THROW(triple_jump(sixth));
}

TEST(Refusals, NameTheCauseAndTheRange) {
  for (const int s : {0, -1}) {
    const std::string text = refusal([s] { gauss(s); });
    expect_has(text, "gauss");
    expect_has(text, "at least 1");
    expect_has(text, "got " + std::to_string(s));
  }
  expect_has(refusal([] { lobatto(1); }), "at least 2, got 1");
  expect_has(refusal([] { galerkin(0); }), "at least 1, got 0");
  expect_has(refusal([] { galerkin(0, gauss_quadrature(2)); }), "at least 1, got 0");
  const std::string few = refusal([] { galerkin(3, gauss_quadrature(2)); });
  expect_has(few, "at least 3 points");
  expect_has(few, "gauss:2 with 2");
  expect_has(refusal([] { midpoint(1.5); }), "[0, 1], got 1.5");
  expect_has(refusal([] { midpoint(-0.1); }), "[0, 1], got -0.1");
  expect_has(refusal([] { midpoint(std::nan("")); }), "[0, 1], got nan");
  expect_has(refusal([] { trapezoid(2.0); }), "trapezoid: alpha must be in [0, 1], got 2");
  expect_has(refusal([] { gauss(100000); }), "1000");
}

}  // namespace
}  // namespace varia::method_test
