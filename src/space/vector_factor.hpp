// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A factor on which ⊕ is +: ℝᵏ, and SO(2) with the exponential map.
#include <string>

#include "varia/space/factor.hpp"

namespace varia {

class VectorFactor : public Factor {
 public:
  explicit VectorFactor(int k) : k_(k) {}

  int entries() const override { return k_; }
  int dof() const override { return k_; }
  void origin(double* q) const override;
  void require_point(const double* q, const std::string& what) const override;
  void read_point(std::size_t form, const double* numbers, double* q) const override;
  void retract(const double* q, const double* xi, Retraction tau, double* out) const override;
  void difference(const double* q0, const double* q1, Retraction tau, double* xi) const override;
  void entry_rates(const double* q, const double* v, double* out) const override;
  Formulas displaced(expr::Graph& graph, const Formulas& q, const Formulas& delta) const override;
  Formulas retracted(expr::Graph& graph, const Formulas& q, const Formulas& xi,
                     Retraction) const override {
    return displaced(graph, q, xi);
  }
  Formulas chart_velocity(expr::Graph&, const Formulas&, const Formulas& eta,
                          Retraction) const override {
    return eta;
  }
  Formulas carried(expr::Graph&, const Formulas&, const Formulas& delta,
                   Retraction) const override {
    return delta;
  }
  Formulas coadjoint(expr::Graph& graph, const Formulas& pi, const Formulas& v) const override;
  Formulas gap(expr::Graph& graph, const Formulas& a, const Formulas& b) const override;

 private:
  int k_;
};

/// The notation of ℝ.
Notation number_notation();

}  // namespace varia
