// SPDX-License-Identifier: BSD-3-Clause
#include "scenario_names.hpp"

#include <algorithm>
#include <functional>

#include "varia/space/list.hpp"

namespace varia::io {

namespace {

const Notation& notation_of(const Coordinate& coordinate) {
  return find_space(coordinate.space)->notation();
}

/// What is appended to the name of a coordinate in a role: _dot; _w1, _w2, _w3.
std::vector<std::string> suffixes(const Notation& notation, Role role) {
  switch (role) {
    case Role::position:
      return notation.forms.empty() ? notation.entries.suffixes : std::vector<std::string>{};
    case Role::velocity:
      return notation.velocities.suffixes;
    case Role::momentum:
      return notation.momenta.suffixes;
    case Role::force:
      return notation.forces.suffixes;
    case Role::point:
      break;
  }
  return notation.forms.empty() ? std::vector<std::string>{} : std::vector<std::string>{""};
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
    for (const Coordinate& coordinate : system.coordinates)
      for (const std::string& suffix : suffixes(notation_of(coordinate), role)) {
        const std::string name = coordinate.name + suffix;
        by_name_.emplace(name, list_.size());
        list_.push_back({name, role, coordinate.array, coordinate.array ? coordinate.first : 0,
                         coordinate.array ? coordinate.last : 0, &notation_of(coordinate)});
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
  taken_["pi"] = "a constant";
  for (const char* function :
       {"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh",  "cosh", "tanh",
        "exp", "log", "abs", "min",  "max",  "sign", "sqrt",  "hypot", "pow",  "sum"})
    taken_[function] = "a function";
}

void NameTable::add(const std::string& name, const std::string& what, const Place& place,
                    const std::string& key) {
  const auto [at, added] = taken_.emplace(name, what);
  if (!added)
    throw ScenarioError(place, key,
                        name + " is " + what + ", but " + name + " is already " + at->second +
                            "; choose another name.");
}

void require_identifier(const std::string& name, const Place& place, const std::string& key) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool good =
      !name.empty() && letter(name.front()) &&
      std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || digit(c); });
  if (!good)
    throw ScenarioError(place, key,
                        "\"" + shown(name) +
                            "\" is not a name; a name has letters, digits and _, "
                            "and does not begin with a digit.");
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

}  // namespace varia::io
