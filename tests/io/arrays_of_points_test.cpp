// SPDX-License-Identifier: BSD-3-Clause
// Arrays of points, { name = "R[1..3]", space = "SO3" }: the same motion as points with names of their own.
#include <gtest/gtest.h>

#include "models.hpp"
#include "scenarios.hpp"
#include "varia/io/stepper.hpp"
#include "varia/space/list.hpp"

namespace varia::io::arrays_of_points_test {
namespace {

constexpr int points = 3;

/// How the name of a component of the k-th point is written.
using Name = std::function<std::string(const std::string& suffix, int k)>;

std::string in_array(const std::string& suffix, int k) {
  return "P" + suffix + "[" + std::to_string(k) + "]";
}
std::string alone(const std::string& suffix, int k) {
  return std::string(1, static_cast<char>('a' + k)) + suffix;
}

/// Σ f(k), as sum(i, ...) adds it up.
std::string sum(int last, const std::function<std::string(int)>& f) {
  std::string text;
  for (int k = 1; k <= last; ++k) text += (k > 1 ? " + (" : "(") + f(k) + ")";
  return "(" + text + ")";
}

/// Neighbours are coupled through all entries, and the inertias differ.
std::string lagrangian(const Notation& n, const Name& name) {
  const auto kinetic = [&](int k) {
    std::string text = "0";
    for (std::size_t j = 0; j < n.velocities.suffixes.size(); ++j)
      text += " + (1 + 0.2*" + std::to_string(j) + ")*" + name(n.velocities.suffixes[j], k) + "^2";
    return text;
  };
  const auto coupling = [&](int k) {
    std::string text = "0";
    for (const std::string& s : n.entries.suffixes)
      text += " + cos(" + name(s, k) + " - 0.5*" + name(s, k + 1) + ")";
    return text;
  };
  return sum(points, kinetic) + "/2 + " + sum(points - 1, coupling);
}

/// On the great circle to which (1, 1, 1) is orthogonal, as are the velocities below.
std::string unit_vector(const std::string& angle) {
  const std::string c = "cos(" + angle + ")/sqrt(2)", s = "sin(" + angle + ")/sqrt(6)";
  return "[\"" + s + " + " + c + "\", \"" + s + " - " + c + "\", \"-2*" + s + "\"]";
}

/// The first form of the space, or a number; it differs from point to point by k, a number or i.
std::string start_of(const Notation& n, const std::string& k) {
  const std::string number = "\"0.3 + 0.2*" + k + "\"";
  if (n.forms.empty()) return number;
  std::string text;
  for (const PointKey& key : n.forms.front()) {
    const std::string list = "[" + number + ", \"0.1*" + k + "\", 0.2]";
    if (key.key.empty()) return unit_vector("0.3 + 0.2*" + k);
    text += (text.empty() ? "" : ", ") + key.key + " = " + (key.shape.empty() ? number : list);
  }
  return "{ " + text + " }";
}

std::string lines(const Notation& n, const Name& name) {
  std::string text = "force = { ";
  for (int k = 1; k <= points; ++k)
    text += (k > 1 ? ", \"" : "\"") + name(n.forces.suffixes.front(), k) + "\" = \"-0.1*" +
            name(n.velocities.suffixes.back(), k) + "\"";
  return text + " }";
}

Model alone_model(const Notation& n) {
  std::string coordinates, start;
  for (int k = 1; k <= points; ++k) {
    coordinates +=
        (k > 1 ? ", " : "") + ("{ name = \"" + alone("", k)) + "\", space = \"" + n.key + "\" }";
    start += alone("", k) + " = " + start_of(n, std::to_string(k)) + "\n";
    for (const std::string& s : n.velocities.suffixes)
      start += alone(s, k) + " = \"0.4*cos(" + std::to_string(k) + ")\"\n";
  }
  return models::model_of(models::scenario("coordinates = [" + coordinates + "]\nlagrangian = \"" +
                                               lagrangian(n, alone) + "\"\n" + lines(n, alone),
                                           start));
}

/// `more` are the lines of the array in [system], `start` that of the points.
Model array_model(const Notation& n, const std::string& start, const std::string& text,
                  const std::string& more) {
  std::string rates;
  for (const std::string& s : n.velocities.suffixes) rates += "P" + s + " = \"0.4*cos(i)\"\n";
  return models::model_of(models::scenario("coordinates = [{ name = \"P[1..3]\", space = \"" +
                                               n.key + "\" }]\nlagrangian = \"" + text + "\"\n" +
                                               more,
                                           start + "\n" + rates));
}

Snapshot moved(const Model& model) {
  const auto stepper = make_stepper(model);
  stepper->advance(model.step, 40);
  Snapshot s;
  stepper->snapshot(s);
  return s;
}

void expect_same_motion(const Model& one, const Model& other) {
  EXPECT_EQ(one.q0, other.q0);
  EXPECT_EQ(one.rates0, other.rates0);
  const Snapshot a = moved(one), b = moved(other);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.p, b.p);
  EXPECT_NE(a.q, one.q0);
}

TEST(ArraysOfPoints, MoveLikePointsWithNamesOfTheirOwn) {
  for (const FactorPtr& factor : space_list()) {
    const Notation& n = factor->notation();
    SCOPED_TRACE(n.key);
    const Model single = alone_model(n);
    const std::string text = lagrangian(n, in_array);
    const std::string each = lines(n, in_array);
    const std::string all = "force = { P" + n.forces.suffixes.front() + " = \"-0.1*P" +
                            n.velocities.suffixes.back() + "[i]\" }";
    const std::string once = "P = " + start_of(n, "i");
    const std::string list =
        "P = [" + start_of(n, "1") + ", " + start_of(n, "2") + ", " + start_of(n, "i") + "]";
    const std::string own = "\"P[2]\" = " + start_of(n, "2") + "\nP = " + start_of(n, "(4 - i)") +
                            "\n\"P[1]\" = " + start_of(n, "i") + "\n\"P[3]\" = " + start_of(n, "3");
    for (const std::string& start : {once, list, own})
      expect_same_motion(array_model(n, start, text, each), single);
    expect_same_motion(array_model(n, once, text, all), single);
  }
}

const std::string sums =
    "sum(i, 1, 3, R_w1[i]^2 + 2*R_w2[i]^2 + 3*R_w3[i]^2)/2 + sum(i, 1, 2, R33[i]*R33[i+1])";

std::string rotors(const std::string& start = "R = { quaternion = [1, 0, 0, 0] }",
                   const std::string& more = "", const std::string& text = sums) {
  return models::scenario(
      "coordinates = [\"x\", { name = \"R[1..3]\", space = \"SO3\" }, \"y\"]\nlagrangian = "
      "\"x_dot^2 + y_dot^2 + " +
          text + "\"\n" + more,
      "x = 0\ny = 0\nx_dot = 0\ny_dot = 0\nR_w1 = 0.1\nR_w2 = [1, 2, \"i\"]\nR_w3 = 0\n" + start);
}

TEST(ArraysOfPoints, NamesHaveTheIndexAtTheEnd) {
  const Model model = models::model_of(rotors());
  ASSERT_EQ(model.entry_names.size(), 29U);
  EXPECT_EQ(model.entry_names[1], "R11[1]");
  EXPECT_EQ(model.entry_names[9], "R33[1]");
  EXPECT_EQ(model.entry_names[10], "R11[2]");
  EXPECT_EQ(model.entry_names[28], "y");
  EXPECT_EQ(model.velocity_names,
            (Names{"x_dot", "R_w1[1]", "R_w2[1]", "R_w3[1]", "R_w1[2]", "R_w2[2]", "R_w3[2]",
                   "R_w1[3]", "R_w2[3]", "R_w3[3]", "y_dot"}));
  EXPECT_EQ(model.momentum_names[4], "R_m1[2]");
  EXPECT_EQ(force_names(model.scenario.system)[4], "R_1[2]");
  EXPECT_EQ(space_name(model), "R^1 x SO(3)^3 x R^1");
  EXPECT_EQ(model.rates0[8], 3.0);
}

/// The coupling keeps the rotation of all about the vertical of space, and of each about its own axis.
TEST(ArraysOfPoints, HaveSymmetries) {
  const Model model = models::model_of(
      rotors("R = { angle_axis = [\"0.3*i\", 0.1, 0] }",
             "symmetry.all = { R_1 = \"R31[i]\", R_2 = \"R32[i]\", R_3 = \"R33[i]\" }\n"
             "symmetry.second = { \"R_1[2]\" = \"R31[2]\", \"R_2[2]\" = \"R32[2]\", \"R_3[2]\" = "
             "\"R33[2]\" }\n"
             "symmetry.tilt = { \"R_1[2]\" = \"R11[2]\", \"R_2[2]\" = \"R12[2]\", \"R_3[2]\" = "
             "\"R13[2]\" }\n"));
  ASSERT_GE(model.momenta.size(), 3U);
  EXPECT_TRUE(model.momenta[0].conserved);
  EXPECT_TRUE(model.momenta[1].conserved);
  EXPECT_FALSE(model.momenta[2].conserved);
}

std::string refused_model(const std::string& text) {
  return refusal<ScenarioError>([&] { models::model_of(text); });
}

TEST(ArraysOfPoints, StartsThatDoNotFitAreRefused) {
  const std::string one = "{ quaternion = [1, 0, 0, 0] }";
  expect_words(refused_model(rotors("R = [" + one + ", " + one + "]")),
               {"test.toml:13:5: start.R: must have 3 entries", "R[1] to R[3]", "found 2"});
  expect_words(refused_model(rotors("R = []")), {"start.R: must have 3 entries", "found 0"});
  expect_words(
      refused_model(rotors("R = [1, 0, 0]")),
      {"13:6: start.R[1]: R[1] is a rotation", "quaternion = [w, x, y, z]", "the number 1"});
  expect_words(refused_model(rotors("R = 0")), {"13:5: start.R[1]: R[1] is a rotation"});
  expect_words(refused_model(rotors("R = [" + one + ", " + one + ", { quaternion = [1, 0] }]")),
               {"start.R[3].quaternion: must have 4 entries, found 2"});
  expect_words(refused_model(rotors("\"R[1]\" = " + one + "\n\"R[3]\" = " + one)),
               {"start.R[2]: missing"});
  expect_words(refused_model(rotors("R = " + one + "\n\"R[4]\" = " + one)),
               {"14:1: start.R[4]: out of range; the entries are R[1] to R[3]"});
  expect_words(refused_model(rotors("R = " + one + "\n\"R_w1[0]\" = 1")),
               {"start.R_w1[0]: out of range; the entries are R_w1[1] to R_w1[3]"});
  expect_words(refused_model(rotors("R = { quaternion = [\"2 - i\", 0, 0, 0] }")),
               {"13:5: start.R[2]", "the quaternion is zero"});
  expect_words(refused_model(rotors("R = " + one + "\n\"x[1]\" = 1")), {"x is not an array"});
  expect_words(refused_model(rotors("R = " + one + "\n\"R[1]\" = [" + one + "]")),
               {"start.R[1]: R[1] is a rotation", "found a list"});
}

TEST(ArraysOfPoints, OtherMistakesAreRefused) {
  const std::string start = "R = { quaternion = [1, 0, 0, 0] }";
  expect_words(refused_model(rotors(start, "", sums + " + R33[4]")),
               {"system.lagrangian", "index 4 is out of the range of R33[1..3]"});
  expect_words(refused_model(rotors(start, "", sums + " + R_w1")),
               {"'R_w1' is the array R_w1[1..3]", "as in R_w1[1]"});
  expect_words(refused_model(rotors(start, "", sums + " + sin(R_w1)")),
               {"'R_w1' is the array R_w1[1..3]", "R_w1[1]"});
  expect_words(refused_model(rotors(start, "", sums + " + sin(R)")),
               {"'R' is the array R[1..3,1..3,1..3]", "3 matrices", "R[1]"});
  expect_words(
      refused_model(rotors(start, "force = { R_1 = [1, 2] }")),
      {"system.force.R_1: must have 3 entries, one for each of R_1[1] to R_1[3], found 2"});
  expect_words(refused_model(rotors(start, "force = { \"R_1[7]\" = 1 }")),
               {"system.force.R_1[7]: out of range"});
  const auto coordinate = [](const std::string& name) {
    return refused(scenario("[{ name = \"" + name + "\", space = \"SE3\" }]", "", "g = { x = 0 }"));
  };
  expect_words(coordinate("g[3..2]"),
               {"system.coordinates[1].name: the first index must not be greater than the last"});
  expect_words(coordinate("g[]"), {"an array is written \"q[1..64]\""});
  expect_words(coordinate("g[1..200000]"), {"more than 1000000 coordinates"});
}

}  // namespace
}  // namespace varia::io::arrays_of_points_test
