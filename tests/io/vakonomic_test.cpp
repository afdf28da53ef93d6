// SPDX-License-Identifier: BSD-3-Clause
// (vakonomic): constraints on velocities as those of the variational principle.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/check.hpp"
#include "varia/io/error.hpp"
#include "varia/io/runner.hpp"

namespace varia::io::vakonomic_test {
namespace {

/// L = |v|²/2 and Φ = z' - y x'; more: further lines of [run].
std::string particle(const std::string& more, const std::string& method = "gauss(3)",
                     const std::string& phi = "[\"z_dot - y*x_dot\"]") {
  return models::scenario(R"~(coordinates = ["x", "y", "z"]
lagrangian = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
observe = { phi = "z_dot - y*x_dot" }
nonholonomic = )~" + phi,
                          "x = 0\ny = 0.5\nz = 0\nx_dot = 1\ny_dot = 0.7\nz_dot = 0.5", method,
                          "0.05", "80") +
         more;
}

const std::string vakonomic = "constraints = \"vakonomic\"\n";

Summary result(const std::string& text) {
  Model model = models::model_of(text);
  return run(model, {});
}

double entry(const NamedNumbers& list, const std::string& name) {
  for (const auto& [found, value] : list)
    if (found == name) return value;
  ADD_FAILURE() << name;
  return 0.0;
}

/// (x, y, y', z) after the time T from the integrals a = x' - λy and b = z' + λ of the motion, by which
/// x' = (a + b y)/(1 + y²) and y'' = -(b - y x')x'; by Runge's method.
std::array<double, 4> by_integrals(double lambda, double T) {
  const double a = 1.0 - lambda * 0.5;
  const double b = 0.5 + lambda;
  using S = std::array<double, 4>;
  const auto rate = [&](const S& s) -> S {
    const double u = (a + b * s[1]) / (1.0 + s[1] * s[1]);
    return {u, s[2], -(b - s[1] * u) * u, s[1] * u};
  };
  const auto moved = [](const S& s, double h, const S& k) {
    S r = s;
    for (std::size_t i = 0; i < 4; ++i) r[i] += h * k[i];
    return r;
  };
  S s{0.0, 0.5, 0.7, 0.0};
  const int n = 4000;
  const double h = T / n;
  for (int k = 0; k < n; ++k) {
    const S k1 = rate(s), k2 = rate(moved(s, h / 2, k1)), k3 = rate(moved(s, h / 2, k2)),
            k4 = rate(moved(s, h, k3));
    for (std::size_t i = 0; i < 4; ++i) s[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return s;
}

TEST(Vakonomic, TheMotionIsThatOfItsIntegrals) {
  for (const double lambda : {0.0, 0.3}) {
    const Summary s =
        result(particle(vakonomic + "start_multipliers = [" + std::to_string(lambda) + "]\n"));
    const auto exact = by_integrals(lambda, 4.0);
    EXPECT_NEAR(entry(s.final.q, "x"), exact[0], 1e-9);
    EXPECT_NEAR(entry(s.final.q, "y"), exact[1], 1e-9);
    EXPECT_NEAR(entry(s.final.v, "y_dot"), exact[2], 1e-9);
    EXPECT_NEAR(entry(s.final.q, "z"), exact[3], 1e-9);
    // b = z' + λ is kept
    EXPECT_NEAR(entry(s.final.v, "z_dot") + entry(s.final.v, "impulse_dot[1]"), 0.5 + lambda,
                1e-13);
  }
}

/// T5.18 of [Sato19], with x of 003_numbers.md.
TEST(Vakonomic, TheNonholonomicMotionIsAnother) {
  const Summary other = result(particle("", "nh_lobatto(4)"));
  EXPECT_NEAR(entry(other.final.q, "x"), 2.280888664717432, 1e-9);
  const Summary s = result(particle(vakonomic));
  EXPECT_GT(std::abs(entry(s.final.q, "x") - entry(other.final.q, "x")), 0.1);
}

/// Every method holds the constraint at the nodes: it is a momentum.
TEST(Vakonomic, TheConstraintHoldsAtTheNodes) {
  for (const char* method :
       {"midpoint", "verlet", "gauss(2)", "lobatto(3)", "triple_jump(verlet)"}) {
    const Summary s = result(particle(vakonomic, method));
    for (const auto& [name, figures] : s.observe) {
      EXPECT_LT(std::max(std::abs(figures.min), std::abs(figures.max)), 5e-15) << method << name;
    }
    EXPECT_EQ(s.observe.size(), 1u);
  }
}

/// On a group, with constraints of a range: laws are those of any Lagrangian.
TEST(Vakonomic, OnAGroup) {
  const std::string text =
      models::scenario(R"~(coordinates = [{ name = "g", space = "SE2" }]
parameters = { n = 1 }
lagrangian = "(g_v1^2 + g_v2^2)/2 + g_w^2/4 - (g_x^2 + g_y^2)/2"
nonholonomic = [{ phi = "g_v2*i", i = [1, "n"] }])~",
                       "g = { x = 1, y = 0.5, theta = 0.3 }\ng_v1 = 0.7\ng_v2 = 0\ng_w = 0.9",
                       "gauss(2)", "0.1", "10") +
      vakonomic;
  Model model = models::model_of(text);
  EXPECT_EQ(model.system->n, 4);
  const CheckReport found = check(model);
  EXPECT_TRUE(found.passed());
  EXPECT_LT(found.symplecticity.value_or(1.0), 1e-13);
}

TEST(Vakonomic, Refusals) {
  const auto refused = [](const std::string& text) {
    return refusal<ScenarioError>([&] { models::model_of(text); });
  };
  expect_words(refused(particle(vakonomic, "gauss(2)", "[]")),
               {"run.constraints", "no constraints", "system.nonholonomic"});
  expect_words(refused(particle(vakonomic, "gauss(2)", "[\"z_dot - y*x_dot - 0.1*y_dot\"]")),
               {"start", "violates", "Phi = -0.0"});
  expect_words(refused(particle("start_multipliers = [1]\n")),
               {"run.start_multipliers", "vakonomic constraints only"});
  expect_words(refused(particle(vakonomic + "start_multipliers = [1, 2]\n")),
               {"run.start_multipliers", "2 multipliers for 1"});
  expect_words(refused(particle(vakonomic, "gauss(2)",
                                "[\"z_dot - y*x_dot\"]\n[system.parameters]\n"
                                "impulse = 1")),
               {"impulse", "another name"});
}

}  // namespace
}  // namespace varia::io::vakonomic_test
