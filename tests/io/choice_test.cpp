// SPDX-License-Identifier: BSD-3-Clause
// Method and step of scenarios that leave them open.
#include "varia/io/choice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "../../src/io/run/fastest_motion.hpp"
#include "../../src/io/run/flow_of_model.hpp"
#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/runner.hpp"

namespace varia::io::choice_test {
namespace {

constexpr double pi = 3.14159265358979323846;

/// A scenario with these lines of [run] alone.
std::string open(const std::string& system, const std::string& start, const std::string& run) {
  return "[system]\n" + system + "\n[start]\n" + start + "\n[run]\n" + run + "\n";
}

std::string oscillator(const std::string& run, const std::string& omega = "3") {
  return open("coordinates = [\"x\"]\nparameters = { w = " + omega +
                  " }\nlagrangian = \"x_dot^2/2 - w^2*x^2/2\"",
              "x = 1\nx_dot = 0", run);
}

Model model(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return models::model_of(text, overrides);
}

const std::string planar_start = "x = 0.5\ny = 0.1\nx_dot = 0\ny_dot = 1";
const std::string planar = "coordinates = [\"x\", \"y\"]\nlagrangian = \"(x_dot^2 + y_dot^2)/2";

TEST(ChosenMethod, FollowsFromTheStructure) {
  const std::map<std::string, std::string> scenarios{
      {"blanes_moan(4)", open(planar + " - x^4 - y^2\"", planar_start, "until = 1")},
      {"verlet", open(planar + " - abs(x)\"", planar_start, "until = 1")},
      {"gauss(2)", open(planar + " + x*y_dot - y^2\"", planar_start, "until = 1")},
      {"gauss(1)", open(planar + " + x*y_dot - abs(y)\"", planar_start, "until = 1")},
      {"lobatto(3)", open(planar + " - y\"\nholonomic = [\"x^2 + y^2 - 1\"]",
                          "x = 1\ny = 0\nx_dot = 0\ny_dot = 0.1", "until = 1")},
      {"nh_lobatto(3)",
       open(
           "coordinates = [\"x\", \"y\", \"a\"]\nlagrangian = \"(x_dot^2 + y_dot^2 + a_dot^2)/2\"\n"
           "nonholonomic = [\"y_dot*cos(a) - x_dot*sin(a)\"]",
           "x = 0\ny = 0\na = 0\nx_dot = 1\ny_dot = 0\na_dot = 1", "until = 1")}};
  for (const auto& [method, text] : scenarios) {
    const Model m = model(text);
    EXPECT_EQ(m.method.name(), method);
    EXPECT_EQ(m.choice.method, method);
    EXPECT_FALSE(m.choice.method_why.empty());
  }
  const auto is = [](const char* method, const std::string& text) {
    EXPECT_EQ(model(text).method.name(), method);
  };
  is("gauss(2)", open(planar + "\"\nforce = { x = \"-x_dot\" }", planar_start, "until = 1"));
  is("gauss(2)",
     open("coordinates = [{ name = \"R\", space = \"SO3\" }]\nlagrangian = \"(R_w1^2 + "
          "2*R_w2^2 + 3*R_w3^2)/2\"",
          "R = { angle_axis = [0, 0, 0] }\nR_w1 = 0.1\nR_w2 = 1\nR_w3 = 0.2", "until = 1"));
  is("gauss(2)", open("coordinates = [\"x\", \"y\"]\nlagrangian = \"y*x_dot - x^2 - y^2\"",
                      "x = 1\ny = 0", "until = 1"));
  is("gauss(2)", open("coordinates = [\"x\"]\nhamiltonian = \"x_p^4*(1 + x^2)\"",
                      "x = 1\nx_p = 0.5", "until = 1"));
  is("blanes_moan(4)",
     open("coordinates = [\"x\"]\nhamiltonian = \"x_p^4 + x^2\"", "x = 1\nx_p = 0.5", "until = 1"));
}

TEST(ChosenMethod, HasTheOrderForTheTolerance) {
  EXPECT_EQ(model(oscillator("until = 1\ntolerance = 1e-3")).method.order(), 4);
  EXPECT_EQ(model(oscillator("until = 1\ntolerance = 1e-9")).method.order(), 6);
  EXPECT_EQ(model(oscillator("until = 1\ntolerance = 1e-12")).method.order(), 8);
}

/// A method or a step that is given stays.
TEST(ChosenMethod, OrStepAlone) {
  const Model step = model(oscillator("method = \"verlet\"\nuntil = 1"));
  EXPECT_EQ(step.method.name(), "verlet");
  EXPECT_TRUE(step.choice.method.empty());
  EXPECT_EQ(step.choice.step, step.step);
  const Model method = model(oscillator("step = 0.01\nuntil = 1"));
  EXPECT_EQ(method.step, 0.01);
  EXPECT_EQ(method.choice.step, 0.0);
  EXPECT_FALSE(method.choice.method.empty());
  // the names of the picture and of other verbs come from a scenario in which nothing is open
  EXPECT_FALSE(step.scenario.run.open_step());
  EXPECT_EQ(build_model(step.scenario).step, step.step);
  const Model none = model(oscillator("method = \"verlet\"\nstep = 0.01\nuntil = 1"));
  EXPECT_FALSE(none.choice.made());
  // "auto" says the same, and replaces what the file has
  const Model words = model(oscillator("method = \"verlet\"\nstep = 0.01\nuntil = 1"),
                            {"run.method=auto", "run.step=auto"});
  EXPECT_EQ(words.method.name(), model(oscillator("until = 1")).method.name());
  EXPECT_EQ(words.step, model(oscillator("until = 1")).step);
}

double frequency_at_start(const std::string& text) {
  const Model m = model(text);
  return FastestMotion(m, m.span)(start_of(m));
}

/// In closed form, whatever states the system.
TEST(FastestMotion, IsThatOfSmallMotions) {
  for (const char* omega : {"0.01", "3", "1e5"})
    EXPECT_NEAR(frequency_at_start(
                    oscillator("step = 0.01\nmethod = \"gauss(2)\"\nsteps = 100000", omega)) /
                    std::stod(omega),
                1.0, 0.02)
        << omega;
  const std::string run = "method = \"METHOD\"\nstep = 0.1\nuntil = 20";
  const auto with = [&](const char* method) {
    std::string text = run;
    return text.replace(text.find("METHOD"), 6, method);
  };
  // a rod that hangs, as a constraint: sqrt(g/l)
  EXPECT_NEAR(frequency_at_start(open(planar + " - 4*y\"\nholonomic = [\"x^2 + y^2 - 1\"]",
                                      "x = 0\ny = -1\nx_dot = 0\ny_dot = 0", with("lobatto(3)"))),
              2.0, 0.04);
  // a charge in a field: the gyration
  EXPECT_NEAR(frequency_at_start(
                  open(planar + " + 5*(x*y_dot - y*x_dot)/2\"", planar_start, with("gauss(2)"))),
              5.0, 0.1);
  EXPECT_NEAR(frequency_at_start(open("coordinates = [\"x\", \"y\"]\nlagrangian = \"y*x_dot - "
                                      "3.5*(x^2 + y^2)\"",
                                      "x = 1\ny = 0", with("gauss(2)"))),
              7.0, 0.15);
  EXPECT_NEAR(frequency_at_start(open("coordinates = [\"x\"]\nhamiltonian = \"exp(x_p) - x_p + "
                                      "9*x^2/2\"",
                                      "x = 0\nx_p = 0", with("gauss(2)"))),
              3.0, 0.06);
  // a rotor about its axis of symmetry: (I3 - I1)/I1 w of the wobble, 1 w of what turns with it
  EXPECT_NEAR(
      frequency_at_start(open("coordinates = [{ name = \"R\", space = \"SO3\" }]\nlagrangian "
                              "= \"(R_w1^2 + R_w2^2 + 1.5*R_w3^2)/2\"",
                              "R = { angle_axis = [0, 0, 0] }\nR_w1 = 0\nR_w2 = 0\nR_w3 = 4",
                              with("gauss(2)"))),
      4.0, 0.1);
  EXPECT_EQ(frequency_at_start(open(planar + "\"", planar_start, with("verlet"))), 0.0);
}

/// Of many coordinates by the images of one vector: a chain of 60 has 2 sin(60 pi/122).
TEST(FastestMotion, OfAChain) {
  const double omega = frequency_at_start(
      open("coordinates = [\"q[1..60]\"]\nlagrangian = \"sum(i, 1, 60, q_dot[i]^2)/2 - (q[1]^2 + "
           "q[60]^2 + sum(i, 1, 59, (q[i+1] - q[i])^2))/2\"",
           "q = \"sin(i)\"\nq_dot = 0", "method = \"verlet\"\nstep = 0.1\nuntil = 20"));
  EXPECT_NEAR(omega, 2.0 * std::sin(60 * pi / 122), 0.03);
}

/// Twice as fast, half of the step; the step divides the span, also backwards.
TEST(ChosenStep, ScalesWithTheMotion) {
  const Model slow = model(oscillator("until = 100", "1"));
  const Model fast = model(oscillator("until = 50", "2"));
  EXPECT_NEAR(fast.step, 0.5 * slow.step, 1e-3 * slow.step);
  EXPECT_NEAR(slow.choice.frequency, 1.0, 0.02);
  EXPECT_NEAR(slow.step * static_cast<double>(slow.steps), 100.0, 1e-12);
  EXPECT_TRUE(slow.notes.empty());
  const Model back = model(oscillator("until = -100", "1"));
  EXPECT_EQ(back.step, -slow.step);
  EXPECT_EQ(back.steps, slow.steps);
}

TEST(ChosenStep, IsTheSameEveryTime) {
  const std::string text =
      open(planar + " + 1/sqrt(x^2 + y^2)\"", planar_start, "until = 20\ntolerance = 1e-6");
  const Model a = model(text), b = model(text);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.choice.lines(), b.choice.lines());
  // and with a parameter that stays an input of the formulas
  const Model free = model(oscillator("until = 10"), {"system.free=[\"w\"]"});
  EXPECT_EQ(free.step, model(oscillator("until = 10")).step);
}

/// Position at the end against the closed form, over the trial that was measured.
double error_over_trial(const Model& m) {
  const AnyFlow flow = flow_of(m);
  VectorState s = start_of(m);
  AnyFlow::Memory memory = flow.memory(s);
  double worst = 0.0;
  const auto steps = static_cast<long>(std::floor(m.choice.stretch / m.step));
  for (long k = 0; k < steps; ++k) {
    flow.move(s, m.step, 1, memory);
    worst = std::max(worst, std::abs(s.q[0] - std::cos(3.0 * s.t)));
  }
  return worst / 2.0;  // it moves from -1 to 1
}

TEST(ChosenStep, MeetsTheTolerance) {
  for (const char* method : {"verlet", "gauss(2)", "blanes_moan(4)", "auto"})
    for (const char* tolerance : {"1e-3", "1e-6", "1e-8"}) {
      const Model m = model(oscillator("until = 200\nmethod = \"" + std::string(method) +
                                       "\"\ntolerance = " + tolerance));
      const double bound = std::stod(tolerance);
      EXPECT_LE(m.choice.error, bound) << method << " " << tolerance;
      const double found = error_over_trial(m);
      EXPECT_LT(found, 1.1 * bound) << method << " " << tolerance;
      EXPECT_GT(found, 0.01 * bound) << method << " " << tolerance << ": steps are too short";
      EXPECT_GT(found, 0.5 * m.choice.error);
      EXPECT_LT(found, 1.2 * m.choice.error);
    }
}

/// What no frequency tells: the error is measured.
TEST(ChosenStep, SeesAForceThatDependsOnTime) {
  const std::string driven = open("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 + x*sin(40*t)\"",
                                  "x = 0\nx_dot = 0", "until = 10\ntolerance = 1e-5");
  const Model m = model(driven);
  EXPECT_LT(m.step * 40.0, 2.0);
  EXPECT_LE(m.choice.error, 1e-5);
}

/// Where a force ends before the run does, steps are as long as what was before asks for: the run then says where it ends.
TEST(ChosenStep, OfAMotionThatEndsOnTheWay) {
  Model m = model(
      open("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2\"\nforce = { x = \"sqrt(3.4 - t)\" }",
           "x = 1\nx_dot = 0", "until = 10"));
  EXPECT_GT(m.step, 0.05);
  const Summary s = run(m, {});
  EXPECT_EQ(s.status, "failed");
  expect_words(s.message, {"square root of -", "3.4"});
}

TEST(ChosenStep, IsRefusedWithTheRemedy) {
  const auto refused = [](const std::string& text, const std::vector<std::string>& words) {
    const std::string found = refusal<ScenarioError>([&] { model(text); });
    for (const std::string& word : words) expect_words(found, {word.c_str()});
  };
  refused(oscillator("until = 10\ntolerance = 1e-18\nmethod = \"verlet\""),
          {"run.tolerance", "cannot be reached with verlet", "higher order"});
  refused(oscillator("until = 10\ntolerance = 1e-18\nmethod = \"gauss(6)\""),
          {"run.tolerance", "cannot be reached with gauss(6)", "round-off"});
  refused(oscillator("until = 10\nstep = 0.1\ntolerance = 1e-8"),
          {"run.tolerance", "step = 0.1 is given", "leave the step out"});
  refused(oscillator("until = 10\ntolerance = 2"), {"run.tolerance", "less than 1"});
  refused(oscillator("until = 10\ntolerance = 0"), {"run.tolerance", "greater than 0"});
  refused(oscillator("until = 0"), {"run.until", "time of the start"});
  refused(open(planar + "\"", planar_start, "steps = 10"), {"run.step", "no time scale", "until"});
  refused(oscillator("until = 1\nmethod = \"verlet\"\npace = \"1 + x^2\"\ntolerance = 1e-3"),
          {"run.tolerance", "pace"});
}

/// Measuring a step must not take longer than a part of the run: trials are shorter where steps are dear, and
/// where the run is short.
TEST(ChosenStep, OfDearStepsIsMeasuredOnAShortTrial) {
  const auto rods = [](int n, int until) {
    const std::string range = "[1.." + std::to_string(n) + "]", last = std::to_string(n);
    const auto joint = [&](const std::string& x, const std::string& axis) {
      return "  \"" + x + "[1] + " + axis + "[1]/2\",\n  { phi = \"" + x + "[i] + " + axis +
             "[i]/2 - " + x + "[i-1] + " + axis + "[i-1]/2\", i = [2, " + last + "] },\n";
    };
    return open("coordinates = [{ name = \"R" + range + "\", space = \"SO3\" }, \"x" + range +
                    "\", \"y" + range + "\", \"z" + range + "\"]\nlagrangian = \"sum(i, 1, " +
                    last +
                    ", (x_dot[i]^2 + y_dot[i]^2 + z_dot[i]^2 + 0.1*(R_w1[i]^2 + R_w2[i]^2) + "
                    "0.04*R_w3[i]^2)/2 - z[i])\"\nholonomic = [\n" +
                    joint("x", "R13") + joint("y", "R23") + joint("z", "R33") + "]",
                "R = { angle_axis = [0.4, 0, 0] }\nR_w1 = 0\nR_w2 = 0\nR_w3 = 5\nx_dot = 0\ny_dot "
                "= 0\nz_dot = 0\nx = 0\ny = \"(i - 0.5)*sin(0.4)\"\nz = "
                "\"-(i - 0.5)*cos(0.4)\"",
                "until = " + std::to_string(until));
  };
  const double periods = 2.0 * pi;
  const RunChoice short_run = model(rods(24, 4)).choice;
  EXPECT_LE(short_run.stretch * short_run.frequency, 3.0 * periods);
  EXPECT_GE(short_run.stretch * short_run.frequency, 0.5 * periods);
  const RunChoice long_run = model(rods(2, 2000)).choice;
  EXPECT_NEAR(long_run.stretch * long_run.frequency, 10.0 * periods, 0.5 * periods);
}

TEST(ChosenStep, OfAGivenNumberOfStepsHasFewDigits) {
  const Model m = model(oscillator("steps = 100"));
  EXPECT_EQ(m.steps, 100);
  EXPECT_NEAR(m.step, 2 * pi / 3 / 30, 0.1 * m.step);
  EXPECT_LE(varia::to_text(m.step).size(), 6U);
}

/// Steps in tau: as long in t, at the start, as those of the motion there.
TEST(ChosenStep, OfStepsThatVary) {
  const std::string text = open(planar + " + 1/sqrt(x^2 + y^2)\"", planar_start,
                                "until = 5\npace = \"(x^2 + y^2)^(3/4)\"");
  Model m = model(text);
  const Summary s = run(m, {});
  EXPECT_EQ(s.status, "done");
  EXPECT_LT(s.energy.of_exchanged(), 1e-3);
}

/// A step that is longer than the run is an error, not a run of 0 steps.
TEST(StatedStep, LongerThanTheRunIsRefused) {
  const auto refused = [](const std::string& run, const std::vector<std::string>& words) {
    const std::string found = refusal<ScenarioError>([&] { model(oscillator(run)); });
    for (const std::string& word : words) expect_words(found, {word.c_str()});
  };
  refused("method = \"verlet\"\nstep = 2\nuntil = 1",
          {"run.step", "longer than the run", "until = 1", "at most 1"});
  refused("method = \"verlet\"\nstep = -2\nuntil = -1", {"run.step", "longer than the run"});
  EXPECT_EQ(model(oscillator("method = \"verlet\"\nstep = 1\nuntil = 1")).steps, 1);
  EXPECT_EQ(model(oscillator("method = \"verlet\"\nstep = 1.0000001\nuntil = 1")).steps, 1);
}

}  // namespace
}  // namespace varia::io::choice_test
