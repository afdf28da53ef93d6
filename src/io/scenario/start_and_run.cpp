// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>

#include "document.hpp"
#include "reading.hpp"
#include "varia/core/counted.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

[[noreturn]] void fail_length(const Value& list, const std::string& key, std::size_t length) {
  throw ScenarioError(list.place(), key,
                      "must have " + counted(length, "entry", "entries") + ", found " +
                          std::to_string(list.items.size()) + ".");
}

}  // namespace

void read_numbers(const Value& list, const std::string& key, std::size_t length,
                  std::vector<Text>& numbers) {
  if (list.items.size() != length) fail_length(list, key, length);
  for (std::size_t k = 0; k < length; ++k) {
    const Value& item = list.items[k];
    const std::string at = key + "[" + std::to_string(k + 1) + "]";
    if (item.kind == Kind::list || item.kind == Kind::table)
      throw ScenarioError(item.place(), at,
                          "must be a number or an expression, found " + description(item) + ".");
    numbers.push_back(make_text(item, at));
  }
}

void read_rows(const Value& list, const std::string& key, const std::vector<int>& shape,
               std::vector<Text>& numbers) {
  if (shape.empty()) {
    numbers.push_back(make_text(list, key));
    return;
  }
  const auto length = static_cast<std::size_t>(shape.front());
  if (shape.size() == 1) return read_numbers(list, key, length, numbers);
  if (list.items.size() != length) fail_length(list, key, length);
  for (std::size_t row = 0; row < length; ++row)
    read_numbers(list.items[row], key + "[" + std::to_string(row + 1) + "]",
                 static_cast<std::size_t>(shape[1]), numbers);
}

namespace {

/// Whether a point is stated by the list alone.
bool is_list(const PointForm& form) { return form.front().key.empty(); }

/// { angle_axis = [x, y, z] }, { quaternion = [w, x, y, z] } or { matrix = [[..], [..], [..]] }
std::string forms_of(const Notation& notation) {
  std::string text;
  for (std::size_t i = 0; i < notation.forms.size(); ++i) {
    if (i > 0) text += i + 1 == notation.forms.size() ? " or " : ", ";
    std::string keys;
    for (const PointKey& key : notation.forms[i])
      keys += (keys.empty() ? "" : ", ") + key.key + " = " + key.text;
    text += is_list(notation.forms[i]) ? notation.forms[i].front().text : "{ " + keys + " }";
  }
  return text;
}

/// Whether the value is a list, or its keys are those of the form.
bool has_form(const Value& table, const PointForm& form) {
  if (is_list(form)) return table.kind == Kind::list;
  return table.kind == Kind::table && table.members.size() == form.size() &&
         std::all_of(form.begin(), form.end(),
                     [&](const PointKey& k) { return table.find(k.key) != nullptr; });
}

PointStart read_point(const ComponentReader::Given& given, const std::string& before) {
  const Notation& notation = *given.family->notation;
  const std::string name = given.name();
  const std::string key = before + "." + name;
  const Value& table = *given.value;
  for (std::size_t i = 0; i < notation.forms.size(); ++i) {
    if (!has_form(table, notation.forms[i])) continue;
    PointStart point{name, i, {}, table.place()};
    set_indices(*given.family, given.index, point.index, point.indexed, point.second);
    for (const PointKey& k : notation.forms[i]) {
      const bool alone = is_list(notation.forms[i]);
      read_rows(alone ? table : *table.find(k.key), alone ? key : key + "." + k.key, k.shape,
                point.numbers);
    }
    return point;
  }
  std::vector<std::string> keys;
  for (const Member& m : table.members) keys.push_back(shown(m.key));
  std::vector<std::string> known;
  for (const PointForm& form : notation.forms)
    for (const PointKey& k : form) known.push_back(k.key);
  std::string hint;
  for (const Member& m : table.members)
    if (hint.empty() && std::find(known.begin(), known.end(), m.key) == known.end())
      hint = did_you_mean(m.key, known);
  throw ScenarioError(table.place(), key,
                      name + " is " + notation.what + ": " + forms_of(notation) + ", found " +
                          (keys.empty() ? description(table) : listed(keys)) + "." + hint);
}

std::vector<std::string> missing(const Families& families, const ComponentReader& reader,
                                 Role role) {
  std::vector<std::string> names;
  for (const Family& family : families.list())
    for (long k = 0; family.role == role && k < family.size(); ++k)
      if (!family.optional && !reader.has(family, k)) names.push_back(family.component(k));
  return names;
}

/// Velocities or momenta, but not some of each: the state would be given twice or in part.
Role rate_of(const ComponentReader& reader, const System& system) {
  const std::vector<Component> velocities = reader.of(Role::velocity);
  const std::vector<Component> momenta = reader.of(Role::momentum);
  if (!velocities.empty() && !momenta.empty())
    throw ScenarioError(
        momenta.front().text,
        momenta.front().component + " is a momentum and " + velocities.front().component +
            " a velocity; give velocities for all coordinates, or momenta for all.");
  if (velocities.empty() && momenta.empty())  // what a message about missing values should name
    return system.hamiltonian ? Role::momentum : Role::velocity;
  return momenta.empty() ? Role::velocity : Role::momentum;
}

/// Of what is missing: the first is the key, the others are listed.
Text missing_text(std::vector<std::string> names, const Place& place) {
  const std::string first = names.front();
  names.erase(names.begin());
  return {"missing" + (names.empty() ? "" : ", and so are " + listed(names)) +
              "; every coordinate needs a value, and a velocity or a momentum.",
          place, "start." + first};
}

void require_complete(Start& start, const System& system, const Families& families,
                      const ComponentReader& reader, Role rate) {
  std::vector<std::string> names = missing(families, reader, Role::position);
  const std::vector<std::string> points = missing(families, reader, Role::point);
  names.insert(names.end(), points.begin(), points.end());
  const bool positions = names.empty();
  const std::vector<std::string> rates = missing(families, reader, rate);
  names.insert(names.end(), rates.begin(), rates.end());
  if (names.empty()) return;
  const Text text = missing_text(names, start.place);
  if (!positions || !reader.of(rate).empty() || system.hamiltonian)
    throw ScenarioError(text.place, text.key, text.value);
  start.missing_rates = text;
}

}  // namespace

