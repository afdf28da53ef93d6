// SPDX-License-Identifier: BSD-3-Clause
// Vectors, matrices and names with two indices in scenarios: the numbers of the same system written entry by
// entry, to the bit.
#include <gtest/gtest.h>

#include "models.hpp"
#include "scenarios.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::vectors_test {
namespace {

using models::model_of;

Snapshot at_end(const std::string& text) {
  const Model model = model_of(text);
  const auto stepper = make_stepper(model);
  stepper->advance(model.step, 20);
  Snapshot s;
  stepper->snapshot(s);
  return s;
}

void expect_same_motion(const std::string& text, const std::string& same) {
  const Snapshot a = at_end(text), b = at_end(same);
  EXPECT_EQ(a.q, b.q) << text;
  EXPECT_EQ(a.p, b.p) << text;
}

/// The state at the start: positions, then rates.
std::vector<double> start_of(const std::string& coordinates, const std::string& start,
                             const std::string& system = "") {
  const Model m = model_of(scenario(coordinates, system, start));
  std::vector<double> state = m.q0;
  state.insert(state.end(), m.rates0.begin(), m.rates0.end());
  return state;
}

void expect_positions(const std::string& coordinates, const std::string& system,
                      const std::string& start, const std::vector<double>& expected) {
  const std::vector<double> found = start_of(coordinates, start, system);
  EXPECT_EQ(std::vector<double>(found.begin(), found.begin() + std::ssize(expected)), expected)
      << start;
}

std::string wrong(const std::string& text) {
  return refusal<ScenarioError>([&] { model_of(text); });
}

const std::string many_vectors = R"~(coordinates = [{ name = "r[1..3]", size = 3 }]
parameters = { m = [1, 2, 3], e3 = [0, 0, 1] }
lagrangian = "sum(i, 1, 3, m[i]*dot(r_dot[i], r_dot[i]))/2 + sum(i, 1, 2, sum(j, i+1, 3, m[i]*m[j]/norm(r[i] - r[j])))"
force = { r = "-0.1*m[i]*cross(e3, r_dot[i])" }
symmetry.turn = { r = "cross(e3, r[i])" }
)~";
const std::string many_numbers =
    R"~(coordinates = ["x1", "y1", "z1", "x2", "y2", "z2", "x3", "y3", "z3"]
parameters = { m = [1, 2, 3] }
lagrangian = "(m[1]*(x1_dot^2 + y1_dot^2 + z1_dot^2) + m[2]*(x2_dot^2 + y2_dot^2 + z2_dot^2) + m[3]*(x3_dot^2 + y3_dot^2 + z3_dot^2))/2 + (m[1]*m[2]/sqrt((x1-x2)^2 + (y1-y2)^2 + (z1-z2)^2) + m[1]*m[3]/sqrt((x1-x3)^2 + (y1-y3)^2 + (z1-z3)^2) + m[2]*m[3]/sqrt((x2-x3)^2 + (y2-y3)^2 + (z2-z3)^2))"
force = { x1 = "0.1*m[1]*y1_dot", y1 = "-0.1*m[1]*x1_dot", x2 = "0.1*m[2]*y2_dot", y2 = "-0.1*m[2]*x2_dot", x3 = "0.1*m[3]*y3_dot", y3 = "-0.1*m[3]*x3_dot" }
symmetry.turn = { x1 = "-y1", y1 = "x1", x2 = "-y2", y2 = "x2", x3 = "-y3", y3 = "x3" }
)~";

