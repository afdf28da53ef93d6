// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/scenario.hpp"

#include <filesystem>

#include "overrides.hpp"
#include "scenario_reading.hpp"
#include "schema_check.hpp"

namespace varia::io {

namespace {

/// pendulum for dir/pendulum.toml, gallery:pendulum and pendulum.
std::string name_of(const std::string& file) {
  const std::string scheme = "gallery:";
  if (file.starts_with(scheme)) return file.substr(scheme.size());
  const std::string stem = std::filesystem::path(file).stem().string();
  return stem.empty() || stem.front() == '<' ? "scenario" : stem;
}

}  // namespace

Scenario parse_scenario(const std::string& text, const std::string& file,
                        const std::vector<std::string>& overrides) {
  Value root = parse_document(text, file);
  apply_overrides(root, overrides);
  check_schema(root);
  Scenario scenario;
  scenario.name = name_of(file);
  const Value* title = root.find("title");
  scenario.title = title == nullptr ? scenario.name : title->text;
  scenario.text = text;
  scenario.file = file;
  scenario.overrides = overrides;
  if (const Value* solid = root.find("solid")) {
    scenario.solid = read_solid(*solid, *root.find("run"));
    scenario.run = read_solid_run(*root.find("run"));
    scenario.output = read_output(*root.find("output"), solid_quantities(*scenario.solid));
  } else {
    scenario.system = read_system(*root.find("system"));
    scenario.start = read_start(*root.find("start"), scenario.system);
    scenario.run = read_run(*root.find("run"));
    scenario.diagnose = read_diagnose(*root.find("diagnose"), recorded_names(scenario.system));
    scenario.output = read_output(*root.find("output"), recorded_names(scenario.system));
  }
  scenario.reproduce = read_reproduce(*root.find("reproduce"), root);
  return scenario;
}

std::string full_text(const Scenario& scenario) {
  std::string text = scenario.text;
  if (!text.empty() && text.back() != '\n') text += '\n';
  for (const std::string& override : scenario.overrides) text += "# --set " + override + "\n";
  return text;
}

}  // namespace varia::io
