// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies by declaration move like the same systems written out.
#include "bodies.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace varia::io::bodies_test {
namespace {

using models::body;
using models::expect_same_motion;
using models::joint;
using models::M3;
using models::Moved;
using models::V3;

const std::string top_parameters = "parameters = { m = 2.0, l = 0.5, J = 0.5, C = 0.4, h = 2.0 }\n";
const std::string top_start =
    "g = { position = [0, \"-l*sin(0.4)\", \"l*cos(0.4)\"], angle_axis = [0.4, 0, 0] }\n";

std::string written_top() {
  return models::scenario(
      "coordinates = [{ name = \"g\", space = \"SE3\" }]\n" + top_parameters + R"~(
lagrangian = "m*(g_v1^2 + g_v2^2 + g_v3^2)/2 + (J*(g_w1^2 + g_w2^2) + C*g_w3^2)/2 - m*h*g_z"
holonomic = ["g_x - l*g13", "g_y - l*g23", "g_z - l*g33"])~",
      top_start + "g_w1 = 0\ng_w2 = 0\ng_w3 = 12\ng_v1 = 0\ng_v2 = 0\ng_v3 = 0", "lobatto(3)",
      "0.02");
}

/// Velocities that are not given are 0.
std::string declared_top() {
  return models::scenario(
      top_parameters + "gravity = \"h\"\n" +
          body("g", "mass = \"m\"\ninertia = [\"J\", \"J\", \"C\"]\npoints.tip = [0, 0, \"-l\"]") +
          joint("ball", "ground", "g.tip"),
      top_start + "g_w3 = 12", "lobatto(3)", "0.02");
}

TEST(Bodies, MoveLikeTheHeavyTopThatIsWrittenOut) {
  expect_same_motion(written_top(), declared_top(), 200, 1e-13);
  const Moved heavier(declared_top(), 200, {"system.body[1].inertia=[0.5, 0.5, 0.41]"});
  EXPECT_GT(std::abs(heavier("g13") - Moved(written_top(), 200)("g13")), 1e-4);
}

/// With exponential steps the motion does not depend on which frame of the body is chosen.
TEST(Bodies, HaveTheirCentreOfMassAnywhere) {
  const std::string shifted = models::scenario(
      top_parameters + "gravity = [0, 0, \"-h\"]\n" +
          body("g",
               "mass = \"m\"\ninertia = [[\"J\", 0, 0], [0, \"J\", 0], [0, 0, \"C\"]]\n"
               "centre = [0, 0, \"l\"]") +
          joint("ball", "g", "ground"),
      "g = { position = [0, 0, 0], angle_axis = [0.4, 0, 0] }\ng_w3 = 12", "lobatto(3)", "0.02");
  const Moved a(shifted, 200), b(declared_top(), 200);
  EXPECT_LT((a.rotation("g") - b.rotation("g")).norm(), 1e-12);
  EXPECT_LT((a.place("g", {0, 0, 0.5}) - b.place("g", {0, 0, 0})).norm(), 1e-12);
  EXPECT_NEAR(a.energy(), b.energy(), 1e-11);
  const Moved off(shifted, 200, {"system.body[1].centre=[0, 0, 0.51]"});
  EXPECT_GT((off.rotation("g") - b.rotation("g")).norm(), 1e-3);
}

/// A full matrix is that of turned principal axes.
TEST(Bodies, HaveTheirPrincipalAxesAnywhere) {
  const M3 turn = Eigen::AngleAxisd(0.7, V3(1, 2, -2) / 3.0).toRotationMatrix();
  const M3 J = turn * V3(0.3, 0.4, 0.6).asDiagonal() * turn.transpose();
  std::string rows;
  for (int i = 0; i < 3; ++i)
    rows += (i == 0 ? "[[" : ", [") + to_text(J(i, 0)) + ", " + to_text(J(i, 1)) + ", " +
            to_text(J(i, 2)) + "]";
  const auto free = [](const std::string& inertia, const V3& w) {
    return models::scenario(
        body("g", "mass = 1\ninertia = " + inertia),
        "g = { position = [0, 0, 0], angle_axis = [0, 0, 0] }\ng_w1 = " + to_text(w[0]) +
            "\ng_w2 = " + to_text(w[1]) + "\ng_w3 = " + to_text(w[2]));
  };
  const V3 w(0.2, 2.0, 0.1);
  const M3 a = Moved(free("[0.3, 0.4, 0.6]", w), 100).rotation("g");
  const M3 b = Moved(free(rows + "]", turn * w), 100).rotation("g");
  EXPECT_LT((turn * a * turn.transpose() - b).norm(), 1e-11);
}

