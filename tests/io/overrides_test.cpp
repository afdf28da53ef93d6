// SPDX-License-Identifier: BSD-3-Clause
// Changes from the command line: what --set means, and how a wrong one is refused.
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "varia/io/scenario.hpp"

namespace varia::io::overrides_test {

namespace {

const std::string base = R"~([system]
coordinates = ["x", "q[1..3]"]
parameters = { mu = 1, k = "mu", every = 3, m = [1, 2] }
lagrangian = "x_dot^2"
[start]
x = 1
q = 0
x_dot = 1
q_dot = 0
[run]
method = "verlet"
step = 0.1
until = 1
)~";

Scenario with(const std::vector<std::string>& overrides) {
  return parse_scenario(base, "f.toml", overrides);
}

std::string refused(const std::vector<std::string>& overrides) {
  return refusal<ScenarioError>([&] { with(overrides); });
}

}  // namespace

TEST(Overrides, ReplaceValues) {
  EXPECT_EQ(with({"run.step=0.5"}).run.step.value, "0.5");
  EXPECT_EQ(with({"step = 1/8"}).run.step.value, "1/8");
  EXPECT_EQ(with({"method=gauss(3)"}).run.method.value, "gauss(3)");
  EXPECT_EQ(with({"method=\"gauss(3)\""}).run.method.value, "gauss(3)");
  EXPECT_EQ(with({"method=newmark(beta=0.25)"}).run.method.value, "newmark(beta=0.25)");
  EXPECT_EQ(with({"run.every=7"}).run.every, 7);
  EXPECT_EQ(with({"title=A new name"}).title, "A new name");
  EXPECT_EQ(with({"m=[3, 4, 5]"}).system.parameters[3].values.size(), 3U);
  EXPECT_EQ(with({"output.formats=[\"csv\"]"}).output.formats.at(0), "csv");
  EXPECT_EQ(with({"step=0.5", "step=0.25"}).run.step.value, "0.25");
  EXPECT_EQ(with({"step=0.5"}).overrides.at(0), "step=0.5");
  EXPECT_EQ(with({"step=0.5"}).text, base);
}

TEST(Overrides, KeepTheOrderOfParameters) {
  const Scenario s = with({"system.parameters.mu=2"});
  EXPECT_EQ(s.system.parameters[0].name, "mu");
  EXPECT_EQ(s.system.parameters[0].values[0].value, "2");
  EXPECT_EQ(s.system.parameters[1].name, "k");
  EXPECT_EQ(s.system.parameters[0].place.file, "--set system.parameters.mu=2");
}

TEST(Overrides, AddWhatIsNotInTheFile) {
  EXPECT_EQ(with({"system.force.x=-x_dot"}).system.force.at(0).text.value, "-x_dot");
  EXPECT_EQ(with({"start.t=3"}).start.t.value, "3");
  for (const char* entry : {"start.q[2]=5", "start.\"q[2]\"=5", "start.'q[2]'=5"}) {
    const Scenario s = with({entry});
    ASSERT_EQ(s.start.positions.size(), 4U);
    EXPECT_EQ(s.start.positions[2].component, "q[2]");
    EXPECT_EQ(s.start.positions[2].text.value, "5") << entry;
    EXPECT_EQ(s.start.positions[1].text.value, "0") << entry;
  }
}

/// Indices are those of the coordinates: q[1..3] has no q[0], q[0..2] has one.
TEST(Overrides, IndexZero) {
  expect_words(refused({"start.q[0]=5"}), {"--set start.q[0]=5", "start.q[0]"});
  expect_words(refused({"start.q[4]=5"}), {"start.q[4]"});
  std::string text = base;
  text.replace(text.find("q[1..3]"), 7, "q[0..2]");
  const Scenario s = parse_scenario(text, "f.toml", {"start.q[0]=5"});
  ASSERT_EQ(s.start.positions.size(), 3U);
  EXPECT_EQ(s.start.positions[1].component, "q[0]");
  EXPECT_EQ(s.start.positions[1].text.value, "5");
  EXPECT_EQ(s.start.positions[2].text.value, "0");
  EXPECT_EQ(s.start.positions[2].count, 2);
}

