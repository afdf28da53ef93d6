// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Points, velocities and virtual displacements along the path of a step as formulas, on any product of spaces.
#include "varia/space/product_space.hpp"

namespace varia::detail {

class PathFormulas {
 public:
  PathFormulas(expr::Graph& graph, const ProductSpace& space, Retraction tau)
      : graph_(graph), space_(space), tau_(tau) {}

  /// q exp(δ), right to second order.
  Formulas displaced(const Formulas& q, const Formulas& delta) const;
  /// q ⊕ ξ
  Formulas retracted(const Formulas& q, const Formulas& xi) const;
  /// dτ_ξ η
  Formulas velocity(const Formulas& xi, const Formulas& eta) const;
  /// How q ⊕ ξ moves in its own frame when q moves by γ and ξ by η: Ad_{τ(-ξ)} γ + dτ_ξ η.
  Formulas moved(const Formulas& xi, const Formulas& gamma, const Formulas& eta) const;
  /// Ad_{τ(-ξ)} γ
  Formulas carried(const Formulas& xi, const Formulas& gamma) const;
  /// ad*_v π
  Formulas coadjoint(const Formulas& pi, const Formulas& v) const;
  /// What vanishes where b is a.
  Formulas gap(const Formulas& a, const Formulas& b) const;

 private:
  template <class Map> Formulas each(const Map& map) const;

  expr::Graph& graph_;
  const ProductSpace& space_;
  Retraction tau_;
};

/// Σ aᵢ bᵢ
expr::Id dot(expr::Graph& graph, const Formulas& a, const Formulas& b);
Formulas sum_of(expr::Graph& graph, const Formulas& a, const Formulas& b);
Formulas scaled(expr::Graph& graph, expr::Id factor, const Formulas& x);

}  // namespace varia::detail
