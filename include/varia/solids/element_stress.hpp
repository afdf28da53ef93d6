// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What all kinds of elements need besides their kernel: their nodes, and the mean Cauchy stress.
//
//   (cauchy)   mean σ = ∫_K P Fᵀ dX / ∫_K J dX,     σ = J⁻¹ P Fᵀ                           [West04] ch. 5
//
// In two dimensions F is completed to 3 x 3 as the plane law says, so that σ33 comes out as well.
#include <array>
#include <vector>

#include "varia/solids/mesh.hpp"
#include "varia/solids/plane_stress.hpp"
#include "varia/solids/tensor.hpp"

namespace varia::solids {

template <int N>
std::vector<std::array<int, N>> element_nodes(const Mesh& mesh, const std::vector<int>& which) {
  std::vector<std::array<int, N>> nodes(which.size());
  for (std::size_t k = 0; k < which.size(); ++k)
    for (int a = 0; a < N; ++a) nodes[k][a] = mesh.element(which[k])[a];
  return nodes;
}

/// Reference positions of the nodes of an element.
template <int D, int N> std::array<double, D * N> element_positions(const Mesh& mesh, long k) {
  std::array<double, D * N> X{};
  for (int a = 0; a < N; ++a)
    for (int c = 0; c < D; ++c) X[a * D + c] = mesh.node(mesh.element(k)[a])[c];
  return X;
}

template <int D> class StressAverage {
 public:
  /// Adds a point with this weight (reference volume); false where F is not admissible.
  template <class Law> [[nodiscard]] bool add(const Law& law, const double* F, double weight) {
    double F3[9], P[9];
    if constexpr (D == 2) {
      if (!admissible(determinant<2>(F)) || !embed(law, F, F3)) return false;
    } else {
      for (int i = 0; i < 9; ++i) F3[i] = F[i];
    }
    if (!matter(law).template stress<3>(F3, P)) return false;
    if constexpr (Law::small_strain) {
      for (int i = 0; i < 9; ++i) F3[i] = i % 4 == 0 ? 1.0 : 0.0;  // current = reference place
    }
    volume_ += weight * determinant<3>(F3);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) sum_[3 * i + j] += weight * P[3 * i + k] * F3[3 * j + k];
    return true;
  }

  /// xx yy zz xy yz xz
  void result(double* sigma) const {
    constexpr int place[6] = {0, 4, 8, 1, 5, 2};
    for (int i = 0; i < 6; ++i) sigma[i] = sum_[place[i]] / volume_;
  }

 private:
  std::array<double, 9> sum_{};
  double volume_ = 0.0;
};

}  // namespace varia::solids
