// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>

#include "schema_tree.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

/// The way from the root to a value; the dotted key is written only when a message needs it.
struct Trail {
  const Trail* up = nullptr;
  std::string_view name;
  std::size_t item = 0;  // 1-based; 0: a named value

  std::string key() const {
    if (up == nullptr) return "";
    const std::string before = up->key();
    if (item > 0) return before + "[" + std::to_string(item) + "]";
    return before + (before.empty() ? "" : ".") + shown(name);
  }
};

[[noreturn]] void fail(const Mark& mark, const Trail& trail, const std::string& message) {
  throw ScenarioError(mark.place(), trail.key(), message);
}

/// "; for example step = 0.05", or nothing for keys without example.
std::string example_of(const Trail& trail, const SchemaNode& node) {
  if (node.entry->example.empty()) return "";
  return "; for example " + shown(trail.name) + " = " + node.entry->example;
}

/// [ground] where [[ground]] is meant.
std::string written_as(const Value& value, const SchemaNode& node, const Trail& trail) {
  return type_words(node) == "a list of tables" && value.kind == Kind::table
             ? "; write [[" + trail.key() + "]]"
             : "";
}

bool is_whole(double x) { return std::abs(x) <= 9007199254740992.0 && std::floor(x) == x; }

bool matches(const Value& value, Type type) {
  switch (type) {
    case Type::text:
    case Type::expression:
      return value.kind == Kind::text;
    case Type::number:
      return value.kind == Kind::integer || value.kind == Kind::real;
    case Type::integer:
      return value.kind == Kind::integer || (value.kind == Kind::real && is_whole(value.real));
    case Type::truth:
      return value.kind == Kind::truth;
    case Type::list:
      return value.kind == Kind::list;
    case Type::table:
      return value.kind == Kind::table;
    case Type::any:
      break;
  }
  return true;
}

bool has(const SchemaEntry& entry, Type type) {
  return std::find(entry.types.begin(), entry.types.end(), type) != entry.types.end();
}

void check_number(const Value& value, const SchemaEntry& entry, const Trail& trail) {
  const std::string found = ", found " + varia::to_text(value.real) + ".";
  if (!std::isfinite(value.real)) fail(value.mark, trail, "must be finite" + found);
  if (entry.range == Range::positive && !(value.real > 0))
    fail(value.mark, trail, "must be greater than 0" + found);
  if (entry.range == Range::not_negative && !(value.real >= 0))
    fail(value.mark, trail, "must not be negative" + found);
  if (entry.range == Range::not_zero && value.real == 0) fail(value.mark, trail, "must not be 0.");
}

void check_text(const Value& value, const SchemaEntry& entry, const Trail& trail) {
  if (has(entry, Type::expression) && value.text.find_first_not_of(" \t\r\n") == std::string::npos)
    fail(value.mark, trail, "must be an expression, found an empty text.");
  if (entry.choices.empty()) return;
  const std::vector<std::string> words = usable(entry.choices);
  for (const Choice& choice : entry.choices) {
    if (choice.word != value.text) continue;
    if (choice.refused.empty()) return;
    fail(value.mark, trail,
         choice.word + ": " + choice.refused + "; allowed: " + listed(words) + ".");
  }
  fail(value.mark, trail,
       "found \"" + shown(value.text) + "\"; allowed: " + listed(words) + "." +
           did_you_mean(value.text, words));
}

void check(Value& value, const SchemaNode& node, const Trail& trail);

/// Whether a key of a scenario or of its system states equations of motion: equations, ode, x_dot, "x'".
bool states_equations(std::string_view key) {
  std::string plain;
  for (const char c : key)
    if (c != '_' && c != '-' && c != ' ')
      plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  constexpr std::array words{"equation",
                             "equations",
                             "eqs",
                             "eq",
                             "eqns",
                             "ode",
                             "odes",
                             "rhs",
                             "righthandside",
                             "dynamics",
                             "derivative",
                             "derivatives",
                             "vectorfield",
                             "equationsofmotion",
                             "differentialequations",
                             "firstorder"};
  if (std::find(words.begin(), words.end(), plain) != words.end()) return true;
  const bool quotient = plain.size() >= 4 && plain.front() == 'd' &&
                        (plain.ends_with("dt") || plain.ends_with("/dt"));
  return plain.ends_with("dot") || plain.ends_with("'") || quotient;
}

/// What to state instead.
[[noreturn]] void fail_equations(const Member& member, const Trail& trail) {
  fail(member.mark, trail,
       "equations of motion are not stated; Varia derives them from a lagrangian, a hamiltonian or "
       "bodies. For m x'' = -dV/dx + f write lagrangian = \"m*x_dot^2/2 - V\" and force = { x = "
       "\"f\" }. Equations of first order, x' = a(x, y), y' = b(x, y), such as those of Lorenz, "
       "follow from hamiltonian = \"x_p*a + y_p*b\" with momenta 0 at the start; see "
       "gallery:lorenz.");
}

