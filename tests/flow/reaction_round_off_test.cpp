// SPDX-License-Identifier: BSD-3-Clause
// Reactions far larger than the momenta of a step. A rod is pulled along itself by a load that is zero
// at the ends of the step, so that only the reactions at inner points know its size: load and reaction
// cancel, and what is left is their round-off. It is no reason to call the step unsolved.
#include "problems.hpp"

namespace varia::reaction_round_off_test {
namespace {

using namespace problems;

TEST(ReactionRoundOff, LoadsInsideAStep) {
  const double h = 0.1;
  const double load = 1e10;
  for (const char* name : {"lobatto(3)", "lobatto(4)", "lobatto(5)"})
    for (int k = 1; k <= 24; ++k) {
      const double c = std::cos(0.06 * k);
      const double s = std::sin(0.06 * k);
      const auto f = system_of({{"x", "y", "z"},
                                "(x_dot^2 + y_dot^2 + z_dot^2)/2 + z^2/2 + " + to_text(load) +
                                    "*sin(10*pi*t)^2*(" + to_text(c) + "*x - " + to_text(s) + "*y)",
                                {},
                                {"x^2 + y^2 - 1"}});
      const StageFlow flow(parse_method(name), f);
      const VectorState start = initial(*f, vector({c, -s, 0.3}), vector({0.0, 0.0, 1.0}));
      VectorState next = start;
      ASSERT_NO_THROW(next = flow(start, h)) << name << " " << k;
      // the rod stays where it is, to the round-off of the impulse; the other coordinate moves
      EXPECT_LT((next.q - start.q).head(2).norm(), 1e-13) << name;
      EXPECT_LT((next.p - start.p).head(2).norm(), 1e-16 * h * load * 10) << name;
      EXPECT_NEAR(next.q[2], 0.3 * std::cosh(h) + std::sinh(h), 1e-7) << name;
    }
}

}  // namespace
}  // namespace varia::reaction_round_off_test
