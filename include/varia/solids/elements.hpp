// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finite elements as terms: V_K(x) = ∫_K W(∇φ) dX with φ = Σ_a x_a N_a               [LMOW03] (16)-(20)
//
//   (element-gradient)   ∂V_K/∂x_a = ∫_K P ∇N_a dX                      internal force is minus this
//
// A family is many elements of one shape and one law. Inverted elements are an InvertedElement.
#include <memory>
#include <vector>

#include "varia/solids/material.hpp"
#include "varia/solids/mesh.hpp"
#include "varia/solids/plane_stress.hpp"
#include "varia/terms/family.hpp"

namespace varia::solids {

template <int D> class Elements : public terms::Family<D> {
 public:
  /// Volume average over the deformed element of the Cauchy stress, xx yy zz xy yz xz; with
  /// linear elasticity the stress of that theory. t is for the message when x is inverted.
  virtual void cauchy(int k, const double* x, double t, double* sigma) const = 0;
  /// Of the undeformed element; in two dimensions per unit of thickness.
  virtual double volume(int k) const = 0;
  /// The number of an element as its user knows it.
  long tag(int k) const { return tags_[static_cast<std::size_t>(k)]; }

 protected:
  [[noreturn, gnu::cold, gnu::noinline]] void inverted(int k, double J, double t) const;
  [[noreturn, gnu::cold, gnu::noinline]] void no_volume(long tag, double size) const;
  std::vector<long> tags_;
};

/// The elements of a mesh with these numbers, in this order; D is the dimension of the mesh.
/// Quadratic elements with straight edges have a faster kernel; if any of those listed is curved,
/// all of them take the isoparametric one. `plane` has no meaning in space.
template <int D>
std::unique_ptr<Elements<D>> make_elements(const Mesh& mesh, const std::vector<int>& which,
                                           const Material& material, Plane plane = Plane::strain);

/// Elements::cauchy of a family of elements; any other family is an InvalidArgument.
template <int D>
void cauchy(const terms::Family<D>& family, int k, const double* x, double* sigma, double t = 0.0);

}  // namespace varia::solids