TEST(Vectors, ManyBodiesAreThoseOfTheirCoordinates) {
  const std::string vectors =
      models::scenario(many_vectors,
                       "r = [[1, 0, 0.1], [-1, 0.2, 0], [0, 1.5, -0.3]]\nr_dot = [[0, 0.7, 0], [0, "
                       "-0.4, 0.2], [0.3, 0, 0]]",
                       "gauss(2)", "0.005");
  const std::string numbers = models::scenario(
      many_numbers,
      "x1 = 1\ny1 = 0\nz1 = 0.1\nx2 = -1\ny2 = 0.2\nz2 = 0\nx3 = 0\ny3 = 1.5\nz3 = -0.3\n"
      "x1_dot = 0\ny1_dot = 0.7\nz1_dot = 0\nx2_dot = 0\ny2_dot = -0.4\nz2_dot = 0.2\n"
      "x3_dot = 0.3\ny3_dot = 0\nz3_dot = 0",
      "gauss(2)", "0.005");
  expect_same_motion(vectors, numbers);
  const Model m = model_of(vectors);
  EXPECT_TRUE(m.momenta.at(0).symmetry);
  EXPECT_FALSE(m.momenta.at(0).conserved) << "the force acts along it";
}

TEST(Vectors, AreWrittenWithTheNumbersOfTheirComponents) {
  const Model one = model_of(scenario("[{ name = \"r\", size = 2 }]", "", "r = [1, 2]\nr_dot = 0"));
  EXPECT_EQ(one.entry_names, (std::vector<std::string>{"r[1]", "r[2]"}));
  EXPECT_EQ(one.velocity_names, (std::vector<std::string>{"r_dot[1]", "r_dot[2]"}));
  EXPECT_EQ(one.momentum_names, (std::vector<std::string>{"r_p[1]", "r_p[2]"}));
  const Model two =
      model_of(scenario("[{ name = \"r[0..1]\", size = 2 }]", "", "r = 0\nr_dot = 0"));
  EXPECT_EQ(two.entry_names,
            (std::vector<std::string>{"r[0][1]", "r[0][2]", "r[1][1]", "r[1][2]"}));
  EXPECT_EQ(two.velocity_names[2], "r_dot[1][1]");
}

TEST(Vectors, StartsInAllForms) {
  const auto expect = [](const std::string& start, const std::vector<double>& r) {
    expect_positions("[{ name = \"r[1..2]\", size = 3 }]", "parameters = { a = [1, 2, 3] }",
                     start + "\nr_dot = 0", r);
  };
  expect("r = [[1, 2, 3], [4, 5, 6]]", {1, 2, 3, 4, 5, 6});
  expect("r = [\"i\", 0, \"2*i\"]", {1, 0, 2, 2, 0, 4});
  expect("r = \"i*a\"", {1, 2, 3, 2, 4, 6});
  expect("r = [\"2*a\", [4, 5, 6]]", {2, 4, 6, 4, 5, 6});
  expect("r = 0\n\"r[2]\" = [1, 1, 1]\n\"r[1][3]\" = 7", {0, 0, 7, 1, 1, 1});
  expect("\"r[2][1]\" = 9\nr = \"a\"\n\"r[1,2]\" = \"i\"", {1, 1, 3, 9, 2, 3});
  expect("r = 0", {0, 0, 0, 0, 0, 0});
  EXPECT_EQ(start_of("[{ name = \"r\", size = 2 }]", "r = [1, 2]\nr_p = \"2*b\"",
                     "parameters = { b = [3, 4] }"),
            (std::vector<double>{1, 2, 6, 8}));
}

TEST(Vectors, AnArrayOfNumbersIsAVector) {
  const std::string start = "q = [1, -0.5]\nq_dot = \"0.1*i\"";
  const std::string parameters =
      "coordinates = [\"q[1..2]\"]\nparameters = { K = [[5, -2], [-2, 4]] }\n";
  expect_same_motion(
      models::scenario(parameters + "lagrangian = \"dot(q_dot, q_dot)/2 - dot(q, K*q)/2\"\n"
                                    "force = { q = \"-0.3*K*q_dot\" }",
                       start),
      models::scenario(parameters +
                           "lagrangian = \"(q_dot[1]^2 + q_dot[2]^2)/2 - (q[1]*(K[1,1]*q[1] + "
                           "K[1,2]*q[2]) + q[2]*(K[2,1]*q[1] + K[2,2]*q[2]))/2\"\n"
                           "force = { q = [\"(-0.3*5)*q_dot[1] + (-0.3*-2)*q_dot[2]\", "
                           "\"(-0.3*-2)*q_dot[1] + (-0.3*4)*q_dot[2]\"] }",
                       start));
}

