// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The family for a law: shape, plane and straightness chosen at run time. Each law is
// instantiated in a file of its own.
#include <algorithm>
#include <memory>
#include <vector>

#include "varia/solids/elements.hpp"

namespace varia::solids {

template <int D, class M>
std::unique_ptr<Elements<D>> elements_of(const Mesh& mesh, const std::vector<int>& which,
                                         const M& material, Plane plane);

}  // namespace varia::solids
