// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "document.hpp"
#include "reading.hpp"
#include "schema_tree.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

using Path = std::vector<std::string>;

struct Override {
  Path path;
  std::string value;
};

std::string dotted(const Path& path, std::size_t parts) {
  std::string key;
  for (std::size_t k = 0; k < parts; ++k) key += (k == 0 ? "" : ".") + shown(path[k]);
  return key;
}

/// Splits start."q[3]" at the dots outside quotes; the quotes are dropped.
Path split(const std::string& key) {
  Path path(1);
  char quote = 0;
  for (const char c : key) {
    if (quote != 0 ? c == quote : c == '"' || c == '\'')
      quote = quote != 0 ? '\0' : c;
    else if (c == '.' && quote == 0)
      path.emplace_back();
    else
      path.back() += c;
  }
  return path;
}

/// The table that has the parameters.
std::string owner(const Value& root) { return form_of(root) == Form::solid ? "solid" : "system"; }

std::vector<std::string> parameter_names(const Value& root) {
  std::vector<std::string> names;
  const Value* system = root.find(owner(root));
  const Value* parameters = system == nullptr ? nullptr : system->find("parameters");
  if (parameters == nullptr) return names;
  for (const Member& member : parameters->members) names.push_back(member.key);
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// m of m[2], an entry of a list.
std::string without_index(const std::string& name) { return name.substr(0, name.find('[')); }

/// What a name without dots means: a parameter, a key of [run], or a key of the whole file.
Path resolve_bare(const Value& root, const std::string& name, const Place& place) {
  const std::vector<std::string> parameters = parameter_names(root);
  const Form form = form_of(root);
  const std::vector<std::string> run = schema_tree(form).child("run")->keys();
  const bool parameter = contains(parameters, without_index(name)), of_run = contains(run, name);
  if (parameter && of_run)
    throw ScenarioError(place, shown(name),
                        "both a parameter and a key of run; write " + owner(root) + ".parameters." +
                            name + " or run." + name + ".");
  if (parameter) return {owner(root), "parameters", name};
  if (of_run) return {"run", name};
  if (schema_tree(form).child(name) != nullptr) return {name};
  std::vector<std::string> all = parameters;
  all.insert(all.end(), run.begin(), run.end());
  std::string hint = did_you_mean(name, all);
  const Value* start = root.find("start");
  const std::vector<std::string> elsewhere = keys_named(name, form);
  if (start != nullptr && start->find(name) != nullptr)
    hint = " Did you mean start." + name + "?";
  else if (!elsewhere.empty())
    hint = " Did you mean " + elsewhere.front() + "?";
  throw ScenarioError(place, shown(name),
                      "neither a parameter (" + listed(parameters) + ") nor a key of run (" +
                          listed(run) + ")." + hint);
}

Override resolve(const Value& root, const std::string& text, const Place& place) {
  const auto equals = text.find('=');
  const std::string key = trimmed(std::string_view(text).substr(0, equals));
  if (equals == std::string::npos || key.empty())
    throw ScenarioError(place, "", "needs the form name=value, as in --set run.step=0.1.");
  Path path = split(key);
  constexpr std::size_t most_parts = 16;
  if (path.size() > most_parts || contains(path, ""))
    throw ScenarioError(place, "", "\"" + shown(key) + "\" is not a key.");
  if (path.size() == 1) path = resolve_bare(root, path.front(), place);
  if (path.size() == 3 && path[0] == owner(root) && path[1] == "parameters") {
    const std::vector<std::string> parameters = parameter_names(root);
    if (!contains(parameters, without_index(path[2])))
      throw ScenarioError(place, dotted(path, 3),
                          "there is no such parameter; there are: " + listed(parameters) + "." +
                              did_you_mean(path[2], parameters));
  }
  return {std::move(path), trimmed(std::string_view(text).substr(equals + 1))};
}

void mark_all(Value& value, const Mark& mark) {
  value.mark = mark;
  for (Value& item : value.items) mark_all(item, mark);
  for (Member& member : value.members) {
    member.mark = mark;
    mark_all(member.value, mark);
  }
}

/// A text that begins with a word begins no TOML value, but for four words.
bool begins_with_a_word(const std::string& text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto end = std::find_if_not(text.begin(), text.end(), letter);
  const std::string word(text.begin(), end);
  return !word.empty() && word != "true" && word != "false" && word != "inf" && word != "nan";
}

Value read_value(const std::string& text, const Mark& mark) {
  Value value;
  value.kind = Kind::text;
  value.text = text;
  value.mark = mark;
  if (begins_with_a_word(text)) return value;
  try {
    Value document = parse_document("value = " + text, "value");
    if (document.members.size() == 1 && document.members[0].key == "value")
      value = std::move(document.members[0].value);
  } catch (const ScenarioError&) {
    // Not TOML: a plain text such as gauss(3), as the contract says.
  }
  mark_all(value, mark);
  return value;
}

/// The entry that fix[2] names of a list fix, or K[1][2] of one of lists; nullptr if there is no such list.
Value* list_entry(Value& table, const std::string& name, const Mark& mark, const std::string& key) {
  const auto open = name.rfind('[');
  if (open == std::string::npos || open == 0 || name.back() != ']') return nullptr;
  const std::string before = name.substr(0, open);
  Value* list = table.find(before);
  if (list == nullptr) list = list_entry(table, before, mark, key);
  if (list == nullptr || list->kind != Kind::list) return nullptr;
  std::size_t number = 0;
  const char* const end = name.data() + name.size() - 1;
  const auto [stop, error] = std::from_chars(name.data() + open + 1, end, number);
  if (error != std::errc() || stop != end || number < 1 || number > list->items.size())
    throw ScenarioError(mark.place(), key,
                        "there is no such entry; the list has the entries 1 to " +
                            std::to_string(list->items.size()) + ".");
  return &list->items[number - 1];
}

/// The table member of this name, made when it is not there.
Value& table_at(Value& table, const std::string& name, const Mark& mark, const std::string& key) {
  Value* found = table.find(name);
  if (found == nullptr) found = list_entry(table, name, mark, key);
  if (found == nullptr) {
    Value empty;
    empty.mark = mark;
    table.members.push_back({name, std::move(empty), mark});
    found = &table.members.back().value;
  }
  if (found->kind != Kind::table)
    throw ScenarioError(mark.place(), key, "not a table but " + description(*found) + ".");
  return *found;
}

void apply(Value& root, const Override& change, const Mark& mark) {
  Value* table = &root;
  for (std::size_t k = 0; k + 1 < change.path.size(); ++k)
    table = &table_at(*table, change.path[k], mark, dotted(change.path, k + 1));
  const std::string& name = change.path.back();
  Value value = read_value(change.value, mark);
  const std::string key = dotted(change.path, change.path.size());
  if (Value* entry = table->find(name) == nullptr ? list_entry(*table, name, mark, key) : nullptr) {
    *entry = std::move(value);
    return;
  }
  if (table->find(without_index(name)) != nullptr && table->find(name) == nullptr &&
      change.path.size() > 1 && change.path[change.path.size() - 2] == "parameters")
    throw ScenarioError(mark.place(), key, without_index(name) + " is not a list.");
  for (Member& member : table->members)
    if (member.key == name) {
      member.value = std::move(value);
      member.mark = mark;
      return;
    }
  table->members.push_back({name, std::move(value), mark});
}

bool sets(const std::vector<Override>& changes, Path path, const std::string& name) {
  path.push_back(name);
  return std::any_of(changes.begin(), changes.end(),
                     [&](const Override& change) { return change.path == path; });
}

void drop_replaced(Value& root, const std::vector<Override>& changes) {
  for (const Alternative& pair : schema_alternatives(form_of(root))) {
    const Path path = split(pair.table);
    const bool one = sets(changes, path, pair.one);
    const bool other = sets(changes, path, pair.other);
    if (one == other) continue;
    const std::string& replaced = one ? pair.other : pair.one;
    Value* table = &root;
    for (const std::string& name : path)
      if (table != nullptr) table = table->find(name);
    if (table != nullptr)
      std::erase_if(table->members, [&](const Member& member) { return member.key == replaced; });
  }
}

}  // namespace

