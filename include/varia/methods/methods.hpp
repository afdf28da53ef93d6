// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The methods by name, and the one list of them: program, documentation and law tests read it.
#include <string>
#include <string_view>
#include <vector>

#include "varia/methods/method.hpp"
#include "varia/methods/quadrature.hpp"

namespace varia {

/// L_d = h L((1-α) q₀ + α q₁, (q₁-q₀)/h): order 2 for α = 1/2, else 1.
Method midpoint(double alpha = 0.5);
/// L_d = h (1-α) L(q₀, v) + h α L(q₁, v): order 2 for α = 1/2, else 1; explicit when separable.
Method trapezoid(double alpha = 0.5);
/// L_d = ½L^α + ½L^{1-α} with L^α that of midpoint(α), (sym-alpha): order 2 and self-adjoint for
/// every α. Verlet for α = 0 and 1, the midpoint rule for α = 1/2.
Method symmetrised(double alpha);
/// Symplectic Euler with L at q₀ (p first), explicit when separable; adjoint of euler_b.
Method euler_a();
/// Symplectic Euler with L at q₁ (q first), explicit when separable; adjoint of euler_a.
Method euler_b();
/// Störmer-Verlet: trapezoid(1/2).
Method verlet();
/// Gauss collocation with s stages, order 2s.
Method gauss(int s);
/// Lobatto IIIA-IIIB with s ≥ 2 stages, order 2s-2; also on constraint manifolds.
Method lobatto(int s);
/// The same for nonholonomic constraints, (rolling): order 2s-2 there. Without any it is lobatto(s).
Method nh_lobatto(int s);
/// Half a step of nh_lobatto(s), then half a step of its adjoint: symmetric on groups too, where the
/// energy of nh_lobatto(s) drifts. On ℝⁿ it is two half steps.
Method nh_lobatto_sym(int s);
/// The discrete Lagrange-d'Alembert principle with the midpoint rule, (dla): order 2 with nonholonomic
/// constraints. Without any it is midpoint(), which is the same method.
Method dla();
/// Polynomials of the given degree with any quadrature of at least that many points.
Method galerkin(int degree, const Quadrature& quadrature);
Method galerkin(int degree);  ///< with gauss_quadrature(degree)

/// Newmark's method with 0 ≤ β ≤ 1/2, 0 ≤ γ ≤ 1, for separable systems; it runs by NewmarkFlow.
/// Order 2 for γ = 1/2, else 1; explicit for β = 0. newmark(0, 1/2) is Verlet.
Method newmark(double beta = 0.25, double gamma = 0.5);

/// Shooting with an explicit Runge-Kutta method of order 1, …, 4, by ShootingFlow.
Method shooting(int order, const Quadrature& rule);
/// Shooting with Taylor's method of any order up to max_taylor_order.
Method taylor(int order, const Quadrature& rule);
/// The user's own discrete Lagrangian, said to be of this order.
Method own_lagrangian(int order);
/// Asynchronous: see Asynchronous.
Method avi();

/// Baselines for comparison: explicit Euler, the classical Runge-Kutta method, Dormand-Prince 5(4)
/// with step control. Not variational: energy and momenta drift.
Method explicit_euler();
Method rk4();
Method dopri5(double tolerance = 1e-9);
/// The baseline on groups: Runge-Kutta-Munthe-Kaas with Gauss collocation of s stages, order 2s, by
/// RkmkFlow. On ℝⁿ it is gauss(s).
Method rkmk(int s);

/// One row of the list.
struct Descriptor {
  std::string name;
  std::string parameters =
      {};  ///< "degree, quadrature=gauss:degree": names, and what they are otherwise
  std::string order;
  std::string symmetric = "no", variational = "yes";
  std::string explicit_when = {}, needs = {};
  std::string cite, summary;
  std::vector<std::string> examples;  ///< instances on which the laws are tested
};

const std::vector<Descriptor>& method_list();

/// The method a text such as "gauss(3)", "midpoint(alpha=0.5)", "galerkin(2, lobatto:3)" names.
Method parse_method(std::string_view text);

}  // namespace varia
