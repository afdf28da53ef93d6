// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <optional>

#include "../../expr/characters.hpp"
#include "reading.hpp"
#include "varia/expr/parse.hpp"
#include "varia/space/list.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

/// All spaces live as long as the program.
const Notation& notation_of(const Coordinate& coordinate) {
  return factor_of(coordinate)->notation();
}

/// What is appended to the name of a coordinate in a role: _dot; _w1, _w2, _w3.
Names names_of(const Notation& notation, Role role) {
  switch (role) {
    case Role::position:
      return notation.forms.empty() ? notation.entries : Names{};
    case Role::velocity:
      return notation.velocities;
    case Role::momentum:
      return notation.momenta;
    case Role::force:
      return notation.forces;
    case Role::point:
    case Role::list:
      break;
  }
  return notation.forms.empty() ? Names{} : Names{{""}, ""};
}

/// Whether a point or a vector is written as a list of numbers, and this is one: for all of an array.
bool is_one_list(const Family& family, const Value& value) {
  const auto& forms = family.notation->forms;
  const bool written_so = family.role == Role::list ||
                          (family.role == Role::point &&
                           std::any_of(forms.begin(), forms.end(), [](const PointForm& form) {
                             return form.front().key.empty();
                           }));
  return written_so && !value.items.empty() &&
         std::none_of(value.items.begin(), value.items.end(), [](const Value& item) {
           return item.kind == Kind::list || item.kind == Kind::table;
         });
}

/// Point by point of an array: all components of its first one, then those of the second.
std::vector<std::string> components(const System& system,
                                    const std::function<const Names&(const Notation&)>& role) {
  std::vector<std::string> names;
  for (const Coordinate& c : system.coordinates)
    for (int index = c.array ? c.first : 0; index <= (c.array ? c.last : 0); ++index)
      for (const std::string& suffix : role(notation_of(c)).suffixes)
        names.push_back(c.name + suffix + (c.array ? "[" + std::to_string(index) + "]" : ""));
  return names;
}

}  // namespace

Families::Families(const System& system, const std::vector<Role>& roles) {
  for (const Role role : roles)
    for (const Coordinate& coordinate : system.coordinates) {
      const Names names = names_of(notation_of(coordinate), role);
      const auto add = [&](const std::string& suffix, Role what, int parts) {
        by_name_.emplace(coordinate.name + suffix, list_.size());
        list_.push_back({coordinate.name + suffix, what, coordinate.array,
                         coordinate.array ? coordinate.first : 0,
                         coordinate.array ? coordinate.last : 0, &notation_of(coordinate), parts,
                         (coordinate.body && role != Role::point) ||
                             (coordinate.reduced && role == Role::point)});
      };
      for (const std::string& suffix : names.suffixes) add(suffix, role, 0);
      if (names.together) add(*names.together, Role::list, static_cast<int>(names.suffixes.size()));
    }
}

const Family* Families::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &list_[found->second];
}

std::vector<std::string> Families::names() const {
  std::vector<std::string> names;
  names.reserve(list_.size());
  for (const Family& family : list_) names.push_back(family.name);
  return names;
}

NameTable::NameTable() {
  taken_["t"] = "the time";
  for (const std::string& word : expr::reserved_names()) taken_[word] = "a function";
  for (const char* word : {"and", "or", "not"}) taken_[word] = "a word of conditions";
  for (const char* word : {"pi", "π"}) taken_[word] = "a constant";
}

void NameTable::refuse(const std::string& name, const std::string& what, const Place& place,
                       const std::string& key) const {
  const auto found = taken_.find(name);
  if (found != taken_.end())
    throw ScenarioError(place, key,
                        name + " is " + what + ", but " + name + " is already " + found->second +
                            "; choose another name.");
}

void NameTable::add(const std::string& name, const std::string& what, const Place& place,
                    const std::string& key) {
  refuse(name, what, place, key);
  taken_.emplace(name, what);
}

void require_identifier(const std::string& name, const Place& place, const std::string& key) {
  if (expr::is_name(name)) return;
  std::string hint;
  for (std::size_t at = 0; at < name.size() && hint.empty();) {
    const expr::Character c = expr::character(name, at);
    hint = expr::instead_of(c.value);
    if (!hint.empty()) hint = " " + expr::name_of(name, at) + " is no letter.";
    at += std::max<std::size_t>(1, c.bytes);
  }
  throw ScenarioError(place, key,
                      "\"" + shown(name) +
                          "\" is not a name; a name has letters, digits and _, "
                          "and does not begin with a digit." +
                          hint);
}

FactorPtr factor_of(const Coordinate& coordinate) {
  return coordinate.reduced ? find_reduced_space(coordinate.space) : find_space(coordinate.space);
}

std::vector<std::string> entry_names(const System& system) {
  return components(system, [](const Notation& n) -> const Names& { return n.entries; });
}
std::vector<std::string> velocity_names(const System& system) {
  return components(system, [](const Notation& n) -> const Names& { return n.velocities; });
}
std::vector<std::string> momentum_names(const System& system) {
  return components(system, [](const Notation& n) -> const Names& { return n.momenta; });
}
std::vector<std::string> force_names(const System& system) {
  return components(system, [](const Notation& n) -> const Names& { return n.forces; });
}

