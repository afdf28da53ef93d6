// SPDX-License-Identifier: BSD-3-Clause
// [draw]: what is drawn is where closed forms say, and mistakes are told with their place.
#include "varia/io/scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models.hpp"
#include "refusal.hpp"
#include "src/report/scene.hpp"
#include "varia/io/settings.hpp"

namespace varia::io::scene_test {
namespace {

using models::model_of;
using Numbers = std::vector<double>;

/// The double pendulum of two unit rods, drawn.
std::string pendulum(const std::string& draw) { return models::double_pendulum() + draw; }

const std::string two_rods = R"~(
[[draw.link]]
between = ["upper", "lower"]
[[draw.point]]
name = "upper"
at = ["sin(a)", "-cos(a)"]
radius = 0.05
[[draw.point]]
name = "lower"
at = ["sin(a) + sin(b)", "-cos(a) - cos(b)"]
trace = true
[[draw.arrow]]
from = "lower"
along = ["a_dot", "b_p"]
scale = 0.5
[[draw.link]]
between = ["origin", [2, "t"]]
spring = true
)~";

/// A point in the picture at (t, q, v, p).
Numbers at(const Model& m, const std::vector<int>& outputs, const Numbers& x) {
  Numbers all(static_cast<std::size_t>(m.scene.count));
  m.scene.outputs(x.data(), all.data());
  Numbers place;
  for (const int k : outputs) place.push_back(all[static_cast<std::size_t>(k)]);
  return place;
}

void expect_near(const Numbers& found, const Numbers& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-14) << k;
}

std::vector<const Drawn*> of_kind(const Model& m, const std::string& kind) {
  std::vector<const Drawn*> found;
  for (const Drawn& drawn : m.scene.drawn)
    if (drawn.kind == kind) found.push_back(&drawn);
  return found;
}

TEST(Scene, OfADoublePendulum) {
  const Model m = model_of(pendulum(two_rods));
  EXPECT_FALSE(m.scene.by_default);
  ASSERT_EQ(m.scene.drawn.size(), 5U);
  const Numbers x{0.3, 0.7, -0.4, 1.5, 2.5, -3.0, 4.0};  // t, a, b, velocities, momenta
  const auto points = of_kind(m, "point");
  expect_near(at(m, points[0]->places[0], x), {std::sin(0.7), -std::cos(0.7)});
  expect_near(at(m, points[1]->places[0], x),
              {std::sin(0.7) + std::sin(-0.4), -std::cos(0.7) - std::cos(0.4)});
  EXPECT_EQ(points[0]->size, Numbers{0.05});
  EXPECT_FALSE(points[0]->trace);
  EXPECT_TRUE(points[1]->trace);
  const auto links = of_kind(m, "link");
  EXPECT_EQ(links[0]->places[0], points[0]->places[0]) << "the end of a link is the point itself";
  EXPECT_EQ(links[0]->places[1], points[1]->places[0]);
  expect_near(at(m, links[1]->places[0], x), {0, 0});
  expect_near(at(m, links[1]->places[1], x), {2, 0.3});
  EXPECT_TRUE(links[1]->spring);
  EXPECT_FALSE(links[0]->spring);
  const Drawn& arrow = *of_kind(m, "arrow")[0];
  expect_near(at(m, arrow.places[1], x),
              {std::sin(0.7) + std::sin(-0.4) + 0.75, -std::cos(0.7) - std::cos(0.4) + 2.0});
}

TEST(Scene, OfAnArray) {
  const Model m = model_of(models::chain(5) + R"~(
[[draw.point]]
name = "mass"
at = ["i + q[i]", "0.1*i"]
radius = "0.01*i"
i = [1, "n"]
[[draw.link]]
between = ["mass[i-1]", "mass[i]"]
i = [2, "n"]
[[draw.link]]
between = ["mass[n]", "mass[1]"]
)~");
  const auto points = of_kind(m, "point");
  const auto links = of_kind(m, "link");
  ASSERT_EQ(points.size(), 5U);
  ASSERT_EQ(links.size(), 5U);
  Numbers x(16, 0.0);
  for (std::size_t k = 1; k <= 5; ++k) x[k] = 0.25 * static_cast<double>(k * k);
  for (std::size_t k = 0; k < 5; ++k) {
    const double i = static_cast<double>(k) + 1;
    EXPECT_EQ(points[k]->name, "mass[" + std::to_string(k + 1) + "]");
    EXPECT_EQ(points[k]->size, Numbers{0.01 * i});
    expect_near(at(m, points[k]->places[0], x), {i + 0.25 * i * i, 0.1 * i});
    EXPECT_EQ(links[k]->places[0], points[k]->places[0]);
    EXPECT_EQ(links[k]->places[1], points[(k + 1) % 5]->places[0]) << k;
  }
}

