// SPDX-License-Identifier: BSD-3-Clause
// The schema: every row is complete, every example and default is one that reads, and the page is the table.
#include "varia/io/schema.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "refusal.hpp"
#include "source_folder.hpp"
#include "varia/io/scenario.hpp"

namespace varia::io::schema_test {

namespace {

std::filesystem::path page() {
  return std::filesystem::path(source_folder) / "docs/reference/scenario.md";
}

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<std::string> toml_blocks(const std::string& text) {
  std::vector<std::string> blocks;
  const std::string open = "```toml\n";
  for (auto at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    at += open.size();
    blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
}

const std::string base = R"~([system]
coordinates = ["x", "y"]
parameters = { mu = 1, e = 0.5 }
lagrangian = "x_dot^2"
[start]
x = 1
y = 1
x_dot = 1
y_dot = 1
[run]
method = "verlet"
step = 0.1
until = 1
)~";

const std::string solid_base = R"~([solid]
mesh = { generate = "block", size = [1, 1], elements = [2, 2] }
material = { model = "neo_hookean", lambda = 1, mu = 1, density = 1 }
start = { spin = 1 }
[run]
method = "newmark"
until = 1
)~";

const std::string control_base = R"~([system]
coordinates = ["x", "y"]
parameters = { mu = 1, e = 0.5 }
lagrangian = "x_dot^2"
[control]
inputs = ["u"]
cost = "u^2"
[start]
x = 1
[run]
method = "verlet"
until = 1
steps = 10
)~";

/// Whether a table may stand for the list, with the same keys: they are on the page once.
bool known_without_list(const SchemaEntry& entry, Form form) {
  const auto list = entry.key.find("[].");
  if (list == std::string::npos) return false;
  const std::string plain = std::string(entry.key).erase(list, 2);
  const auto& rows = schema(form);
  return std::any_of(rows.begin(), rows.end(),
                     [&](const SchemaEntry& other) { return other.key == plain; });
}

constexpr std::array<Form, 3> forms{Form::system, Form::control, Form::solid};

const std::string& base_of(Form form) {
  if (form == Form::control) return control_base;
  return form == Form::system ? base : solid_base;
}

/// What the base cannot have beside what it has: an end time that is free, a step beside the steps.
bool excluded(const std::string& key, Form form) {
  return form == Form::control && (key.starts_with("control.until") || key == "run.step");
}

}  // namespace

TEST(Schema, EveryRowIsComplete) {
  for (const Form form : forms) {
    std::set<std::string> keys;
    for (const SchemaEntry& entry : schema(form)) {
      EXPECT_TRUE(keys.insert(entry.key).second) << entry.key;
      EXPECT_FALSE(entry.types.empty()) << entry.key;
      const auto dot = entry.key.rfind('.');
      EXPECT_TRUE(dot == std::string::npos || keys.count(entry.key.substr(0, dot)) > 0)
          << "no row above " << entry.key;
      if (entry.key.ends_with("[]")) continue;
      EXPECT_FALSE(entry.meaning.empty()) << entry.key;
      EXPECT_TRUE(entry.meaning.ends_with(".")) << entry.key;
      EXPECT_FALSE(entry.required && !entry.fallback.empty()) << entry.key;
    }
    for (const Alternative& pair : schema_alternatives(form))
      for (const std::string& key : {pair.one, pair.other})
        EXPECT_TRUE(keys.count(pair.table + "." + key)) << key;
  }
}

TEST(Schema, ExamplesAndDefaultsRead) {
  for (const Form form : forms) {
    int read = 0;
    for (const SchemaEntry& entry : schema(form)) {
      const bool plain =
          entry.key.find("NAME") == std::string::npos && entry.key.find("[]") == std::string::npos;
      for (const std::string& value : {entry.example, entry.fallback}) {
        if (!plain || value.empty() || excluded(entry.key, form)) continue;
        std::vector<std::string> changes{entry.key + "=" + value};
        if (entry.key == "run.energy_stationary") changes.emplace_back("method=avi");
        EXPECT_NO_THROW(parse_scenario(base_of(form), "base", changes)) << entry.key;
        ++read;
      }
    }
    EXPECT_GT(read, 20);
  }
}

TEST(Schema, EveryKeyIsKnownToTheChecks) {
  // A value of a kind that no row allows is refused in the words of the row, not as unknown.
  for (const Form form : forms)
    for (const SchemaEntry& entry : schema(form)) {
      if (entry.key.find("NAME") != std::string::npos || entry.key.find("[]") != std::string::npos)
        continue;
      const std::string text = refusal<ScenarioError>(
          [&] { parse_scenario(base_of(form), "base", {entry.key + "=2020-01-01"}); });
      expect_words(text, {"must be", "found a date or time"});
      expect_has(text, entry.key);
    }
}

TEST(Schema, ThePageIsWrittenFromTheSchema) {
  const std::string text = read(page());
  if (std::getenv("VARIA_UPDATE_DOCS") != nullptr)
    std::ofstream(page()) << with_schema_tables(text);
  EXPECT_EQ(read(page()), with_schema_tables(text))
      << "docs/reference/scenario.md: set VARIA_UPDATE_DOCS=1 and run this test to write it again";
}

TEST(Schema, APageWithoutASectionIsRefused) {
  std::string text = read(page());
  const std::string heading = "## [diagnose]";
  EXPECT_NE(with_schema_tables(text.erase(text.find("| `modified_energy`"), 5)), text);
  expect_has(refusal([&] { with_schema_tables(text.erase(text.find(heading), heading.size())); }),
             heading);
}

TEST(Schema, ThePageHasEveryKeyAndItsExamplesRead) {
  const std::string text = read(page());
  for (const Form form : forms)
    for (const SchemaEntry& entry : schema(form)) {
      if (entry.key.ends_with("[]") || entry.key == "solid" || known_without_list(entry, form))
        continue;
      const auto dot = entry.key.find('.');
      expect_has(text, "`" + entry.key.substr(dot == std::string::npos ? 0 : dot + 1) + "`");
      for (const Choice& choice : entry.choices) expect_has(text, "`\"" + choice.word + "\"`");
    }
  const std::vector<std::string> blocks = toml_blocks(text);
  EXPECT_EQ(blocks.size(), 10U);
  for (const std::string& block : blocks) EXPECT_NO_THROW(parse_scenario(block, "page")) << block;
}

}  // namespace varia::io::schema_test