TEST(Vectors, RotationsTurnVectors) {
  const std::string system =
      "coordinates = [{ name = \"R\", space = \"SO3\" }]\n"
      "parameters = { g = [0, 0.3, -2], c = [0.1, 0, 1], J = [[1, 0, 0], "
      "[0, 1.2, 0], [0, 0, 0.5]] }\n";
  const std::string start = "R = { angle_axis = [0.4, 0.1, 0] }\n";
  expect_same_motion(
      models::scenario(system + "lagrangian = \"dot(R_w, J*R_w)/2 + dot(g, R*c)\"\n"
                                "force = { R = \"-0.1*cross(c, R_w)\" }\n"
                                "symmetry.turn = { R = \"transpose(R)*g\" }",
                       start + "R_w = [1, 0, 3]"),
      models::scenario(
          system +
              "lagrangian = \"(R_w1*(1*R_w1) + R_w2*(1.2*R_w2) + R_w3*(0.5*R_w3))/2 + "
              "(g[2]*(R21*c[1] + "
              "R23*c[3]) + g[3]*(R31*c[1] + R33*c[3]))\"\n"
              "force = { R_1 = \"-0.1*(-c[3]*R_w2)\", R_2 = \"-0.1*(c[3]*R_w1 - c[1]*R_w3)\", R_3 "
              "= "
              "\"-0.1*(c[1]*R_w2)\" }\n"
              "symmetry.turn = { R_1 = \"R21*g[2] + R31*g[3]\", R_2 = \"R22*g[2] + R32*g[3]\", R_3 "
              "= \"R23*g[2] + R33*g[3]\" }",
          start + "R_w1 = 1\nR_w2 = 0\nR_w3 = 3"));
  const Model m = model_of(models::scenario(
      system + "lagrangian = \"dot(R_w, J*R_w)/2 + dot(g, R*c)\"\n"
               "symmetry.turn = { R = \"transpose(R)*g\" }\nobserve.s = \"R*R_m - R_s\"",
      start + "R_w = [1, 0, 3]"));
  EXPECT_TRUE(m.momenta.at(0).conserved) << m.momenta.at(0).message;
  EXPECT_EQ(m.observe_names, (std::vector<std::string>{"s[1]", "s[2]", "s[3]"}));
}

/// Of the observed functions at the start, without a momentum in them.
std::vector<double> observed(const std::string& text) {
  const Model m = model_of(text);
  std::vector<double> x{m.t0}, values(m.observe_names.size() + m.momenta.size());
  x.insert(x.end(), m.q0.begin(), m.q0.end());
  x.insert(x.end(), m.rates0.begin(), m.rates0.end());
  x.resize(x.size() + m.rates0.size());
  m.observe(x.data(), values.data());
  values.resize(m.observe_names.size());
  return values;
}

void expect_zeros(const std::string& text) {
  const std::vector<double> values = observed(text);
  EXPECT_FALSE(values.empty());
  for (const double value : values) EXPECT_NEAR(value, 0.0, 1e-14) << text;
}

