// SPDX-License-Identifier: BSD-3-Clause
// summary.json: the keys of the contract in its order, and numbers that read back.
#include "varia/io/summary.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "../../src/io/run/summary_json.hpp"
#include "adversity.hpp"
#include "refusal.hpp"
#include "varia/core/version.hpp"

namespace varia::io::summary_test {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& item : object.items()) names.push_back(item.key());
  return names;
}

using Keys = std::vector<std::string>;

Summary example() {
  Summary s;
  s.scenario = "kepler";
  s.method = "gauss(3)";
  s.order = 6;
  s.step = 0.05;
  s.steps = 20000;
  s.structure.cyclic = {"phi"};
  s.structure.is_explicit = true;
  s.final = {1000, {{"y", 0.1}, {"x", 1.0 / 3}}, {{"y_dot", 5e-324}}, {{"y_p", -0.0}}, {1, 2}};
  s.energy = {-0.5, -0.5000000000000001, 1e-16, 2e-16, -1e-300, -0.5, -0.5, 1e-17, "level"};
  s.momenta = {{"rotation", {0.8, 1e-15, 0.8}}};
  s.observe = {{"radius", {0.4, 0.5, 0.4, 1.6}}};
  s.newton = {2.5, 4, 0};
  s.files = {{"trajectory", "out/trajectory.h5"}};
  return s;
}

/// Written in pieces, it is the text that one JSON would have.
TEST(Summary, InPiecesHasTheTextOfTheWhole) {
  Summary s = example();
  for (const bool infinite : {false, true}) {
    if (infinite) {
      s.final.q.emplace_back("z", std::numeric_limits<double>::infinity());
      s.energy.drift_per_time = std::numeric_limits<double>::quiet_NaN();
    }
    for (const int indent : {-1, 0, 2, 3}) {
      std::string pieces;
      write_json(s, indent, [&](std::string_view piece) { pieces += piece; });
      EXPECT_EQ(pieces, json_of(s).dump(indent) + "\n") << indent;
      EXPECT_EQ(pieces, to_json(s, indent));
    }
  }
  EXPECT_EQ(Json::parse(to_json(s))["message"], "Not finite: final.q.z, energy.drift_per_time.");
  s.final = {};
  EXPECT_EQ(to_json(s), json_of(s).dump(2) + "\n");
}

TEST(Summary, HasTheKeysOfTheContractInItsOrder) {
  const Json json = Json::parse(to_json(example()));
  Keys all = keys(json);
  all.resize(18);
  EXPECT_EQ(all, (Keys{"varia", "scenario", "method", "order", "step", "steps", "t_end",
                       "wall_seconds", "steps_per_second", "structure", "final", "energy",
                       "momenta", "observe", "constraints", "newton", "status", "message"}));
  EXPECT_EQ(keys(json["structure"]), (Keys{"separable", "explicit", "time_independent", "cyclic"}));
  EXPECT_EQ(keys(json["final"]), (Keys{"t", "q", "v", "p", "lambda"}));
  EXPECT_EQ(keys(json["energy"]), (Keys{"initial", "final", "max_abs_error", "max_rel_error",
                                        "drift_per_time", "drift_error", "trend", "min", "max",
                                        "exchanged", "swing", "error_of_exchanged", "round_off"}));
  EXPECT_EQ(keys(json["momenta"]["rotation"]),
            (Keys{"initial", "max_abs_error", "final", "parts"}));
  EXPECT_EQ(keys(json["observe"]["radius"]),
            (Keys{"initial", "final", "min", "max", "range", "mean"}));
  EXPECT_EQ(keys(json["constraints"]),
            (Keys{"max_position", "max_velocity", "relative_position", "relative_velocity"}));
  EXPECT_EQ(keys(json["newton"]), (Keys{"mean_iterations", "max_iterations", "failures", "retried",
                                        "iterated", "damped"}));
  EXPECT_EQ(keys(json["final"]["q"]), (Keys{"y", "x"})) << "in the order of the system";
  for (const char* key : {"title", "evaluation", "variational", "records", "files", "warnings"})
    EXPECT_TRUE(json.contains(key)) << key;
  for (const char* key :
       {"mesh", "updates", "momentum", "energy_residual", "diagnose", "step_length"})
    EXPECT_FALSE(json.contains(key)) << key;
}