namespace {

/// "q[3]" as ("q", 3); nothing for any other form (q[03], q[ 3 ], q[3]x).
std::optional<std::pair<std::string, long>> split_entry(const std::string& name) {
  const auto open = name.find('[');
  if (open == std::string::npos || name.back() != ']') return std::nullopt;
  const char* const begin = name.data() + open + 1;
  const char* const end = name.data() + name.size() - 1;
  long index = 0;
  const auto [stop, error] = std::from_chars(begin, end, index);
  if (error != std::errc() || stop != end || std::to_string(index) != std::string(begin, end))
    return std::nullopt;
  return std::make_pair(name.substr(0, open), index);
}

/// Of all texts in the value.
std::size_t characters(const Value& value) {
  std::size_t sum = value.text.size();
  for (const Value& item : value.items) sum += characters(item);
  for (const Member& member : value.members) sum += characters(member.value);
  return sum;
}

}  // namespace

ComponentReader::ComponentReader(const Families& families, std::string key, std::string what)
    : families_(families), key_(std::move(key)), what_(std::move(what)) {}

const Family& ComponentReader::family_of(const Member& member, long& index, bool& own) const {
  const std::string key = key_ + "." + shown(member.key);
  const auto entry = split_entry(member.key);
  own = entry.has_value();
  const Family* family = families_.find(own ? entry->first : member.key);
  if (family == nullptr) {
    const std::vector<std::string> names = families_.names();
    throw ScenarioError(member.mark.place(), key,
                        "there is no such " + what_ + "; there are: " + listed(names) + "." +
                            did_you_mean(own ? entry->first : member.key, names));
  }
  if (own && !family->array)
    throw ScenarioError(member.mark.place(), key, family->name + " is not an array.");
  index = own ? entry->second : 0;
  if (own && (index < family->first || index > family->last))
    throw ScenarioError(member.mark.place(), key,
                        "out of range; the entries are " + family->component(family->first) +
                            " to " + family->component(family->last) + ".");
  return *family;
}

void ComponentReader::read(const Member& member) {
  long index = 0;
  bool own = false;
  const Family& family = family_of(member, index, own);
  if (family.array && !own)
    read_array(family, member.value);
  else
    put(family, index, member.value, true);
}

void ComponentReader::read_list(const Family& family, const Value& value) {
  if (static_cast<long>(value.items.size()) != family.size())
    throw ScenarioError(value.place(), key_ + "." + family.name,
                        "must have " + std::to_string(family.size()) +
                            " entries, one for each of " + family.component(family.first) + " to " +
                            family.component(family.last) + ", found " +
                            std::to_string(value.items.size()) + ".");
  for (long k = 0; k < family.size(); ++k)
    put(family, family.first + k, value.items[static_cast<std::size_t>(k)], false);
}

void ComponentReader::read_array(const Family& family, const Value& value) {
  constexpr std::size_t most_characters = 100'000'000;  // one copy of the text for each entry
  if (value.kind == Kind::list && !is_one_list(family, value)) return read_list(family, value);
  if (characters(value) > most_characters / static_cast<std::size_t>(family.size()))
    throw ScenarioError(value.place(), key_ + "." + family.name,
                        "the expression is too long for an array of " +
                            std::to_string(family.size()) + " entries.");
  for (long index = family.first; index <= family.last; ++index) put(family, index, value, false);
}

void ComponentReader::put(const Family& family, long index, const Value& value, bool own) {
  if (family.role == Role::list)
    put_parts(family, index, value, own ? 2 : 0);
  else
    put_one(family, index, value, own ? 3 : 1);
}

void ComponentReader::put_parts(const Family& list, long index, const Value& value,
                                int precedence) {
  if (value.kind != Kind::list || value.items.size() != static_cast<std::size_t>(list.parts))
    throw ScenarioError(
        value.place(), key_ + "." + list.component(index),
        "must be a list of " + std::to_string(list.parts) + " numbers, found " +
            (value.kind == Kind::list ? std::to_string(value.items.size()) + " entries."
                                      : description(value) + "."));
  const Family* const parts = &list - list.parts;
  for (int k = 0; k < list.parts; ++k)
    put_one(parts[k], index, value.items[static_cast<std::size_t>(k)], precedence);
}

void ComponentReader::put_one(const Family& family, long index, const Value& value,
                              int precedence) {
  if (family.role != Role::point && (value.kind == Kind::list || value.kind == Kind::table))
    throw ScenarioError(value.place(), key_ + "." + family.component(index),
                        "must be a number or an expression, found " + description(value) + ".");
  const auto [at, added] = at_.emplace(std::make_pair(&family, index), given_.size());
  if (added)
    given_.push_back({&family, index, &value, precedence});
  else if (precedence > given_[at->second].precedence)
    given_[at->second] = {&family, index, &value, precedence};
}

bool ComponentReader::has(const Family& family, long index) const {
  return at_.count(std::make_pair(&family, index)) > 0;
}

std::vector<ComponentReader::Given> ComponentReader::given(Role role) const {
  std::vector<Given> result;
  std::copy_if(given_.begin(), given_.end(), std::back_inserter(result),
               [&](const Given& g) { return g.family->role == role; });
  return result;
}

Component Component::entry(long k) const {
  Component one = *this;
  const std::string before = "[" + std::to_string(index) + "]";
  const std::string after = "[" + std::to_string(index + k) + "]";
  for (std::string* name : {&one.component, &one.text.key})
    name->replace(name->rfind(before), before.size(), after);
  one.index = index + k;
  one.count = 1;
  return one;
}

std::vector<Component> ComponentReader::of(Role role) const {
  std::vector<Component> components;
  const Given* last = nullptr;
  for (const Given& g : given_) {
    if (g.family->role != role) continue;
    if (last != nullptr && g.family == last->family && g.value == last->value &&
        g.index == last->index + 1)
      ++components.back().count;
    else
      components.push_back(
          {g.name(), make_text(*g.value, key_ + "." + g.name()), g.index, g.family->array});
    last = &g;
  }
  return components;
}

}  // namespace varia::io
