// SPDX-License-Identifier: BSD-3-Clause
// [control] and [end] as they are written.
#include <algorithm>
#include <set>

#include "document.hpp"
#include "reading.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

/// The names that inputs and states must not have.
NameTable taken_names(const System& system) {
  NameTable names;
  std::set<std::string> seen;
  const Families families(system, {Role::position, Role::velocity, Role::momentum});
  for (const Family& family : families.list())
    if (seen.insert(family.name).second)
      names.add(family.name, "a name of the system's motion", system.place, "system.coordinates");
  for (const Parameter& parameter : system.parameters)
    names.add(parameter.name, "a parameter", parameter.place, "system.parameters");
  for (const expr::Definition& d : system.definitions)
    names.add(d.name, "a definition", {d.origin.file, d.origin.line, d.origin.column},
              d.origin.key);
  return names;
}

void read_inputs(const Value& list, NameTable& names, ControlText& control) {
  control.inputs = read_texts(&list, "control.inputs");
  if (control.inputs.empty())
    throw ScenarioError(list.place(), "control.inputs",
                        "the list is empty; a control problem has at least one input.");
  for (const Text& input : control.inputs) {
    require_identifier(input.value, input.place, input.key);
    names.add(input.value, "an input", input.place, input.key);
  }
}

void read_states(const Value* table, NameTable& names, ControlText& control) {
  if (table == nullptr) return;
  for (const Member& member : table->members) {
    const std::string key = "control.state." + shown(member.key);
    require_identifier(member.key, member.mark.place(), key);
    names.add(member.key, "a state", member.mark.place(), key);
    control.states.push_back({member.key, make_text(member.value, key), {}, {}});
  }
}

/// [a, b], or { at_least = a }, { at_most = b }, or both.
BoundsText read_bounds(const Value& value, const std::string& name, const std::string& key) {
  BoundsText bounds{name, {}, {}, {name, value.place(), key}};
  if (value.kind == Kind::list) {
    if (value.items.size() != 2)
      throw ScenarioError(value.place(), key,
                          "must be a lower and an upper bound, as in [-20, 20], found " +
                              std::to_string(value.items.size()) +
                              (value.items.size() == 1 ? " entry" : " entries") +
                              "; one bound alone is { at_most = 20 }.");
    bounds.lower = make_text(value.items[0], key + "[1]");
    bounds.upper = make_text(value.items[1], key + "[2]");
    return bounds;
  }
  bounds.lower = text_of(value, "at_least", key);
  bounds.upper = text_of(value, "at_most", key);
  if (!bounds.lower && !bounds.upper)
    throw ScenarioError(value.place(), key, "bounds nothing; give at_least, at_most or both.");
  return bounds;
}

std::vector<BoundsText> read_named_bounds(const Value* table, const std::string& key) {
  std::vector<BoundsText> all;
  if (table == nullptr) return all;
  for (const Member& member : table->members)
    all.push_back(read_bounds(member.value, member.key, key + "." + shown(member.key)));
  return all;
}

BoundsText read_path(const Value& table, const std::string& key) {
  BoundsText bounds = read_bounds(table, table.find("g")->text, key);
  bounds.where = make_text(*table.find("g"), key + ".g");
  return bounds;
}

void read_free_end(const Value* until, ControlText& control) {
  if (until == nullptr) return;
  control.free_end = read_bounds(*until->find("free"), "the end time", "control.until.free");
  control.end_guess = text_of(*until, "guess", "control.until");
}

/// Parameters that are to be found are single numbers of the system.
void require_parameters(const System& system, const std::vector<BoundsText>& list) {
  std::vector<std::string> names;
  for (const Parameter& parameter : system.parameters)
    if (!parameter.array) names.push_back(parameter.name);
  for (const BoundsText& one : list)
    if (std::find(names.begin(), names.end(), one.name) == names.end())
      throw ScenarioError(one.where, "there is no such parameter; there are: " + listed(names) +
                                         "." + did_you_mean(one.name, names));
}

/// Takes a member out of a table.
std::optional<Member> take(Value& table, const std::string& name) {
  const auto at = std::find_if(table.members.begin(), table.members.end(),
                               [&](const Member& member) { return member.key == name; });
  if (at == table.members.end()) return std::nullopt;
  Member member = *at;
  table.members.erase(at);
  return member;
}

/// Conditions and states of one end; what is left is of the motion.
void take_conditions(Value& table, const std::string& key, std::vector<StateText>& states,
                     std::optional<Text> StateText::*at, std::vector<Text>& conditions) {
  if (const auto list = take(table, "conditions"))
    conditions = read_texts(&list->value, key + ".conditions");
  for (StateText& state : states)
    if (const auto value = take(table, state.name)) {
      if (value->value.kind == Kind::list || value->value.kind == Kind::table)
        throw ScenarioError(
            value->value.place(), key + "." + state.name,
            "must be a number or an expression, found " + description(value->value) + ".");
      state.*at = make_text(value->value, key + "." + state.name);
    }
}

