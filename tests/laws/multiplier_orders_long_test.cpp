// SPDX-License-Identifier: BSD-3-Clause
// The tables T5.4 and T5.15 of [Sato19]: orders of place, momentum and multipliers of nh_lobatto(s), s = 2 to 5, on ℝⁿ, SO(3),
// SE(2), SE(3) and products, with linear, affine and nonlinear constraints, forces, and constraints of both kinds.
#include "laws/multiplier_orders.hpp"

namespace varia::multiplier_orders_long_test {
namespace {

using namespace multiplier_orders;

/// An eighth order is seen between the first errors that follow it and round-off, and there is little room: the sphere moves
/// more slowly for it; on the turntable the errors of the Cayley map reach round-off before they follow it.
TEST(MultiplierOrders, OnAllSystems) {
  for (Rolling p : rolling::all()) {
    if (p.name == "geared sphere") p.v *= 0.7;
    expect_orders(p, Retraction::exponential, 2.0);
    if (system_of(p.texts)->on_vector_space()) continue;
    expect_orders(p, Retraction::cayley, 2.0, p.name == "turntable" ? 4 : 5);
  }
}

}  // namespace
}  // namespace varia::multiplier_orders_long_test