TEST(Bodies, TurnAboutTheOriginWithoutAJoint) {
  const std::string on_rotations =
      models::scenario(top_parameters + "gravity = \"h\"\n" +
                           body("g",
                                "space = \"SO3\"\nmass = \"m\"\ninertia = [\"J\", \"J\", \"C\"]\n"
                                "centre = [0, 0, \"l\"]"),
                       "g = { angle_axis = [0.4, 0, 0] }\ng_w3 = 12", "gauss(4)", "0.02");
  EXPECT_EQ(models::model_of(on_rotations).system->d, 0);
  const Moved a(on_rotations, 100), b(declared_top(), 100, {"run.method=lobatto(5)"});
  EXPECT_LT((a.rotation("g") - b.rotation("g")).norm(), 1e-10);
}

const std::string chain_parameters =
    "parameters = { n = 8, m = 1.0, l = 0.5, A = 0.1, C = 0.04, h = 1.0 }\n";

std::string chain_start(const std::string& name) {
  return name +
         " = { position = [0, \"l*(2*i - 1)*sin(0.4)\", \"-l*(2*i - 1)*cos(0.4)\"], "
         "angle_axis = [0.4, 0, 0] }\n";
}

std::string declared_chain() {
  return models::scenario(chain_parameters + "gravity = \"h\"\n" +
                              body("B[1..8]",
                                   "mass = \"m\"\ninertia = [\"A\", \"A\", \"C\"]\n"
                                   "points = { base = [0, 0, \"l\"], tip = [0, 0, \"-l\"] }") +
                              joint("ball", "ground", "B[1].base") +
                              joint("ball", "B[i].tip", "B[i+1].base", "i = [1, \"n - 1\"]"),
                          chain_start("B"), "lobatto(3)", "0.02");
}

std::string written_chain() {
  std::string joints, at_rest;
  for (const std::string x : {"1", "2", "3"}) {
    const std::string position = x == "1" ? "g_x" : x == "2" ? "g_y" : "g_z";
    joints += "\"" + position + "[1] + l*g" + x + "3[1]\", { phi = \"" + position + "[i] + l*g" +
              x + "3[i] - " + position + "[i-1] + l*g" + x + "3[i-1]\", i = [2, 8] }, ";
    at_rest += "g_w" + x + " = 0\ng_v" + x + " = 0\n";
  }
  return models::scenario("coordinates = [{ name = \"g[1..8]\", space = \"SE3\" }]\n" +
                              chain_parameters +
                              "lagrangian = \"sum(i, 1, 8, m*(g_v1[i]^2 + g_v2[i]^2 + "
                              "g_v3[i]^2)/2 + (A*(g_w1[i]^2 + g_w2[i]^2) + C*g_w3[i]^2)/2 - "
                              "m*h*g_z[i])\"\nholonomic = [" +
                              joints + "]",
                          chain_start("g") + at_rest, "lobatto(3)", "0.02");
}

TEST(BodiesSlow, InArraysMoveLikeTheChainThatIsWrittenOut) {
  expect_same_motion(written_chain(), declared_chain(), 100, 1e-13);
}

/// The end at t = 4, as in gallery/rigid_chain.toml: computed in the angles of the rods.
TEST(BodiesSlow, InArraysReachWhereTheRodsInAPlaneDo) {
  const Moved chain(declared_chain(), 200, {"run.method=lobatto(5)"});
  const V3 end = chain.place("B", {0, 0, -0.5}, "[8]");
  EXPECT_NEAR(end[0], 0.0, 1e-12);
  EXPECT_NEAR(end[1], -0.0745249519428133, 1e-10);
  EXPECT_NEAR(end[2], -7.944299948764865, 1e-10);
}

TEST(BodiesSlow, InArraysDifferByTheirIndex) {
  const Model m = models::model_of(
      models::scenario("parameters = { m = [1, 2, 4] }\n" +
                           body("B[2..4]",
                                "space = \"SE2\"\nmass = \"m[i-1]\"\ninertia = \"i\"\n"
                                "centre = [\"0.1*i\", 0]\npoints.tip = [\"i\", \"m[4-i+1]\"]\n"
                                "shape.rod = [\"centre\", \"tip\"]"),
                       "B = { x = \"i\", y = 0, theta = 0 }"));
  ASSERT_EQ(m.bodies.size(), 3U);
  EXPECT_EQ(m.bodies[2].name, "B[4]");
  EXPECT_EQ(m.bodies[2].mass, 4.0);
  EXPECT_EQ(m.bodies[2].inertia, (std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 4}));
  EXPECT_EQ(m.bodies[2].centre, (std::vector{0.4, 0.0, 0.0}));
  EXPECT_EQ(m.bodies[0].points.back().second, (std::vector{2.0, 4.0, 0.0}));
  EXPECT_EQ(m.bodies[0].size, (std::vector{0.2, 0.0, 0.0, 2.0, 4.0, 0.0}));
}

