// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/kernel_system.hpp"

namespace varia {

std::shared_ptr<KernelSystem> system_on(ProductSpace space) {
  return std::make_shared<KernelSystem>(std::move(space));
}

}  // namespace varia