TEST(Vectors, MotionsMovePointsAndHaveParts) {
  expect_zeros(models::scenario(
      "coordinates = [{ name = \"g[1..2]\", space = \"SE3\" }]\nparameters = { b = [1, 2, 3] }\n"
      "lagrangian = \"sum(i, 1, 2, dot(g_w[i], g_w[i]) + dot(g_v[i], g_v[i]))\"\n"
      "observe.x = \"(g[2]*b).x - (g11[2]*b[1] + g12[2]*b[2] + g13[2]*b[3] + g_x[2])\"\n"
      "observe.z = \"(g[2]*b)[3] - (g31[2]*b[1] + g32[2]*b[2] + g33[2]*b[3] + g_z[2])\"\n"
      "observe.at = \"g[1].position - [g_x[1], g_y[1], g_z[1]]\"\n"
      "observe.turned = \"transpose(g[1].rotation)*(g[1]*b - g[1].position) - b\"",
      "g = { position = [1, 0.5, \"i\"], angle_axis = [0.1, 0.2, 0.3] }\n"
      "g_w = [1, 0, 0]\ng_v = \"i*b\"",
      "midpoint"));
  expect_zeros(models::scenario(
      "coordinates = [{ name = \"g\", space = \"SE2\" }]\n"
      "lagrangian = \"g_w^2 + dot(g_v, g_v)\"\nforce = { g = [0, 0, 1] }\n"
      "observe.at = \"g*[2, 1] - [g_x + 2*cos(g_theta) - sin(g_theta), g_y + 2*sin(g_theta) + "
      "cos(g_theta)]\"",
      "g = { x = 1, y = 2, theta = 0.3 }\ng_v = [1, 2]\ng_w = 3", "midpoint"));
  expect_zeros(models::scenario(
      "coordinates = [{ name = \"n[1..2]\", space = \"S2\" }]\nparameters = { a = [0, 0, 1], w = "
      "[1, 2, 0] }\n"
      "lagrangian = \"sum(i, 1, 2, dot(n_dot[i], n_dot[i]))/2 - dot(n[1], n[2])\"\n"
      "observe.x = \"norm(n[2]) - 1\"\nobserve.y = \"dot(n[1], n_dot[1])\"\n"
      "observe.z = \"n[1] - [n1[1], n2[1], n3[1]]\"",
      "n = [0, \"0.6\", 0.8]\nn_dot = \"[i, 0, 0]\"", "midpoint"));
}

TEST(Vectors, PointsOfBodiesAreVectors) {
  expect_zeros(R"~([system]
gravity = 9.81
observe.off = "A_tip - A*[0, 0, 1]"
observe.x = "A_tip.x - A_tip_x"
[[system.body]]
name = "A"
mass = 1
inertia = [1, 1, 1]
points = { tip = [0, 0, 1] }
[start]
A = { position = [1, 2, 3], angle_axis = [0.3, 0.2, 0.1] }
[run]
method = "midpoint"
step = 0.1
steps = 1
)~");
}

TEST(Vectors, AConstraintIsAsManyAsItHasComponents) {
  const std::string l =
      "lagrangian = \"(dot(a_dot, a_dot) + 2*dot(b_dot, b_dot))/2 - a.y + b.y^2\"\n";
  const std::string c = "coordinates = [{ name = \"a\", size = 2 }, { name = \"b\", size = 2 }]\n";
  const std::string start = "a = [1, 0]\nb = [1.5, 0]\na_dot = [0.2, 0.1]\nb_dot = [0.2, 0.1]";
  const std::string vector =
      models::scenario(c + l + "holonomic = [\"b - a - [0.5, 0]\"]", start, "lobatto(3)");
  expect_same_motion(
      vector, models::scenario(c + l + "holonomic = [\"b.x - a.x - 0.5\", \"b.y - a.y - 0\"]",
                               start, "lobatto(3)"));
  EXPECT_EQ(model_of(vector).constraint_texts,
            (std::vector<std::string>{"b - a - [0.5, 0], component [1]",
                                      "b - a - [0.5, 0], component [2]"}));
  expect_words(wrong(models::scenario(c + l + "holonomic = [\"[a.x, 1]\"]", start)),
               {"system.holonomic[1]", "component [2] does not depend"});
}

