// SPDX-License-Identifier: BSD-3-Clause
// (frobenius): nonholonomic constraints that are the rate of a function are refused on every space, those that are so
// with a factor or together are told, others are neither.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/error.hpp"

namespace varia::io::integrable_test {
namespace {

struct Case {
  std::string coordinates, lagrangian, start, constraints;
};

std::string text_of(const Case& c) {
  return models::scenario("coordinates = " + c.coordinates + "\nlagrangian = \"" + c.lagrangian +
                              "\"\n" + c.constraints,
                          c.start, "nh_lobatto(2)");
}

Case in_space(const std::string& constraints) {
  return {R"~(["x", "y", "z"])~", "(x_dot^2 + y_dot^2 + z_dot^2)/2",
          "x = 0.3\ny = 0.5\nz = -0.2\nx_dot = 0\ny_dot = 0\nz_dot = 0", constraints};
}
Case on_plane_motions(const std::string& phi) {
  return {R"~([{ name = "g", space = "SE2" }])~", "(g_v1^2 + g_v2^2 + g_w^2)/2",
          "g = { x = 1, y = 0.5, theta = 0.3 }\ng_v1 = 0\ng_v2 = 0\ng_w = 0",
          "nonholonomic = [\"" + phi + "\"]"};
}
Case on_rotations(const std::string& phi) {
  return {R"~([{ name = "R", space = "SO3" }])~", "(R_w1^2 + 2*R_w2^2 + 3*R_w3^2)/2",
          "R = { angle_axis = [0.3, 0.1, -0.2] }\nR_w1 = 0\nR_w2 = 0\nR_w3 = 0",
          "nonholonomic = [\"" + phi + "\"]"};
}

std::vector<std::string> told(const Case& c) {
  std::vector<std::string> notes = models::model_of(text_of(c)).notes;
  std::erase_if(
      notes, [](const std::string& note) { return note.find("integrable") == std::string::npos; });
  return notes;
}

TEST(Integrable, ARateIsRefusedOnEverySpace) {
  for (const Case& c :
       {in_space("nonholonomic = [\"x*x_dot + y*y_dot\"]"),
        // closed, but not by its form: sin(2x) = 2 sin(x) cos(x)
        in_space("nonholonomic = [\"sin(2*x)*y_dot + 2*y*(cos(x)^2 - sin(x)^2)*x_dot\"]"),
        in_space("nonholonomic = [\"t*z_dot + z\"]"),
        in_space("nonholonomic = [{ phi = \"z_dot + i*y*y_dot\", i = [2, 3] }]"),
        on_plane_motions("g_w"), on_plane_motions("cos(g_theta)*g_v1 - sin(g_theta)*g_v2"),
        // R33
        on_rotations("R31*R_w2 - R32*R_w1")}) {
    const std::string text = refusal<ScenarioError>([&] { models::model_of(text_of(c)); });
    expect_words(text, {"system.nonholonomic[1]", "is the rate of a function", "holonomic"});
  }
}

TEST(Integrable, ARateIsHeldWhenThatIsMeant) {
  const Case c = in_space("nonholonomic = [{ phi = \"x*x_dot + y*y_dot\", integrable = true }]");
  EXPECT_EQ(told(c), std::vector<std::string>{});
}

TEST(Integrable, WithAFactorOrTogetherItIsTold) {
  const auto one = [](const Case& c, std::initializer_list<const char*> words) {
    const std::vector<std::string> notes = told(c);
    ASSERT_EQ(notes.size(), 1U) << c.constraints;
    expect_words(notes.front(), words);
  };
  one(in_space("nonholonomic = [\"y*x_dot - x*y_dot\"]"), {"system.nonholonomic[1]", "factor"});
  one(in_space("nonholonomic = [{ phi = \"i*y*x_dot - i*x*y_dot\", i = [1, 1] }]"), {"factor"});
  one(on_rotations("R11*(R31*R_w2 - R32*R_w1)"), {"factor"});
  one(in_space("nonholonomic = [\"x_dot - y*z_dot\", \"y_dot - x*z_dot\"]"), {"together"});
  one(in_space("holonomic = [\"x^2 + y^2 + z^2 - 0.38\"]\nnonholonomic = [\"z_dot - y*x_dot\"]"),
      {"together with the holonomic ones"});
}

TEST(Integrable, OthersAreNot) {
  for (const Case& c :
       {in_space("nonholonomic = [\"z_dot - y*x_dot\"]"),
        in_space("nonholonomic = [\"z_dot - y*x_dot - 0.3*x*cos(t)\"]"), on_plane_motions("g_v2"),
        on_plane_motions("g_v1 - g_w"), on_rotations("R_w3"), on_rotations("R_w3 - 0.2*R13*R_w1"),
        // a rate, but for a part in a million
        in_space("nonholonomic = [\"x*x_dot + y*y_dot + 1e-6*y*z_dot\"]")}) {
    EXPECT_EQ(told(c), std::vector<std::string>{}) << c.constraints;
  }
  // a ball on a turning table
  EXPECT_EQ(told({R"~([{ name = "R", space = "SO3" }, "x", "y"])~",
                  "(x_dot^2 + y_dot^2)/2 + 0.2*(R_w1^2 + R_w2^2 + R_w3^2)",
                  "R = { angle_axis = [0, 0, 0] }\nx = 0\ny = 0\nR_w1 = 0\nR_w2 = 0\nR_w3 = "
                  "0\nx_dot = 0\ny_dot = 0",
                  R"~(nonholonomic = ["x_dot + 1.3*y - R_w2", "y_dot - 1.3*x + R_w1"])~"}),
            std::vector<std::string>{});
}

/// Where a group is left without its points there is no function of them to write.
TEST(Integrable, NotOnReducedGroups) {
  const std::string text =
      text_of({R"~([{ name = "g", space = "SE2" }])~", "(g_v1^2 + g_v2^2 + g_w^2)/2",
               "g_v1 = 1\ng_v2 = 0.5\ng_w = 0", "nonholonomic = [\"g_w\"]"});
  EXPECT_EQ(models::model_of(text + "reconstruct = false\n").notes, std::vector<std::string>{});
}

}  // namespace
}  // namespace varia::io::integrable_test
