// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Definition of elements_of; include it in the file that instantiates a law, nowhere else.
#include "elements_of.hpp"
#include "varia/solids/linear_elements.hpp"
#include "varia/solids/quadratic_kernels.hpp"

namespace varia::solids {

template <int D, class L>
std::unique_ptr<Elements<D>> elements_with(const Mesh& mesh, const std::vector<int>& which,
                                           const L& law) {
  if (info(mesh.shape).order == 1) return std::make_unique<LinearElements<L, D>>(mesh, which, law);
  const bool all_straight =
      std::all_of(which.begin(), which.end(), [&mesh](int k) { return straight(mesh, k); });
  if (all_straight) return std::make_unique<QuadraticElements<L, D, false>>(mesh, which, law);
  return std::make_unique<QuadraticElements<L, D, true>>(mesh, which, law);
}

template <int D, class M>
std::unique_ptr<Elements<D>> elements_of(const Mesh& mesh, const std::vector<int>& which,
                                         const M& material, Plane plane) {
  if constexpr (D == 2) {
    if (plane == Plane::stress) return elements_with<2>(mesh, which, PlaneStress<M>{material});
  }
  return elements_with<D>(mesh, which, material);
}

}  // namespace varia::solids
