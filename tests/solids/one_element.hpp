// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Meshes of few elements of any shape, distorted, and the energy of an element written a second time:
// shape functions in the coordinates r, s, t of the unit simplex, their derivatives by jets.
#include <array>
#include <cmath>
#include <vector>

#include "laws.hpp"
#include "varia/solids/elements.hpp"

namespace varia::solids {

/// Shape functions of VTK's numbering at (r, s, t); corner 0 is the origin.
template <class S> std::vector<S> shape_functions(Shape shape, const S* r) {
  const int D = info(shape).dimension;
  std::vector<S> L(1, S(1.0));
  for (int i = 0; i < D; ++i) {
    L.push_back(r[i]);
    L[0] = L[0] - r[i];
  }
  if (info(shape).order == 1) return L;
  std::vector<S> N;
  for (const S& l : L) N.push_back(l * (2.0 * l - 1.0));
  for (int e = 0; e < info(shape).edges; ++e) {
    const auto [i, j] = edge_corners(shape, e);
    N.push_back(4.0 * L[static_cast<std::size_t>(i)] * L[static_cast<std::size_t>(j)]);
  }
  return N;
}

/// Quadrature points of the unit simplex (weights sum up to its volume).
struct UnitPoint {
  std::array<double, 3> r;
  double weight;
};
inline std::vector<UnitPoint> unit_points(Shape shape) {
  switch (shape) {
    case Shape::t3:
      return {{{1.0 / 3, 1.0 / 3, 0}, 0.5}};
    case Shape::tet4:
      return {{{0.25, 0.25, 0.25}, 1.0 / 6}};
    case Shape::t6: {
      const double a = 2.0 / 3, b = 1.0 / 6;
      return {{{b, b, 0}, b}, {{a, b, 0}, b}, {{b, a, 0}, b}};
    }
    default: {
      const double a = 0.58541019662496852, b = 0.1381966011250105, w = 1.0 / 24;
      return {{{b, b, b}, w}, {{a, b, b}, w}, {{b, a, b}, w}, {{b, b, a}, w}};
    }
  }
}

/// ∂N_a/∂r_i at a point, D numbers for each node.
template <int D> std::vector<double> unit_derivatives(Shape shape, const UnitPoint& point) {
  using J = Jet<double, D>;
  std::array<J, D> r;
  for (int i = 0; i < D; ++i) r[i] = J::variable(point.r[i], i);
  std::vector<double> dN;
  for (const J& n : shape_functions(shape, r.data()))
    for (int i = 0; i < D; ++i) dN.push_back(n.d[i]);
  return dN;
}

/// Σ_a y_a ⊗ ∂N_a/∂r
template <int D, class S> std::array<S, D * D> tangent(const std::vector<double>& dN, const S* y) {
  std::array<S, D * D> T;
  for (int c = 0; c < D; ++c)
    for (int i = 0; i < D; ++i) {
      T[c * D + i] = S(0.0);
      for (std::size_t a = 0; a < dN.size() / D; ++a)
        T[c * D + i] = T[c * D + i] + y[a * D + c] * dN[a * D + i];
    }
  return T;
}

/// The inverse by cofactors of cyclic minors.
template <int D> std::array<double, D * D> inverse(const std::array<double, D * D>& A) {
  if constexpr (D == 2) {
    const double d = A[0] * A[3] - A[1] * A[2];
    return {A[3] / d, -A[1] / d, -A[2] / d, A[0] / d};
  } else {
    std::array<double, 9> B{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int p = (j + 1) % 3, q = (j + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;
        B[3 * i + j] = (A[3 * p + u] * A[3 * q + v] - A[3 * p + v] * A[3 * q + u]) / det3(A.data());
      }
    return B;
  }
}

/// Stretch across a sheet with P33 = 0, by bisection of ∂W/∂s.
template <class M> double free_thickness(const M& law, const std::array<double, 9>& F) {
  using J = Jet<double, 1>;
  double low = 1e-3, high = 1e3;
  for (int n = 0; n < 200; ++n) {
    const double s = std::sqrt(low * high);
    std::array<J, 9> G;
    for (int i = 0; i < 9; ++i) G[i] = J(F[i]);
    G[8] = J::variable(s, 0);
    (plain_energy(law, G.data()).d[0] > 0.0 ? high : low) = s;
  }
  return std::sqrt(low * high);
}

/// V_K at positions x, with reference positions X.
template <int D, class M, class S>
S plain_element_energy(Shape shape, const M& law, Plane plane, const double* X, const S* x) {
  S sum(0.0);
  for (const UnitPoint& point : unit_points(shape)) {
    const std::vector<double> dN = unit_derivatives<D>(shape, point);
    const auto T0 = tangent<D>(dN, X);
    const auto back = inverse<D>(T0);
    const auto T = tangent<D>(dN, x);
    std::array<S, 9> F;
    std::array<double, 9> values{};
    for (int i = 0; i < 9; ++i) F[i] = S(i % 4 == 0 ? 1.0 : 0.0);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        F[3 * i + j] = S(0.0);
        for (int k = 0; k < D; ++k) F[3 * i + j] = F[3 * i + j] + T[i * D + k] * back[k * D + j];
      }
    for (int i = 0; i < 9; ++i) values[i] = value_of(F[i]);
    if (D == 2 && plane == Plane::stress) F[8] = S(free_thickness(law, values));
    const double det = D == 2 ? T0[0] * T0[3] - T0[1] * T0[2] : det3(T0.data());
    sum = sum + point.weight * det * plain_energy(law, F.data());
  }
  return sum;
}

/// Two elements of a shape that share a face, corners moved at random; `bend` moves mid nodes of
/// the second element that the first does not have.
inline Mesh pair_of(Shape shape, double bend, unsigned seed = 1) {
  const int D = info(shape).dimension;
  Random random(seed);
  Mesh mesh;
  mesh.shape = D == 2 ? Shape::t3 : Shape::tet4;
  mesh.X = D == 2 ? std::vector<double>{0, 0, 1, 0, 0, 1, 1, 1}
                  : std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.9, 0.8, 0.9};
  for (double& x : mesh.X) x += 0.15 * random();
  mesh.elements =
      D == 2 ? std::vector<int>{0, 1, 2, 1, 3, 2} : std::vector<int>{0, 1, 2, 3, 1, 2, 3, 4};
  mesh.region = {-1, -1};
  mesh.element_tag = {17, 29};
  if (info(shape).order == 2) {
    const int corners = static_cast<int>(mesh.node_count());
    mesh = elevate(mesh);
    for (long a = corners; a < mesh.node_count(); ++a) {
      bool first = false;
      for (int i = 0; i < mesh.nodes_per_element(); ++i) first = first || mesh.element(0)[i] == a;
      for (int c = 0; c < D && !first; ++c)
        mesh.X[static_cast<std::size_t>(a * D + c)] += bend * random();
    }
  }
  return mesh;
}

template <int D> std::vector<double> positions(const Mesh& mesh, long k) {
  std::vector<double> X;
  for (int a = 0; a < mesh.nodes_per_element(); ++a)
    for (int c = 0; c < D; ++c) X.push_back(mesh.node(mesh.element(k)[a])[c]);
  return X;
}

/// Positions x = F X + noise.
template <int D>
std::vector<double> deformed(const std::vector<double>& X, const std::array<double, D * D>& F,
                             double noise, Random& random) {
  std::vector<double> x(X.size());
  for (std::size_t a = 0; a < X.size() / D; ++a)
    for (int c = 0; c < D; ++c) {
      x[a * D + c] = noise * random();
      for (int j = 0; j < D; ++j) x[a * D + c] += F[c * D + j] * X[a * D + j];
    }
  return x;
}

}  // namespace varia::solids
