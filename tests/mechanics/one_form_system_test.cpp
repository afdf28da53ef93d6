// SPDX-License-Identifier: BSD-3-Clause
// θ, H and their derivatives as expressions, and what is not such a Lagrangian.
#include "varia/mechanics/one_form_system.hpp"

#include "flow/one_forms.hpp"
#include "refusal.hpp"

namespace varia::one_form_system_test {
namespace {

using one_forms::system_of;
using one_forms::vector;
using one_forms::Vn;

/// In closed form: θ = (q₂³t, q₁q₂), H = q₁²q₂ + sin t.
TEST(OneFormSystem, KernelsInClosedForm) {
  const auto s = system_of("q[2]^3*t*v[1] + q[1]*q[2]*v[2] - q[1]^2*q[2] - sin(t)", 2);
  EXPECT_TRUE(s->uses_time);
  EXPECT_FALSE(s->linear);
  const double t = 0.7;
  const double a = 1.3;
  const double b = -0.4;
  EXPECT_NEAR(s->value(t, vector({a, b})), a * a * b + std::sin(t), 1e-15);
  const Vn p = s->momentum(t, vector({a, b}));
  EXPECT_NEAR(p[0], b * b * b * t, 1e-15);
  EXPECT_NEAR(p[1], a * b, 1e-15);
  ASSERT_EQ(s->slope.size(), 3);  // ∂θ₁/∂q₂, ∂θ₂/∂q₁, ∂θ₂/∂q₂
  EXPECT_EQ(s->slope.row, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(s->slope.column, (std::vector<int>{1, 0, 1}));
  const std::vector<double> x{t, a, b};
  std::vector<double> motion(5);
  s->motion(x.data(), motion.data());
  const double expected[] = {2 * a * b + b * b * b, a * a, 3 * b * b * t, b, a};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(motion[i], expected[i], 1e-15) << i;
  // W = Dθᵀu - e∇H and its derivatives
  const double u = 0.6;
  const double w = -1.1;
  const double e = 0.3;
  const std::vector<double> stage{t, a, b, u, w, e};
  std::vector<double> out(static_cast<std::size_t>(4 + 3 + s->curvature.size()));
  s->second(stage.data(), out.data());
  EXPECT_NEAR(out[2], b * w - e * 2 * a * b, 1e-15);
  EXPECT_NEAR(out[3], 3 * b * b * t * u + a * w - e * a * a, 1e-15);
  ASSERT_EQ(s->curvature.size(), 3);
  EXPECT_NEAR(out[7], -2 * e * b, 1e-15);
  EXPECT_NEAR(out[8], w - 2 * e * a, 1e-15);
  EXPECT_NEAR(out[9], 6 * b * t * u, 1e-15);
  std::vector<double> first(4);
  s->first(stage.data(), first.data());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(first[i], out[i]);
}

/// Velocities that cancel only after differentiation are linear all the same.
TEST(OneFormSystem, LinearityIsThatOfTheFunction) {
  const auto s = system_of("(v[1] + q[2])^2/2 - v[1]^2/2 + q[1]*v[2] - cos(q[1])", 2);
  EXPECT_NEAR(s->momentum(0.0, vector({0.3, 0.8}))[0], 0.8, 1e-16);
  EXPECT_NEAR(s->value(0.0, vector({0.3, 0.8})), std::cos(0.3) - 0.32, 1e-16);
  EXPECT_TRUE(s->linear);
  EXPECT_FALSE(s->uses_time);
}

/// A chain of oscillators has O(n) entries, not n².
TEST(OneFormSystem, ZerosAreLeftOut) {
  std::string text = "0";
  for (int i = 1; i <= 20; ++i)
    text += " + q[" + std::to_string(20 + i) + "]*v[" + std::to_string(i) + "] - q[" +
            std::to_string(20 + i) + "]^2/2";
  for (int i = 1; i < 20; ++i)
    text += " - (q[" + std::to_string(i + 1) + "] - q[" + std::to_string(i) + "])^4/4";
  const auto s = system_of(text, 40);
  EXPECT_EQ(s->slope.size(), 20);
  EXPECT_EQ(s->curvature.size(), 20 + 20 + 19);
}

TEST(OneFormSystem, Refusals) {
  expect_words(refusal([] { system_of("q[1]*v[1]", 1); }), {"even number", "got 1"});
  expect_words(refusal([] { system_of("q[1]*v[1]", 3); }), {"even number", "got 3"});
  expect_words(refusal([] { system_of("q[2]*v[1] + v[2]^2/2 - q[1]", 2); }),
               {"not linear in the velocities", "d2L/dv2dv2"});
  expect_words(refusal([] { system_of("q[2]*v[1]*v[2]", 2); }), {"d2L/dv1dv2"});
  expect_words(refusal([] { system_of("q[1]^2 + q[2]^2", 2); }), {"no velocity"});
  expr::Graph graph;
  const expr::Id other = graph.mul(graph.variable(2), graph.variable(5));
  expect_words(refusal([&] { one_form_system(graph, other, 2); }), {"variable 5", "1 to 2"});
  const auto linear = [&](expr::Id f) { return linear_in_velocities(graph, f, 2); };
  const expr::Id v = graph.variable(3);
  EXPECT_TRUE(linear(graph.mul(graph.variable(2), v)));
  EXPECT_FALSE(linear(graph.mul(v, v)));
  EXPECT_FALSE(linear(graph.variable(1)));
}

}  // namespace
}  // namespace varia::one_form_system_test
