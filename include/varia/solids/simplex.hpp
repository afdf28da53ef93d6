// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Barycentric coordinates λ_0 … λ_D of a simplex, and the quadratic shape functions in them.
//
//   corners   N_i  = λ_i (2 λ_i - 1)         ∂N_i/∂λ_i = 4 λ_i - 1
//   edges     N_ij = 4 λ_i λ_j               ∂N_ij/∂λ_i = 4 λ_j
//
// Because Σ ∇λ_i = 0 only D gradients are kept; that of the last corner is minus their sum, so
// that sums over all nodes vanish to round-off.
#include "varia/solids/point.hpp"
#include "varia/solids/tensor.hpp"

namespace varia::solids {

/// The local node between corners i and j, in the order of shape.hpp; corner i itself for i = j.
template <int D> constexpr int edge_node(int i, int j) {
  if (i == j) return i;
  if (i > j) return edge_node<D>(j, i);
  if (j == 3) return 7 + i;
  return D + 1 + (i == 0 && j == 2 ? 2 : i);
}

/// G[i D + c] = ∂λ_i/∂X_c for i < D at the place where ∂X/∂λ_i = E_i (rows of E; λ_D dependent).
/// Returns det E, with the sign that is positive for a right-handed simplex.
template <int D> inline double barycentric_gradients(const double* E, double* G) {
  const double det = cofactor<D>(E, G);
  for (int i = 0; i < D * D; ++i) G[i] /= det;
  return D == 3 ? -det : det;
}

/// F = Σ_{i<D} d_i ⊗ ∇λ_i
template <int D>
[[gnu::always_inline]] inline void gradient_of_map(const double* d, const double* G, double* F) {
#pragma GCC unroll 3
  for (int c = 0; c < D; ++c) {
#pragma GCC unroll 3
    for (int j = 0; j < D; ++j) {
      double sum = d[c] * G[j];
#pragma GCC unroll 3
      for (int i = 1; i < D; ++i) sum += d[i * D + c] * G[i * D + j];
      F[c * D + j] = sum;
    }
  }
}

/// h_i = weight P ∇λ_i for edges d_i, i < D, and J. False where the law has no stress.
template <int D, class Law>
[[nodiscard, gnu::always_inline]] inline bool stress_forces(const Law& law, const double* G,
                                                            double weight, const Point<D>* d,
                                                            Point<D>* h, double& J) {
  double F[D * D], P[D * D], edges[D * D];
#pragma GCC unroll 3
  for (int i = 0; i < D; ++i) d[i].store(edges + i * D);
  gradient_of_map<D>(edges, G, F);
  if (!law.template stress<D>(F, P)) [[unlikely]] {
    J = determinant<D>(F);
    return false;
  }
#pragma GCC unroll 3
  for (int i = 0; i < D; ++i) {
#pragma GCC unroll 3
    for (int c = 0; c < D; ++c) {
      double sum = P[c * D] * G[i * D];
#pragma GCC unroll 3
      for (int j = 1; j < D; ++j) sum += P[c * D + j] * G[i * D + j];
      edges[i * D + c] = weight * sum;
    }
    h[i] = Point<D>(edges + i * D);
  }
  return true;
}

/// Area or volume of the simplex of the corners X (D + 1 points), and the gradients G.
template <int D> inline double simplex_gradients(const double* X, double* G) {
  double E[D * D];
  for (int i = 0; i < D; ++i)
    for (int c = 0; c < D; ++c) E[i * D + c] = X[i * D + c] - X[D * D + c];
  return barycentric_gradients<D>(E, G) / (D == 2 ? 2.0 : 6.0);
}

}  // namespace varia::solids
