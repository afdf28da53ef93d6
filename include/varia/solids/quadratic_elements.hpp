// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// T6 and Tet10, with D + 1 quadrature points of degree 2: point q has λ_q = a, all others b.
//
// With x_ii for corner i and x_ij for the node between i and j, the shape functions give at q
//
//   F = Σ_i y_i ⊗ ∇λ_i,     y_i = z_i + 4 (a - b) x_iq,     z_i = (4b - 1) x_ii + 4b Σ_{j≠i} x_ij
//
// so that all points share z; the gradient goes the same way back. Straight edges: ∇λ_i are
// constant. Curved: each point has its own ∇λ_i and weight, from X in place of x (isoparametric).
// The points integrate exactly what the patch test needs on straight elements and on curved
// triangles; on curved tetrahedra this needs mid nodes of an element moved in one direction.
// The functions are defined in quadratic_kernels.hpp.
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "varia/solids/element_stress.hpp"
#include "varia/solids/elements.hpp"
#include "varia/solids/metric.hpp"
#include "varia/solids/simplex.hpp"

namespace varia::solids {

template <class Law, int D, bool Curved>
class QuadraticElements final : public terms::FamilyOf<QuadraticElements<Law, D, Curved>, D,
                                                       (D + 1) * (D + 2) / 2, D + 1, Elements<D>> {
  static constexpr int N = (D + 1) * (D + 2) / 2;
  static constexpr int points = D + 1;
  using Base = terms::FamilyOf<QuadraticElements<Law, D, Curved>, D, N, D + 1, Elements<D>>;

 public:
  QuadraticElements(const Mesh& mesh, const std::vector<int>& which, const Law& law);

  const char* kind() const override {
    return D == 2 ? (Curved ? "T6 (curved)" : "T6") : (Curved ? "Tet10 (curved)" : "Tet10");
  }
  double volume(int k) const override {
    double sum = 0.0;
    for (int q = 0; q < points; ++q) sum += data_[k].weight(q);
    return sum;
  }

  typename terms::Family<D>::Numbers numbers() const override {
    return kernel_numbers<D>(data_, metric_, Curved ? points : 1);
  }

  double energy_of(int k, const double* x, double t) const;
  void gradient_of(int k, const double* x, double t, double* g) const;
  void cauchy(int k, const double* x, double t, double* sigma) const override;

 private:
  static constexpr double root5 = 2.236067977499789696;
  static constexpr double b = D == 2 ? 1.0 / 6.0 : (5.0 - root5) / 20.0;
  static constexpr double corner = 4.0 * b - 1.0, edge = 4.0 * b;
  static constexpr double extra = D == 2 ? 2.0 : 4.0 / root5;  ///< 4 (a - b)

  struct Data {
    static constexpr int sets = Curved ? points : 1;
    std::array<double, D * D * sets> G;  ///< ∇λ_i, i < D
    std::array<double, sets> w;          ///< volume of a point
    const double* gradients(int q) const { return G.data() + (Curved ? q * D * D : 0); }
    double weight(int q) const { return w[Curved ? q : 0]; }
  };

  using Points = Point<D>;
  [[gnu::always_inline]] static void load(const double* x, Points* nodes) {
#pragma GCC unroll 10
    for (int a = 0; a < N; ++a) nodes[a] = Points(x + a * D);
  }
  /// z_i - z_D for i < D.
  [[gnu::always_inline]] static void shared(const Points* x, Points* z);
  /// y_i - y_D at point q for i < D.
  [[gnu::always_inline]] static void differences(const Points* x, const Points* z, int q,
                                                 Points* y);
  /// h_i = ∂/∂y_i of the energy at point q.
  [[gnu::always_inline]] void forces(int k, int q, const Points* y, double t, Points* h) const;
  /// F at all points, D x D each.
  void deformations(int k, const double* x, double* F) const;
  void set(Data& e, const double* X, long tag);

  Law law_;
  std::vector<Data> data_;
  std::vector<Metric<D>> metric_;  ///< what the kernel reads where the law allows it
};

}  // namespace varia::solids
