// SPDX-License-Identifier: BSD-3-Clause
#include "varia/methods/methods.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/error.hpp"
#include "varia/methods/lagrange_basis.hpp"
#include "varia/methods/tableau.hpp"

namespace varia {

namespace {

using Coefficients = std::vector<DoubleDouble>;

void require_alpha(const char* name, double alpha) {
  if (!std::isfinite(alpha) || alpha < 0.0 || alpha > 1.0)
    throw InvalidArgument(std::string(name) + ": alpha must be in [0, 1], got " + to_text(alpha));
}

std::string with_alpha(const char* name, double alpha) {
  return alpha == 0.5 ? name : std::string(name) + "(" + to_text(alpha) + ")";
}

/// One unknown velocity, L evaluated at q₀ ⊕ α ξ.
StageCoefficients one_point(double alpha) { return {{alpha}, {1.0}, {alpha}, {1.0}, {1.0}}; }

/// The path of degree r through its velocities at r nodes, and a quadrature on it.
StageCoefficients polynomial_path(const Coefficients& nodes, const Quadrature& quadrature) {
  const LagrangeBasis basis(nodes);
  Coefficients A;
  Coefficients B;
  for (const DoubleDouble& c : quadrature.c) {
    const Coefficients values = basis.values(c);
    const Coefficients integrals = basis.integrals(c);
    B.insert(B.end(), values.begin(), values.end());
    A.insert(A.end(), integrals.begin(), integrals.end());
  }
  return {quadrature.c, quadrature.b, A, B, basis.integrals(1.0)};
}

/// The velocities at the quadrature points are the unknowns: a symplectic partitioned Runge-Kutta.
StageCoefficients collocation_path(const Quadrature& quadrature) {
  const Tableau tableau = collocation(quadrature);
  const std::size_t m = quadrature.c.size();
  Coefficients identity(m * m, 0.0);
  for (std::size_t i = 0; i < m; ++i) identity[i * m + i] = 1.0;
  return {tableau.c, tableau.b, tableau.A, identity, tableau.b};
}

void require_stages(const char* name, int s, int least) {
  if (s < least)
    throw InvalidArgument(std::string(name) + ": the number of stages must be at least " +
                          std::to_string(least) + ", got " + std::to_string(s));
}

/// Of the lower one of the two orders.
Method by_shooting(const std::string& name, const ShootingScheme& s, int most, const char* beyond) {
  if (s.step_order < 1 || s.step_order > most)
    throw InvalidArgument(name + ": the order of the one-step method must be in 1 ... " +
                          std::to_string(most) + ", got " + std::to_string(s.step_order) + beyond);
  if (s.rule.size() == 0) throw InvalidArgument("shooting: the quadrature has no points");
  return {name + "(" + std::to_string(s.step_order) + ", " + s.rule.name + ")", s.order(), false,
          s};
}

}  // namespace

Method midpoint(double alpha) {
  require_alpha("midpoint", alpha);
  const bool centred = alpha == 0.5;
  const auto explicit_alpha = alpha == 0.0 || alpha == 1.0 ? std::optional(alpha) : std::nullopt;
  return {with_alpha("midpoint", alpha),
          centred ? 2 : 1,
          centred,
          centred,
          one_point(alpha),
          explicit_alpha};
}

Method trapezoid(double alpha) {
  require_alpha("trapezoid", alpha);
  const bool centred = alpha == 0.5;
  if (alpha == 0.0 || alpha == 1.0)
    return {with_alpha("trapezoid", alpha), 1, false, false, one_point(alpha), alpha};
  return {with_alpha("trapezoid", alpha),
          centred ? 2 : 1,
          centred,
          centred,
          {{0.0, 1.0}, {1.0 - DoubleDouble(alpha), alpha}, {0.0, 1.0}, {1.0, 1.0}, {1.0}},
          alpha};
}

Method symmetrised(double alpha) {
  require_alpha("symmetrised", alpha);
  const std::string name = "symmetrised(" + to_text(alpha) + ")";
  if (alpha == 0.5) return {name, 2, true, true, one_point(alpha)};  // both points are one
  const DoubleDouble a = alpha;
  const Coefficients points = alpha < 0.5 ? Coefficients{a, 1.0 - a} : Coefficients{1.0 - a, a};
  const bool ends = alpha == 0.0 || alpha == 1.0;
  return {name,
          2,
          true,
          true,
          {points, {0.5, 0.5}, points, {1.0, 1.0}, {1.0}},
          ends ? std::optional(0.5) : std::nullopt};
}

Method euler_a() { return {"euler_a", 1, false, false, one_point(0.0), 0.0}; }

Method euler_b() { return {"euler_b", 1, false, false, one_point(1.0), 1.0}; }

Method verlet() {
  static const Method method{"verlet", 2, true, true, *trapezoid().stages(), 0.5};
  return method;
}

Method gauss(int s) {
  require_stages("gauss", s, 1);
  const Quadrature quadrature = gauss_quadrature(s);  // first: it bounds s
  return {"gauss(" + std::to_string(s) + ")", 2 * s, true, s == 1, collocation_path(quadrature)};
}

namespace {

Method lobatto_named(const std::string& name, int s) {
  require_stages(name.c_str(), s, 2);
  const Quadrature quadrature = lobatto_quadrature(s);  // first: it bounds s
  return {name + "(" + std::to_string(s) + ")", 2 * s - 2, true, false,
          collocation_path(quadrature)};
}

}  // namespace

Method lobatto(int s) { return lobatto_named("lobatto", s); }

Method nh_lobatto(int s) { return lobatto_named("nh_lobatto", s); }

Method nh_lobatto_sym(int s) {
  const Method half = nh_lobatto(s);
  return compose({{half, 0.5}, {adjoint(half), 0.5}}, half.order(),
                 "nh_lobatto_sym(" + std::to_string(s) + ")");
}

Method dla() { return {"dla", 2, true, true, one_point(0.5)}; }

Method galerkin(int degree, const Quadrature& quadrature) {
  if (degree < 1)
    throw InvalidArgument("galerkin: the degree must be at least 1, got " + std::to_string(degree));
  if (quadrature.size() < degree)
    throw InvalidArgument("galerkin: degree " + std::to_string(degree) +
                          " needs a quadrature of at least " + std::to_string(degree) +
                          " points, got " + quadrature.name + " with " +
                          std::to_string(quadrature.size()) +
                          "; the discrete Lagrangian would not determine the path");
  const bool nodal = quadrature.size() == degree;
  const int order = std::min(2 * degree, quadrature.order);
  const bool symmetric = is_symmetric(quadrature);
  return {"galerkin(" + std::to_string(degree) + ", " + quadrature.name + ")", order, symmetric,
          symmetric && degree == 1,
          nodal ? collocation_path(quadrature)
                : polynomial_path(gauss_quadrature(degree).c, quadrature)};
}

Method galerkin(int degree) {
  require_stages("galerkin", degree, 1);
  return galerkin(degree, gauss_quadrature(degree));
}

Method newmark(double beta, double gamma) {
  const auto require = [](const char* which, double x, double most) {
    if (!(x >= 0.0 && x <= most))
      throw InvalidArgument("newmark: " + std::string(which) + " must be in [0, " + to_text(most) +
                            "], got " + to_text(x));
  };
  require("beta", beta, 0.5);
  require("gamma", gamma, 1.0);
  const bool centred = gamma == 0.5;
  return {"newmark(" + to_text(beta) + ", " + to_text(gamma) + ")", centred ? 2 : 1, centred,
          Newmark{beta, gamma}};
}

Method shooting(int order, const Quadrature& rule) {
  return by_shooting("shooting", {ShootingScheme::Step::runge_kutta, order, rule}, 4,
                     "; higher orders: taylor(order)");
}
Method taylor(int order, const Quadrature& rule) {
  return by_shooting("taylor", {ShootingScheme::Step::taylor, order, rule}, max_taylor_order, "");
}
Method avi() { return {"avi", 2, false, Asynchronous{}}; }

Method own_lagrangian(int order) {
  const std::string name = "discrete_lagrangian(" + std::to_string(order) + ")";
  if (order < 1)
    throw InvalidArgument(name + ": the declared order must be at least 1, got " +
                          std::to_string(order));
  return {name, order, false, OwnLagrangian{}};
}

Method explicit_euler() {
  return {"explicit_euler", 1, false, Baseline{Baseline::Kind::explicit_euler, 0.0}};
}
Method rk4() { return {"rk4", 4, false, Baseline{Baseline::Kind::rk4, 0.0}}; }
Method rkmk(int s) {
  require_stages("rkmk", s, 1);
  const Quadrature quadrature = gauss_quadrature(s);  // first: it bounds s
  return {"rkmk(" + std::to_string(s) + ")", quadrature.order, true,
          Baseline{Baseline::Kind::rkmk, 0.0, s}};
}
Method dopri5(double tolerance) {
  const std::string name = tolerance == 1e-9 ? "dopri5" : "dopri5(" + to_text(tolerance) + ")";
  if (!(tolerance >= 1e-15 && tolerance <= 0.1))
    throw InvalidArgument(name + ": tolerance must be between 1e-15 and 0.1, got " +
                          to_text(tolerance));
  return {name, 5, false, Baseline{Baseline::Kind::dopri5, tolerance}};
}

}  // namespace varia
