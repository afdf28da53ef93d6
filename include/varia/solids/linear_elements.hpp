// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// T3 and Tet4: the deformation gradient is the same everywhere in an element.
//
//   F = Σ_{i<D} (x_i - x_D) ⊗ ∇λ_i,     ∂V/∂x_i = |K| P ∇λ_i,     ∂V/∂x_D = -Σ_{i<D} ∂V/∂x_i
//
// Laws of the form of metric.hpp take the shorter way given there.
#include <array>
#include <utility>
#include <vector>

#include "varia/solids/element_stress.hpp"
#include "varia/solids/elements.hpp"
#include "varia/solids/metric.hpp"
#include "varia/solids/simplex.hpp"

namespace varia::solids {

template <class Law, int D>
class LinearElements final
    : public terms::FamilyOf<LinearElements<Law, D>, D, D + 1, D + 1, Elements<D>> {
  using Base = terms::FamilyOf<LinearElements<Law, D>, D, D + 1, D + 1, Elements<D>>;

 public:
  LinearElements(const Mesh& mesh, const std::vector<int>& which, const Law& law)
      : Base(element_nodes<D + 1>(mesh, which)), law_(law) {
    data_.resize(which.size());
    for (std::size_t k = 0; k < which.size(); ++k) {
      this->tags_.push_back(element_number(mesh, which[k]));
      const auto X = element_positions<D, D + 1>(mesh, which[k]);
      data_[k].volume = simplex_gradients<D>(X.data(), data_[k].G.data());
      const double V = data_[k].volume;
      if (!admissible(V)) this->no_volume(this->tags_[k], V);
      if constexpr (JacobianLaw<Law, D>)
        metric_.push_back(metric<D>(data_[k].G.data(), V, V, law_.template spring<D>()));
    }
  }

  const char* kind() const override { return D == 2 ? "T3" : "Tet4"; }
  double volume(int k) const override { return data_[k].volume; }

  typename terms::Family<D>::Numbers numbers() const override {
    return kernel_numbers<D>(data_, metric_, 1);
  }

  double energy_of(int k, const double* x, double t) const {
    double F[D * D];
    deformation(data_[k], x, F);
    const double J = determinant<D>(F);
    if (!admissible(J)) this->inverted(k, J, t);
    const double W = law_.template energy<D>(F);
    if (!(W < std::numeric_limits<double>::infinity())) this->inverted(k, J, t);
    return data_[k].volume * W;
  }

  [[gnu::always_inline]] inline void gradient_of(int k, const double* x, double t,
                                                 double* g) const {
    const Point<D> last(x + D * D);
    Point<D> d[D], h[D], rest;
#pragma GCC unroll 3
    for (int i = 0; i < D; ++i) d[i] = Point<D>(x + i * D) - last;
    forces(k, d, t, h);
#pragma GCC unroll 3
    for (int i = 0; i < D; ++i) {
      h[i].store(g + i * D);
      rest -= h[i];
    }
    rest.store(g + D * D);
  }

  void cauchy(int k, const double* x, double t, double* sigma) const override {
    double F[D * D];
    deformation(data_[k], x, F);
    StressAverage<D> average;
    if (!average.add(law_, F, 1.0)) this->inverted(k, determinant<D>(F), t);
    average.result(sigma);
  }

 private:
  struct Data {
    std::array<double, D * D> G;  ///< ∇λ_i, i < D
    double volume;
  };

  static void deformation(const Data& e, const double* x, double* F) {
    double d[D * D];
    for (int i = 0; i < D * D; ++i) d[i] = x[i] - x[D * D + i % D];
    gradient_of_map<D>(d, e.G.data(), F);
  }

  /// h_i = ∂V/∂d_i
  [[gnu::always_inline]] inline void forces(int k, const Point<D>* d, double t, Point<D>* h) const {
    if constexpr (JacobianLaw<Law, D>) {
      constexpr double share = D == 2 ? 0.5 : -1.0 / 6.0;
      double J = 0.0;
      if (!metric_forces<D>(law_, metric_[k], share, d, h, J)) [[unlikely]]
        this->inverted(k, J, t);
    } else {
      const Data& e = data_[k];
      double J = 0.0;
      if (!stress_forces<D>(law_, e.G.data(), e.volume, d, h, J)) [[unlikely]]
        this->inverted(k, J, t);
    }
  }

  Law law_;
  std::vector<Data> data_;
  std::vector<Metric<D>> metric_;  ///< what the kernel reads where the law allows it
};

}  // namespace varia::solids
