// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One-parameter symmetries by their generator ξ_Q(q), a tangent vector at q.
//
//   (Noether)   J = ⟨p, ξ_Q(q)⟩       conserved when L is invariant     [MW01]
//
// Translation in x: ξ = (1, 0). Rotation of the plane: ξ = (-y, x). Rotation of a body about the
// vertical: ξ = Rᵀe₃, because tangent vectors are left-trivialised.
#include <string>
#include <utility>

#include "varia/space/space.hpp"

namespace varia {

template <class F> class Symmetry {
 public:
  Symmetry(std::string name, F generator)
      : name_(std::move(name)), generator_(std::move(generator)) {}

  const std::string& name() const { return name_; }

  template <class Q> Tangent<Q> generator(const Q& q) const { return generator_(q); }

  /// (Noether)
  template <Point Q> double momentum(const Q& q, const Tangent<Q>& p) const {
    return p.dot(generator(q));
  }

 private:
  std::string name_;
  F generator_;
};

}  // namespace varia
