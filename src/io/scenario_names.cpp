// SPDX-License-Identifier: BSD-3-Clause
#include "scenario_names.hpp"

#include <algorithm>

namespace varia::io {

namespace {

/// The names a coordinate has in a role: x_dot; R_w1, R_w2, R_w3; R itself for the rotation.
std::vector<std::string> names_in(const Coordinate& coordinate, Role role) {
  const std::string& name = coordinate.name;
  const auto triple = [&](const std::string& middle) {
    return std::vector<std::string>{name + middle + "1", name + middle + "2", name + middle + "3"};
  };
  const bool rotation = coordinate.space == "SO3";
  switch (role) {
    case Role::position:
      return rotation ? std::vector<std::string>{} : std::vector<std::string>{name};
    case Role::velocity:
      return rotation ? triple("_w") : std::vector<std::string>{name + "_dot"};
    case Role::momentum:
      return rotation ? triple("_m") : std::vector<std::string>{name + "_p"};
    case Role::force:
      return rotation ? triple("_") : std::vector<std::string>{name};
    case Role::rotation:
      break;
  }
  return rotation ? std::vector<std::string>{name} : std::vector<std::string>{};
}

std::vector<std::string> components(const System& system, Role role) {
  std::vector<std::string> names;
  const Families families(system, {role});
  for (const Family& family : families.list())
    for (long index = family.first; index <= family.last; ++index)
      names.push_back(family.component(index));
  return names;
}

}  // namespace

Families::Families(const System& system, const std::vector<Role>& roles) {
  for (const Role role : roles)
    for (const Coordinate& coordinate : system.coordinates)
      for (const std::string& name : names_in(coordinate, role)) {
        by_name_.emplace(name, list_.size());
        list_.push_back({name, role, coordinate.array, coordinate.array ? coordinate.first : 0,
                         coordinate.array ? coordinate.last : 0});
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

std::vector<std::string> position_names(const System& system) {
  return components(system, Role::position);
}
std::vector<std::string> velocity_names(const System& system) {
  return components(system, Role::velocity);
}
std::vector<std::string> momentum_names(const System& system) {
  return components(system, Role::momentum);
}
std::vector<std::string> force_names(const System& system) {
  return components(system, Role::force);
}

}  // namespace varia::io
