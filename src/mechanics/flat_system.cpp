// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/flat_system.hpp"

namespace varia {

std::shared_ptr<FlatSystem> system_on(ProductSpace space) {
  return std::make_shared<FlatSystem>(std::move(space));
}

}  // namespace varia
