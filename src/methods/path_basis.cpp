// SPDX-License-Identifier: BSD-3-Clause
#include "varia/methods/path_basis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "varia/core/error.hpp"

namespace varia {

namespace {

using Numbers = std::vector<DoubleDouble>;

/// cos x and sin x by their series at x/2ᵐ and m doublings of the angle.
std::pair<DoubleDouble, DoubleDouble> cos_sin(DoubleDouble x) {
  int doublings = 0;
  while (std::abs(x.hi) > 0.25) {
    x = x * 0.5;
    ++doublings;
  }
  DoubleDouble versine = 0.0;  // 1 - cos x: no digits are lost to the 1
  DoubleDouble sine = 0.0;
  DoubleDouble term = x;
  for (int k = 1; k < 30; ++k) {  // term = ± xᵏ/k!
    if (k % 2 == 1)
      sine += term;
    else
      versine -= term;
    term = term * x / double(k + 1);
    if (k % 2 == 1) term = -term;
  }
  for (int i = 0; i < doublings; ++i) {
    sine = 2.0 * sine * (1.0 - versine);
    versine = 2.0 * versine * (2.0 - versine);
  }
  return {1.0 - versine, sine};
}

/// X with X F = G, row by row, F of the given size: elimination with the largest pivot of a row.
void divide_right(Numbers F, std::vector<Numbers>& G, int size) {
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t j = k + 1; j < n; ++j)
      if (abs(F[k * n + j]) > abs(F[k * n + pivot])) pivot = j;
    if (F[k * n + pivot].hi == 0.0)
      throw InvalidArgument("galerkin: the functions of the basis are not independent");
    for (std::size_t i = 0; i < n; ++i) std::swap(F[i * n + k], F[i * n + pivot]);
    for (Numbers& g : G) std::swap(g[k], g[pivot]);
    for (std::size_t j = 0; j < n; ++j) {
      if (j == k) continue;
      const DoubleDouble factor = F[k * n + j] / F[k * n + k];
      for (std::size_t i = 0; i < n; ++i) F[i * n + j] -= factor * F[i * n + k];
      for (Numbers& g : G) g[j] -= factor * g[k];
    }
  }
  for (Numbers& g : G)
    for (std::size_t k = 0; k < n; ++k) g[k] /= F[k * n + k];
}

Numbers flattened(const std::vector<Numbers>& rows) {
  Numbers all;
  for (const Numbers& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

void require_fit(const PathBasis& basis, const Quadrature& quadrature) {
  if (basis.size < 1) throw InvalidArgument("galerkin: the basis has no function");
  if (quadrature.size() < basis.size)
    throw InvalidArgument("galerkin: " + std::to_string(basis.size) + " functions (" + basis.name +
                          ") need a quadrature of at least as many points, got " + quadrature.name +
                          " with " + std::to_string(quadrature.size()) +
                          "; the discrete Lagrangian would not determine the path");
}

/// Σⱼ ψⱼ = 1 and Σⱼ ∫₀^c ψⱼ = c at every point. At the end alone it would not do: a Gauss rule
/// integrates what is 1 at its nodes to 1, though it be no constant.
void require_constants(const PathBasis& basis, const Quadrature& quadrature,
                       const std::vector<Numbers>& rows) {
  const std::size_t m = quadrature.c.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    DoubleDouble sum = i < m || i == 2 * m ? -1.0 : -quadrature.c[i - m];
    for (const DoubleDouble& x : rows[i]) sum += x;
    if (!(abs(sum).hi <= 1e-17))
      throw InvalidArgument(
          "galerkin: the basis (" + basis.name +
          ") does not hold the constants to 17 digits: its functions are not independent enough, "
          "or the constant is missing; the method would not converge");
  }
}

}  // namespace

