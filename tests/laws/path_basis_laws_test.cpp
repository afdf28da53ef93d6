// SPDX-License-Identifier: BSD-3-Clause
// Galerkin methods with any functions (basis) [Leok15]: digits of the functions, bases of one's own,
// symmetry, symplecticity, and constraints.
#include <limits>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/methods/path_basis.hpp"
#include "varia/verify/differences.hpp"

namespace varia::path_basis_laws_test {
namespace {

using namespace problems;
using Numbers = std::vector<DoubleDouble>;

double size_of(const DoubleDouble& x) { return std::abs(double(x)); }

/// Sines and cosines to 30 digits, wherever their series begin: cos² + sin² = 1, the formulas of the
/// double and of the triple angle, and integrals whose derivatives they are.
TEST(PathBasisLaws, FunctionsHaveThirtyDigits) {
  for (const double theta : {0.1, 0.7, 3.9, 6.6}) {
    const PathBasis basis = trigonometric_basis(3, theta);
    ASSERT_EQ(basis.size, 7);
    for (const double x : {0.013, 0.3, 0.77, 1.0}) {
      const Numbers f = basis.values(DoubleDouble(x));
      const DoubleDouble c = f[1];
      const DoubleDouble s = f[2];
      EXPECT_EQ(double(f[0]), 1.0);
      EXPECT_LT(size_of(c * c + s * s - 1.0), 1e-29) << theta << " " << x;
      EXPECT_LT(size_of(f[3] - (2.0 * c * c - 1.0)), 1e-29) << theta << " " << x;
      EXPECT_LT(size_of(f[4] - 2.0 * s * c), 1e-29) << theta << " " << x;
      EXPECT_LT(size_of(f[5] - (4.0 * c * c * c - 3.0 * c)), 1e-28) << theta << " " << x;
      EXPECT_LT(size_of(f[6] - (3.0 * s - 4.0 * s * s * s)), 1e-28) << theta << " " << x;
      EXPECT_NEAR(double(c), std::cos(theta * x), 1e-15);
      EXPECT_NEAR(double(s), std::sin(theta * x), 1e-15);
      const Numbers g = basis.integrals(DoubleDouble(x));
      for (std::size_t k = 1; k <= 3; ++k) {
        const DoubleDouble w = DoubleDouble(theta) * double(k);
        EXPECT_LT(size_of(g[2 * k - 1] * w - f[2 * k]), 1e-29);
        EXPECT_LT(size_of(1.0 - g[2 * k] * w - f[2 * k - 1]), 1e-29);
      }
    }
  }
}

double farthest(const SplitArray& x, const SplitArray& y) {
  double most = 0.0;
  for (std::size_t i = 0; i < x.hi.size(); ++i)
    most = std::max(most, std::abs((x.hi[i] - y.hi[i]) + (x.lo[i] - y.lo[i])));
  return most;
}

/// τ - c, 1 with c the first node, where the first function vanishes: the straight velocities all the
/// same, whatever functions span them.
TEST(PathBasisLaws, OnlyTheSpanMatters) {
  const Quadrature rule = gauss_quadrature(2);
  const DoubleDouble c = rule.c[0];
  const PathBasis lines{"lines", 2,
                        [c](const DoubleDouble& x) {
                          return Numbers{x - c, DoubleDouble(1.0)};
                        },
                        [c](const DoubleDouble& x) {
                          return Numbers{0.5 * x * x - c * x, x};
                        },
                        true};
  const Method ours = galerkin(lines, rule, 4);
  const Method known = gauss(2);
  EXPECT_EQ(ours.order(), 4);
  EXPECT_TRUE(ours.stages()->nodal);
  EXPECT_LT(farthest(ours.stages()->A, known.stages()->A), 1e-29);
  EXPECT_LT(farthest(ours.stages()->beta, known.stages()->beta), 1e-29);
}

const Texts pendulum{{"x"}, "x_dot^2/2 + cos(x) + 0.2*x*x_dot^2", {}, {}};
/// 1, τ²: f(1 - τ) is not among them.
PathBasis lopsided() {
  return {"1, tau^2", 2,
          [](const DoubleDouble& x) {
            return Numbers{DoubleDouble(1.0), x * x};
          },
          [](const DoubleDouble& x) {
            return Numbers{x, x * x * x / 3.0};
          },
          false};
}

struct Step {
  double forth_and_back, volume;
};
Step measured(const Method& method) {
  const auto f = system_of(pendulum);
  const StageFlow flow(method, f);
  const VectorState s = initial(*f, vector({0.9}), vector({0.5}));
  Eigen::MatrixXd tangent(2, 2);
  for (int j = 0; j < 2; ++j)
    tangent.col(j) = derivative_at_zero(
        [&](double e) {
          VectorState moved = s;
          (j == 0 ? moved.q : moved.p)[0] += e;
          const VectorState next = flow(moved, 0.4);
          return Eigen::VectorXd(vector({next.q[0], next.p[0]}));
        },
        0.05);
  return {distance(flow(flow(s, 0.4), -0.4), s), std::abs(tangent.determinant() - 1.0)};
}

/// Symplectic with every basis and rule; symmetric if both are, and only then.
TEST(PathBasisLaws, SymmetryNeedsBothAndSymplecticityNeither) {
  const struct {
    Method method;
    bool symmetric;
  } cases[] = {{trigonometric(1, 1.3), true},
               {galerkin(trigonometric_basis(2, 0.8), lobatto_quadrature(6)), true},
               {galerkin(trigonometric_basis(1, 1.3), radau_left_quadrature(4)), false},
               {galerkin(polynomial_basis(2), radau_left_quadrature(3)), false},
               {galerkin(lopsided(), gauss_quadrature(3)), false}};
  for (const auto& c : cases) {
    EXPECT_EQ(c.method.symmetric(), c.symmetric) << c.method.name();
    const Step step = measured(c.method);
    EXPECT_LT(step.volume, 1e-10) << c.method.name();
    if (c.symmetric)
      EXPECT_LT(step.forth_and_back, 1e-13) << c.method.name();
    else
      EXPECT_GT(step.forth_and_back, 1e-9) << c.method.name();
  }
}

TEST(PathBasisLaws, NamesAndSizes) {
  const Method method = trigonometric(2, 0.5);
  EXPECT_EQ(method.name(), "trigonometric(2, 0.5)");
  EXPECT_EQ(method.stages()->unknowns, 5);
  EXPECT_EQ(method.stages()->points, 7);
  EXPECT_EQ(method.order(), 2);
  EXPECT_NE(galerkin(lopsided(), gauss_quadrature(3)).name().find("tau^2"), std::string::npos);
}

TEST(PathBasisLaws, Refusals) {
  const auto says = [](const char* word, const auto& f) { expect_words(refusal(f), {word}); };
  says("order", [] { galerkin(polynomial_basis(2), gauss_quadrature(2), 0); });
  says("no function", [] { galerkin(PathBasis{}, gauss_quadrature(2)); });
  says("at least 1", [] { polynomial_basis(0); });
  says("must be 1 to 10", [] { trigonometric(11, 0.1); });
  says("theta", [] { trigonometric(1, std::numeric_limits<double>::quiet_NaN()); });
  says("theta", [] { trigonometric(1, -1.0); });
}

/// 1 + ετ² and τ hold no constant. Gauss rules do not see it at the end of the step: what is 1 at
/// their nodes has the integral 1.
TEST(PathBasisLaws, ConstantsMustBeThere) {
  const auto basis = [](double epsilon) {
    return PathBasis{"no constant", 2,
                     [=](const DoubleDouble& x) {
                       return Numbers{1.0 + epsilon * x * x, x};
                     },
                     [=](const DoubleDouble& x) {
                       return Numbers{x + epsilon * x * x * x / 3.0, 0.5 * x * x};
                     },
                     false};
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int points : {2, 3, 4}) {
    for (const double epsilon : {0.3, 1e-6, 1e-12, nan})
      expect_words(refusal([&] { galerkin(basis(epsilon), gauss_quadrature(points)); }),
                   {"constants"});
    EXPECT_NO_THROW(galerkin(basis(0.0), gauss_quadrature(points)));
  }
}

/// With the points of Lobatto the path goes through both ends and reactions act at inner points, as
/// with polynomials: order 4 with θ = ωh, and 2 if θ is kept.
TEST(PathBasisLaws, ConstraintsAndOrder) {
  const auto f = system_of({{"x", "y", "z"},
                            "(x_dot^2 + y_dot^2 + z_dot^2)/2 - z - 0.3*x^2 - 0.2*x*y",
                            {},
                            {"x^2 + y^2 + z^2 - 1"}});
  const VectorState start = initial(*f, vector({0.6, 0.0, -0.8}), vector({0.4, 0.9, 0.3}));
  const VectorState exact = walk(StageFlow(lobatto(5), f), start, 1.0 / 64, 64);
  const auto error = [&](double theta_of_one, bool fixed, int n) {
    const double h = 1.0 / n;
    const Method method = galerkin(trigonometric_basis(1, fixed ? theta_of_one : theta_of_one * h),
                                   lobatto_quadrature(3), fixed ? 2 : 4);
    EXPECT_TRUE(method.stages()->ends);
    EXPECT_EQ(method.constrained_order(), fixed ? 2 : 4);
    const VectorState end = walk(StageFlow(method, f), start, h, n);
    EXPECT_LT(std::abs(end.q.squaredNorm() - 1.0) + std::abs(end.q.dot(end.p)), 1e-13);
    return distance(end, exact);
  };
  EXPECT_NEAR(measured_order([&](int n) { return error(1.2, false, n); }, 16), 4.0, 0.1);
  EXPECT_NEAR(measured_order([&](int n) { return error(1.2, true, n); }, 32), 2.0, 0.1);
}

}  // namespace
}  // namespace varia::path_basis_laws_test
