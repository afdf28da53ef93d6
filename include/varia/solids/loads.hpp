// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Dead loads as part of the energies of elements: V_K gets -Σ_a f_Ka(t)·x_a with
//
//   (load)  f_Ka = m_Ka b(X_a, t) + ∫_∂K N_a T(X, t) dA
//
// b a force per mass, T a traction per reference area. What does not depend on time is added up once.
#include <array>
#include <memory>
#include <vector>

#include "varia/solids/solid.hpp"

namespace varia::solids {

template <int D> class ElementLoads final : public terms::Load<D> {
 public:
  /// For `count` elements of `nodes` nodes each.
  ElementLoads(int count, int nodes);

  /// f_a += weights[a] · field(X, t), on element k.
  void add_sample(int k, const Components& field, const double* X, const double* weights,
                  double t0);
  bool empty() const { return constant_.empty() && samples_.empty(); }
  /// Sorts what depends on time by element; call after the last sample.
  void finish();

  void add(int k, double t, double* f) const override;
  void add_rate(int k, double t, double* rate) const override;

 private:
  struct Sample {
    int element = 0;
    Components field;  ///< only the components that depend on time
    std::array<double, D> X{};
    std::array<double, terms::max_nodes> weights{};
  };
  template <class Value> void add_samples(int k, double* f, const Value& value) const;

  int count_, nodes_;
  std::vector<double> constant_;  ///< nodes·D for each element, or empty
  std::vector<Sample> samples_;
  std::vector<int> begin_;  ///< samples of an element, or empty
};

/// Points and weights of the integral over one face of an element: ∫ N_a f dA = Σ_q weight_qa f(X_q).
struct FacePoint {
  std::array<double, 3> X{};
  std::array<double, terms::max_nodes> weights{};  ///< by local node of the element
};
std::vector<FacePoint> face_quadrature(const Mesh& mesh, Face face);

}  // namespace varia::solids