Start read_start(const Value& table, const System& system) {
  Start start;
  start.place = table.place();
  start.t = make_text(*table.find("t"), "start.t");
  start.project = table.find("project")->truth;
  const Families families(system, {Role::position, Role::point, Role::velocity, Role::momentum});
  ComponentReader reader(families, "start", "coordinate, velocity or momentum");
  for (const Member& member : table.members) {
    if (member.key != "t" && member.key != "project") reader.read(member);
  }
  for (const auto& given : reader.given(Role::point))
    start.points.push_back(read_point(given, "start"));
  const Role rate = rate_of(reader, system);
  require_complete(start, system, families, reader, rate);
  start.positions = reader.of(Role::position);
  start.rates = reader.of(rate);
  start.momenta = rate == Role::momentum;
  return start;
}

Start read_conditions(const Value& table, const System& system, const std::string& key) {
  Start fixed;
  fixed.place = table.place();
  fixed.t = {"0", table.place(), key + ".t"};
  const Families families(system, {Role::position, Role::point, Role::velocity, Role::momentum});
  ComponentReader reader(families, key, "coordinate, velocity, momentum or state");
  for (const Member& member : table.members) reader.read(member);
  for (const auto& given : reader.given(Role::point))
    fixed.points.push_back(read_point(given, key));
  const Role rate = rate_of(reader, system);
  fixed.positions = reader.of(Role::position);
  fixed.rates = reader.of(rate);
  fixed.momenta = rate == Role::momentum;
  return fixed;
}