TEST(Vectors, AreKnownToEventsPlotsAndPictures) {
  const Model m =
      model_of(models::scenario("coordinates = [{ name = \"r[1..2]\", size = 3 }]\n"
                                "lagrangian = \"sum(i, 1, 2, dot(r_dot[i], r_dot[i]))/2\"\n"
                                "observe.L = \"cross(r[1], r_p[1])\"",
                                "r = [\"i\", 0, 0]\nr_dot = [0, 0, 1]") +
               R"~([[event]]
when = "norm(r[1] - r[2]) - 1 + r[1].z"
axes = ["r[1][3]", "L[2]"]
[[plot]]
y = ["L[2]", "norm(L)", "r[1].z"]
[draw]
view = "3d"
[[draw.point]]
name = "body"
at = "r[i]"
i = [1, 2]
[[draw.link]]
between = ["body[1]", "r[2]"]
[[draw.arrow]]
from = "r[i] + [0, 0, 1]"
along = "2*r_dot[i]"
i = [1, 2]
)~");
  EXPECT_EQ(m.events.size(), 1U);
  EXPECT_EQ(m.plots.columns.at(1), "L[2]");
  ASSERT_EQ(m.scene.drawn.size(), 5U);
  std::vector<double> x(1 + 18, 0.0), values(static_cast<std::size_t>(m.scene.count));
  for (std::size_t k = 0; k < 6; ++k) x[1 + k] = m.q0[k];
  m.scene.outputs(x.data(), values.data());
  EXPECT_EQ(values[static_cast<std::size_t>(m.scene.drawn[1].places[0][0])], 2.0);
  EXPECT_EQ(values[static_cast<std::size_t>(m.scene.drawn[2].places[1][0])], 2.0);
  EXPECT_EQ(values[static_cast<std::size_t>(m.scene.drawn[3].places[0][2])], 1.0);
}

TEST(Vectors, AreDrawnAsBodiesWithoutBeingAskedFor) {
  const Model m = model_of(
      models::scenario("coordinates = [{ name = \"r[1..2]\", size = 3 }, \"w\"]\n"
                       "lagrangian = \"sum(i, 1, 2, dot(r_dot[i], r_dot[i]))/2 + w_dot^2\"\n"
                       "holonomic = [\"dot(r[1] - r[2], r[1] - r[2]) - 4\"]",
                       "r = [\"2*i\", 0, 0]\nr_dot = 0\nw = 0\nw_dot = 0", "lobatto(3)"));
  EXPECT_EQ(m.scene.dimension, 3);
  std::vector<std::string> kinds;
  for (const Drawn& drawn : m.scene.drawn) kinds.push_back(drawn.kind);
  EXPECT_EQ(kinds, (std::vector<std::string>{"point", "point", "link"}));
  EXPECT_EQ(m.scene.drawn[1].name, "r[2]");
}

TEST(TwoIndices, StartsForcesAndNames) {
  const std::string u = "[\"u[1..2,0..2]\"]", rest = "\nu_dot = 0";
  EXPECT_EQ(
      model_of(scenario(u, "", "u = 0" + rest)).entry_names,
      (std::vector<std::string>{"u[1][0]", "u[1][1]", "u[1][2]", "u[2][0]", "u[2][1]", "u[2][2]"}));
  const auto expect = [&](const std::string& start, const std::vector<double>& values) {
    expect_positions(u, "parameters = { K = [[1, 2, 3], [4, 5, 6]] }", start + rest, values);
  };
  expect("u = \"10*i + j\"", {10, 11, 12, 20, 21, 22});
  expect("u = [[1, 2, 3], [4, 5, 6]]", {1, 2, 3, 4, 5, 6});
  expect("u = \"2*K\"", {2, 4, 6, 8, 10, 12});
  expect("u = [\"j\", [7, 8, 9]]", {0, 1, 2, 7, 8, 9});
  expect("u = 0\n\"u[2]\" = \"K[1]\"\n\"u[1,2]\" = 5\n\"u[2][0]\" = \"i + j\"", {0, 0, 5, 2, 2, 3});
}