/// Springs and forces use where points of bodies are; a Lagrangian that is written is added.
TEST(Bodies, HavePointsThatFormulasName) {
  const auto held = [](const std::string& spring) {
    return models::scenario(
        "coordinates = [\"z\"]\ngravity = 1\nlagrangian = \"z_dot^2/2 - (z - " + spring + "\"\n" +
            body("A",
                 "space = \"SE2\"\nmass = 1\ninertia = 0.2\ncentre = [0.1, 0.3]\n"
                 "points.tip = [0.5, -0.2]"),
        "z = 0.1\nz_dot = 0\nA = { x = 0, y = 0, theta = 0.3 }\nA_w = 1");
  };
  const std::string named = held("A_tip_y)^2 - A_tip_x^2 - A_centre_y^2");
  const std::string written = held(
      "(A_y + 0.5*sin(A_theta) - 0.2*cos(A_theta)))^2 - "
      "(A_x + 0.5*cos(A_theta) + 0.2*sin(A_theta))^2 - "
      "(A_y + 0.1*sin(A_theta) + 0.3*cos(A_theta))^2");
  expect_same_motion(named, written, 100, 1e-13);
  const Moved m(named, 0);
  const double tip_x = 0.5 * std::cos(0.3) + 0.2 * std::sin(0.3);
  const double tip_y = 0.5 * std::sin(0.3) - 0.2 * std::cos(0.3);
  const double centre_y = 0.1 * std::sin(0.3) + 0.3 * std::cos(0.3);
  const double kinetic = (0.2 + 0.1) / 2.0;  // about the origin, which rests
  EXPECT_NEAR(
      m.energy(),
      kinetic + centre_y + (0.1 - tip_y) * (0.1 - tip_y) + tip_x * tip_x + centre_y * centre_y,
      1e-14);
}

/// The moments of many equal points in the shape.
TEST(Bodies, HaveTheInertiaOfTheirShape) {
  const auto inertia = [](const std::string& space, const std::string& shape,
                          const std::string& pose) {
    return models::model_of(
               models::scenario(body("A", "space = \"" + space + "\"\nmass = 3\nshape = " + shape),
                                "A = { " + pose + " }"))
        .bodies.front()
        .inertia;
  };
  const auto sampled = [](const V3& half, const std::function<bool(const V3&)>& inside) {
    constexpr int n = 60;
    V3 sum = V3::Zero();
    double count = 0.0;
    for (int k = 0; k < n * n * n; ++k) {
      const V3 unit(k % n, k / n % n, k / n / n);
      const V3 r = half.cwiseProduct(V3((2.0 * unit + V3::Ones()) / n - V3::Ones()));
      if (!inside(r)) continue;
      sum += V3(V3::Constant(r.squaredNorm()) - r.cwiseAbs2());
      count += 1.0;
    }
    return V3(3.0 * sum / count);
  };
  const auto expect_near = [](const std::vector<double>& a, const V3& b) {
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(a[static_cast<std::size_t>(4 * i)], b[i], 2e-3 * b.norm());
  };
  const std::string in_space = "position = [0, 0, 0], angle_axis = [0, 0, 0]";
  const std::string in_plane = "x = 0, y = 0, theta = 0";
  expect_near(inertia("SE3", "{ box = [1, 2, 3] }", in_space),
              sampled({0.5, 1, 1.5}, [](const V3&) { return true; }));
  expect_near(inertia("SE3", "{ cylinder = [0.5, 2] }", in_space),
              sampled({0.5, 0.5, 1}, [](const V3& r) { return r.head<2>().norm() < 0.5; }));
  expect_near(inertia("SE3", "{ sphere = 0.5 }", in_space),
              sampled({0.5, 0.5, 0.5}, [](const V3& r) { return r.norm() < 0.5; }));
  const V3 plate = sampled({0.5, 1, 0}, [](const V3&) { return true; });
  expect_near(inertia("SE2", "{ box = [1, 2] }", in_plane), {0, 0, plate[2]});
  const V3 disk = sampled({0.5, 0.5, 0}, [](const V3& r) { return r.norm() < 0.5; });
  expect_near(inertia("SE2", "{ disk = 0.5 }", in_plane), {0, 0, disk[2]});
}

/// What `varia show` and sensitivities rely on: the numbers of bodies stay formulas.
TEST(Bodies, MoveTheSameWithFreeParameters) {
  const std::string free = "free = [\"m\", \"l\", \"J\", \"C\", \"h\"]\n";
  std::string text = declared_top();
  text.insert(text.find("gravity"), free);
  expect_same_motion(declared_top(), text, 100, 1e-13);
  EXPECT_EQ(models::model_of(text).free.size(), 5U);
}

}  // namespace
}  // namespace varia::io::bodies_test
