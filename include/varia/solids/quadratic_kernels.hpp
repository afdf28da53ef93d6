// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The kernels of quadratic_elements.hpp. Loops have constant bounds and are unrolled, so that all
// node numbers are constants.
#include "varia/solids/quadratic_elements.hpp"

namespace varia::solids {

template <class Law, int D, bool Curved>
inline void QuadraticElements<Law, D, Curved>::shared(const Points* x, Points* z) {
  Points s[D + 1];
#pragma GCC unroll 4
  for (int i = 0; i <= D; ++i) {
    Points edges;
#pragma GCC unroll 4
    for (int j = 0; j <= D; ++j)
      if (j != i) edges += x[edge_node<D>(i, j)];
    s[i] = corner * x[i] + edge * edges;
  }
#pragma GCC unroll 4
  for (int i = 0; i < D; ++i) z[i] = s[i] - s[D];
}

template <class Law, int D, bool Curved>
inline void QuadraticElements<Law, D, Curved>::differences(const Points* x, const Points* z, int q,
                                                           Points* y) {
#pragma GCC unroll 4
  for (int i = 0; i < D; ++i) y[i] = z[i] + extra * (x[edge_node<D>(i, q)] - x[edge_node<D>(D, q)]);
}

template <class Law, int D, bool Curved>
inline void QuadraticElements<Law, D, Curved>::forces(int k, int q, const Points* y, double t,
                                                      Points* h) const {
  double J = 0.0;
  bool found = false;
  if constexpr (JacobianLaw<Law, D>) {
    constexpr double share = (D == 2 ? 0.5 : -1.0 / 6.0) / points;
    found = metric_forces<D>(law_, metric_[Curved ? k * points + q : k], share, y, h, J);
  } else {
    found = stress_forces<D>(law_, data_[k].gradients(q), data_[k].weight(q), y, h, J);
  }
  if (!found) [[unlikely]]
    this->inverted(k, J, t);
}

template <class Law, int D, bool Curved>
void QuadraticElements<Law, D, Curved>::gradient_of(int k, const double* x, double t,
                                                    double* g) const {
  Points nodes[N], z[D], own[N], sum[D + 1];
  load(x, nodes);
  shared(nodes, z);
#pragma GCC unroll 4
  for (int q = 0; q < points; ++q) {
    Points y[D], h[D], rest;
    differences(nodes, z, q, y);
    forces(k, q, y, t, h);
#pragma GCC unroll 4
    for (int i = 0; i < D; ++i) {
      own[edge_node<D>(i, q)] += h[i];
      sum[i] += h[i];
      rest -= h[i];
    }
    own[edge_node<D>(D, q)] += rest;
    sum[D] += rest;
  }
#pragma GCC unroll 4
  for (int i = 0; i <= D; ++i) {
    (extra * own[i] + corner * sum[i]).store(g + i * D);
#pragma GCC unroll 4
    for (int j = i + 1; j <= D; ++j) {
      const int a = edge_node<D>(i, j);
      (extra * own[a] + edge * (sum[i] + sum[j])).store(g + a * D);
    }
  }
}

template <class Law, int D, bool Curved>
void QuadraticElements<Law, D, Curved>::deformations(int k, const double* x, double* F) const {
  Points nodes[N], z[D], y[D];
  load(x, nodes);
  shared(nodes, z);
  for (int q = 0; q < points; ++q) {
    double d[D * D];
    differences(nodes, z, q, y);
    for (int i = 0; i < D; ++i) y[i].store(d + i * D);
    gradient_of_map<D>(d, data_[k].gradients(q), F + q * D * D);
  }
}

template <class Law, int D, bool Curved>
double QuadraticElements<Law, D, Curved>::energy_of(int k, const double* x, double t) const {
  double F[points * D * D], value = 0.0;
  deformations(k, x, F);
  for (int q = 0; q < points; ++q) {
    const double J = determinant<D>(F + q * D * D);
    if (!admissible(J)) this->inverted(k, J, t);
    const double W = law_.template energy<D>(F + q * D * D);
    if (!(W < std::numeric_limits<double>::infinity())) this->inverted(k, J, t);
    value += data_[k].weight(q) * W;
  }
  return value;
}

template <class Law, int D, bool Curved>
void QuadraticElements<Law, D, Curved>::cauchy(int k, const double* x, double t,
                                               double* sigma) const {
  StressAverage<D> average;
  double F[points * D * D];
  deformations(k, x, F);
  for (int q = 0; q < points; ++q) {
    if (!average.add(law_, F + q * D * D, data_[k].weight(q)))
      this->inverted(k, determinant<D>(F + q * D * D), t);
  }
  average.result(sigma);
}

template <class Law, int D, bool Curved>
QuadraticElements<Law, D, Curved>::QuadraticElements(const Mesh& mesh,
                                                     const std::vector<int>& which, const Law& law)
    : Base(element_nodes<N>(mesh, which)), law_(law) {
  data_.resize(which.size());
  for (std::size_t k = 0; k < which.size(); ++k) {
    this->tags_.push_back(element_number(mesh, which[k]));
    const auto X = element_positions<D, N>(mesh, which[k]);
    set(data_[k], X.data(), this->tags_[k]);
  }
}

template <class Law, int D, bool Curved>
void QuadraticElements<Law, D, Curved>::set(Data& e, const double* X, long tag) {
  constexpr double factorial = D == 2 ? 2.0 : 6.0;
  Points nodes[N], z[D], y[D];
  load(X, nodes);
  shared(nodes, z);
  for (int q = 0; q < Data::sets; ++q) {
    double E[D * D];
    differences(nodes, z, q, y);
    for (int i = 0; i < D; ++i) (Curved ? y[i] : nodes[i] - nodes[D]).store(E + i * D);
    const double volume = barycentric_gradients<D>(E, e.G.data() + q * D * D) / factorial;
    if (!admissible(volume)) this->no_volume(tag, volume);
    e.w[q] = volume / points;
    if constexpr (JacobianLaw<Law, D>)
      metric_.push_back(metric<D>(e.gradients(q), e.w[q], volume, law_.template spring<D>()));
  }
}

}  // namespace varia::solids
