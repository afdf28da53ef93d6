// SPDX-License-Identifier: BSD-3-Clause
// A spread of the table of orders on groups; the whole of it is in group_orders_long_test.cpp.
#include "laws/group_orders.hpp"

namespace varia::group_orders_test {
namespace {

using namespace group_orders;

struct Row {
  OnGroup problem;
  Retraction tau;
  std::vector<const char*> methods;
};

/// Trap 11: if a point at which the path has not moved yet, c = 0 or a row of zeros, is turned all the same, every method
/// with such a point falls to order 1.
TEST(GroupOrders, ASpreadOfTheTable) {
  constexpr auto exp = Retraction::exponential;
  constexpr auto cay = Retraction::cayley;
  for (const Row& row : std::vector<Row>{
           {free_body(), exp, {"gauss(1)", "trapezoid(0.3)"}},
           {free_body(), cay, {"lobatto(4)", "adjoint(gauss(2))"}},
           {heavy_top(), exp, {"gauss(3)", "yoshida(6, midpoint)"}},
           {heavy_top(), cay, {"lobatto(3)", "adjoint(midpoint(0.3))"}},
           {kirchhoff_body(), exp, {"gauss(2)", "blanes_moan(4)"}},
           {kirchhoff_body(), cay, {"gauss(3)", "galerkin(2, radau:2)"}},
           {heavy_kirchhoff_body(), exp, {"lobatto(3)", "rkmk(2)"}},
           {heavy_kirchhoff_body(), cay, {"gauss(2)"}},
           {satellite(), exp, {"lobatto(3)", "triple_jump(midpoint)"}},
           {satellite(), cay, {"lobatto(2)", "compose(euler_b: 0.5, euler_a: 0.5, order=2)"}},
           {plane_body(), exp, {"lobatto(4)", "ruth(3)"}},
           {plane_body(), cay, {"gauss(2)", "symmetrised(0.25)"}},
           {two_bodies(), exp, {"gauss(2)", "verlet"}},
           {two_bodies(), cay, {"lobatto(3)", "rkmk(1)"}},
           {spherical_pendulum(), exp, {"gauss(3)", "euler_b"}},
           {spherical_pendulum(), cay, {"lobatto(3)", "adjoint(lobatto(3))"}},
           {damped_body(), exp, {"lobatto(4)", "suzuki(midpoint)"}},
           {damped_body(), cay, {"gauss(1)", "gauss(3)", "nh_lobatto_sym(2)"}}}) {
    const Measured on(row.problem, row.tau);
    for (const char* text : row.methods) on.expect_order(parse_method(text));
  }
}

/// The bar sees an order that is claimed in vain: two halves forwards are no pair of adjoints.
TEST(GroupOrders, AWrongOrderIsSeen) {
  const Measured on(heavy_top(), Retraction::exponential);
  const OrderReport report = on.order(parse_method("compose(euler_a: 0.5, euler_a: 0.5, order=2)"));
  EXPECT_NEAR(report.measured, 1.0, 0.1);
  EXPECT_FALSE(report.passes(0.1));
}

}  // namespace
}  // namespace varia::group_orders_test
