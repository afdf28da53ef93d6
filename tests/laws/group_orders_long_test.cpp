// SPDX-License-Identifier: BSD-3-Clause
// The whole table of tests/laws/group_orders.hpp: every method of the list that runs on groups, on every system, with
// both retractions, has its order on both sides; the others are refused.
#include <cstdio>

#include "laws/group_orders.hpp"

namespace varia::group_orders_long_test {
namespace {

using namespace group_orders;

/// Three halvings of an eighth order do not fit between the first errors that follow it and round-off;
/// tests/laws/high_order_test.cpp measures such methods with more digits.
constexpr int highest = 6;

std::vector<Method> all_methods() {
  std::vector<Method> methods;
  for (const Descriptor& row : method_list())
    for (const std::string& text : row.examples) methods.push_back(parse_method(text));
  for (const char* text :
       {"nh_lobatto(2)", "nh_lobatto(4)", "nh_lobatto_sym(2)", "suzuki(midpoint)",
        "yoshida(6, midpoint)", "kahan_li(6, trapezoid)", "adjoint(midpoint(0.3))",
        "adjoint(gauss(2))", "adjoint(lobatto(3))", "adjoint(euler_a)",
        "compose(euler_b: 0.5, euler_a: 0.5, order=2)", "compose(gauss(2): 0.4, lobatto(3): 0.6)"})
    methods.push_back(parse_method(text));
  return methods;
}

TEST(GroupOrders, TheWholeTable) {
  int measured = 0;
  for (const OnGroup& problem : systems_on_groups())
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
      const Measured on(problem, tau);
      for (const Method& method : all_methods()) {
        if (!runs(method, tau)) {
          EXPECT_THROW(on.flow(method), InvalidArgument) << method.name();
        } else if (method.order() <= highest) {
          on.expect_order(method);
          ++measured;
        }
      }
    }
  std::printf("%d orders\n", measured);
  EXPECT_GT(measured, 750);
}

}  // namespace
}  // namespace varia::group_orders_long_test
