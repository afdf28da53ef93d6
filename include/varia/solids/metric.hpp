// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Nodal forces without F, for laws of the form
//
//   W(F) = a/2 |F|² + w(J)          neo-Hookean; in plane strain Mooney-Rivlin as well
//
// With edges d_i = x_i - x_D, i < D, of a simplex F = Σ d_i ⊗ ∇λ_i, so that a volume v has the energy
//
//   (metric)   v W = ½ Σ_ik M_ik d_i·d_k + v w(J),   M_ik = v a ∇λ_i·∇λ_k,   J = det(d) / det(D)
//
// and ∂/∂d_i is Σ_k M_ik d_k + v w'(J) ∂J/∂d_i. That is fewer numbers and half the work of
// F, P and P ∇λ_i; and all but two operations can be done while the logarithm in w' is under way.
#include <array>
#include <vector>

#include "varia/solids/point.hpp"
#include "varia/solids/tensor.hpp"
#include "varia/terms/family.hpp"

namespace varia::solids {

template <class Law, int D>
concept JacobianLaw = requires(const Law& law, double J) {
  {law.template spring<D>()};    ///< a
  {law.template pull<D>(J, J)};  ///< w'(J) times the second argument
};

template <int D> struct alignas(D == 3 ? 64 : 32) Metric {
  std::array<double, D*(D + 1) / 2> M;  ///< rows of the lower triangle
  double inverse;                       ///< 1 / det of the edges in the reference state
};

/// From the gradients ∇λ_i (i < D) of a simplex of that volume.
template <int D> Metric<D> metric(const double* G, double weight, double volume, double spring) {
  Metric<D> m{};
  for (int i = 0, n = 0; i < D; ++i) {
    for (int k = 0; k <= i; ++k, ++n) {
      for (int c = 0; c < D; ++c) m.M[n] += G[i * D + c] * G[k * D + c];
      m.M[n] *= weight * spring;
    }
  }
  m.inverse = D == 2 ? 0.5 / volume : -1.0 / (6.0 * volume);
  return m;
}

/// h_i = ∂(v W)/∂d_i, J as well; `share` is v times m.inverse. False where W has no value.
template <int D, class Law>
[[nodiscard, gnu::always_inline]] inline bool metric_forces(const Law& law, const Metric<D>& m,
                                                            double share, const Point<D>* d,
                                                            Point<D>* h, double& J) {
  Point<D> n[D];
  J = normals<D>(d, n) * m.inverse;
  if (!admissible(J)) [[unlikely]]
    return false;
  const double b = law.template pull<D>(J, share);
  if constexpr (D == 2) {
    h[0] = (m.M[0] * d[0] + m.M[1] * d[1]) + b * n[0];
    h[1] = (m.M[1] * d[0] + m.M[2] * d[1]) + b * n[1];
  } else {
    h[0] = (m.M[0] * d[0] + m.M[1] * d[1] + m.M[3] * d[2]) + b * n[0];
    h[1] = (m.M[1] * d[0] + m.M[2] * d[1] + m.M[4] * d[2]) + b * n[1];
    h[2] = (m.M[3] * d[0] + m.M[4] * d[1] + m.M[5] * d[2]) + b * n[2];
  }
  return true;
}

/// The memory that a kernel reads: its metrics, `sets` an element, or else the data of the elements.
template <int D, class Data>
typename terms::Family<D>::Numbers kernel_numbers(const std::vector<Data>& data,
                                                  const std::vector<Metric<D>>& metrics, int sets) {
  if (metrics.empty()) return {reinterpret_cast<const char*>(data.data()), sizeof(Data)};
  return {reinterpret_cast<const char*>(metrics.data()),
          sizeof(Metric<D>) * static_cast<std::size_t>(sets)};
}

}  // namespace varia::solids