TEST(TwoIndices, AreTheMotionOfManyNames) {
  const std::string lattice =
      "lagrangian = \"sum(i, 1, 2, sum(j, 1, 2, u_dot[i,j]^2))/2 - sum(i, 1, 2, (u[i,2] - "
      "u[i,1])^2 + "
      "(u[2,i] - u[1,i])^4)/2\"\n";
  const std::string names =
      "lagrangian = \"((a_dot^2 + b_dot^2) + (c_dot^2 + d_dot^2))/2 - (((b - a)^2 + (c - a)^4) + "
      "((d - "
      "c)^2 + (d - b)^4))/2\"\n";
  expect_same_motion(
      models::scenario("coordinates = [\"u[1..2,1..2]\"]\n" + lattice +
                           "force = { u = \"-0.1*i*j*u_dot[i,j]\" }\nsymmetry.s = { u = 1 }",
                       "u = \"i - j^2/3\"\nu_dot = [[1, 0], [0, 2]]"),
      models::scenario(
          "coordinates = [\"a\", \"b\", \"c\", \"d\"]\n" + names +
              "force = { a = \"-0.1*a_dot\", b = \"-0.2*b_dot\", c = \"-0.2*c_dot\", d = "
              "\"-0.4*d_dot\" }",
          "a = \"1 - 1/3\"\nb = \"1 - 4/3\"\nc = \"2 - 1/3\"\nd = \"2 - 4/3\"\na_dot = 1\nb_dot "
          "= 0\nc_dot = 0\nd_dot = 2"));
}

TEST(TwoIndices, PointsOfSpacesHaveThemToo) {
  const Model m = model_of(models::scenario(
      "coordinates = [{ name = \"R[1..2,1..2]\", space = \"SO3\" }]\n"
      "lagrangian = \"sum(i, 1, 2, sum(j, 1, 2, dot(R_w[i,j], R_w[i,j])))/2 + dot([0, 0, 1], "
      "R[1,2]*[1, 0, 0])\"",
      "R = { angle_axis = [\"0.1*i\", \"0.1*j\", 0] }\nR_w = [\"i\", \"j\", 0]", "midpoint"));
  EXPECT_EQ(m.entry_names[9], "R11[1][2]");
  EXPECT_EQ(m.rates0, (std::vector<double>{1, 1, 0, 1, 2, 0, 2, 1, 0, 2, 2, 0}));
}

TEST(Parameters, VectorsMatricesAndDefinitionsOfLists) {
  const Model m = model_of(models::scenario(
      "coordinates = [\"x\"]\nparameters = { a = [1, 2, \"1+2\"], K = [[1, \"2\"], [3, 4]], b = "
      "\"2*a\", c = \"cross(a, [0, 0, 1])\", k = \"K[2,1]\" }\nlagrangian = \"x_dot^2/2 - k*x\"\n"
      "let = { d = [\"x\", 0, 1], E = [[0, 1], [1, 0]] }\nobserve = { f = \"dot(a, d)\", g = "
      "\"E*K[1]\" }",
      "x = 1\nx_dot = 0"));
  EXPECT_EQ(m.parameters.at("b[3]"), 6.0);
  EXPECT_EQ(m.parameters.at("c[1]"), 2.0);
  EXPECT_EQ(m.parameters.at("K[2][1]"), 3.0);
  EXPECT_EQ(m.parameters.at("k"), 3.0);
  EXPECT_EQ(m.observe_names, (std::vector<std::string>{"f", "g[1]", "g[2]"}));
  const Model entry =
      model_of(models::single("x_dot^2/2 - K[1,2]*x", "parameters.K = [[1, 2], [3, 4]]"),
               {"system.parameters.K[2][1]=9"});
  EXPECT_EQ(entry.parameters.at("K[2][1]"), 9.0);
  const std::string list =
      models::single("x_dot^2/2 - m[2]*x", "parameters = { m = [1, 2], k = 3 }");
  EXPECT_EQ(model_of(list, {"m[2]=7"}).parameters.at("m[2]"), 7.0);
  expect_words(refusal<ScenarioError>([&] { model_of(list, {"m[3]=7"}); }), {"entries 1 to 2"});
  expect_words(refusal<ScenarioError>([&] { model_of(list, {"k[1]=7"}); }), {"k is not a list"});
  const Model changed =
      model_of(models::single("x_dot^2/2 - K[1,2]*x", "parameters.K = [[1, 2], [3, 4]]"),
               {"K=[[0, 7], [0, 0]]"});
  EXPECT_EQ(changed.parameters.at("K[1][2]"), 7.0);
}