std::string top(const std::string& draw) {
  return models::top("{ A = 1, B = 2, C = 2.5 }") + "[draw]\nview = \"3d\"\n" + draw;
}

TEST(Scene, TurnsWithARotation) {
  const Model m = model_of(top(R"~([[draw.box]]
on = "R"
size = ["2*A", 1, 0.5]
at = [1, 2, 3]
centre = [0, 0, 0.5]
[[draw.cylinder]]
turn = [0, 0, "t"]
radius = 1
length = 0.1
[[draw.cylinder]]
turn = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
radius = 1
length = 0.1
)~"));
  Numbers x(16, 0.0);
  const double c = std::cos(0.3), s = std::sin(0.3);
  const Numbers r{1, 0, 0, 0, c, -s, 0, s, c};  // about the first axis
  std::copy(r.begin(), r.end(), x.begin() + 1);
  const auto boxes = of_kind(m, "box"), cylinders = of_kind(m, "cylinder");
  EXPECT_EQ(boxes[0]->size, (Numbers{2, 1, 0.5}));
  expect_near(at(m, boxes[0]->places[0], x), {1, 2 - 0.5 * s, 3 + 0.5 * c});
  expect_near(at(m, boxes[0]->turn, x), r);
  expect_near(at(m, cylinders[0]->turn, x), {1, 0, 0, 0, 1, 0, 0, 0, 1});
  x[0] = 0.5;
  expect_near(at(m, cylinders[0]->turn, x),
              {std::cos(0.5), -std::sin(0.5), 0, std::sin(0.5), std::cos(0.5), 0, 0, 0, 1});
  expect_near(at(m, cylinders[1]->turn, x), {0, -1, 0, 1, 0, 0, 0, 0, 1});
}

TEST(Scene, TurnsInThePlane) {
  const Model m =
      model_of(models::scenario("coordinates = [{ name = \"g\", space = \"SE2\" }, \"th\"]\n"
                                "lagrangian = \"(g_v1^2 + g_v2^2 + g_w^2 + th_dot^2)/2\"",
                                "g = { x = 0, y = 0, theta = 0 }\ng_v1 = 1\ng_v2 = 0\ng_w = 1\n"
                                "th = 0\nth_dot = 1") +
               R"~([[draw.box]]
on = "g"
size = [1, 0.2]
centre = [0.5, 0]
[[draw.ball]]
at = [3, 4]
turn = "th"
radius = 0.2
)~");
  const Numbers x{0, 2, 5, 0.7, 0.4, 0, 0, 0, 0, 0, 0, 0, 0};
  const Drawn& box = *of_kind(m, "box")[0];
  expect_near(at(m, box.places[0], x), {2 + 0.5 * std::cos(0.7), 5 + 0.5 * std::sin(0.7)});
  expect_near(at(m, box.turn, x), {std::cos(0.7), std::sin(0.7)});
  expect_near(at(m, of_kind(m, "ball")[0]->turn, x), {std::cos(0.4), std::sin(0.4)});
}

TEST(Scene, OfAPointThatIsHeldOtherwise) {
  const Model m = model_of(models::scenario("coordinates = [{ name = \"n\", space = \"S2\" }]\n"
                                            "lagrangian = \"(n1_dot^2 + n2_dot^2 + n3_dot^2)/2\"",
                                            "n = [0.6, 0, -0.8]\nn_dot = [0.8, 1, 0.6]") +
                           R"~([draw]
view = "3d"
[[draw.point]]
name = "n"
at = ["2*n1", "n2", "n3"]
[[draw.arrow]]
from = "n"
along = ["n1_dot", "n2_dot", "n3_dot"]
)~");
  const Numbers record{0, 0.6, 0,   -0.8, 0.8,
                       1, 0.6, 0.8, 1,    0.6};  // t, n, its velocity, its momentum
  const Numbers x = report::held_state(m, record);
  expect_near(at(m, m.scene.drawn[0].places[0], x), {1.2, 0, -0.8});
  expect_near(at(m, m.scene.drawn[1].places[1], x), {2.0, 1, -0.2});
}

TEST(Scene, WithoutDrawIsWhatIsKnown) {
  EXPECT_FALSE(model_of(models::kepler()).scene.outputs);
  EXPECT_TRUE(model_of(models::kepler()).scene.by_default);
  EXPECT_FALSE(model_of(models::double_pendulum()).scene.outputs) << "two angles are no body";
  const Model rotation = model_of(models::top("{ A = 1, B = 2, C = 2.5 }"));
  ASSERT_EQ(of_kind(rotation, "frame").size(), 1U);
  Numbers x(16, 0.0);
  for (int k = 1; k < 10; ++k) x[static_cast<std::size_t>(k)] = k;
  expect_near(at(rotation, of_kind(rotation, "frame")[0]->turn, x), {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto ellipsoids = [](const std::string& moments) {
    const Model m = model_of(models::top(moments));
    const auto balls = of_kind(m, "ball");
    return balls.empty() ? Numbers{} : balls[0]->size;
  };
  // of a homogeneous ellipsoid the moments are m (b² + c²)/5 and so on: 2² + 1.5², 3² + 1.5², 3² + 2²
  const Numbers axes = ellipsoids("{ A = 6.25, B = 11.25, C = 13 }");
  ASSERT_EQ(axes.size(), 3U);
  EXPECT_NEAR(axes[1] / axes[0], 2.0 / 3.0, 1e-14);
  EXPECT_NEAR(axes[2] / axes[0], 1.5 / 3.0, 1e-14);
  EXPECT_TRUE(ellipsoids("{ A = 1, B = 2, C = 4 }").empty()) << "no body has these moments";
  const Model bodies = model_of(R"~([system]
gravity = 1
[[system.body]]
name = "B[1..3]"
space = "SE2"
mass = 1
shape = { box = ["i", 0.1] }
centre = [0.5, 0]
[[system.joint]]
kind = "distance"
between = ["ground", "B[1]"]
length = 2
[start]
B = { x = "2*i", y = 0, theta = 0 }
[run]
method = "lobatto(3)"
step = 0.01
steps = 1
)~");
  EXPECT_EQ(bodies.scene.dimension, 2);
  ASSERT_EQ(of_kind(bodies, "box").size(), 3U);
  EXPECT_EQ(of_kind(bodies, "box")[2]->size, (Numbers{3, 0.1}));
  Numbers y(28, 0.0);
  y[1] = 7;
  y[2] = 8;
  expect_near(at(bodies, of_kind(bodies, "box")[0]->places[0], y), {7.5, 8});
  expect_near(at(bodies, of_kind(bodies, "link")[0]->places[1], y), {7, 8});
}

TEST(Scene, WithoutDrawShowsConstraintsOfDistance) {
  const auto links = [](const std::string& holonomic) {
    const Model m = model_of(
        models::scenario("coordinates = [\"x[1..2]\", \"y[1..2]\"]\n"
                         "lagrangian = \"sum(i, 1, 2, x_dot[i]^2 + y_dot[i]^2)/2\"\nholonomic = [" +
                             holonomic + "]",
                         "x = \"0.6*i\"\ny = \"0.8*i\"\nx_dot = 0\ny_dot = 0"));
    return of_kind(m, "link").size();
  };
  EXPECT_EQ(links("\"x[1]^2 + y[1]^2 - 1\", \"(x[2] - x[1])^2 + (y[2] - y[1])^2 - 1\""), 2U);
  EXPECT_EQ(links("\"sqrt((x[2] - x[1])^2 + (y[2] - y[1])^2) - 1\""), 1U);
  EXPECT_EQ(links("\"x[1]^2 + 2*y[1]^2 - 1.64\""), 0U) << "an ellipse";
  EXPECT_EQ(links("\"(x[1] + 1)^2 + y[1]^2 - 3.2\""), 0U) << "about another point";
  EXPECT_EQ(links("\"4*x[1] - 3*y[1]\""), 0U) << "a line";
  EXPECT_EQ(links("\"(x[2] + x[1])^2 + (y[2] + y[1])^2 - 9\""), 0U) << "no difference";
  EXPECT_EQ(links("\"(x[1] - t^2)^2 + y[1]^2 - 1\""), 0U) << "driven";
  const Model chain = model_of(
      models::scenario("coordinates = [\"x\", \"y\"]\nlagrangian = \"(x_dot^2 + y_dot^2)/2\"\n"
                       "holonomic = [\"x^2 + y^2 - 1\"]",
                       "x = 0.6\ny = 0.8\nx_dot = 0\ny_dot = 0"));
  expect_near(at(chain, of_kind(chain, "link")[0]->places[1], {0, 0.3, 0.4, 0, 0, 0, 0}),
              {0.3, 0.4});
  expect_near(at(chain, of_kind(chain, "link")[0]->places[0], {0, 0.3, 0.4, 0, 0, 0, 0}), {0, 0});
}

/// A rotation among the coordinates hides no link of the others, and makes none.
TEST(Scene, WithoutDrawShowsLinksBesideARotation) {
  const auto links = [](const std::string& holonomic) {
    const Model m = model_of(models::scenario(
        "coordinates = [{ name = \"a\", size = 3 }, { name = \"R\", space = \"SO3\" }, "
        "{ name = \"b\", size = 3 }]\nlagrangian = \"(dot(a_dot, a_dot) + dot(b_dot, b_dot) + "
        "R_w1^2 + 2*R_w2^2 + 3*R_w3^2)/2\"\nholonomic = [\"" +
            holonomic + "\"]",
        "a = [1, 0, 0]\nb = [1, 1, 0]\na_dot = 0\nb_dot = 0\nR = { angle_axis = [0, 0, 0] }\nR_w = "
        "0",
        "lobatto(2)"));
    return of_kind(m, "link").size();
  };
  EXPECT_EQ(links("norm(b - a) - 1"), 1U);
  EXPECT_EQ(links("dot(a, a) - 1"), 1U);
  EXPECT_EQ(links("norm(b - R*a) - 1"), 0U) << "a point of the body";
}

TEST(Scene, IsNoPartOfWhatARestartContinues) {
  const auto kept = [](const std::string& draw) {
    return kept_by_a_restart(parse_scenario(pendulum(draw), "f.toml").settings).text();
  };
  EXPECT_EQ(kept(two_rods), kept(""));
}

/// What building the model says.
std::string refused(const std::string& text) {
  return refusal<ScenarioError>([&] { model_of(text); });
}

TEST(SceneErrors, OfReading) {
  const std::string bob = "[[draw.point]]\nname = \"bob\"\nat = [\"a\", \"b\"]\n";
  const auto link = [&](const std::string& ends) {
    return refused(pendulum(bob + "[[draw.link]]\nbetween = " + ends + "\n"));
  };
  expect_words(link("[\"origin\", \"bop\"]"), {"test.toml:17:22", "draw.link[1].between[2]",
                                               "no point bop", "origin, bob", "Did you mean bob?"});
  expect_words(link("[\"bob\"]"), {"draw.link[1].between", "takes two ends", "found 1"});
  expect_words(link("[\"bob[2]\", \"bob\"]"), {"bob is a single point", "no index"});
  expect_words(link("[\"bob\", [1, 2, 3]]"),
               {"between[2]", "must have 2 coordinates", "found 3", "view = \"3d\""});
  expect_words(refused(pendulum("[[draw.point]]\nname = \"bob\"\n")),
               {"draw.point[1].at", "missing", "at = [\"x\", \"y\"]"});
  expect_words(refused(pendulum(bob + bob)), {"draw.point[2].name", "bob is already a point"});
  expect_words(refused(pendulum("[[draw.arrow]]\nalong = [0, 1]\n")),
               {"missing; an arrow needs it"});
  expect_words(refused(pendulum("[draw.ground]\nlevel = 0\n")),
               {"draw.ground", "must be a list of tables", "write [[draw.ground]]"});
  expect_words(refused(pendulum("[[draw.point]]\nname = \"origin\"\nat = [0, 0]\n")),
               {"all coordinates 0"});
  expect_words(refused(pendulum("[[draw.poit]]\nat = [0, 0]\n")),
               {"draw.poit", "unknown key", "point"});
  expect_words(refused(pendulum("[draw]\nview = \"4d\"\n")), {"draw.view", "2d, 3d"});
  expect_words(refused(pendulum("[[draw.cylinder]]\nradius = 1\nlength = 1\n")),
               {"draw.cylinder[1]", "view = \"3d\"", "ball"});
  expect_words(refused(top("[[draw.ball]]\nradius = 1\nsize = [1, 1, 1]\n")),
               {"draw.ball[1].size", "given together with draw.ball[1].radius"});
  expect_words(refused(top("[[draw.box]]\non = \"R\"\nturn = [0, 0, 1]\nsize = [1, 1, 1]\n")),
               {"draw.box[1].turn", "given together with draw.box[1].on"});
  expect_words(refused(top("[[draw.box]]\nturn = 3\nsize = [1, 1, 1]\n")),
               {"draw.box[1].turn", "axis times angle", "found the number 3"});
  expect_words(refused(top("[[draw.cylinder]]\nradius = 1\n")),
               {"draw.cylinder[1].length", "missing"});
  expect_words(
      refused(
          top("[[draw.cylinder]]\nradius = 1\nbetween = [\"origin\", [0, 0, 1]]\non = \"R\"\n")),
      {"draw.cylinder[1].on", "between"});
}

TEST(SceneErrors, OfNamesAndNumbers) {
  const auto point = [](const std::string& x) {
    return refused(pendulum("[[draw.point]]\nat = [\"" + x + "\", 0]\n"));
  };
  expect_words(point("c + 1"), {"test.toml:", "draw.point[1].at[1]", "c"});
  expect_words(point("1/t"), {"draw.point[1]", "no finite place at the start"});
  expect_words(refused(pendulum("[[draw.point]]\nat = [0, 0]\nradius = \"-a\"\n")),
               {"draw.point[1].radius"});
  expect_words(refused(pendulum("[[draw.point]]\nat = [0, 0]\nradius = \"1 - 2\"\n")),
               {"draw.point[1].radius", "greater than 0", "found -1"});
  const auto on = [](const std::string& name, const std::string& lines) {
    return refused(
        models::scenario(
            "coordinates = [{ name = \"R[1..2]\", space = \"SO3\" }, \"th\"]\n"
            "lagrangian = \"sum(i, 1, 2, R_w1[i]^2 + R_w2[i]^2 + R_w3[i]^2)/2 + th_dot^2/2\"",
            "R = { angle_axis = [0, 0, 1] }\nR_w1 = 1\nR_w2 = 0\nR_w3 = 0\nth = 0\n"
            "th_dot = 1") +
        "[draw]\n" + lines + "[[draw.frame]]\non = \"" + name + "\"\n");
  };
  const std::string space = "view = \"3d\"\n";
  expect_words(on("Q[1]", space), {"draw.frame[1].on", "no rotation or pose Q", "there are: R"});
  expect_words(on("R", space), {"R is an array", "R[i]"});
  expect_words(on("R[3]", space), {"there is no R[3]", "R[1] to R[2]"});
  expect_words(on("th", space), {"th is", "turn = [..]"});
  expect_words(on("th", ""), {"th is", "turn = \"th\""});
  expect_words(on("R[1]", ""), {"2-D", "SE2"});
  const auto chain = [](const std::string& lines) {
    return refused(models::chain(3) +
                   "[[draw.point]]\nname = \"m\"\nat = [\"q[i]\", 0]\ni = [1, 3]\n" + lines);
  };
  expect_words(chain("[[draw.link]]\nbetween = [\"m[i]\", \"m[i+1]\"]\ni = [1, 3]\n"),
               {"draw.link[1].between[2]", "there is no m[4]", "m[1] to m[3]"});
  expect_words(chain("[[draw.link]]\nbetween = [\"m\", \"origin\"]\n"), {"m[i]"});
  expect_words(chain("[[draw.link]]\nbetween = [\"m[i]\", \"origin\"]\n"),
               {"draw.link[1].between[1]", "i"});
  expect_words(chain("[[draw.point]]\nat = [\"q[i]\", 0]\ni = [3, 1]\n"), {"draw.point[2].i[2]"});
  expect_words(chain("[[draw.point]]\nat = [\"q[i]\", 0]\ni = [1, 4]\n"), {"draw.point[2].at[1]"});
}

}  // namespace
}  // namespace varia::io::scene_test
