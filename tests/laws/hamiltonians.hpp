// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Systems stated by a Hamiltonian as text in t, q[1] … q[n], p[1] … p[n], regular and degenerate.
#include <string>

#include "varia/expr/parse.hpp"
#include "varia/flow/hamiltonian_flow.hpp"
#include "varia/methods/composition.hpp"

namespace varia::hamiltonians {

inline std::shared_ptr<const HamiltonianSystem> system_of(const std::string& text, int n) {
  expr::Graph graph;
  expr::Scope scope;
  scope.add("t", graph.variable(0));
  scope.add_index("n", n);
  std::vector<expr::Id> q;
  std::vector<expr::Id> p;
  for (int i = 1; i <= n; ++i) {
    q.push_back(graph.variable(i));
    p.push_back(graph.variable(n + i));
  }
  scope.add_array("q", 1, q);
  scope.add_array("p", 1, p);
  return std::make_shared<const HamiltonianSystem>(
      hamiltonian_system(graph, expr::parse(graph, scope, text), n));
}

inline VectorState state_of(const Vn& q, const Vn& p, double t = 0.0) {
  return detail::make_state<Vn, Dynamic>(t, q, p, 0);
}

inline Vn vec(std::initializer_list<double> x) {
  Vn v(static_cast<Eigen::Index>(x.size()));
  Eigen::Index i = 0;
  for (const double y : x) v[i++] = y;
  return v;
}

struct Problem {
  std::shared_ptr<const HamiltonianSystem> system;
  VectorState start;
  double h;         ///< a step of middling size
  double duration;  ///< for the measurement of orders
};

/// Double pendulum: ∂²H/∂p² depends on q.
inline Problem double_pendulum() {
  return {system_of("(p[1]^2/2 + p[2]^2 - p[1]*p[2]*cos(q[1] - q[2]))/(2 - cos(q[1] - q[2])^2)"
                    " - 2*cos(q[1]) - cos(q[2])",
                    2),
          state_of(vec({0.7, -0.3}), vec({0.4 + 0.3 * std::cos(1.0), 0.3 + 0.2 * std::cos(1.0)})),
          0.1, 2.0};
}

/// H linear in p: q̇ = f(q) alone, and p moves by the adjoint equation. No Lagrangian exists.
inline Problem linear_in_p() {
  return {system_of("p[1]*(sin(q[2]) + q[1]/2) + p[2]*(cos(q[1]) - q[2]^2/3) + p[3]*q[1]*q[2]", 3),
          state_of(vec({0.4, -0.2, 0.1}), vec({0.7, 0.5, -1.1})), 0.1, 2.0};
}

/// Three vortices in canonical coordinates q = x, p = Γy. Degenerate as a Lagrangian: H has no
/// kinetic energy. Momenta: Σ Γx, Σ p, Σ Γ(x² + y²).
inline constexpr double circulation[3] = {1.0, 1.7, -0.6};
inline Problem vortices() {
  const std::string gamma[3] = {"1.0", "1.7", "(-0.6)"};
  std::string h;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) {
      const std::string a = std::to_string(i + 1);
      const std::string b = std::to_string(j + 1);
      h += std::string(h.empty() ? "" : " ") + "- " + gamma[i] + "*" + gamma[j] +
           "/(4*pi)*log((q[" + a + "] - q[" + b + "])^2 + (p[" + a + "]/" + gamma[i] + " - p[" + b +
           "]/" + gamma[j] + ")^2)";
    }
  return {system_of(h, 3), state_of(vec({0.0, 1.0, 0.3}), vec({0.1, 1.7 * (-0.2), -0.6 * 0.9})),
          0.2, 3.0};
}

/// H depends on t, mixes q and p, and is of fourth degree in p.
inline Problem driven() {
  return {system_of("(p[1]^2/2 + p[1]^4/12)*(1 + q[1]^2/4) + cos(t)*q[1]*p[1]/3 + q[1]^4/4 "
                    "- q[1]*sin(2*t)",
                    1),
          state_of(vec({0.6}), vec({0.5}), 0.3), 0.1, 2.0};
}

/// H = T(p) + V(t, q) with T of a relativistic particle.
inline Problem relativistic() {
  return {system_of("sqrt(1 + p[1]^2 + p[2]^2) - 1/sqrt(q[1]^2 + q[2]^2 + 0.1) + q[1]*sin(t)/5", 2),
          state_of(vec({0.8, 0.1}), vec({0.2, 0.9})), 0.1, 2.0};
}

/// Every variational method instance of the list, a composition and an adjoint; of those that ask
/// for ½pᵀAp + V(q) only if wanted.
inline std::vector<Method> methods(bool kicks_and_drifts = false) {
  std::vector<Method> result;
  for (const Descriptor& row : method_list())
    for (const std::string& text : row.examples) result.push_back(parse_method(text));
  result.push_back(compose({{euler_b(), 0.5}, {euler_a(), 0.5}}, 2, "euler_b, euler_a"));
  result.push_back(adjoint(midpoint(0.3)));
  std::erase_if(result, [&](const Method& method) {
    return method.baseline() || method.has_own_flow() ||
           (!kicks_and_drifts && method.needs_separable());
  });
  return result;
}

/// Whether all velocities at quadrature points are free: what degenerate systems can use.
inline bool any_hamiltonian(const Method& method) {
  if (const StageCoefficients* k = method.stages()) return k->points == k->unknowns;
  for (const auto& part : method.substeps())
    if (!any_hamiltonian(part.first)) return false;
  return true;
}

}  // namespace varia::hamiltonians