PathBasis polynomial_basis(int size) {
  if (size < 1)
    throw InvalidArgument("polynomial_basis: at least 1 function, got " + std::to_string(size));
  // ∫₀ˣ P_k = (P_{k+1} - P_{k-1})/(2(2k + 1)) in the variable 2τ - 1; ∫₀ˣ P₀ = x
  return {"polynomials of degree " + std::to_string(size - 1), size,
          [size](const DoubleDouble& x) { return shifted_legendre(size - 1, x); },
          [size](const DoubleDouble& x) {
            const Numbers P = shifted_legendre(size, x);
            Numbers result{x};
            for (int k = 1; k < size; ++k)
              result.push_back(
                  (P[static_cast<std::size_t>(k) + 1] - P[static_cast<std::size_t>(k) - 1]) /
                  double(2 * (2 * k + 1)));
            return result;
          },
          true};
}

PathBasis trigonometric_basis(int harmonics, double theta) {
  constexpr double most = 20.0;
  if (harmonics < 1 || harmonics > 10)
    throw InvalidArgument("trigonometric: harmonics must be 1 to 10, got " +
                          std::to_string(harmonics));
  if (!(theta > 0.0) || !(harmonics * theta <= most))
    throw InvalidArgument("trigonometric: theta = omega h must be positive and harmonics * theta " +
                          std::string("at most 20, got theta = ") + to_text(theta));
  const auto functions = [harmonics, theta](bool integrals) {
    return [=](const DoubleDouble& x) {
      Numbers result{integrals ? x : DoubleDouble(1.0)};
      for (int k = 1; k <= harmonics; ++k) {
        const DoubleDouble omega = DoubleDouble(theta) * double(k);
        const auto [cosine, sine] = cos_sin(omega * x);
        result.push_back(integrals ? sine / omega : cosine);
        result.push_back(integrals ? (1.0 - cosine) / omega : sine);
      }
      return result;
    };
  };
  return {"harmonics 1 to " + std::to_string(harmonics) + " of theta = " + to_text(theta),
          2 * harmonics + 1, functions(false), functions(true), true};
}

Method galerkin(const PathBasis& basis, const Quadrature& quadrature, int order) {
  require_fit(basis, quadrature);
  if (order < 1) throw InvalidArgument("galerkin: the order must be at least 1");
  // Combinations of the functions that are 1 at one node and 0 at the others: well conditioned
  // unknowns, and those of Runge-Kutta methods when the nodes are the quadrature points.
  const bool nodal = quadrature.size() == basis.size;
  const Numbers nodes = nodal ? quadrature.c : gauss_quadrature(basis.size).c;
  std::vector<Numbers> at_nodes;
  for (const DoubleDouble& c : nodes) at_nodes.push_back(basis.values(c));
  // ψ(τ) N = f(τ) with Nᵢₖ = fₖ(node i), for the values and for the integrals: a row for each point
  std::vector<Numbers> rows;
  for (const DoubleDouble& c : quadrature.c) rows.push_back(basis.values(c));
  for (const DoubleDouble& c : quadrature.c) rows.push_back(basis.integrals(c));
  rows.push_back(basis.integrals(1.0));
  divide_right(flattened(at_nodes), rows, basis.size);
  require_constants(basis, quadrature, rows);
  const auto m = static_cast<std::ptrdiff_t>(quadrature.size());
  Numbers B = flattened({rows.begin(), rows.begin() + m});
  if (nodal)  // without rounding, so that it is seen to be nodal
    for (std::size_t i = 0; i < B.size(); ++i) B[i] = i % (nodes.size() + 1) == 0 ? 1.0 : 0.0;
  const Numbers A = flattened({rows.begin() + m, rows.begin() + 2 * m});
  return {"galerkin(" + basis.name + ", " + quadrature.name + ")",
          std::min(order, quadrature.order), basis.symmetric && is_symmetric(quadrature), false,
          StageCoefficients(quadrature.c, quadrature.b, A, B, rows.back())};
}

Method trigonometric(int harmonics, double theta) {
  const PathBasis basis = trigonometric_basis(harmonics, theta);
  const Method method = galerkin(basis, gauss_quadrature(basis.size + 2));
  return {"trigonometric(" + std::to_string(harmonics) + ", " + to_text(theta) + ")",
          method.order(), method.symmetric(), false, *method.stages()};
}

}  // namespace varia
