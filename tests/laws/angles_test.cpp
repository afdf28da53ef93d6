// SPDX-License-Identifier: BSD-3-Clause
// Motions on SO(2): with the exponential map those of numbers, with the Cayley map the same motion by
// another discrete one, with all laws.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "problems.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/space/so2.hpp"
#include "varia/varia.hpp"
#include "varia/verify/check_points.hpp"

namespace varia::angles_test {
namespace {

using namespace problems;

/// Two angles and a length, all coupled.
constexpr const char* crooked_text =
    "(1 + x^2)*a_dot^2/2 + a_dot*b_dot*cos(a - b) + b_dot^2 + x_dot^2/2 + 0.1*sin(b)*x_dot*a_dot "
    "- x^2/2 + 2*cos(a) + cos(b)*x";
/// It depends on the difference of the angles alone.
constexpr const char* rotor_text = "a_dot^2/2 + b_dot^2 + 0.7*cos(a - b)";

Texts on(const std::string& space, const char* text, bool with_length) {
  Texts texts{{{"a", space}, {"b", space}}, text};
  if (with_length) texts.coordinates.emplace_back("x");
  return texts;
}
VectorState start_of(const StageFlow& flow) {
  const int n = flow.system().n;
  Vn q(n);
  Vn v(n);
  for (int i = 0; i < n; ++i) {
    q[i] = 0.4 + 0.9 * i;
    v[i] = 0.7 - 0.5 * i;
  }
  return initial(flow.system(), q, v);
}

TEST(Angles, AreNumbersWithTheExponentialMap) {
  for (const Method& method : {gauss(2), lobatto(3)}) {
    const StageFlow angles(method, system_of(on("SO2", crooked_text, true)));
    const StageFlow numbers(method, system_of(on("R", crooked_text, true)));
    const VectorState a = advance(angles, start_of(angles), 0.1, 50);
    const VectorState b = advance(numbers, start_of(numbers), 0.1, 50);
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.p, b.p);
  }
}

TEST(Angles, MoveByTheCayleyMapWithAllLaws) {
  constexpr Retraction tau = Retraction::cayley;
  const auto system = system_of(on("SO2", crooked_text, true), tau);
  const auto flow = [&](const Method& method) {
    return StageFlow(method, system, {.retraction = tau});
  };
  const auto order = [&](const Method& method) {
    return check_order(flow(method), start_of(flow(method)), 1.0).measured;
  };
  EXPECT_NEAR(order(gauss(1)), 2.0, 0.1);
  EXPECT_NEAR(order(gauss(2)), 4.0, 0.1);
  EXPECT_NEAR(order(gauss(3)), 6.0, 0.1);
  EXPECT_NEAR(order(lobatto(3)), 4.0, 0.1);
  const StageFlow two = flow(gauss(2));
  EXPECT_LE(check_symplectic(two, start_of(two), 0.1).defect, 1e-13);
  EXPECT_TRUE(check_action(two, start_of(two), 0.1).passes());
  // the step itself is another one
  const StageFlow plain(gauss(2), system_of(on("SO2", crooked_text, true)));
  EXPECT_GT((two(start_of(two), 0.3).q - plain(start_of(plain), 0.3).q).norm(), 1e-7);
}

TEST(Angles, KeepTheirMomentum) {
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    const StageFlow flow(gauss(2), system_of(on("SO2", rotor_text, false), tau),
                         {.retraction = tau});
    VectorState s = start_of(flow);
    const double momentum = s.p.sum();
    StageFlow::Memory memory = flow.memory(s);
    double worst = 0.0;
    for (int k = 0; k < 2000; ++k) {
      flow.move(s, 0.1, 10, memory);
      worst = std::max(worst, std::abs(s.p.sum() - momentum));
    }
    EXPECT_LE(worst, 1e-13);
    EXPECT_GT(std::abs(s.q[0]), 100.0);  // many turns
  }
}

/// A lambda on the type, with the chart by jets, and the text give the same steps.
TEST(Angles, TypeAndTextAgree) {
  using Q = Product<SO2<double>, SO2<double>>;
  const System rotor{[](const auto& q, const auto& v) {
    const auto a = get<0>(q).angle;
    const auto b = get<1>(q).angle;
    return 0.5 * v[0] * v[0] + v[1] * v[1] + 0.7 * cos(a - b);
  }};
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    const FlowOptions options{.retraction = tau};
    const Flow typed(gauss(3), rotor, options);
    const StageFlow text(gauss(3), system_of(on("SO2", rotor_text, false), tau), options);
    const auto start =
        initial(rotor, Q(SO2<double>{0.4}, SO2<double>{1.3}), Vector<double, 2>(0.7, 0.2));
    const auto end = advance(typed, start, 0.1, 100);
    const VectorState same = advance(text, start_of(text), 0.1, 100);
    EXPECT_NEAR(get<0>(end.q).angle, same.q[0], 1e-13);
    EXPECT_NEAR(get<1>(end.q).angle, same.q[1], 1e-13);
    EXPECT_NEAR(end.p[0], same.p[0], 1e-13);
  }
}

}  // namespace
}  // namespace varia::angles_test