TEST(VectorErrors, HaveAPlaceAndARemedy) {
  const std::string r = "[{ name = \"r\", size = 3 }]", rest = "r = 0\nr_dot = 0";
  const auto system = [&](const std::string& lines) { return wrong(scenario(r, lines, rest)); };
  const auto start = [&](const std::string& lines) { return wrong(scenario(r, "", lines)); };
  expect_words(
      system("force = { r = \"1\" }"),
      {"test.toml:4:16", "system.force.r", "a vector of length 3 is needed here, found a number"});
  expect_words(system("force = { r = \"[1, 2]\" }"), {"length 3", "found a vector of length 2"});
  expect_words(system("force = { r = [1, 2] }"),
               {"system.force.r", "3 entries", "r[1] to r[3]", "found 2"});
  expect_words(system("force = { r = 5 }"),
               {"system.force.r", "a vector of length 3", "or 0", "the number 5"});
  expect_words(system("force = { \"r[4]\" = 1 }"), {"out of range", "r[1] to r[3]"});
  expect_words(system("force = { \"r[1][2]\" = 1 }"), {"too many indices"});
  expect_words(system("observe.f = \"r + 1\""),
               {"test.toml:4:14", "system.observe.f", "'r' is the array r[1..3]", "r[1]"});
  expect_words(system("symmetry.s = { r = \"cross(e3, r)\" }"), {"unknown name 'e3'"});
  expect_words(start("r = \"norm(a)\"\nr_dot = 0"), {"start.r", "unknown name 'a'"});
  expect_words(start("r = [1, 2, [3]]\nr_dot = 0"), {"start.r[3]", "a number or an expression"});
  expect_words(start("r = 0"), {"start.r_dot[1]", "missing"});
  expect_words(wrong(scenario("[{ name = \"r\", size = 0 }]", "", rest)),
               {"size", "greater than 0"});
  expect_words(wrong(scenario("[{ name = \"r\", size = 3, space = \"SO3\" }]", "", rest)),
               {"system.coordinates[1].size", "vectors of real numbers", "Leave it out"});
  expect_words(wrong(scenario("[{ name = \"r[1..2,1..2]\", size = 3 }]", "", rest)),
               {"one index", "found two"});
  expect_words(wrong(scenario("[\"u[1..2,1]\"]", "", rest)), {"\"u[1..8,1..8]\"", "u[1..2,1]"});
  expect_words(wrong(scenario("[\"u[1..2,3..1]\"]", "", rest)),
               {"must not be greater than the last"});
  expect_words(wrong(scenario("[\"x\"]", "parameters = { K = [[1, 2], [3]] }", at_rest)),
               {"system.parameters.K[2]", "2 entries, found 1"});
  expect_words(wrong(scenario("[\"x\"]", "parameters = { K = [[1, 2], 3] }", at_rest)),
               {"system.parameters.K", "rows of a matrix are lists"});
  expect_words(
      wrong(scenario("[\"x\"]", "parameters = { a = [1, 2], b = \"cross(a, a)\" }", at_rest)),
      {"system.parameters.b", "cross takes two vectors of length 3"});
  expect_words(wrong(models::single("a", "parameters.a = [1, 2]")),
               {"system.lagrangian", "'a' is the array a[1..2]", "a number is needed"});
  expect_words(wrong(models::single("x_dot^2", "parameters = { a = [1, 2], b = \"2*a\" }") +
                     "[diagnose]\nsensitivity = [\"b\"]\n"),
               {"diagnose.sensitivity", "is a vector or a matrix"});
  expect_words(wrong(scenario("[\"u[1..2,1..2]\"]", "parameters = { j = 1 }", rest)),
               {"j is a parameter", "second index"});
  expect_words(wrong(scenario(r, "[system.let]\nbad = \"dot(r, 1)\"\n[system.observe]", rest)),
               {"system.let.bad", "dot takes vectors, found a number"});
}

}  // namespace
}  // namespace varia::io::vectors_test