[[noreturn]] void fail_unknown(const Member& member, const SchemaNode& node, const Trail& trail) {
  const std::string table = trail.up->key();
  if (node.form != Form::solid && (table.empty() || table == "system") &&
      states_equations(member.key))
    fail_equations(member, trail);
  const std::vector<std::string> allowed = node.keys();
  std::vector<std::string> near = allowed;
  if (node.form == Form::system && trail.up->up == nullptr)
    near.insert(near.end(), {"solid", "control"});
  std::string hint = did_you_mean(member.key, near);
  const std::vector<std::string> elsewhere = keys_named(member.key, node.form);
  if (!elsewhere.empty()) hint = " Did you mean " + elsewhere.front() + "?";
  fail(member.mark, trail, "unknown key; allowed: " + listed(allowed) + "." + hint);
}

void check_alternatives(const Value& table, const SchemaNode& node, const Trail& trail) {
  for (const Alternative& pair : node.alternatives) {
    const Member* one = table.member(pair.one);
    const Member* other = table.member(pair.other);
    const Trail first{&trail, pair.one}, second{&trail, pair.other};
    if (one != nullptr && other != nullptr)
      fail(other->mark, second, "given together with " + first.key() + "; give one of them.");
    if (pair.required && one == nullptr && other == nullptr && table.find(pair.unless) == nullptr)
      fail(table.mark, first,
           "missing, and so is " + second.key() + "; give one of them" +
               example_of(first, *node.child(pair.one)) + ".");
  }
}

bool needs_keys(const SchemaNode& table) {
  return std::any_of(table.children.begin(), table.children.end(),
                     [](const auto& child) { return child.second->entry->required; });
}

/// Puts defaults where nothing is given. A table need not be there; without required keys it is
/// then the one of all defaults.
void complete(Value& table, const SchemaNode& node, const Trail& trail) {
  for (const auto& [name, child] : node.children) {
    if (table.find(name) != nullptr) continue;
    const Trail here{&trail, name};
    if (child->entry->required && table.find(child->entry->unless) == nullptr)
      fail(table.mark, here,
           matches(Value{}, child->entry->types.front()) && child->entry->example.empty()
               ? "missing; add the table [" + here.key() + "]."
               : "missing; it must be " + type_words(*child) + example_of(here, *child) + ".");
    if (child->fallback) {
      table.members.push_back({name, *child->fallback, table.mark});
      table.members.back().value.mark = table.mark;
    } else if (has(*child->entry, Type::table) && !child->children.empty() && !needs_keys(*child)) {
      Value empty;
      empty.mark = table.mark;
      complete(empty, *child, here);
      table.members.push_back({name, std::move(empty), table.mark});
    }
  }
}

void check_table(Value& table, const SchemaNode& node, const Trail& trail) {
  for (Member& member : table.members) {
    const Trail here{&trail, member.key};
    const SchemaNode* child = node.child(member.key);
    if (child == nullptr && node.entry != nullptr && node.entry->takes_any_key) continue;
    if (child == nullptr) fail_unknown(member, node, here);
    check(member.value, *child, here);
  }
  complete(table, node, trail);
  check_alternatives(table, node, trail);
}

void check(Value& value, const SchemaNode& node, const Trail& trail) {
  const SchemaEntry& entry = *node.entry;
  const bool fits = std::any_of(entry.types.begin(), entry.types.end(),
                                [&](Type type) { return matches(value, type); });
  if (!fits)
    fail(value.mark, trail,
         "must be " + type_words(node) + ", found " + description(value) +
             (node.entry->example.empty() ? written_as(value, node, trail)
                                          : example_of(trail, node)) +
             ".");
  if (has(entry, Type::any)) return;
  switch (value.kind) {
    case Kind::integer:
    case Kind::real:
      check_number(value, entry, trail);
      break;
    case Kind::text:
      check_text(value, entry, trail);
      break;
    case Kind::list:
      for (std::size_t k = 0; k < value.items.size(); ++k)
        check(value.items[k], *node.item, {&trail, trail.name, k + 1});
      break;
    case Kind::table:
      check_table(value, node, trail);
      break;
    default:
      break;
  }
}

}  // namespace