Start read_motion(const Value& table, const System& system, const std::string& key) {
  Start motion;
  motion.place = table.place();
  const Families families(system, {Role::position, Role::point});
  ComponentReader reader(families, key, "coordinate, state or input");
  for (const Member& member : table.members) reader.read(member);
  for (const auto& given : reader.given(Role::point))
    motion.points.push_back(read_point(given, key));
  motion.positions = reader.of(Role::position);
  return motion;
}

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
                               expectation.kind == "order" || expectation.kind == "extrapolated"))
    throw ScenarioError(expectation.place, key + ".tolerance",
                        "missing; it is needed where kind is " + expectation.kind + ".");
  if (expectation.kind == "relative" && expectation.value == 0)
    throw ScenarioError(table.find("value")->place(), key + ".value",
                        "must not be 0 where kind is relative; write kind = \"absolute\".");
  const Value* against = table.find("against");
  const bool two_runs = expectation.what == shape_difference_entry || expectation.kind == "order" ||
                        expectation.kind == "extrapolated";
  if (two_runs != (against != nullptr))
    throw ScenarioError(expectation.place, key + ".against",
                        "the changes of another run are needed for kind = \"order\", kind = "
                        "\"extrapolated\" and for "
                        "what = \"" +
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

std::optional<Text> text_of(const Value& table, const char* name, const std::string& key) {
  const Value* value = table.find(name);
  if (value == nullptr) return std::nullopt;
  return make_text(*value, key + "." + name);
}

std::vector<Text> read_texts(const Value* list, const std::string& key) {
  return read_items(list, key, make_text);
}

Run read_end(const Value& table) {
  Run run;
  run.place = table.place();
  run.method = make_text(*table.find("method"), "run.method");
  run.until = text_of(table, "until", "run");
  if (const Value* steps = table.find("steps")) run.steps = whole(*steps);
  return run;
}

Run read_run(const Value& table) {
  Run run = read_end(table);
  run.step = make_text(*table.find("step"), "run.step");
  run.tolerance = text_of(table, "tolerance", "run");
  run.every = whole(*table.find("every"));
  run.retraction = table.find("retraction")->text;
  run.evaluation = table.find("evaluation")->text;
  run.solver = make_text(*table.find("solver"), "run.solver");
  run.multiplier = make_text(*table.find("multiplier"), "run.multiplier");
  run.constraints = make_text(*table.find("constraints"), "run.constraints");
  run.start_multipliers = read_texts(table.find("start_multipliers"), "run.start_multipliers");
  run.leave_out_dependent = table.find("dependent_constraints")->text == "leave_out";
  const Value& reconstruct = *table.find("reconstruct");
  run.reconstruct = {reconstruct.truth ? "true" : "false", reconstruct.place(), "run.reconstruct"};
  run.pace = text_of(table, "pace", "run");
  run.keep_energy = text_of(table, "keep_energy", "run");
  run.projection = text_of(table, "projection", "run");
  return run;
}

Diagnose read_diagnose(const Value& table, const std::vector<std::string>& names,
                       const System& system) {
  Diagnose diagnose;
  const auto read = [&](const char* key, std::optional<Text>& text,
                        const std::vector<std::string>& columns) {
    const Value* value = table.find(key);
    if (value == nullptr || (value->kind == Kind::truth && !value->truth)) return;
    text = Text{value->text, value->place(), std::string("diagnose.") + key};
    for (const std::string& column : columns)
      if (std::find(names.begin(), names.end(), column) != names.end())
        throw ScenarioError(
            *text, "records a column " + column + ", but something else has this name already");
  };
  read("modified_energy", diagnose.modified_energy, {"modified_energy"});
  read("heat", diagnose.heat, {"kinetic_energy", "heat"});
  read("balance", diagnose.balance, {});
  read("lyapunov", diagnose.lyapunov, {"lyapunov"});
  diagnose.sensitivity =
      read_parameter_names(table.find("sensitivity"), "diagnose.sensitivity", system);
  return diagnose;
}

std::vector<std::string> recorded_names(const System& system) {
  std::vector<std::string> names;
  const Families families(system, {Role::position, Role::velocity, Role::momentum});
  for (const Family& family : families.list())
    if (family.role != Role::list) names.push_back(family.name);
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
                          "nothing with this name is recorded; there are: " + listed(names) + "." +
                              did_you_mean(member.key, names));
    output.units.emplace_back(member.key, member.value.text);
  }
  return output;
}

Reproduce read_reproduce(const Value& table, const Value& root) {
  Reproduce reproduce{text_or(table, "source"), text_or(table, "figure"), {}, {}};
  reproduce.refinement = read_refinement(*table.find("refinement"));
  reproduce.expect = read_items(
      table.find("expect"), "reproduce.expect",
      [&](const Value& item, const std::string& key) { return read_expectation(item, key, root); });
  return reproduce;
}

}  // namespace varia::io