TEST(Overrides, OneOfTwoThatExcludeEachOtherReplacesTheOther) {
  const Scenario s = with({"steps=20"});
  EXPECT_EQ(s.run.steps, 20);
  EXPECT_FALSE(s.run.until.has_value());
  EXPECT_EQ(with({"until=20"}).run.until->value, "20");
  expect_words(refused({"steps=20", "until=3"}), {"given together with run.until"});
}

TEST(Overrides, AreRefusedWithSetAsTheirPlace) {
  EXPECT_EQ(refused({"run.stepp=0.1"}),
            "--set run.stepp=0.1: run.stepp: unknown key; allowed: constraints, "
            "dependent_constraints, evaluation, "
            "every, keep_energy, method, multiplier, pace, projection, "
            "reconstruct, retraction, solver, start_multipliers, step, steps, tolerance, ... (17 "
            "in all). Did you mean step?");
  EXPECT_EQ(refused({"every=2"}),
            "--set every=2: every: both a parameter and a key of run; write "
            "system.parameters.every or run.every.");
  EXPECT_EQ(refused({"nu=2"}),
            "--set nu=2: nu: neither a parameter (mu, k, every, m) nor a key of run "
            "(constraints, dependent_constraints, evaluation, every, keep_energy, method, "
            "multiplier, pace, "
            "projection, "
            "reconstruct, retraction, solver, start_multipliers, step, "
            "steps, tolerance, ... (17 in all)). Did you mean mu?");
  expect_words(refused({"x=2"}), {"Did you mean start.x?"});
  expect_words(refused({"report=false"}), {"Did you mean output.report?"});
  expect_words(refused({"system.parameters.nu=2"}), {"there is no such parameter", "mu?"});
  expect_words(refused({"mu"}), {"--set mu: needs the form name=value"});
  expect_words(refused({"=3"}), {"needs the form name=value"});
  expect_words(refused({"run..step=3"}), {"is not a key"});
  expect_words(refused({"mu=true"}), {"--set mu=true: system.parameters.mu: must be a number"});
  expect_words(refused({"mu="}), {"--set mu=: system.parameters.mu: ", "empty text"});
  expect_words(refused({"mu=inf"}), {"must be finite"});
  expect_words(refused({"run.step.a=1"}), {"run.step: not a table but the number 0.1"});
  expect_words(refused({"solid.a=1"}), {"--set solid.a=1: solid: given together with system"});
  expect_words(refused({"start.z=1"}), {"--set start.z=1: start.z: there is no such coordinate"});
  expect_words(refused({"run={}"}), {"--set run={}: run.until: missing"});
}

/// A sweep changes a parameter of a scenario that has been read.
TEST(Overrides, AChangedParameterIsAReadOne) {
  const auto places = [](const Parameter& p) {
    return place_text(p.place) + " " + place_text(p.values.front().place) + " " +
           p.values.front().key + " " + p.values.front().value;
  };
  for (const char* value : {"2.5", "3", " 1e-3 ", "\"sqrt(2)\"", "sqrt(3)"}) {
    const std::string override = std::string("mu=") + value;
    const Scenario read = with({"step=0.2", override});
    Scenario changed = with({"step=0.2", "mu=0.7"});
    change_parameter(changed, "mu", override);
    EXPECT_EQ(changed.settings.text(), read.settings.text()) << value;
    ASSERT_EQ(changed.system.parameters.size(), read.system.parameters.size());
    for (std::size_t k = 0; k < read.system.parameters.size(); ++k)
      EXPECT_EQ(places(changed.system.parameters[k]), places(read.system.parameters[k])) << value;
  }
  Scenario other = with({});
  expect_words(refusal([&] { change_parameter(other, "nu", "nu=1"); }), {"no parameter nu"});
}

TEST(Overrides, ValuesThatWouldAddLinesStayText) {
  EXPECT_EQ(with({"method=1\n[x]"}).run.method.value, "1\n[x]");
  EXPECT_EQ(with({"method=1\nstep=3"}).run.step.value, "0.1");
  EXPECT_NO_THROW(with({"mu=" + std::string(100000, '[')}));
  refused({"a" + std::string(100000, '.') + "a=1"});
}

}  // namespace varia::io::overrides_test