void check_schema(Value& root) {
  const Member* solid = root.member("solid");
  if (solid != nullptr && root.member("system") != nullptr)
    throw ScenarioError(solid->mark.place(), "solid",
                        "given together with system; a scenario has a [system] and its [start], or "
                        "a [solid].");
  if (const Member* start = root.member("start"); solid != nullptr && start != nullptr)
    throw ScenarioError(start->mark.place(), "start",
                        "given together with solid; the start of a solid is [solid.start].");
  if (const Member* control = root.member("control"); solid != nullptr && control != nullptr)
    throw ScenarioError(control->mark.place(), "control",
                        "given together with solid; the inputs of a [control] act on a [system].");
  if (const Member* end = root.member("end"); end != nullptr && form_of(root) == Form::system)
    throw ScenarioError(end->mark.place(), "end",
                        "given without control; what holds at the end is a condition of a control "
                        "problem, see the table [control].");
  if (const Member* event = root.member("event"); solid != nullptr && event != nullptr)
    throw ScenarioError(event->mark.place(), "event",
                        "given together with solid; events are watched in runs of a [system], a "
                        "solid has none.");
  check_table(root, schema_tree(form_of(root)), {});
}

namespace {

/// The node of one part of a key, made when it is not there: "matrix[][]" is a child and two items.
SchemaNode& descend(SchemaNode& node, std::string part) {
  int lists = 0;
  for (; part.ends_with("[]"); part.resize(part.size() - 2)) ++lists;
  SchemaNode* next = nullptr;
  if (part == "NAME") {
    if (!node.any_name) node.any_name = std::make_unique<SchemaNode>();
    next = node.any_name.get();
  } else {
    for (auto& [name, child] : node.children)
      if (name == part) next = child.get();
    if (next == nullptr)
      next = node.children.emplace_back(part, std::make_unique<SchemaNode>()).second.get();
  }
  for (; lists > 0; --lists) {
    if (!next->item) next->item = std::make_unique<SchemaNode>();
    next = next->item.get();
  }
  return *next;
}

SchemaNode& descend_all(SchemaNode& root, const std::string& key) {
  SchemaNode* node = &root;
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    node = &descend(*node, key.substr(begin, end - begin));
    begin = end + 1;
  }
  return *node;
}

SchemaNode make_tree(Form form) {
  SchemaNode root;
  root.form = form;
  for (const SchemaEntry& entry : schema(form)) {
    SchemaNode& node = descend_all(root, entry.key);
    node.entry = &entry;
    node.form = form;
    if (!entry.fallback.empty())
      node.fallback = parse_document("value = " + entry.fallback, "default").members[0].value;
  }
  for (const Alternative& pair : schema_alternatives(form))
    descend_all(root, pair.table).alternatives.push_back(pair);
  return root;
}

std::string word(Type type, bool plural) {
  switch (type) {
    case Type::text:
      return plural ? "texts" : "a text";
    case Type::expression:
      return plural ? "expressions" : "an expression";
    case Type::number:
      return plural ? "numbers" : "a number";
    case Type::integer:
      return plural ? "whole numbers" : "a whole number";
    case Type::truth:
      return "true or false";
    case Type::list:
      return plural ? "lists" : "a list";
    case Type::table:
      return plural ? "tables" : "a table";
    case Type::any:
      break;
  }
  return plural ? "values" : "any value";
}

std::string words(const SchemaNode& node, bool plural) {
  const std::vector<Type>& types = node.entry->types;
  std::string text;
  for (std::size_t k = 0; k < types.size(); ++k) {
    if (k > 0) text += k + 1 == types.size() ? " or " : ", ";
    text += word(types[k], plural);
    // "a list of numbers or expressions" where it is the one thing allowed; else it is understood.
    if (types[k] == Type::list && node.item && types.size() == 1)
      text += " of " + words(*node.item, true);
  }
  return text;
}

}  // namespace

const SchemaNode* SchemaNode::child(std::string_view key) const {
  for (const auto& [name, node] : children)
    if (name == key) return node.get();
  return any_name.get();
}

std::vector<std::string> SchemaNode::keys() const {
  std::vector<std::string> names;
  for (const auto& [name, node] : children) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

const SchemaNode& schema_tree(Form form) {
  static const SchemaNode of_system = make_tree(Form::system);
  static const SchemaNode of_control = make_tree(Form::control);
  static const SchemaNode of_solid = make_tree(Form::solid);
  if (form == Form::control) return of_control;
  return form == Form::system ? of_system : of_solid;
}

Form form_of(const Value& root) {
  if (root.member("solid") != nullptr) return Form::solid;
  return root.member("control") != nullptr ? Form::control : Form::system;
}

std::string type_words(const SchemaNode& node) { return words(node, false); }

std::vector<std::string> usable(const std::vector<Choice>& choices) {
  std::vector<std::string> words;
  for (const Choice& choice : choices)
    if (choice.refused.empty()) words.push_back(choice.word);
  return words;
}

std::vector<std::string> keys_named(std::string_view name, Form form) {
  std::vector<std::string> keys;
  for (const SchemaEntry& entry : schema(form)) {
    const auto dot = entry.key.rfind('.');
    if (dot != std::string::npos && entry.key.find("[]") == std::string::npos &&
        std::string_view(entry.key).substr(dot + 1) == name && name != "NAME")
      keys.push_back(entry.key);
  }
  return keys;
}

}  // namespace varia::io