namespace {

Mark mark_of(const std::string& override) {
  return {std::make_shared<const std::string>("--set " + shown(override)), 0, 0};
}

std::string_view value_in(const std::string& override) {
  return std::string_view(override).substr(override.find('=') + 1);
}

}  // namespace

void apply_overrides(Value& root, const std::vector<std::string>& overrides) {
  std::vector<Override> changes;
  for (const std::string& text : overrides) {
    const Mark mark = mark_of(text);
    changes.push_back(resolve(root, text, mark.place()));
    apply(root, changes.back(), mark);
  }
  drop_replaced(root, changes);
}

void change_parameter(Scenario& scenario, const std::string& name, const std::string& override) {
  const Mark mark = mark_of(override);
  const Member member{name, read_value(trimmed(value_in(override)), mark), mark};
  const auto parameter =
      std::find_if(scenario.system.parameters.begin(), scenario.system.parameters.end(),
                   [&](const Parameter& p) { return p.name == name; });
  if (parameter == scenario.system.parameters.end())
    throw InvalidArgument("the scenario has no parameter " + name);
  *parameter = read_parameter(member, "system.parameters");
  set_values(member.value, "system.parameters." + name, scenario.settings);
}

void require_override(const Value& root, const std::string& text, const Place& place,
                      const std::string& key) {
  try {
    resolve(root, text, {"set"});
  } catch (const ScenarioError& error) {
    throw ScenarioError(place, key, error.what());
  }
}

std::string override_key(const Value& root, const std::string& name, const Place& place,
                         const std::string& key) {
  try {
    const Path path = resolve(root, name + "=", {"vary"}).path;
    return dotted(path, path.size());
  } catch (const ScenarioError& error) {
    throw ScenarioError(place, key, error.what());
  }
}

}  // namespace varia::io