void read_end_of(const Value& end, const System& system, ControlText& control) {
  control.end_place = end.place();
  if (end.kind == Kind::list) {
    control.end_conditions = read_texts(&end, "end");
    Value nothing;
    nothing.mark = end.mark;
    control.end = read_conditions(nothing, system, "end");
    return;
  }
  Value rest = end;
  take_conditions(rest, "end", control.states, &StateText::end, control.end_conditions);
  control.end = read_conditions(rest, system, "end");
}

Start read_start_of(const Value& table, const System& system, ControlText& control) {
  Value rest = table;
  take_conditions(rest, "start", control.states, &StateText::start, control.start_conditions);
  const auto t = take(rest, "t");
  Start start = read_conditions(rest, system, "start");
  start.t = make_text(t->value, "start.t");
  return start;
}

void read_guess(const Value& table, const System& system, ControlText& control) {
  GuessText& guess = control.guess;
  guess.place = table.place();
  guess.file = text_of(table, "file", "control.guess");
  guess.rollout = table.find("rollout")->truth;
  Value rest = table;
  take(rest, "file");
  take(rest, "rollout");
  if (guess.file && (!rest.members.empty() || guess.rollout))
    throw ScenarioError(*guess.file,
                        "is given together with functions of t; a trajectory is the whole guess. "
                        "Leave the others out.");
  const auto take_named = [&](const std::string& name, Named& list) {
    if (const auto member = take(rest, name))
      list.emplace_back(name, make_text(member->value, "control.guess." + name));
  };
  for (const Text& input : control.inputs) take_named(input.value, guess.inputs);
  for (const StateText& state : control.states) take_named(state.name, guess.states);
  guess.motion = read_motion(rest, system, "control.guess");
}

/// { T = [5, 2], "run.steps" = [10, 20] }: the first values together, then the second ones.
void read_easier(const Value* table, const Value& root, ControlText& control) {
  if (table == nullptr) return;
  for (const Member& member : table->members) {
    const std::string key = "control.continue." + shown(member.key);
    const auto& values = member.value.items;
    if (values.empty())
      throw ScenarioError(member.value.place(), key,
                          "the list is empty; give a value for each problem that is solved "
                          "before this one.");
    if (control.easier.empty()) control.easier.resize(values.size());
    if (control.easier.size() != values.size())
      throw ScenarioError(
          member.value.place(), key,
          "has " + std::to_string(values.size()) + " values, but another list has " +
              std::to_string(control.easier.size()) + "; the lists are read side by side.");
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string change = member.key + "=" + toml_text(values[i]);
      require_override(root, change, member.value.place(), key);
      control.easier[i].push_back(change);
    }
  }
}

/// What the time of a control problem is.
void check_time(const Value& run, const ControlText& control) {
  const Value* until = run.find("until");
  if (until != nullptr && control.free_end)
    throw ScenarioError(until->place(), "run.until",
                        "given together with control.until; the end time is either fixed or free. "
                        "Where it is free, control.until.guess says where the search begins.");
  if (until == nullptr && !control.free_end)
    throw ScenarioError(run.place(), "run.until",
                        "missing; give the end time, or let it be free: until = { free = [0.5, "
                        "10] } in [control].");
  if (const Value* step = run.find("step"); step != nullptr && step->text != Run::open)
    throw ScenarioError(step->place(), "run.step",
                        "is not for a control problem: its steps are as many as run.steps says. "
                        "Leave it out.");
}

}  // namespace

ControlText read_control(const Value& root, const System& system, Start& start) {
  const Value& table = *root.find("control");
  ControlText control;
  control.place = table.place();
  NameTable names = taken_names(system);
  read_inputs(*table.find("inputs"), names, control);
  read_states(table.find("state"), names, control);
  control.cost = text_of(table, "cost", "control");
  control.final_cost = text_of(table, "final_cost", "control");
  control.bounds = read_named_bounds(table.find("bounds"), "control.bounds");
  control.path = read_items(table.find("path"), "control.path", read_path);
  control.optimise = read_named_bounds(table.find("optimise"), "control.optimise");
  require_parameters(system, control.optimise);
  read_free_end(table.find("until"), control);
  check_time(*root.find("run"), control);
  start = read_start_of(*root.find("start"), system, control);
  read_end_of(*root.find("end"), system, control);
  read_guess(*table.find("guess"), system, control);
  read_easier(table.find("continue"), root, control);
  control.solver = make_text(*table.find("solver"), "control.solver");
  control.tolerance = table.find("tolerance")->real;
  control.iterations = whole(*table.find("iterations"));
  return control;
}

}  // namespace varia::io
