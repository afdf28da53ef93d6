// SPDX-License-Identifier: BSD-3-Clause
#include "varia/methods/explicit_tableau.hpp"

#include <string>

#include "varia/core/error.hpp"

namespace varia {

ExplicitTableau explicit_tableau(int order) {
  switch (order) {
    case 1:
      return {{}, {1.0}, 1};
    case 2:
      return {{0.5}, {0.0, 1.0}, 2};
    case 3:
      return {{0.5, -1.0, 2.0}, {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0}, 3};
    case 4:
      return {{0.5, 0.0, 0.5, 0.0, 0.0, 1.0}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}, 4};
    default:
      throw InvalidArgument("explicit Runge-Kutta methods have order 1, 2, 3 or 4 here, got " +
                            std::to_string(order) + "; taylor offers any order");
  }
}

}  // namespace varia
