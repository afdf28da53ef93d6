// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Terms of one node or of any few, written by the user: V_K = U(x_K, t).
//
// A callable U(x, t), generic in the scalar types of x and t, is differentiated automatically; x[i]
// are the N·D positions of the nodes of the term.
#include "varia/ad/jet.hpp"
#include "varia/terms/family.hpp"

namespace varia::terms {

/// Terms of N nodes with one callable each: energy(x, t) with x indexable, generic in its scalar.
template <int D, int N, class Energy>
class Fields final : public FamilyOf<Fields<D, N, Energy>, D, N> {
  using Base = FamilyOf<Fields<D, N, Energy>, D, N>;

 public:
  Fields(typename Base::Terms terms, std::vector<Energy> energies)
      : Base(std::move(terms)), energies_(std::move(energies)) {
    if (energies_.size() != this->terms().size())
      throw InvalidArgument("Fields: " + std::to_string(energies_.size()) + " energies for " +
                            std::to_string(this->terms().size()) + " terms");
  }
  const char* kind() const override { return "field"; }

  double energy_of(int k, const double* x, double t) const { return energies_[k](x, t); }
  void gradient_of(int k, const double* x, double t, double* g) const {
    using J = Jet<double, N * D>;
    std::array<J, N * D> at;
    for (int i = 0; i < N * D; ++i) {
      at[i] = J::variable(x[i], i);
    }
    const J value = energies_[k](at.data(), J(t));
    for (int i = 0; i < N * D; ++i) g[i] = value.d[i];
  }
  double rate_of(int k, const double* x, double t) const {
    using J = Jet<double, 1>;
    std::array<J, N * D> at;
    for (int i = 0; i < N * D; ++i) at[i] = J(x[i]);
    const J value = energies_[k](at.data(), J::variable(t, 0));
    return value.d[0];
  }

 private:
  std::vector<Energy> energies_;
};

}  // namespace varia::terms
