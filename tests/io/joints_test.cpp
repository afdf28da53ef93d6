// SPDX-License-Identifier: BSD-3-Clause
// Joints keep what they say and no more, closed loops of bodies move like the systems of few coordinates that they
// are, and what is no body or joint is refused by name.
#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "bodies.hpp"
#include "refusal.hpp"
#include "varia/io/runner.hpp"

namespace varia::io::joints_test {
namespace {

using models::body;
using models::expect_same_motion;
using models::joint;
using models::M3;
using models::Moved;
using models::V3;

const V3 tip{0.5, 0.1, -0.2}, base{-0.4, 0.2, 0.3}, axis = V3(1, -2, 2) / 3.0;

/// Two bodies in space, near enough to any joint of A.tip and B.base to be moved onto it.
std::string pair(const std::string& joints) {
  return models::scenario(
      "gravity = [0.3, 0, -1]\n" +
          body("A",
               "mass = 1.5\ninertia = [0.3, 0.4, 0.5]\ncentre = [0.1, 0, 0.05]\n"
               "points.tip = [0.5, 0.1, -0.2]") +
          body("B",
               "mass = 0.8\ninertia = [[0.2, 0.02, 0], [0.02, 0.3, 0.01], [0, 0.01, 0.25]]\n"
               "points.base = [-0.4, 0.2, 0.3]") +
          joints,
      "project = true\nA = { position = [0, 0, 0], angle_axis = [0.2, 0.1, -0.3] }\n"
      "B = { position = [0.9, 0.1, -0.3], angle_axis = [0.3, 0.1, -0.2] }\n"
      "A_w1 = 0.4\nA_w2 = -0.3\nA_w3 = 0.7\nA_v1 = 0.2\nB_w1 = -0.5\nB_w2 = 0.6\nB_w3 = 0.2\n"
      "B_v2 = 0.4",
      "lobatto(3)", "0.02");
}

struct Law {
  const char* kind;
  const char* lines;
  int constraints;
  std::function<double(const Moved&)> defect;
};

V3 gap(const Moved& m) { return m.place("B", base) - m.place("A", tip); }
V3 axes_apart(const Moved& m) { return m.rotation("A") * axis - m.rotation("B") * axis; }
double frames_apart(const Moved& m) { return (m.rotation("A") - m.rotation("B")).norm(); }

const std::vector<Law>& laws() {
  static const std::vector<Law> list = {
      {"ball", "", 3, [](const Moved& m) { return gap(m).norm(); }},
      {"hinge", "axis = [1, -2, 2]", 5,
       [](const Moved& m) { return gap(m).norm() + axes_apart(m).norm(); }},
      {"slider", "axis = [1, -2, 2]", 5,
       [](const Moved& m) {
         return gap(m).cross(V3(m.rotation("A") * axis)).norm() + frames_apart(m);
       }},
      {"fixed", "", 6, [](const Moved& m) { return gap(m).norm() + frames_apart(m); }},
      {"distance", "length = 0.7", 1, [](const Moved& m) { return std::abs(gap(m).norm() - 0.7); }},
  };
  return list;
}

std::string joined(const Law& law) { return pair(joint(law.kind, "A.tip", "B.base", law.lines)); }

TEST(Joints, KeepWhatTheySay) {
  for (const Law& law : laws()) {
    SCOPED_TRACE(law.kind);
    Moved m(joined(law), 0);
    EXPECT_EQ(m.model().system->d, law.constraints);
    const double energy = m.energy();
    for (int part = 0; part < 5; ++part) {
      EXPECT_LT(law.defect(m), 1e-12);
      m.advance(40);
    }
    EXPECT_NEAR(m.energy(), energy, 1e-6);
  }
}

TEST(Joints, KeepNoMore) {
  const auto after = [](std::size_t used, std::size_t measured) {
    return laws()[measured].defect(Moved(joined(laws()[used]), 100));
  };
  EXPECT_GT(after(0, 1), 0.1);  // a ball joint has no axis
  EXPECT_GT(after(1, 3), 0.1);  // a hinge turns
  EXPECT_GT(after(2, 0), 0.1);  // a slider slides
  EXPECT_GT(after(4, 0), 0.1);  // a distance is not 0
}

TEST(Joints, HoldTheSecondBodyTurned) {
  const V3 by(0.3, -0.2, 0.4);
  const M3 turn = Eigen::AngleAxisd(by.norm(), by.normalized()).toRotationMatrix();
  const std::string line = "turn = [0.3, -0.2, 0.4]\n";
  const auto relative = [](const Moved& m) {
    return M3(m.rotation("A").transpose() * m.rotation("B"));
  };
  const Moved fixed(pair(joint("fixed", "A.tip", "B.base", line)), 100);
  EXPECT_LT((relative(fixed) - turn).norm(), 1e-12);
  const Moved hinge(pair(joint("hinge", "A.tip", "B.base", line + "axis = [1, -2, 2]")), 100);
  EXPECT_LT((relative(hinge).transpose() * axis - turn.transpose() * axis).norm(), 1e-12);
  EXPECT_GT((relative(hinge) - turn).norm(), 0.1);
}

TEST(Joints, TakeTheGroundAtEitherEnd) {
  for (const std::string ends : {"[\"ground\", \"A.tip\"]", "[\"A.tip\", \"ground\"]"}) {
    const Moved m(pair("[[system.joint]]\nkind = \"hinge\"\nbetween = " + ends +
                       "\nat = [0.5, 0, 0]\naxis = [1, -2, 2]\n"),
                  100);
    EXPECT_LT((m.place("A", tip) - V3(0.5, 0, 0)).norm(), 1e-12);
    EXPECT_LT((m.rotation("A") * axis - axis).norm(), 1e-12);
  }
}

// What two bodies are together.

/// Two bodies that are joined firmly move like one with the mass and inertia of both.
TEST(Joints, MakeOneBodyOfTwo) {
  const V3 r = tip - base, c_a(0.1, 0, 0.05), c_b = r;
  const double m_a = 1.5, m_b = 0.8;
  const V3 c = (m_a * c_a + m_b * c_b) / (m_a + m_b);
  const auto about = [&](const V3& from) {
    const V3 d = from - c;
    return M3(d.squaredNorm() * M3::Identity() - d * d.transpose());
  };
  M3 J_b;
  J_b << 0.2, 0.02, 0, 0.02, 0.3, 0.01, 0, 0.01, 0.25;
  const M3 J = M3(V3(0.3, 0.4, 0.5).asDiagonal()) + m_a * about(c_a) + J_b + m_b * about(c_b);
  const auto list = [](const V3& x) {
    return "[" + to_text(x[0]) + ", " + to_text(x[1]) + ", " + to_text(x[2]) + "]";
  };
  const auto start = [&](const std::string& name, const V3& x, const V3& v) {
    return name + " = { position = " + list(x) + ", angle_axis = [0, 0, 0] }\n" + name +
           "_w1 = 0.4\n" + name + "_w2 = -0.3\n" + name + "_w3 = 0.7\n" + name +
           "_v1 = " + to_text(v[0]) + "\n" + name + "_v2 = " + to_text(v[1]) + "\n" + name +
           "_v3 = " + to_text(v[2]) + "\n";
  };
  const V3 w(0.4, -0.3, 0.7), v(0.2, 0, 0);
  std::string two = pair(joint("fixed", "A.tip", "B.base"));
  two.erase(two.find("project"), two.find("[run]") - two.find("project"));
  two.insert(two.find("[run]"), start("A", V3::Zero(), v) + start("B", r, v + w.cross(r)));
  const std::string one = models::scenario(
      "gravity = [0.3, 0, -1]\n" +
          body("A", "mass = 2.3\ncentre = " + list(c) + "\ninertia = [" + list(J.row(0)) + ", " +
                        list(J.row(1)) + ", " + list(J.row(2)) + "]"),
      start("A", V3::Zero(), v), "gauss(4)", "0.02");
  const Moved a(two, 100, {"run.method=lobatto(5)"}), b(one, 100);
  EXPECT_LT((a.rotation("A") - b.rotation("A")).norm(), 1e-10);
  EXPECT_LT((a.place("A", tip) - b.place("A", tip)).norm(), 1e-10);
  EXPECT_NEAR(a.energy(), b.energy(), 1e-10);
}

// In the plane.

std::string rod(const std::string& name, const std::string& length = "1",
                const std::string& mass = "1") {
  return body(name, "space = \"SE2\"\nmass = \"" + mass + "\"\ninertia = \"" + mass + "*(" +
                        length + ")^2/12\"\npoints = { base = [\"-" + length +
                        "/2\", 0], tip = [\"" + length + "/2\", 0] }");
}

/// A rod whose base is at (x, y).
std::string rod_start(const std::string& name, const std::string& x, const std::string& y,
                      const std::string& angle, const std::string& length = "1") {
  return name + " = { x = \"" + x + " + " + length + "/2*cos(" + angle + ")\", y = \"" + y + " + " +
         length + "/2*sin(" + angle + ")\", theta = \"" + angle + "\" }\n";
}

std::string double_pendulum(const std::string& method, const std::string& step = "0.02") {
  return models::scenario(
      "gravity = 1\n" + rod("A") + rod("B") + joint("hinge", "ground", "A.base") +
          joint("hinge", "A.tip", "B.base"),
      rod_start("A", "0", "0", "0") + rod_start("B", "1", "0", "0.5"), method, step);
}

/// The same in the angles of the rods.
Moved in_angles(long steps) {
  return {models::scenario("coordinates = [\"a\", \"b\"]\nlagrangian = \"4/3*a_dot^2/2 + "
                           "b_dot^2/6 + a_dot*b_dot*cos(a - b)/2 - 1.5*sin(a) - sin(b)/2\"",
                           "a = 0\nb = 0.5\na_dot = 0\nb_dot = 0", "gauss(5)", "0.02"),
          steps};
}

TEST(Joints, OfRodsInThePlaneMakeADoublePendulum) {
  const Moved rods(double_pendulum("lobatto(5)"), 150), angles = in_angles(150);
  EXPECT_EQ(rods.model().system->d, 4);
  EXPECT_NEAR(rods("A_theta"), angles("a"), 1e-9);
  EXPECT_NEAR(rods("B_theta"), angles("b"), 1e-9);
  EXPECT_NEAR(rods("B_w"), angles("b_dot"), 1e-8);
  EXPECT_NEAR(rods("B_x"), std::cos(angles("a")) + std::cos(angles("b")) / 2.0, 1e-9);
}

TEST(Joints, KeepTheOrderOfTheMethod) {
  const double exact = in_angles(80)("b");
  const auto error = [&](const std::string& method, const std::string& step, long steps) {
    return std::abs(Moved(double_pendulum(method, step), steps)("B_theta") - exact);
  };
  const auto order = [&](const std::string& method) {
    return std::log2(error(method, "0.04", 40) / error(method, "0.02", 80));
  };
  EXPECT_NEAR(order("lobatto(3)"), 4.0, 0.2);
  EXPECT_NEAR(order("verlet"), 2.0, 0.2);
}

TEST(Joints, InThePlaneCountAndKeep) {
  const auto planar = [](const std::string& joints) {
    return models::scenario(
        "gravity = [0.1, -1]\n" + rod("A") + rod("B", "2") + joints,
        "project = true\nA = { x = 0.5, y = 0, theta = 0.1 }\nB = { x = 2, y = 0.1, theta = 0.2 }\n"
        "A_w = 1\nB_v1 = 0.3\nB_v2 = -0.2",
        "lobatto(3)", "0.02");
  };
  const auto end = [](const Moved& m, const std::string& name, double at) {
    return V3(m(name + "_x") + at * std::cos(m(name + "_theta")),
              m(name + "_y") + at * std::sin(m(name + "_theta")), 0.0);
  };
  const auto d = [&](const Moved& m) { return V3(end(m, "B", -1.0) - end(m, "A", 0.5)); };
  const auto angle = [](const Moved& m) { return m("B_theta") - m("A_theta"); };
  for (const char* kind : {"ball", "hinge"}) {
    const Moved m(planar(joint(kind, "A.tip", "B.base")), 100);
    EXPECT_EQ(m.model().system->d, 2);
    EXPECT_LT(d(m).norm(), 1e-12);
    EXPECT_GT(std::abs(angle(m)), 0.1);
  }
  const Moved slider(planar(joint("slider", "A.tip", "B.base", "axis = [1, 1]\nturn = 0.2")), 100);
  EXPECT_EQ(slider.model().system->d, 2);
  const double across = slider("A_theta") + 0.75 * std::numbers::pi;
  EXPECT_NEAR(d(slider).dot(V3(std::cos(across), std::sin(across), 0)), 0.0, 1e-12);
  EXPECT_GT(d(slider).norm(), 0.1);
  EXPECT_NEAR(angle(slider), 0.2, 1e-12);
  const Moved fixed(planar(joint("fixed", "A.tip", "B.base", "turn = \"-0.3\"")), 100);
  EXPECT_EQ(fixed.model().system->d, 3);
  EXPECT_LT(d(fixed).norm(), 1e-12);
  EXPECT_NEAR(angle(fixed), -0.3, 1e-12);
  const Moved distance(planar(joint("distance", "A.tip", "B.base", "length = 0.5")), 100);
  EXPECT_EQ(distance.model().system->d, 1);
  EXPECT_NEAR(d(distance).norm(), 0.5, 1e-12);
}

const std::string cranks = "parameters = { f = 0.6, m = 1.5 }\n";

/// Two equal cranks hang side by side and carry a bar, which stays level.
std::string parallelogram(const std::string& method = "lobatto(5)") {
  return models::scenario(
      cranks + "gravity = 1\n" + rod("A") + rod("C") + rod("B", "2", "m") +
          joint("hinge", "ground", "A.base") + joint("hinge", "ground", "C.base", "at = [2, 0]") +
          joint("hinge", "A.tip", "B.base") + joint("hinge", "C.tip", "B.tip"),
      rod_start("A", "0", "0", "(f - pi/2)") + rod_start("C", "2", "0", "(f - pi/2)") +
          rod_start("B", "sin(f)", "-cos(f)", "0", "2"),
      method, "0.02");
}

TEST(Joints, CloseALoop) {
  const Moved bars(parallelogram(), 200);
  EXPECT_EQ(bars.model().system->d, 8);
  const Moved crank(models::scenario("coordinates = [\"f\"]\nparameters = { m = 1.5 }\n"
                                     "lagrangian = \"(2/3 + m)*f_dot^2/2 + (1 + m)*cos(f)\"",
                                     "f = 0.6\nf_dot = 0", "gauss(4)", "0.02"),
                    200);
  EXPECT_NEAR(bars("A_theta") + std::numbers::pi / 2.0, crank("f"), 1e-10);
  EXPECT_NEAR(bars("C_w"), crank("f_dot"), 1e-10);
  EXPECT_NEAR(bars("B_theta"), 0.0, 1e-12);
}

/// In space a loop of four parallel hinges has three constraints that follow from the others.
TEST(Joints, ThatAreDependentAreNamedOrLeftOut) {
  const auto bar = [](const std::string& name, double x, double y, double angle) {
    return name + " = { position = [" + to_text(x) + ", " + to_text(y) +
           ", 0], angle_axis = [0, 0, " + to_text(angle) + "] }\n";
  };
  const std::string lines =
      "mass = 1\ninertia = [0.01, 0.09, \"1/12\"]\npoints = { base = [-0.5, 0, 0], tip = [0.5, 0, "
      "0] }";
  const std::string z = "axis = [0, 0, 1]\n";
  const double f = 0.6, s = std::sin(f), c = std::cos(f), down = f - std::numbers::pi / 2.0;
  const std::string loop = models::scenario(
      "gravity = [0, -1, 0]\n" + body("A", lines) + body("C", lines) +
          body("B",
               "mass = 1.5\ninertia = [0.01, 0.5, 0.5]\npoints = { base = [-1, 0, 0], tip = [1, 0, "
               "0] }") +
          joint("hinge", "ground", "A.base", z) +
          joint("hinge", "ground", "C.base", z + "at = [2, 0, 0]") +
          joint("hinge", "A.tip", "B.base", z) + joint("hinge", "C.tip", "B.tip", z),
      bar("A", s / 2, -c / 2, down) + bar("C", 2 + s / 2, -c / 2, down) + bar("B", 1 + s, -c, 0),
      "lobatto(5)", "0.02");
  expect_words(refusal<ScenarioError>([&] { Moved(loop, 0); }),
               {"system.joint[4]", "20 constraints on 18 degrees of freedom", "leave_out"});
  std::string fewer =
      loop;  // a ball joint leaves the axes of two hinges, which are parallel anyhow
  fewer.replace(fewer.rfind("hinge"), 5, "ball").erase(fewer.rfind(z), z.size());
  expect_words(refusal<ScenarioError>([&] { Moved(fewer, 0); }),
               {"18 constraints, but only 17 of them independent", "ball C.tip - B.tip",
                "system.joint[1]", "leave_out"});
  const Moved m(loop, 100, {"run.dependent_constraints=leave_out"});
  const Moved plane(parallelogram(), 100);
  EXPECT_NEAR(m("A_x"), plane("A_x"), 1e-10);
  EXPECT_NEAR(m("B_z"), 0.0, 1e-12);
}

/// A joint with the ground that moves is a constraint that depends on t.
TEST(Joints, AreDriven) {
  const auto driven = [](const std::string& lines) {
    return models::scenario("gravity = 1\n" + lines,
                            "project = true\n" + rod_start("A", "0", "0", "-1"), "lobatto(3)");
  };
  const std::string by_joint =
      driven(rod("A") + joint("hinge", "ground", "A.base", "at = [\"0.1*sin(3*t)\", \"t^2/9\"]"));
  const std::string by_hand = driven(
      "holonomic = [\"A_x - cos(A_theta)/2 - 0.1*sin(3*t)\", \"A_y - sin(A_theta)/2 - t^2/9\"]\n" +
      rod("A"));
  expect_same_motion(by_joint, by_hand, 100, 1e-13);
  EXPECT_TRUE(models::model_of(by_joint).structure.driven);
}

/// Two rods between hinges that move apart: at t = 5 they are straight, the joints dependent, and there is no way on. What
/// was computed is kept, though no memory could be made for that state.
TEST(Joints, ThatBecomeDependentOnTheWayEndTheRun) {
  const std::string lines =
      "space = \"SE2\"\nmass = 1\ninertia = 0.0833\ncentre = [0.5, 0]\n"
      "points = { base = [0, 0], tip = [1, 0] }";
  Model model = models::model_of(
      models::scenario("gravity = 1\n" + body("A", lines) + body("B", lines) +
                           joint("hinge", "ground", "A.base") + joint("hinge", "A.tip", "B.base") +
                           joint("hinge", "ground", "B.tip", "at = [\"1.5 + 0.1*t\", 0]"),
                       "project = true\nA = { x = 0, y = 0, theta = -0.72 }\n"
                       "B = { x = 0.75, y = -0.66, theta = 0.72 }",
                       "lobatto(3)", "0.01", "1000"));
  const Summary s = run(model, {});
  EXPECT_EQ(s.status, "failed");
  EXPECT_NEAR(s.t_end, 5.0, 1e-12);
  EXPECT_EQ(s.records, 501);
  expect_words(s.message, {"become dependent there", "(hinge ground - B.tip)", "t = 5 "});
}

// What is refused, and with which words.

std::string refused(const std::string& text) {
  return refusal<ScenarioError>([&] { Moved(text, 0); });
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

struct Change {
  std::string from, to;
  std::initializer_list<const char*> words;
};

const std::string good = pair(joint("hinge", "A.tip", "B.base", "axis = [0, 0, 1]"));

void expect_refused(const std::string& text, const std::vector<Change>& changes) {
  EXPECT_NO_THROW(Moved(text, 0));
  for (const Change& change : changes) {
    SCOPED_TRACE(change.to);
    expect_words(refused(changed(text, change.from, change.to)), change.words);
  }
}

TEST(BadBodies, AreRefused) {
  expect_refused(
      good,
      {{"mass = 1.5", "mass = -1.5", {"test.toml:5:8:", "system.body[1].mass", "greater than 0"}},
       {"mass = 1.5", "mass = \"1 - 1\"", {"system.body[1].mass", "greater than 0, found 0"}},
       {"mass = 1.5", "mass = \"1 + k\"", {"system.body[1].mass", "unknown name 'k'"}},
       {"mass = 1.5\n", "", {"system.body[1].mass", "missing"}},
       {"[0.3, 0.4, 0.5]",
        "[0.3, 0.4, 0.8]",
        {"system.body[1].inertia: no body", "sum of the other two", "0.8"}},
       {"[0.3, 0.4, 0.5]", "[0.3, 0.4, 0]", {"no body has this inertia", "greater than 0"}},
       {"[0.3, 0.4, 0.5]", "[0.3, 0.4]", {"system.body[1].inertia", "3 entries, found 2"}},
       {"[0.3, 0.4, 0.5]", "0.3", {"system.body[1].inertia", "3 principal moments"}},
       {"[0.02, 0.3, 0.01]",
        "[0.03, 0.3, 0.01]",
        {"system.body[2].inertia: no body", "not symmetric"}},
       {"inertia = [0.3, 0.4, 0.5]\n", "", {"system.body[1].inertia", "missing", "shape"}},
       {"[0.1, 0, 0.05]", "[0.1, 0]", {"system.body[1].centre", "3 entries, found 2"}},
       {"points.tip", "points.centre", {"system.body[1].points.centre", "centre of mass"}},
       {"name = \"B\"", "name = \"A\"", {"system.body[2].name", "A is already a body"}},
       {"name = \"A\"", "name = \"ground\"", {"system.body[1].name", "ground is what does not"}},
       {"name = \"A\"", "name = \"1A\"", {"system.body[1].name", "not a name"}},
       {"name = \"B\"", "name = \"A_tip\"", {"already"}},
       {"name = \"A\"", "name = \"A\"\nspace = \"S2\"", {"system.body[1].space", "SE3, SE2, SO3"}},
       {"name = \"B\"", "name = \"B\"\nspace = \"SE2\"", {"system.body[2].space", "all in space"}},
       {"gravity",
        "coordinates = [\"A\"]\ngravity",
        {"A is a body, but A is already a coordinate"}},
       {"gravity", "hamiltonian = \"0\"\ngravity", {"system.hamiltonian", "bodies"}},
       {"[0.3, 0, -1]", "[0.3, -1]", {"system.gravity", "list of 3"}},
       {"mass = 1.5", "mass = 1.5\nshape = { disk = 1 }", {"shape.disk", "box, cylinder, sphere"}},
       {"mass = 1.5", "mass = 1.5\nshape = { box = [1, 1] }", {"shape.box", "3 entries"}},
       {"mass = 1.5",
        "mass = 1.5\nshape = { rod = [\"tip\", \"tap\"] }",
        {"shape.rod[2]", "not a point of the body", "Did you mean tip?"}},
       {"mass = 1.5", "mass = 1.5\nshape = { sphere = 1, box = [1, 1, 1] }", {"one shape"}},
       {"A = { position = [0, 0, 0], angle_axis = [0.2, 0.1, -0.3] }\n",
        "",
        {"start.A", "missing"}}});
}

TEST(BadBodies, InThePlaneAreRefused) {
  expect_refused(double_pendulum("lobatto(3)"),
                 {{"inertia = \"1*(1)^2/12\"", "inertia = [1, 1, 1]", {"inertia", "one number"}},
                  {"inertia = \"1*(1)^2/12\"", "inertia = \"-1\"", {"inertia", "greater than 0"}},
                  {"inertia = \"1*(1)^2/12\"", "shape = { sphere = 1 }", {"box, disk and rod"}},
                  {"\"A.base\"]", "\"A.base\"]\nat = [0, 0, 0]", {"at", "2 entries, found 3"}},
                  {"\"A.base\"]", "\"A.base\"]\naxis = [0, 1]", {"axis", "hinge in the plane"}}});
}

TEST(BadJoints, AreRefused) {
  expect_refused(
      good,
      {{"\"hinge\"", "\"hing\"", {"system.joint[1].kind", "Did you mean hinge?", "slider"}},
       {"\"A.tip\"", "\"C.tip\"", {"between[1]", "no body \"C\"", "A, B, ground"}},
       {"\"A.tip\"", "\"A.tpi\"", {"between[1]", "A has no point \"tpi\"", "Did you mean tip?"}},
       {"\"A.tip\"", "\"A.\"", {"between[1]", "no point \"\""}},
       {"\"A.tip\"", "\"A[1].tip\"", {"between[1]", "not an array"}},
       {"\"A.tip\"", "\"ground.tip\"", {"between[1]", "no named points", "at = "}},
       {"\"A.tip\"", "\"B\"", {"between[2]", "same body"}},
       {"\"A.tip\", \"B.base\"", "\"ground\", \"ground\"", {"between[2]", "belong to the ground"}},
       {"\"A.tip\", \"B.base\"", "\"A.tip\"", {"between", "two points"}},
       {"axis = [0, 0, 1]", "", {"system.joint[1].axis", "missing", "a hinge needs it"}},
       {"axis = [0, 0, 1]", "axis = [0, \"1 - 1\", 0]", {"system.joint[1].axis", "no direction"}},
       {"axis = [0, 0, 1]", "axis = [0, 1]", {"system.joint[1].axis", "3 entries"}},
       {"axis = [0, 0, 1]", "axis = [0, 0, \"t\"]", {"axis[3]", "must be a number"}},
       {"axis = [0, 0, 1]", "axis = [0, 0, 1]\nlength = 1", {"length", "not for a hinge"}},
       {"axis = [0, 0, 1]", "axis = [0, 0, 1]\nat = [0, 0, 1]", {"at", "does not have"}},
       {"axis = [0, 0, 1]", "axis = [0, 0, 1]\nturn = 1", {"turn", "list of 3"}},
       {"\"hinge\"", "\"ball\"", {"axis", "not for a ball"}},
       {"\"hinge\"", "\"distance\"", {"axis", "not for a distance"}},
       {"axis = [0, 0, 1]",
        "axis = [0, 0, 1]\nturn = [0, \"pi\", 0]",
        {"start", "hinge A.tip - B.base", "right angle", "turn"}},
       {"project = true\n",
        "",
        {"start", "off the constraint (hinge A.tip - B.base)", "project = true"}}});
  EXPECT_NE(refused(changed(pair(joint("distance", "A.tip", "B.base", "length = 1")), "length = 1",
                            "length = \"-1\""))
                .find("system.joint[1].length"),
            std::string::npos);
}

TEST(BadJoints, OfArraysAreRefused) {
  const std::string two = models::scenario(
      body("B[1..2]", "space = \"SE2\"\nmass = 1\ninertia = 1\npoints.p = [1, 0]") +
          joint("ball", "B[i].p", "B[i+1]", "i = [1, 1]"),
      "B = { x = \"i\", y = 0, theta = 0 }", "lobatto(3)");
  expect_refused(two, {{"[1, 1]", "[1, 2]", {"between[2]", "no B[3]", "B[1] to B[2]"}},
                       {"B[i+1]", "B[j+1]", {"test.toml:10:25", "between[2]", "unknown name 'j'"}},
                       {"B[i+1]", "B[i+1/2]", {"between[2]", "no B[1.5]"}},
                       {"B[i+1]", "B", {"between[2]", "array of bodies", "B[1]"}},
                       {"B[i+1]", "B[i", {"between[2]", "B[1] or B[i+1]"}},
                       {"B[i+1]", "B[2-i]", {"ball B[1].p - B[1]", "same body"}}});
}

TEST(BadJoints, ThatSayNothingOrTooMuchAreRefused) {
  const auto top = [](const std::string& joints) {
    return models::scenario(
        body("A", "space = \"SO3\"\nmass = 1\ninertia = [1, 1, 1]\npoints.p = [1, 0, 0]") + joints,
        "A = { angle_axis = [0, 0, 0] }", "lobatto(3)");
  };
  expect_words(refused(top(joint("ball", "ground", "A"))), {"ball ground - A holds by itself"});
  expect_words(refused(top(joint("ball", "ground", "A", "at = [1, 0, 0]"))), {"cannot hold"});
  const Moved hinge(top(joint("hinge", "ground", "A", "axis = [0, 1, 0]")), 0);
  EXPECT_EQ(hinge.model().system->d, 2);
  expect_words(refused(top("[[system.joint]]\nkind = \"ball\"\nbetween = [\"ground\", \"A.p\"]\n"
                           "at = [1, 0, 0]\n" +
                           joint("hinge", "ground", "A", "axis = [0, 1, 0]"))),
               {"system.joint[2]", "5 constraints on 3 degrees"});
  expect_words(refused(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2\"\n" +
                                            joint("ball", "ground", "x"),
                                        "x = 0\nx_dot = 0")),
               {"system.joint[1]", "[[system.body]]", "holonomic"});
  expect_words(
      refused(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2\"\ngravity = 1",
                               "x = 0\nx_dot = 0")),
      {"system.gravity", "there are none"});
}

}  // namespace
}  // namespace varia::io::joints_test