TEST(Summary, EmptyListsKeepTheirType) {
  const Json json = Json::parse(to_json({}));
  for (const char* key : {"momenta", "observe", "files"}) EXPECT_TRUE(json[key].is_object()) << key;
  for (const char* key : {"q", "v", "p"}) EXPECT_TRUE(json["final"][key].is_object()) << key;
  EXPECT_TRUE(json["final"]["lambda"].is_array());
  EXPECT_TRUE(json["structure"]["cyclic"].is_array());
  EXPECT_TRUE(json["warnings"].is_array());
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["varia"], std::string(version));
}

TEST(Summary, NumbersReadBackToTheBit) {
  Summary s = example();
  const auto numbers = any_numbers(2000, 1);
  s.final.q.clear();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    s.final.q.emplace_back("q" + std::to_string(i), numbers[i]);
  const Json json = Json::parse(to_json(s));
  std::vector<double> found;
  for (const Json& value : json["final"]["q"]) found.push_back(value.get<double>());
  EXPECT_EQ(bits(found), bits(numbers));
  EXPECT_EQ(json["energy"]["final"].get<double>(), -0.5000000000000001);
  EXPECT_EQ(json["steps"].get<long>(), 20000);
  EXPECT_EQ(json["order"].get<int>(), 6);
}

TEST(Summary, WhatIsNotFiniteIsNullAndNamed) {
  Summary s = example();
  s.energy.max_rel_error = std::numeric_limits<double>::infinity();
  s.observe[0].second.max = std::numeric_limits<double>::quiet_NaN();
  s.message = "The energy is zero at first.";
  const Json json = Json::parse(to_json(s));
  EXPECT_TRUE(json["energy"]["max_rel_error"].is_null());
  EXPECT_TRUE(json["observe"]["radius"]["max"].is_null());
  EXPECT_EQ(json["message"],
            "The energy is zero at first. Not finite: energy.max_rel_error, observe.radius.max.");
}

TEST(Summary, Solids) {
  Summary s;
  s.mesh = Summary::Mesh{8, 1, "hexahedron"};
  s.updates = Summary::Updates{100, 10, 1, 800, 0.125, 1e6};
  s.momentum = Summary::SolidMomentum{{1, 2}, {3}, 1e-15};
  s.energy_residual = Summary::EnergyResidual{1e-12};
  s.energy_stationary = Summary::EnergyStationary{1, 60, 39, 0.1, 0.4};
  const Json json = Json::parse(to_json(s));
  EXPECT_EQ(keys(json["mesh"]), (Keys{"nodes", "elements", "kind"}));
  EXPECT_EQ(keys(json["updates"]), (Keys{"total", "max", "min", "newmark_equivalent", "ratio",
                                         "predicted", "deviation", "per_second"}));
  EXPECT_EQ(keys(json["momentum"]), (Keys{"linear", "angular", "max_change"}));
  EXPECT_EQ(json["energy_residual"]["max_relative"].get<double>(), 1e-12);
  const Json steps = json["energy_stationary"];
  EXPECT_EQ(keys(steps), (Keys{"first", "solved", "failed", "smallest_step", "largest_step"}));
  EXPECT_EQ(steps["solved"].get<long>(), 60);
  EXPECT_EQ(steps["failed"].get<long>(), 39);
}

TEST(Summary, IsIndentedByTwoBlanks) {
  const std::string text = to_json(example());
  expect_words(text, {"{\n  \"varia\": ", "  \"energy\": {\n    \"initial\": -0.5,"});
  EXPECT_EQ(text.back(), '\n');
}

TEST(Summary, TextThatIsNotUtf8DoesNotSpoilIt) {
  Summary s = example();
  s.title = "caf\xe9 \"x\"\n";
  Json json;
  EXPECT_NO_THROW(json = Json::parse(to_json(s)));
  EXPECT_TRUE(json.contains("title"));
}

}  // namespace
}  // namespace varia::io::summary_test
