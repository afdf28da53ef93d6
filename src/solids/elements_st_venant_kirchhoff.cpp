// SPDX-License-Identifier: BSD-3-Clause
#include "elements_instantiate.hpp"

namespace varia::solids {

template std::unique_ptr<Elements<2>> elements_of(const Mesh&, const std::vector<int>&,
                                                  const StVenantKirchhoff&, Plane);
template std::unique_ptr<Elements<3>> elements_of(const Mesh&, const std::vector<int>&,
                                                  const StVenantKirchhoff&, Plane);

}  // namespace varia::solids
