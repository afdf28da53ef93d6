// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>

#include "nearest.hpp"
#include "overrides.hpp"
#include "scenario_reading.hpp"

namespace varia::io {

long whole(const Value& value) {
  return value.kind == Kind::integer ? static_cast<long>(value.integer)
                                     : static_cast<long>(value.real);
}

namespace {

std::string text_or(const Value& table, const char* key) {
  const Value* text = table.find(key);
  return text == nullptr ? "" : text->text;
}

/// { run.method = "rk4" } and { "run.method" = "rk4" } both as run.method="rk4".
void flatten(const Value& table, const std::string& before, std::vector<std::string>& overrides) {
  for (const Member& member : table.members) {
    if (member.value.kind == Kind::table)
      flatten(member.value, before + member.key + ".", overrides);
    else
      overrides.push_back(before + member.key + "=" + toml_text(member.value));
  }
}

/// A table of overrides, all of keys that there are.
std::vector<std::string> read_changes(const Value& table, const std::string& key,
                                      const Value& root) {
  std::vector<std::string> changes;
  flatten(table, "", changes);
  for (const std::string& change : changes) require_override(root, change, table.place(), key);
  return changes;
}

Expectation read_expectation(const Value& table, const std::string& key, const Value& root) {
  Expectation expectation;
  expectation.place = table.place();
  expectation.what = table.find("what")->text;
  expectation.value = table.find("value")->real;
  expectation.kind = table.find("kind")->text;
  expectation.note = text_or(table, "note");
  const Value* tolerance = table.find("tolerance");
  if (tolerance != nullptr) expectation.tolerance = tolerance->real;
  if (tolerance == nullptr && (expectation.kind == "relative" || expectation.kind == "absolute" ||
                               expectation.kind == "order"))
    throw ScenarioError(expectation.place, key + ".tolerance",
                        "missing; it is needed where kind is " + expectation.kind + ".");
  if (expectation.kind == "relative" && expectation.value == 0)
    throw ScenarioError(table.find("value")->place(), key + ".value",
                        "must not be 0 where kind is relative; write kind = \"absolute\".");
  const Value* against = table.find("against");
  const bool two_runs = expectation.what == shape_difference_entry || expectation.kind == "order";
  if (two_runs != (against != nullptr))
    throw ScenarioError(
        expectation.place, key + ".against",
        "the changes of another run are needed for kind = \"order\" and for what = \"" +
            std::string(shape_difference_entry) + "\", and only there.");
  if (against != nullptr) expectation.against = read_changes(*against, key + ".against", root);
  if (const Value* set = table.find("set"))
    expectation.set = read_changes(*set, key + ".set", root);
  return expectation;
}

RefinementText read_refinement(const Value& table) {
  RefinementText text{table.find("key")->text, {0, 1, 2}, 0, table.find("courant")->real};
  if (const Value* levels = table.find("levels")) {
    text.levels.clear();
    text.levels.reserve(levels->items.size());
    for (const Value& level : levels->items) text.levels.push_back(whole(level));
    if (text.levels.empty())
      throw ScenarioError(levels->place(), "reproduce.refinement.levels", "no level is given.");
  }
  text.reference = 2 + *std::max_element(text.levels.begin(), text.levels.end());
  if (const Value* reference = table.find("reference")) text.reference = whole(*reference);
  return text;
}

}  // namespace

Text make_text(const Value& value, std::string key) {
  return {expression_text(value), value.place(), std::move(key)};
}

Run read_run(const Value& table) {
  Run run;
  run.place = table.place();
  run.method = make_text(*table.find("method"), "run.method");
  run.step = make_text(*table.find("step"), "run.step");
  if (const Value* until = table.find("until")) run.until = make_text(*until, "run.until");
  if (const Value* steps = table.find("steps")) run.steps = whole(*steps);
  run.every = whole(*table.find("every"));
  run.retraction = table.find("retraction")->text;
  run.evaluation = table.find("evaluation")->text;
  run.leave_out_dependent = table.find("dependent_constraints")->text == "leave_out";
  if (const Value* pace = table.find("pace")) run.pace = make_text(*pace, "run.pace");
  if (const Value* keep = table.find("keep_energy"))
    run.keep_energy = make_text(*keep, "run.keep_energy");
  if (const Value* projection = table.find("projection"))
    run.projection = make_text(*projection, "run.projection");
  return run;
}

Diagnose read_diagnose(const Value& table, const std::vector<std::string>& names) {
  Diagnose diagnose;
  const auto read = [&](const char* key, std::optional<Text>& text,
                        const std::vector<std::string>& columns) {
    const Value* value = table.find(key);
    if (value == nullptr || (value->kind == Kind::truth && !value->truth)) return;
    text = Text{value->text, value->place(), std::string("diagnose.") + key};
    for (const std::string& column : columns)
      if (std::find(names.begin(), names.end(), column) != names.end())
        throw ScenarioError(*text, "records a column " + column +
                                       ", but there is something else of this name already");
  };
  read("modified_energy", diagnose.modified_energy, {"modified_energy"});
  read("heat", diagnose.heat, {"kinetic_energy", "heat"});
  read("balance", diagnose.balance, {});
  return diagnose;
}

std::vector<std::string> recorded_names(const System& system) {
  std::vector<std::string> names =
      Families(system, {Role::position, Role::velocity, Role::momentum}).names();
  names.insert(names.end(), {"t", "energy"});
  for (const auto& [name, text] : system.observe) names.push_back(name);
  for (const SymmetryText& symmetry : system.symmetry) names.push_back(symmetry.name);
  return names;
}

Output read_output(const Value& table, const std::vector<std::string>& names) {
  Output output;
  output.report = table.find("report")->truth;
  for (const Value& item : table.find("formats")->items) {
    if (std::find(output.formats.begin(), output.formats.end(), item.text) != output.formats.end())
      throw ScenarioError(item.place(), "output.formats", item.text + " is given twice.");
    output.formats.push_back(item.text);
  }
  const Value* units = table.find("units");
  if (units == nullptr) return output;
  const std::set<std::string> known(names.begin(), names.end());
  for (const Member& member : units->members) {
    if (known.count(member.key) == 0)
      throw ScenarioError(member.mark.place(), "output.units." + shown(member.key),
                          "nothing of this name is recorded; there are: " + listed(names) + "." +
                              did_you_mean(member.key, names));
    output.units.emplace_back(member.key, member.value.text);
  }
  return output;
}

Reproduce read_reproduce(const Value& table, const Value& root) {
  Reproduce reproduce{text_or(table, "source"), text_or(table, "figure"), {}, {}};
  reproduce.refinement = read_refinement(*table.find("refinement"));
  const Value* expect = table.find("expect");
  if (expect == nullptr) return reproduce;
  for (const Value& item : expect->items)
    reproduce.expect.push_back(read_expectation(
        item, "reproduce.expect[" + std::to_string(reproduce.expect.size() + 1) + "]", root));
  return reproduce;
}

}  // namespace varia::io
